"""What a match counts for that was not played to its end by those who began it.

`/rules`, *At the table*: nobody gains by sending others away, leaving, or ending a match.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.tables.ending import Ending, Leaving, Removal, means, removal
from bot.tables.model import Table
from bot.tables.phase import Over
from bot.tables.ports import Due
from bot.tables.stored import DeadlineKind, Pace, Person, Status, Stop
from bot.tables.waiting import IDLE_WARNING, QUIET_TIME, STALL_TIME
from bot.views.listing import listed
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, House, refused
from tests.tables.stub import StubGame
from tests.tables.test_clock import away, timed_out

Deed = Callable[[House, Table], Awaitable[Table]]


def vote(*people: Person) -> Deed:
    async def done(house: House, table: Table) -> Table:
        for person in people:
            table = await house.service.end(table.id, person.id, moderator=False)
        return table

    return done


def remove(by: Person, whom: Person) -> Deed:
    async def done(house: House, table: Table) -> Table:
        return await house.service.kick(table.id, by.id, whom.id)

    return done


def leave(*people: Person) -> Deed:
    async def done(house: House, table: Table) -> Table:
        for person in people:
            table = await house.service.leave(table.id, person.id)
        return table

    return done


def then(*deeds: Deed) -> Deed:
    async def done(house: House, table: Table) -> Table:
        for deed in deeds:
            table = await deed(house, table)
        return table

    return done


async def a_minute(house: House, table: Table) -> Table:
    return await house.vote_over(table.id)


async def stop(house: House, table: Table) -> Table:
    return await house.stop(table.id)


async def gone(house: House, table: Table) -> Table:
    """Ann leaves the server, or is banned from it."""
    return await house.service.left_server(table.id, ANN.id)


async def sent_away(house: House, table: Table) -> Table:
    """A moderator who does not play sends Ann away."""
    return await house.service.kick(table.id, EVE.id, ANN.id, moderator=True)


async def unseen(house: House, table: Table) -> Table:
    """For a week the bot may not write where it is played."""
    await house.service.stalled(table.id, ["send_messages"])
    return await house.later(table, STALL_TIME.total_seconds())


async def channel_deleted(house: House, table: Table) -> Table:
    return await house.service.vanished(table.id)


async def forgotten(house: House, table: Table) -> Table:
    """Ann is asked, and does not answer for two weeks."""
    table = await house.later(table, QUIET_TIME.total_seconds())
    return await house.later(table, IDLE_WARNING.total_seconds())


async def back(house: House, table: Table) -> Table:
    """Ann takes her seat back from the stand-in."""
    return await house.service.sit(table.id, ANN, 0)


async def another(house: House, table: Table) -> Table:
    """Eve takes the seat that Ann has left."""
    return await house.service.sit(table.id, EVE, 0)


async def takes_anns(house: House, table: Table) -> Table:
    """Dan takes the seat that is free."""
    return await house.service.sit(table.id, DAN, 0)


async def takes_bens(house: House, table: Table) -> Table:
    return await house.service.sit(table.id, DAN, 1)


async def substitute_gone(house: House, table: Table) -> Table:
    """Eve leaves the server."""
    return await house.service.left_server(table.id, EVE.id)


async def substitute_sent_away(house: House, table: Table) -> Table:
    """A moderator who does not play sends Eve away."""
    return await house.service.kick(table.id, FAY.id, EVE.id, moderator=True)


async def goes_on(_: House, table: Table) -> Table:
    assert table.stored.status is Status.RUNNING
    return table


async def play_on(house: House, table: Table) -> Table:
    """Everybody who is there plays the round, and stand-ins do for the others."""
    while table.stored.status is Status.RUNNING:
        standing = table.stored.timing.deadline(DeadlineKind.SELF_ANSWER)
        if table.asked:
            person = table.stored.seating.places[table.asked[0]].person
            assert person is not None
            table = await house.play(table.id, person, "play 9")
        elif standing is not None:
            house.clock.forward(3)
            await house.service.fire(Due(table.id, standing))
            table = await house.service.table(table.id)
        else:
            for person in table.stored.seating.present:
                await house.service.ready(table.id, person.id, None)
            table = await house.post(table.id)
    return table


async def match_of(house: House, rounds: int, played: int, *people: Person) -> Table:
    """A match in whose next round nobody has played yet; Ann leads, then Ben, Cat, Dan."""
    table = await house.match(*people, rounds=rounds)
    for number in range(played):
        numbers = [9 - 3 * seat for seat in range(len(people))]
        table = await house.play_round(table.id, *numbers)
        if number < rounds - 1:
            table = await house.next_round(table.id)
    return table


def places(house: House) -> dict[str, int] | None:
    """The place of everybody in the one result; None if the match counts for nobody."""
    assert len(house.store.results) <= 1
    return {row.name: row.place for result in house.store.results for row in result.rows} or None


HALF, EARLY = 1, 0
"""Rounds played of two."""

AS_IT_STANDS = {"Ann": 1, "Ben": 2, "Cat": 3}
"""By the points of the first round."""
CAT_AND_BEN_LAST = {"Ann": 1, "Ben": 2, "Cat": 2}


@pytest.mark.behaviour("A match ends before its rules end it")
@pytest.mark.parametrize(
    ("played", "deed", "stopped", "counts"),
    [
        # All who are there vote: it counts as it stands.
        (HALF, vote(ANN, BEN, CAT), Stop.VOTE, AS_IT_STANDS),
        (HALF, then(leave(ANN), vote(CAT, BEN)), Stop.VOTE, {"Ben": 1, "Cat": 2, "Ann": 3}),
        # If all who began it have given up, who left is behind those who voted.
        (
            HALF,
            then(leave(ANN), another, vote(BEN, CAT), a_minute),
            Stop.VOTE,
            {"Ben": 1, "Cat": 2, "Ann": 3},
        ),
        # More than half do: they concede, and share the last place.
        (HALF, then(vote(ANN, BEN), a_minute), Stop.VOTE, {"Cat": 1, "Ann": 2, "Ben": 2}),
        (HALF, then(vote(BEN, CAT), a_minute), Stop.VOTE, {"Ann": 1, "Ben": 2, "Cat": 2}),
        # Before half of it was played nothing counts.
        (EARLY, then(vote(ANN, BEN), a_minute), Stop.VOTE, None),
        # Whoever leaves concedes; if all others do, there is a winner.
        (HALF, leave(ANN, BEN), Stop.CONCEDED, {"Cat": 1, "Ann": 2, "Ben": 2}),
        (HALF, leave(CAT, BEN), Stop.CONCEDED, {"Ann": 1, "Ben": 2, "Cat": 2}),
        (EARLY, leave(ANN, BEN, CAT), Stop.EMPTY, None),
        # Leaving the server is leaving; who was sent away has not left.
        (HALF, then(gone, leave(BEN)), Stop.CONCEDED, {"Cat": 1, "Ann": 2, "Ben": 2}),
        (EARLY, then(gone, leave(BEN), leave(CAT)), Stop.EMPTY, None),
        (HALF, then(sent_away, leave(CAT), leave(BEN)), Stop.EMPTY, CAT_AND_BEN_LAST),
        # While a substitute plays it goes on, until the last of those who gave up has left too.
        (
            HALF,
            then(leave(ANN), another, leave(BEN), goes_on, leave(EVE)),
            Stop.CONCEDED,
            {"Cat": 1, "Ann": 2, "Ben": 2},
        ),
        (
            HALF,
            then(leave(ANN), another, leave(BEN), goes_on, substitute_gone),
            Stop.CONCEDED,
            {"Cat": 1, "Ann": 2, "Ben": 2},
        ),
        (
            HALF,
            then(leave(ANN), another, leave(BEN), substitute_sent_away),
            Stop.CONCEDED,
            {"Cat": 1, "Ann": 2, "Ben": 2},
        ),
        # If all who began it have left, the points decide, unless one of them came back.
        (HALF, then(leave(ANN), another, leave(BEN, CAT), leave(EVE)), Stop.EMPTY, AS_IT_STANDS),
        (
            HALF,
            then(leave(BEN), takes_bens, leave(ANN, CAT), goes_on, back, leave(DAN)),
            Stop.CONCEDED,
            {"Ann": 1, "Ben": 2, "Cat": 2},
        ),
        # Whoever plays for the winner alone does not hinder that.
        (HALF, then(sent_away, takes_anns, leave(BEN, CAT)), Stop.CONCEDED, CAT_AND_BEN_LAST),
        # Where it cannot be shown it counts as it stands; without its channel it does not.
        (HALF, unseen, Stop.UNSEEN, AS_IT_STANDS),
        (EARLY, unseen, Stop.UNSEEN, None),
        (HALF, channel_deleted, Stop.CHANNEL, None),
        (HALF, then(leave(ANN), channel_deleted), Stop.CHANNEL, None),
        # A fortnight without an answer: whoever was asked is last.
        (HALF, forgotten, Stop.IDLE, {"Ben": 1, "Cat": 2, "Ann": 3}),
        (EARLY, forgotten, Stop.IDLE, None),
        # A moderator who does not play ends it for nobody.
        (HALF, stop, Stop.MODERATOR, None),
        (HALF, then(leave(ANN), stop), Stop.MODERATOR, None),
    ],
)
async def test_what_a_match_counts_for(
    house: House, played: int, deed: Deed, stopped: Stop | None, counts: dict[str, int] | None
) -> None:
    table = await match_of(house, 2, played, ANN, BEN, CAT)
    table = await deed(house, table)
    assert not table.stored.status.is_open
    assert table.stored.stop is stopped
    assert isinstance(table.phase, Over)
    assert places(house) == counts
    assert (table.phase.outcome is not None) == (counts is not None)
    house.agree()


@pytest.mark.parametrize(
    ("played", "deed", "last"),
    [
        (HALF, leave(ANN), ["Ann"]),
        (EARLY, leave(ANN), []),  # a stand-in's result, as of anybody who is away
        (HALF, gone, ["Ann"]),
        (EARLY, gone, []),
        (HALF, sent_away, []),
        (HALF, then(leave(ANN), back), []),
        (HALF, then(leave(ANN), another), ["Ann"]),
        (HALF, vote(ANN), []),  # the others went on, and so did Ann
    ],
    ids=[
        "left",
        "left early",
        "left the server",
        "left it early",
        "sent away",
        "came back",
        "replaced",
        "voted alone",
    ],
)
async def test_a_match_that_is_played_to_its_end(
    house: House, played: int, deed: Deed, last: list[str]
) -> None:
    table = await match_of(house, 2, played, ANN, BEN, CAT)
    table = await play_on(house, await deed(house, table))
    assert table.stored.status is Status.FINISHED
    (result,) = house.store.results
    points = {row.name: row.points for row in result.rows}
    ahead = [name for name in points if name not in last]
    assert places(house) == {
        name: 1 + sum(name in last or points[other] > points[name] for other in ahead)
        for name in points
    }


@pytest.mark.behaviour("Somebody gives up: leaves the table or its server")
async def test_who_leaves_a_computer_to_finish_alone_is_behind_it(house: House) -> None:
    """Else whoever leads could leave, and keep what they have."""
    table = await house.against(ANN, BEN, computers=1, rounds=2)
    for person, number in ((ANN, 9), (BEN, 5)):
        await house.play(table.id, person, f"play {number}")
    table = await house.later(table, 1)
    assert table.rounds[0][0] > max(table.rounds[0][1:])
    table = await goes_on(house, await leave(ANN)(house, table))
    await leave(BEN)(house, table)
    (result,) = house.store.results
    assert [row.place for row in result.rows] == [2, 2]
    assert [row.place for row in result.computers] == [1]


# Whoever is away


async def alone_there(rounds: int) -> tuple[House, Table]:
    """A match in whose third round Ben and Cat are away; Ann, who is last, is there."""
    house = House()
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=rounds)
    for _ in range(2):
        table = await house.play(table.id, ANN, "play 1")
        for _ in range(2):
            table = await timed_out(house, table)
        await house.later(table, 60)
        table = await house.post(table.id)
    assert table.stored.seating.present == (ANN,)
    return house, table


@pytest.mark.parametrize(
    ("rounds", "deed", "last"),
    [
        (4, vote(ANN), ["Ann"]),
        (4, leave(ANN), ["Ann"]),
        (4, vote(BEN, ANN), ["Ann", "Ben"]),
        (4, vote(BEN, CAT, ANN), ["Cat"]),  # all want it: the points decide
        (4, then(remove(ANN, BEN), remove(ANN, CAT), vote(ANN)), ["Ann"]),
        (4, then(vote(BEN), remove(ANN, CAT), remove(BEN, CAT), vote(ANN)), ["Ann", "Ben"]),
        (9, vote(ANN), None),  # before half of it was played nothing counts
    ],
    ids=["alone", "leaves", "one comes", "all come", "removes", "both remove", "early"],
)
async def test_whoever_is_away_and_did_not_vote_wants_to_go_on(
    rounds: int, deed: Deed, last: list[str] | None
) -> None:
    house, table = await alone_there(rounds)
    table = await deed(house, table)
    assert not table.stored.status.is_open
    found = places(house)
    assert (found is None) == (last is None)
    if found is not None and last is not None:
        assert {name for name, place in found.items() if place == max(found.values())} == set(last)
    house.agree()


# What leaving is said to mean


@pytest.mark.behaviour("Somebody gives up")
@pytest.mark.parametrize(
    ("played", "deed", "said"),
    [
        (EARLY, leave(), Leaving.CONFIRM),
        (EARLY, leave(ANN), Leaving.CONFIRM),
        (EARLY, leave(ANN, CAT), Leaving.CONFIRM_LAST),
        (HALF, leave(), Leaving.CONCEDE),
        (HALF, sent_away, Leaving.CONCEDE),
        (HALF, leave(ANN), Leaving.DECIDES),
        (HALF, gone, Leaving.DECIDES),
        (HALF, then(leave(ANN), back), Leaving.CONCEDE),
        (HALF, then(leave(ANN), another), Leaving.CONCEDE),
        (HALF, then(sent_away, leave(CAT)), Leaving.CONCEDE_LAST),
    ],
)
async def test_what_it_means_that_ben_leaves(
    house: House, played: int, deed: Deed, said: Leaving
) -> None:
    table = await deed(house, await match_of(house, 2, played, ANN, BEN, CAT))
    assert means(table, house.clock.now, BEN.id) is said
    assert means(table, house.clock.now, DAN.id) is None
    after = (await house.service.leave(table.id, BEN.id)).stored
    over = {Leaving.DECIDES, Leaving.CONFIRM_LAST, Leaving.CONCEDE_LAST}
    assert after.status.is_open == (said not in over)
    assert (BEN.id in after.seating.conceded) == (played == HALF)


async def test_the_last_substitute_against_a_winner_ends_the_match(house: House) -> None:
    table = await match_of(house, 2, HALF, ANN, BEN, CAT)
    table = await then(leave(ANN), another)(house, table)
    now = house.clock.now
    assert means(table, now, EVE.id) is Leaving.CONFIRM
    assert removal(table, now, FAY.id, EVE.id, moderator=True) is Removal.MATCH
    table = await leave(BEN)(house, table)
    assert means(table, now, EVE.id) is Leaving.ENDS
    assert removal(table, now, FAY.id, EVE.id, moderator=True) is Removal.ENDS
    assert means(table, house.clock.now, CAT.id) is Leaving.CONCEDE


async def test_what_means_something_else_by_now_is_not_done(house: House) -> None:
    """Whoever confirmed it was shown something else: what it means is found as it is done."""
    table = await match_of(house, 2, HALF, ANN, BEN, CAT)
    table = await then(leave(ANN), another, leave(BEN))(house, table)
    service, before = house.service, table.stored
    with refused("stale"):
        await service.leave_as_shown(table.id, EVE.id, Leaving.CONFIRM)
    with refused("stale"):
        await service.kick_as_shown(table.id, FAY.id, EVE.id, Removal.MATCH, moderator=True)
    with refused("stale"):
        await service.end_as_shown(table.id, FAY.id, Ending.VOTE, moderator=True)
    assert (await service.table(table.id)).stored == before
    await service.sit(table.id, DAN)
    await service.sit(table.id, ANN)
    table = await service.leave(table.id, DAN.id)
    with refused("stale"):  # she has got up, and waits in line
        await service.kick_as_shown(table.id, FAY.id, ANN.id, Removal.MATCH, moderator=True)
    assert table.stored.seating.waits(ANN.id)
    assert (await service.end_as_shown(table.id, CAT.id, Ending.VOTE)).stored.votes.end_votes
    table = await service.kick_as_shown(table.id, FAY.id, EVE.id, Removal.ENDS, moderator=True)
    assert table.stored.stop is Stop.CONCEDED


@pytest.mark.behaviour("Somebody gives up")
async def test_a_substitute_who_goes_away_ends_a_match_that_is_won() -> None:
    house = House()
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=4)
    for _ in range(2):
        await house.play_round(table.id)
        table = await house.next_round(table.id)
    table = await then(leave(ANN), another, leave(BEN), goes_on)(house, table)
    table = await house.later(await timed_out(house, table), 3)  # a stand-in plays for Ben
    await house.play(table.id, CAT)
    await house.later(table, 60)
    table = await timed_out(house, await goes_on(house, await house.post(table.id)))
    assert table.stored.stop is Stop.CONCEDED
    assert places(house) == {"Cat": 1, "Ann": 2, "Ben": 2}
    house.agree()


@pytest.mark.behaviour("Somebody gives up")
async def test_whoever_comes_back_in_a_later_round_without_naming_a_seat_has_their_own(
    house: House,
) -> None:
    """Ann's is free too, and the first one."""
    table = await match_of(house, 4, 2, ANN, BEN, CAT)
    assert means(table, house.clock.now, BEN.id) is Leaving.CONCEDE
    table = await then(sent_away, leave(BEN))(house, table)
    while table.round < 4:
        if table.asked:
            table = await house.play(table.id, CAT)
        elif table.actors:
            table = await house.later(table, 3)
        else:
            table = await house.next_round(table.id)
    assert listed(table, BEN.id).takes == 1
    assert listed(table, DAN.id).takes == 0
    table = await house.service.sit(table.id, BEN)
    assert table.stored.seating.place_of(BEN.id) == 1
    assert table.stored.seating.conceded == frozenset()


@pytest.mark.behaviour("Somebody gives up")
async def test_who_left_before_half_was_played_has_not_given_up(house: House) -> None:
    """Ann leaves in the first round, Ben in the second: Cat plays on alone."""
    table = await match_of(house, 2, EARLY, ANN, BEN, CAT)
    table = await leave(ANN)(house, table)
    while table.round < 2:
        if table.asked:
            person = table.stored.seating.person_at(table.asked[0])
            assert person is not None
            table = await house.play(table.id, person, "play 5")
        elif table.actors:
            table = await house.later(table, 3)
        else:
            table = await house.next_round(table.id)
    table = await leave(BEN)(house, table)
    assert table.stored.seating.present == (CAT,)
    assert table.stored.status is Status.RUNNING
    assert table.stored.seating.conceded == {BEN.id}


async def test_members_of_a_team_that_is_left_alone_win() -> None:
    house = House(game=StubGame(teams=((0, 2), (1, 3))))
    table = await match_of(house, 2, HALF, ANN, BEN, CAT, DAN)
    table = await leave(BEN)(house, table)
    assert table.stored.status is Status.RUNNING
    assert means(table, house.clock.now, ANN.id) is Leaving.CONCEDE
    assert means(table, house.clock.now, DAN.id) is Leaving.DECIDES
    table = await leave(DAN)(house, table)
    assert table.stored.stop is Stop.CONCEDED
    found = places(house)
    assert found is not None
    assert (found["Ben"], found["Dan"]) == (3, 3)
    assert {found["Ann"], found["Cat"]} <= {1, 2}


async def test_who_plays_for_a_team_belongs_to_it() -> None:
    """Eve for Ann, whose team wins; she would play on against it for Ben."""
    for gone, stop in ((ANN, Stop.CONCEDED), (BEN, None)):
        house = House(game=StubGame(teams=((0, 2), (1, 3))))
        table = await match_of(house, 2, HALF, ANN, BEN, CAT, DAN)
        seat = table.stored.seating.place_of(gone.id)
        table = await house.service.leave(table.id, gone.id)
        table = await house.service.sit(table.id, EVE, seat)
        for person in [one for one in (BEN, DAN) if one != gone]:
            table = await house.service.leave(table.id, person.id)
        assert table.stored.stop is stop


@pytest.mark.parametrize(("seat", "stop"), [(0, Stop.CONCEDED), (1, None)])
async def test_who_gave_it_up_belongs_to_the_team_for_which_they_play_now(
    seat: int, stop: Stop | None
) -> None:
    """Ann, who began it on seat 0, is back there or plays for Ben, against her team."""
    house = House(game=StubGame(teams=((0, 2), (1, 3))))
    table = await house.match(ANN, BEN, CAT, DAN, rounds=2)
    table = await house.play_round(table.id)
    table = await then(leave(ANN), another, leave(BEN))(house, table)
    if seat == 0:
        table = await leave(EVE)(house, table)
    table = await house.service.sit(table.id, ANN, seat)
    table = await leave(DAN)(house, table)
    assert table.stored.stop is stop


# Sending somebody away


async def test_once_cards_were_dealt_the_host_sends_away_nobody_who_is_there(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    for user in (ANN, BEN):
        for moderator in (False, True):
            with refused("not_away"):
                await house.service.kick(table.id, user.id, CAT.id, moderator=moderator)
    with refused("not_seated"):
        await house.service.kick(table.id, EVE.id, CAT.id)


async def test_who_is_away_is_voted_out_by_more_than_half_of_those_who_are_there() -> None:
    house, table = await cat_is_away()
    table = await house.service.kick(table.id, ANN.id, CAT.id)
    assert table.stored.seating.place_of(CAT.id) == 2
    assert table.stored.votes.away_votes == {CAT.id: {ANN.id}}
    table = await house.service.kick(table.id, BEN.id, CAT.id)
    assert table.stored.seating.place_of(CAT.id) is None
    assert table.stored.votes.away_votes == {}
    with refused("kicked"):
        await house.service.sit(table.id, CAT)
    assert (await house.service.table(table.id)).stored.seating.conceded == frozenset()


@pytest.mark.parametrize("how", ["leaves", "left the server", "is away"])
@pytest.mark.behaviour("A seat of a running match is free")
async def test_votes_to_free_a_seat_are_counted_anew_when_fewer_are_there(how: str) -> None:
    """Two of the four present have voted for it, and Dan is the fourth."""
    game = StubGame()
    game.info = replace(game.info, seats=(5,))
    house = House(game=game)
    table = await house.match(FAY, ANN, BEN, CAT, DAN, pace=Pace.LIVE60, rounds=4)
    await house.service.sit(table.id, EVE)
    for _ in range(2):
        await timed_out(house, table)
        for person in (ANN, BEN, CAT):
            table = await house.play(table.id, person)
        if table.stored.seating.absent:
            break
        await timed_out(house, table)  # Dan has let his time run out too
        await timed_out(house, table)  # and neither presses for the next round
        table = await house.post(table.id)
    for person in (ANN, BEN):
        table = await house.service.kick(table.id, person.id, FAY.id)
    assert table.stored.seating.place_of(FAY.id) == 0
    if how == "is away":
        table = await timed_out(house, table)
    else:
        gone = {"leaves": house.service.leave, "left the server": house.service.left_server}
        table = await gone[how](table.id, DAN.id)
    assert table.stored.seating.present == (ANN, BEN, CAT)
    assert table.stored.seating.place_of(FAY.id) is None
    assert table.stored.votes.away_votes == {}
    assert table.half_played == (how == "is away")
    assert table.stored.seating.voted_out == ({FAY.id} if table.half_played else set())
    assert [one.id for one in table.stored.seating.kept.values()] == [EVE.id]
    with refused("kicked"):
        await house.service.sit(table.id, FAY)


async def test_nobody_alone_keeps_somebody_who_is_away_from_coming_back() -> None:
    house, table = await alone_there(9)
    for person in (BEN, CAT):
        table = await house.service.kick(table.id, ANN.id, person.id)
    assert table.stored.votes.away_votes == {BEN.id: {ANN.id}, CAT.id: {ANN.id}}
    table = await house.service.sit(table.id, BEN)
    assert table.stored.seating.present == (ANN, BEN)


async def test_who_comes_back_is_voted_about_no_longer() -> None:
    house, table = await cat_is_away()
    await house.service.kick(table.id, ANN.id, CAT.id)
    table = await house.service.come_back(table.id, CAT.id)
    assert table.stored.votes.away_votes == {}
    with refused("not_away"):
        await house.service.kick(table.id, BEN.id, CAT.id)


async def test_a_vote_about_somebody_leaves_with_its_voter() -> None:
    house, table = await cat_is_away()
    await house.service.kick(table.id, ANN.id, CAT.id)
    table = await house.service.leave(table.id, ANN.id)
    assert table.stored.votes.away_votes == {}


async def test_a_moderator_who_does_not_play_sends_anybody_away(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    table = await house.send_away(table.id, ANN)
    assert table.stored.seating.place_of(ANN.id) is None
    assert table.stored.seating.host == BEN.id


@pytest.mark.parametrize("played", [HALF, EARLY])
async def test_a_moderator_who_began_a_match_gets_up_and_decides_nothing(
    house: House, played: int
) -> None:
    """Else a match that is being lost is ended, or played on against stand-ins."""
    table = await match_of(house, 2, played, ANN, BEN, CAT)
    await house.service.leave(table.id, CAT.id)
    with refused("not_seated"):
        await house.service.end(table.id, CAT.id, moderator=True)
    with refused("not_seated"):
        await house.service.kick(table.id, CAT.id, ANN.id, moderator=True)


async def test_a_moderator_who_only_played_for_others_decides_once_they_got_up(
    house: House,
) -> None:
    table = await match_of(house, 2, HALF, ANN, BEN, CAT)
    table = await then(leave(ANN), another, leave(EVE))(house, table)
    table = await house.service.end(table.id, EVE.id, moderator=True)
    assert table.stored.stop is Stop.MODERATOR


async def cat_is_away() -> tuple[House, Table]:
    """A match in which a stand-in plays for Cat."""
    house = House()
    return house, await away(house, rounds=9)
