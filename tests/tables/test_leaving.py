"""A running match without all of its people: seats that fall free, votes, the end by hand."""

from __future__ import annotations

import pytest

from bot.tables.customs import WaitTimes
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.ports import Due
from bot.tables.stored import DeadlineKind, Pace, Person, Status, Stop
from bot.views.listing import listed
from bot.views.snapshot import snapshot_of
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, House, deadline_of, refused
from tests.tables.test_clock import away, timed_out, votes_for_everything


async def test_in_a_running_match_nobody_changes_seats_or_takes_a_taken_one(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    with refused("table_full"):
        await house.service.sit(table.id, DAN, 2)
    await house.service.leave(table.id, CAT.id)
    with refused("already_seated"):
        await house.service.sit(table.id, ANN, 2)
    with refused("place_taken"):
        await house.service.sit(table.id, DAN, 1)


async def test_a_free_seat_of_a_private_match_is_for_the_invited(house: House) -> None:
    table = await house.lobby(ANN, private=True)
    await house.service.invite(table.id, ANN.id, BEN.id)
    await house.service.sit(table.id, BEN)
    await house.begin(table.id)
    await house.service.leave(table.id, BEN.id)
    with refused("private"):
        await house.service.sit(table.id, DAN)
    await house.service.invite(table.id, ANN.id, DAN.id)
    assert (await house.service.sit(table.id, DAN)).stored.seating.place_of(DAN.id) == 1


async def test_who_left_sees_no_second_hand_in_the_same_round(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.service.leave(table.id, CAT.id)
    await house.service.leave(table.id, BEN.id)
    with refused("seen_a_hand", number=3):
        await house.service.sit(table.id, CAT, 1)
    table = await house.service.sit(table.id, CAT)
    assert table.stored.seating.place_of(CAT.id) == 2
    house.agree()


async def test_who_was_replaced_waits_until_the_hands_are_no_longer_secret(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.service.leave(table.id, CAT.id)
    await house.service.sit(table.id, DAN)
    table = await house.service.leave(table.id, BEN.id)
    assert [listed(table, one.id).takes for one in (BEN, CAT, EVE)] == [1, None, 1]
    for place in (None, 1):
        with refused("seen_a_hand", number=3):
            await house.service.sit(table.id, CAT, place)
    await house.service.sit(table.id, EVE)
    for person in (ANN, EVE, DAN):
        table = await house.play(table.id, person)
    assert isinstance(table.phase, BetweenRounds)
    table = await house.service.leave(table.id, EVE.id)
    assert [listed(table, one.id).takes for one in (BEN, CAT, EVE)] == [1, 1, 1]
    table = await house.service.sit(table.id, CAT)
    assert table.stored.seating.place_of(CAT.id) == 1


async def test_with_the_next_deal_anybody_may_take_any_seat_again(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.service.leave(table.id, CAT.id)
    await house.service.sit(table.id, DAN)
    for person in (ANN, BEN, DAN):
        await house.play(table.id, person)
    table = await house.next_round(table.id)
    assert table.stored.seating.seen == {ANN.id: 0, BEN.id: 1, DAN.id: 2}
    await house.service.leave(table.id, BEN.id)
    assert (await house.service.sit(table.id, CAT)).stored.seating.place_of(CAT.id) == 1


# Between rounds


async def test_the_time_of_the_next_round_runs_whoever_comes_and_goes(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    table = await house.play_round(table.id)
    standing = deadline_of(table, DeadlineKind.NEXT_ROUND)
    assert standing.due == house.clock.now + Pace.NONE.pause
    house.clock.forward(30)
    await house.service.leave(table.id, BEN.id)
    table = await house.service.sit(table.id, DAN)
    assert table.stored.timing.deadlines == (standing,)
    await house.service.leave(table.id, DAN.id)
    house.clock.forward(30)
    await house.service.deadlines.fire_due()
    assert isinstance((await house.service.table(table.id)).phase, Closing)


async def test_when_the_last_who_is_not_ready_leaves_the_seats_are_closed(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.play_round(table.id)
    await house.service.ready(table.id, ANN.id, None)
    await house.service.ready(table.id, BEN.id, None)
    table = await house.service.leave(table.id, CAT.id)
    assert isinstance(table.phase, Closing)
    house.agree()


async def test_who_leaves_is_ready_no_longer_and_whoever_comes_must_press_too(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=3)
    await house.play_round(table.id)
    await house.service.ready(table.id, BEN.id, None)
    table = await house.service.leave(table.id, BEN.id)
    assert table.stored.votes.ready == frozenset()
    await house.service.sit(table.id, BEN)
    table = await house.service.ready(table.id, ANN.id, None)
    assert isinstance(table.phase, BetweenRounds)
    assert isinstance((await house.service.ready(table.id, BEN.id, None)).phase, Closing)


# Ending by hand


@pytest.mark.parametrize(("user", "moderator"), [(ANN, False), (ANN, True), (BEN, True)])
async def test_who_plays_only_votes_once_cards_were_dealt(
    house: House, user: Person, moderator: bool
) -> None:
    """Neither the host nor a moderator stops a match that they are losing."""
    table = await house.match(ANN, BEN, CAT)
    table = await house.service.end(table.id, user.id, moderator=moderator)
    assert table.stored.status is Status.RUNNING
    assert table.stored.votes.end_votes == {user.id}


async def test_more_than_half_of_the_people_seated_end_the_table(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN)
    assert table.stored.seating.votes_needed == 3
    await house.service.end(table.id, BEN.id, moderator=False)
    table = await house.service.end(table.id, CAT.id, moderator=False)
    assert table.stored.votes.end_votes == {BEN.id, CAT.id}
    assert table.stored.status is Status.RUNNING
    table = await house.service.end(table.id, DAN.id, moderator=False)
    assert table.stored.status is Status.RUNNING
    table = await house.vote_over(table.id)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)
    assert house.store.results == []


@pytest.mark.parametrize("pace", [Pace.DAILY, Pace.NONE])
async def test_at_a_slow_pace_the_last_who_agrees_may_look_in_the_next_morning(
    pace: Pace, house: House
) -> None:
    table = await house.match(ANN, BEN, CAT, pace=pace, rounds=2)
    table = await house.next_round((await house.play_round(table.id)).id)
    for person in (ANN, BEN):
        table = await house.service.end(table.id, person.id, moderator=False)
    table = await house.later(table, 11 * 3600)
    assert table.stored.status is Status.RUNNING
    table = await house.service.end(table.id, CAT.id, moderator=False)
    assert table.stored.stop is Stop.VOTE
    assert table.stored.seating.conceded == frozenset()


async def test_if_all_who_are_there_vote_the_table_ends_at_once(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    for person in (ANN, BEN, CAT):
        table = await house.service.end(table.id, person.id, moderator=False)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)


@pytest.mark.parametrize("comes", ["sits down", "takes a seat back", "passes"])
async def test_who_comes_while_a_vote_runs_may_keep_the_table_going(
    house: House, comes: str
) -> None:
    """Too few want the end then, so none is announced; if more do later, the others have their
    minute again.
    """
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, rounds=9)
    if comes == "sits down":
        await house.service.leave(table.id, DAN.id)
    else:
        table = await misses_two(house, table)
    await house.service.end(table.id, ANN.id, moderator=False)
    table = await house.service.end(table.id, BEN.id, moderator=False)
    voted = deadline_of(table, DeadlineKind.VOTED)
    house.clock.forward(30)
    match comes:
        case "sits down":
            table = await house.service.sit(table.id, EVE)
        case "takes a seat back":
            table = await house.service.come_back(table.id, DAN.id)
        case _:
            table = await house.service.set_standing_pass(table.id, DAN.id, None, on=True)
    assert table.stored.timing.deadline(DeadlineKind.VOTED) is None
    await house.service.fire(Due(table.id, voted))
    table = await house.service.end(table.id, CAT.id, moderator=False)
    again = deadline_of(table, DeadlineKind.VOTED)
    assert again.due == house.clock() + WaitTimes().vote


@pytest.mark.behaviour("Somebody gives up")
@pytest.mark.parametrize("comes", ["sits down", "takes a seat back", "in the next round"])
async def test_votes_whose_countdown_is_called_off_after_their_round_are_void(
    house: House, comes: str
) -> None:
    """They were cast in the first half, where they cost nothing, and the second has begun."""
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, rounds=6)
    table = await misses_two(house, table)
    if comes == "sits down":
        await house.service.leave(table.id, DAN.id)
    assert not table.half_played
    for person in (ANN, BEN):
        table = await house.service.end(table.id, person.id, moderator=False)
    voted = deadline_of(table, DeadlineKind.VOTED)
    for person in (ANN, BEN, CAT):
        await house.play(table.id, person)
    table = await house.later(table, 3)  # a stand-in plays
    assert table.half_played
    assert deadline_of(table, DeadlineKind.VOTED).due == voted.due, "that minute runs already"
    house = house.restarted()
    match comes:
        case "sits down":
            table = await house.service.sit(table.id, EVE)
        case "takes a seat back":
            table = await house.service.come_back(table.id, DAN.id)
        case _:
            for person in (ANN, BEN, CAT):
                await house.service.ready(table.id, person.id, None)
            table = await house.post(table.id)
            assert table.stored.votes.end_votes == {ANN.id, BEN.id}
            table = await house.service.come_back(table.id, DAN.id)
    assert table.stored.timing.deadline(DeadlineKind.VOTED) is None
    assert table.stored.votes.end_votes == frozenset()
    await house.service.fire(Due(table.id, voted))
    assert (await house.service.table(table.id)).stored.status is Status.RUNNING


async def test_who_comes_back_by_voting_for_the_end_calls_no_countdown_off(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, rounds=6)
    await misses_two(house, table)
    for person in (ANN, BEN):
        table = await house.service.end(table.id, person.id, moderator=False)
    voted = deadline_of(table, DeadlineKind.VOTED)
    for person in (ANN, BEN, CAT):
        await house.play(table.id, person)
    await house.later(table, 3)
    table = await house.service.end(table.id, DAN.id, moderator=False)
    assert not table.stored.seating.absent
    assert table.stored.votes.end_votes == {ANN.id, BEN.id, DAN.id}
    assert deadline_of(table, DeadlineKind.VOTED).due == voted.due


async def test_votes_between_two_rounds_whose_countdown_is_called_off_last_for_the_next(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, rounds=6)
    await misses_two(house, table)
    for person in (ANN, BEN, CAT):
        await house.play(table.id, person)
    table = await house.later(table, 3)
    for person in (ANN, BEN):
        await house.service.end(table.id, person.id, moderator=False)
    await house.later(table, 57)  # the next round begins without them
    await house.post(table.id)
    table = await house.service.come_back(table.id, DAN.id)
    assert table.stored.timing.deadline(DeadlineKind.VOTED) is None
    assert table.stored.votes.end_votes == {ANN.id, BEN.id}


@pytest.mark.behaviour("Somebody gives up")
@pytest.mark.parametrize("how", ["leaves", "has left the server", "is sent away"])
async def test_no_lone_vote_wins_at_once_because_the_others_leave(house: House, how: str) -> None:
    table = await votes_for_everything(house, await away(house))
    match how:
        case "leaves":
            table = await house.service.leave(table.id, BEN.id)
        case "has left the server":
            table = await house.service.left_server(table.id, BEN.id)
        case _:
            table = await house.send_away(table.id, BEN)
    assert table.stored.seating.present == (ANN,)
    assert table.stored.status is Status.RUNNING
    assert deadline_of(table, DeadlineKind.VOTED).due == house.clock.now + WaitTimes().vote
    assert table.stored.timing.rest is None
    assert table.stored.timing.pace is Pace.LIVE60
    table = await votes_for_everything(house, table, ends=False)
    assert table.stored.timing.rest is not None, "whoever is alone and votes again wants it now"
    assert table.stored.timing.pace is Pace.RELAXED
    table = await house.service.come_back(table.id, CAT.id)
    assert table.stored.timing.deadline(DeadlineKind.VOTED) is None
    assert table.stored.status is Status.RUNNING


async def misses_two(house: House, table: Table) -> Table:
    """Dan, the last of four, is away; the next round begins."""
    for _ in range(2):
        for person in (ANN, BEN, CAT):
            table = await house.play(table.id, person)
        await timed_out(house, table)
        await house.later(table, 60)
        table = await house.post(table.id)
    assert table.stored.seating.places[3].away
    return table


async def test_a_vote_leaves_with_its_voter(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN)
    await house.service.end(table.id, BEN.id, moderator=False)
    table = await house.service.leave(table.id, BEN.id)
    assert table.stored.votes.end_votes == frozenset()
    assert table.stored.seating.votes_needed == 2


async def test_when_someone_leaves_fewer_votes_are_enough(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN)
    await house.service.end(table.id, BEN.id, moderator=False)
    table = await house.service.end(table.id, CAT.id, moderator=False)
    assert table.stored.timing.deadline(DeadlineKind.VOTED) is None
    await house.service.leave(table.id, DAN.id)
    table = await house.vote_over(table.id)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)


async def test_before_the_first_deal_the_host_closes_a_table_and_guests_get_up(
    house: House,
) -> None:
    """Nobody votes there: it would close over the head of whoever leads it, or of a new guest."""
    table = await house.lobby(ANN, BEN, CAT)
    for person, code in ((BEN, "not_host"), (CAT, "not_host"), (DAN, "not_seated")):
        with refused(code):
            await house.service.end(table.id, person.id, moderator=False)
    table = await house.service.leave(table.id, ANN.id)
    assert table.stored.status is Status.LOBBY
    ended = await house.service.end(table.id, table.stored.seating.host, moderator=False)
    assert ended.stored.stop is Stop.HOST


async def test_whoever_was_invited_and_has_left_the_server_may_be_invited_again(
    house: House,
) -> None:
    table = await house.lobby(ANN, BEN)
    await house.service.invite(table.id, ANN.id, DAN.id)
    table = await house.service.left_server(table.id, DAN.id)
    assert table.stored.seating.called == frozenset()
    _, new = await house.service.invite(table.id, ANN.id, DAN.id)
    assert new


async def test_an_invitation_calls_nobody_to_a_seat_that_they_may_not_take_in_this_round(
    house: House,
) -> None:
    """Ben has left his seat, where Dan sits now."""
    table = await house.match(ANN, BEN, CAT, rounds=3)
    await house.service.leave(table.id, BEN.id)
    table, _ = await house.service.invite(table.id, ANN.id, BEN.id)
    assert snapshot_of(table).called == {BEN.id: True}, "it is his own"
    table = await house.service.sit(table.id, DAN)
    assert snapshot_of(table).called == {BEN.id: False}, "none is free"
    table = await house.service.leave(table.id, CAT.id)
    assert snapshot_of(table).called == {BEN.id: None}
    await house.play_round(table.id, 1, 1)
    table = await house.later(table, 2)
    assert isinstance(table.phase, BetweenRounds)
    assert snapshot_of(table).called == {BEN.id: True}
