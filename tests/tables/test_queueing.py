"""The line for a place: getting in and out of it, and places that are offered."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.ids import ALONE, UserId
from bot.tables import lobby
from bot.tables.customs import WaitTimes
from bot.tables.downtime import given_back
from bot.tables.ending import Leaving, means
from bot.tables.lobby import Apart
from bot.tables.match import join
from bot.tables.model import Table, TableError
from bot.tables.phase import Round
from bot.tables.queueing import MOST_WAITING, comes_first, may_stand, seekable, turn_of
from bot.tables.stored import DeadlineKind, Pace, Person, Seating, Status, Stop
from bot.tables.voting import REST_TIME
from engine.players.levels import Level
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, House, deadline_of, refused

TIME = WaitTimes().offer.total_seconds()


async def full(house: House, *line: Person, pace: Pace = Pace.RELAXED) -> Table:
    """A lobby of Ann, Ben and Cat with others in line."""
    table = await house.lobby(ANN, BEN, CAT, pace=pace)
    for person in line:
        table = await house.service.sit(table.id, person)
    return table


def offered(table: Table) -> dict[int, Person]:
    """By place to whom it is offered."""
    seating = table.stored.seating
    return {place: seating.kept[place] for place in seating.offers}


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.behaviour("Somebody wants to play where every seat is taken")
async def test_whoever_finds_no_seat_stands_in_line_once_and_keeps_their_turn(
    house: House, begun: bool
) -> None:
    table = await full(house, pace=Pace.LIVE60)
    if begun:
        table = await house.begin(table.id)
    for person in (DAN, EVE, DAN):
        table = await house.service.sit(table.id, person)
    seating = table.stored.seating
    assert seating.waiting == (DAN, EVE)
    assert [turn_of(seating, one.id) for one in (ANN, DAN, EVE)] == [0, 1, 2]
    assert (await house.restarted().service.table(table.id)).stored.seating == seating
    table = await house.service.get_out(table.id, DAN.id)
    assert turn_of(table.stored.seating, EVE.id) == 1
    with refused("not_in_line"):
        await house.service.get_out(table.id, DAN.id)
    with refused("table_full"):
        await house.service.sit(table.id, DAN, 1)


async def test_with_a_seat_free_and_nobody_in_line_whoever_comes_sits_down(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    table = await house.service.sit(table.id, CAT)
    assert table.stored.seating.people == (ANN, BEN, CAT)
    assert table.stored.seating.waiting == ()


async def test_a_line_has_an_end(house: House) -> None:
    table = await full(house)
    for number in range(MOST_WAITING):
        await house.service.sit(table.id, Person(UserId(200 + number), "X"))
    with refused("line_full", limit=MOST_WAITING):
        await house.service.sit(table.id, DAN)
    again = await house.service.sit(table.id, Person(UserId(205), "X"))
    assert turn_of(again.stored.seating, UserId(205)) == 6


async def test_who_may_not_sit_there_does_not_stand_in_line_either(house: House) -> None:
    table = await full(house)
    await house.send_away(table.id, CAT)
    await house.service.sit(table.id, DAN)
    with refused("kicked"):
        await house.service.sit(table.id, CAT)
    private = await house.lobby(ANN, seats=2, channel=77, private=True)
    await house.service.invite(private.id, ANN.id, BEN.id)
    await house.service.sit(private.id, BEN)
    with refused("private"):
        await house.service.sit(private.id, DAN)
    now = house.clock()
    table = await house.service.table(table.id)
    with refused("never_with"):
        join(table, FAY, None, now, Apart(never=frozenset({ANN.id})))
    with refused("kicked"):
        join(table, FAY, None, now, Apart(barred=frozenset({ANN.id})))
    alone = replace(table, stored=replace(table.stored, guild=ALONE))
    with refused("table_full"):
        join(alone, FAY, None, now)


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_a_seat_of_a_lobby_is_offered_to_the_first_and_then_to_the_next(
    house: House,
) -> None:
    table = await full(house, DAN, EVE)
    table = await house.service.leave(table.id, BEN.id)
    assert offered(table) == {1: DAN}
    assert deadline_of(table, DeadlineKind.OFFERED).due == house.clock() + WaitTimes().offer
    assert turn_of(table.stored.seating, EVE.id) == 1
    assert table.stored.seating.waiting == (DAN, EVE)
    for one in (BEN, FAY):
        assert (await house.service.sit(table.id, one)).stored.seating.waits(one.id)
    with refused("place_kept"):
        await house.service.sit(table.id, FAY, 1)
    with refused("places_kept"):
        await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    assert offered(await house.later(table, TIME - 1)) == {1: DAN}
    house = house.restarted()
    table = await house.later(table, 1)
    assert offered(table) == {1: EVE}
    assert table.stored.seating.waiting == (EVE, BEN, FAY)
    table = await house.service.sit(table.id, EVE)
    assert table.stored.seating.people == (ANN, EVE, CAT)
    assert (table.stored.seating.waiting, table.stored.seating.kept) == ((BEN, FAY), {})
    assert table.stored.timing.deadline(DeadlineKind.OFFERED) is None


async def test_whoever_does_not_want_it_passes_it_on_at_once(house: House) -> None:
    table = await full(house, DAN, EVE)
    await house.service.leave(table.id, BEN.id)
    house.clock.forward(50)
    table = await house.service.get_out(table.id, DAN.id)
    assert offered(table) == {1: EVE}
    assert deadline_of(table, DeadlineKind.OFFERED).due == house.clock() + WaitTimes().offer
    table = await house.service.left_server(table.id, EVE.id)
    assert (offered(table), table.stored.seating.kept) == ({}, {})
    table = await house.service.sit(table.id, FAY)
    assert table.stored.seating.place_of(FAY.id) == 1


async def test_several_seats_are_offered_to_several_people_each_in_their_time(
    house: House,
) -> None:
    table = await full(house, DAN, EVE, FAY)
    await house.service.leave(table.id, BEN.id)
    house.clock.forward(60)
    table = await house.service.leave(table.id, CAT.id)
    assert offered(table) == {1: DAN, 2: EVE}
    table = await house.later(table, 60)
    assert offered(table) == {1: FAY, 2: EVE}
    table = await house.service.sit(table.id, EVE)
    assert table.stored.seating.place_of(EVE.id) == 2
    table = await house.later(table, TIME)
    assert (offered(table), table.stored.seating.waiting) == ({}, ())


async def test_a_lobby_does_not_close_while_a_seat_of_it_is_offered(house: House) -> None:
    table = await full(house, DAN, EVE)
    house.clock.forward(WaitTimes().lobby.total_seconds() - 60)
    await house.service.leave(table.id, BEN.id)
    assert offered(await house.later(table, TIME)) == {1: EVE}
    table = await house.service.sit(table.id, EVE)
    assert table.stored.seating.people == (ANN, EVE, CAT)


async def test_at_a_daily_pace_there_is_half_a_day_for_it(house: House) -> None:
    table = await full(house, DAN, pace=Pace.DAILY)
    table = await house.service.leave(table.id, BEN.id)
    assert deadline_of(table, DeadlineKind.OFFERED).due == house.clock() + Pace.DAILY.waits.offer


async def test_time_in_which_nobody_could_press_is_given_back_to_every_offer(
    house: House,
) -> None:
    table = await full(house, DAN, EVE, FAY)
    await house.service.leave(table.id, BEN.id)
    house.clock.forward(30)
    await house.service.leave(table.id, CAT.id)
    since = house.clock()
    house.clock.forward(100)
    await house.service.resume(since, house.clock())
    table = await house.service.table(table.id)
    assert offered(await house.later(table, 89)) == {1: DAN, 2: EVE}
    assert offered(await house.later(table, 1)) == {1: FAY, 2: EVE}
    assert offered(await house.later(table, 29)) == {1: FAY, 2: EVE}
    assert offered(await house.later(table, 1)) == {1: FAY}
    waits = (await house.service.table(table.id)).stored
    gap = timedelta(minutes=1)
    later = given_back(waits, house.clock(), house.clock() + gap)
    assert [one.until for one in lobby.offers_now(later).values()] == [
        one.until + gap for one in lobby.offers_now(waits).values()
    ]


@pytest.mark.parametrize("how", ["takes it", "lets it be", "left the server"])
async def test_time_given_back_to_several_offers_outlasts_the_first_of_them(
    how: str, house: House
) -> None:
    table = await full(house, DAN, EVE)
    await house.service.leave(table.id, BEN.id)
    house.clock.forward(60)
    await house.service.leave(table.id, CAT.id)
    since = house.clock()
    house.clock.forward(20)
    await house.service.resume(since, house.clock())
    match how:
        case "takes it":
            table = await house.service.sit(table.id, DAN)
        case "lets it be":
            table = await house.service.get_out(table.id, DAN.id)
        case _:
            table = await house.service.left_server(table.id, DAN.id)
    assert offered(await house.later(table, TIME - 1)) == {2: EVE}
    assert offered(await house.later(table, 1)) == {}


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_a_seat_of_a_running_match_is_offered_while_a_stand_in_plays_it(
    house: House,
) -> None:
    table = await full(house, DAN)
    await house.begin(table.id)
    table = await house.service.leave(table.id, BEN.id)
    assert isinstance(table.phase, Round)
    assert (offered(table), seekable(table.stored.seating)) == ({1: DAN}, ())
    with refused("place_kept"):
        await house.service.sit(table.id, EVE, 1)
    table = await house.service.sit(table.id, DAN)
    assert table.stored.seating.place_of(DAN.id) == 1
    assert (table.stored.seating.waiting, table.stored.seating.kept) == ((), {})


async def test_a_place_in_line_is_offered_to_who_may_have_it_as_long_as_there_is_one(
    house: House,
) -> None:
    table = await full(house)
    assert not may_stand(table, DAN.id), "the lobby has a button of its own"
    await house.begin(table.id)
    table = await house.service.table(table.id)
    assert may_stand(table, DAN.id)
    assert not may_stand(table, BEN.id), "they sit there"
    for number in range(MOST_WAITING):
        table = await house.service.sit(table.id, Person(UserId(200 + number), "X"))
        assert not may_stand(table, UserId(200 + number)), "they stand there"
    assert not may_stand(table, DAN.id)
    table = await house.service.get_out(table.id, UserId(205))
    assert may_stand(table, DAN.id)


async def test_who_has_seen_a_hand_is_offered_no_other_seat_before_the_next_deal(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=3)
    await house.service.leave(table.id, BEN.id)
    await house.service.sit(table.id, DAN)
    table = await house.service.sit(table.id, BEN)
    assert table.stored.seating.waiting == (BEN,)
    table = await house.service.leave(table.id, CAT.id)
    assert offered(table) == {}
    with refused("seen_a_hand"):
        await house.service.sit(table.id, BEN)
    table = await house.service.leave(table.id, DAN.id)
    assert offered(table) == {1: BEN}, "their own is another matter"
    table = await house.service.sit(table.id, EVE)
    assert table.stored.seating.place_of(EVE.id) == 2, "nobody in line may take that one"


@pytest.mark.parametrize("stands", [ANN, EVE, None])
@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_whoever_leaves_is_told_of_the_line_if_somebody_in_it_may_take_the_seat(
    stands: Person | None, house: House
) -> None:
    """Ann has seen another hand of this round; after it she may take any seat."""
    table = await house.match(ANN, BEN, CAT, rounds=4)
    await house.service.leave(table.id, ANN.id)
    table = await house.service.sit(table.id, DAN, 0)
    if stands is not None:
        table = await house.service.sit(table.id, stands)
    line_first = stands == EVE
    said = Leaving.CONFIRM_LINE if line_first else Leaving.CONFIRM
    assert means(table, house.clock(), BEN.id) is said
    table = await house.service.leave(table.id, BEN.id)
    assert comes_first(table, BEN.id, 1) == line_first
    table = await house.service.sit(table.id, BEN)
    assert table.stored.seating.waits(BEN.id) == line_first
    if stands == ANN:
        table = await house.play_round(table.id)
        assert means(table, house.clock(), BEN.id) is Leaving.CONFIRM_LINE


async def test_a_seat_that_nobody_may_take_in_a_round_is_offered_after_it(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=3)
    await house.service.leave(table.id, BEN.id)
    await house.service.sit(table.id, DAN)
    await house.service.sit(table.id, BEN)
    table = await house.service.leave(table.id, CAT.id)
    while isinstance(table.phase, Round):
        if table.asked:
            for seat in table.asked:
                person = table.stored.seating.places[seat].person
                assert person is not None
                table = await house.play(table.id, person)
        else:
            table = await house.later(table, 2)
    assert offered(table) == {2: BEN}


async def test_while_the_cards_are_shuffled_nothing_is_offered_and_no_offer_runs_out(
    house: House,
) -> None:
    table = await full(house, DAN, EVE, pace=Pace.LIVE60)
    await house.begin(table.id)
    await house.service.leave(table.id, BEN.id)
    table = await house.play(table.id, ANN)
    while isinstance(table.phase, Round):
        table = await house.later(table, 2) if not table.asked else await house.play(table.id, CAT)
    house.clock.forward(TIME - 10)
    await house.service.ready(table.id, ANN.id, None)
    table = await house.service.ready(table.id, CAT.id, None)
    assert table.stored.shuffling.closed
    assert table.stored.timing.deadline(DeadlineKind.OFFERED) is None
    with refused("seats_closed"):
        await house.service.sit(table.id, DAN)
    house.clock.forward(60)
    table = await house.post(table.id)
    assert offered(table) == {1: DAN}
    assert deadline_of(table, DeadlineKind.OFFERED).due == house.clock() + WaitTimes().offer


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_while_a_table_cannot_be_shown_nobody_sits_down_past_the_line(
    begun: bool, house: House
) -> None:
    table = await full(house, DAN, EVE)
    if begun:
        await house.begin(table.id)
    await house.service.stalled(table.id, ["send_messages"])
    table = await house.service.leave(table.id, BEN.id)
    assert offered(table) == {1: DAN}
    assert table.stored.timing.deadline(DeadlineKind.OFFERED) is None, "no line can say so"
    with refused("place_kept"):
        await house.service.sit(table.id, FAY, 1)
    table = await house.service.sit(table.id, FAY)
    assert table.stored.seating.waiting == (DAN, EVE, FAY)
    house.clock.forward(60)
    table = await house.service.unstalled(table.id)
    assert deadline_of(table, DeadlineKind.OFFERED).due == house.clock() + WaitTimes().offer
    assert offered(await house.later(table, TIME)) == {1: EVE}


async def test_at_a_faster_pace_an_offer_lasts_no_shorter_than_was_said(house: House) -> None:
    table = await full(house, DAN, pace=Pace.DAILY)
    await house.begin(table.id)
    table = await house.service.leave(table.id, BEN.id)
    said = deadline_of(table, DeadlineKind.OFFERED).due
    for person in (ANN, CAT):
        await house.service.choose_pace(table.id, person.id, Pace.LIVE60)
    table = await house.play(table.id, ANN)
    while isinstance(table.phase, Round):
        table = await house.later(table, 2) if not table.asked else await house.play(table.id, CAT)
    table = await house.next_round(table.id)
    assert table.stored.timing.pace is Pace.LIVE60
    assert deadline_of(table, DeadlineKind.OFFERED).due == said


@pytest.mark.parametrize("by_itself", [False, True])
@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_while_the_match_rests_no_offer_runs_out(house: House, by_itself: bool) -> None:
    table = await full(house, DAN, EVE)
    await house.begin(table.id)
    await house.service.leave(table.id, CAT.id)
    house.clock.forward(TIME - 10)
    for person in (ANN, BEN):
        table = await house.service.rest(table.id, person.id, resting=False)
    assert table.stored.timing.deadline(DeadlineKind.OFFERED) is None
    await house.service.leave(table.id, BEN.id)
    table = await house.later(table, 3600)
    assert table.stored.seating.waiting == (DAN, EVE)
    assert offered(table) == {2: DAN, 1: EVE}, "nobody else takes it meanwhile"
    house = house.restarted()
    if by_itself:
        table = await house.later(table, REST_TIME.total_seconds())
    else:
        table = await house.service.rest(table.id, ANN.id, resting=True)
    assert table.stored.timing.rest is None
    assert offered(table) == {2: DAN, 1: EVE}
    assert deadline_of(table, DeadlineKind.OFFERED).due == house.clock() + WaitTimes().offer


async def test_a_match_that_begins_drops_offers_and_keeps_the_line(house: House) -> None:
    table = await full(house, DAN, EVE)
    await house.service.leave(table.id, BEN.id)
    table = await house.begin(table.id)
    seating = table.stored.seating
    assert (seating.people, seating.waiting) == ((ANN, CAT), (DAN, EVE))
    assert (seating.kept, seating.offers) == ({}, {})


async def test_a_table_that_ends_offers_nothing_and_remembers_who_waited(house: House) -> None:
    table = await full(house, DAN)
    await house.begin(table.id)
    await house.service.leave(table.id, BEN.id)
    table = await house.stop(table.id)
    seating = table.stored.seating
    assert (seating.waiting, seating.kept, seating.offers) == ((DAN,), {}, {})
    assert table.stored.timing.deadlines == ()
    for wish in (house.service.get_out(table.id, DAN.id), house.service.sit(table.id, DAN)):
        with refused("ended"):
            await wish
    assert (await house.service.left_server(table.id, DAN.id)).stored.seating.waits(DAN.id)


async def test_whoever_decides_alone_sends_somebody_in_line_away_for_good(house: House) -> None:
    table = await full(house, DAN, EVE)
    with refused("target_not_seated"):
        await house.service.kick(table.id, ANN.id, FAY.id)
    table = await house.service.kick(table.id, ANN.id, DAN.id)
    assert table.stored.seating.waiting == (EVE,)
    with refused("kicked"):
        await house.service.sit(table.id, DAN)
    table = await house.begin(table.id)
    with refused("target_not_seated"):
        await house.service.kick(table.id, ANN.id, EVE.id)


async def test_a_person_stands_in_several_lines_and_an_empty_table_has_none(house: House) -> None:
    one, other = await full(house, DAN), await house.lobby(EVE, FAY, seats=2, channel=77)
    assert (await house.service.sit(other.id, DAN)).stored.seating.waits(DAN.id)
    assert (await house.service.table(one.id)).stored.seating.waits(DAN.id)
    for person in (EVE, FAY):
        other = await house.service.leave(other.id, person.id)
    assert (other.stored.status, other.stored.stop) == (Status.EXPIRED, Stop.EMPTY)


GONE = {
    "out of the line": lambda house, table: house.service.get_out(table, EVE.id),
    "left the server": lambda house, table: house.service.left_server(table, EVE.id),
    "sent away": lambda house, table: house.service.kick(table, ANN.id, EVE.id),
}


@pytest.mark.behaviour("Not everybody comes to a rematch at once")
@pytest.mark.parametrize("gone", GONE)
async def test_once_no_seat_is_held_any_more_it_begins_if_all_are_ready(
    house: House, gone: str
) -> None:
    house.game.info = replace(house.game.info, seats=(2, 3, 4))
    table = await full(house, EVE)
    table = await house.service.leave(table.id, CAT.id)
    table = await house.ready(table, ANN, BEN)
    assert (table.stored.status, offered(table)) == (Status.LOBBY, {2: EVE})
    table = await GONE[gone](house, table.id)
    assert table.stored.status is Status.RUNNING
    assert [*table.stored.seating.people] == [ANN, BEN]


@pytest.mark.behaviour("A seat gets free while people are in line")
@pytest.mark.parametrize("gone", GONE)
async def test_it_does_not_begin_over_the_head_of_the_next_in_line(house: House, gone: str) -> None:
    house.game.info = replace(house.game.info, seats=(2, 3, 4))
    table = await full(house, EVE, FAY)
    table = await house.service.leave(table.id, CAT.id)
    await house.ready(table, ANN, BEN)
    table = await GONE[gone](house, table.id)
    assert (table.stored.status, offered(table)) == (Status.LOBBY, {2: FAY})


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_taking_one_offer_shortens_no_other(house: House) -> None:
    table = await full(house, EVE, FAY, pace=Pace.DAILY)
    table = await house.service.leave(table.id, CAT.id)
    house.clock.forward(6 * 3600)
    table = await house.service.leave(table.id, BEN.id)
    before = table.stored.seating.offers[1]
    table = await house.service.sit(table.id, EVE)
    assert table.stored.seating.offers == {1: before}
    assert deadline_of(table, DeadlineKind.OFFERED).due == before.until


async def test_places_of_a_rematch_that_nobody_took_go_to_the_line(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.RELAXED)
    await house.stop(table.id)
    new = await house.service.rematch(table.id, ANN)
    new = await house.service.sit(new.id, EVE)
    assert offered(new) == {}
    new = await house.later(new, Pace.RELAXED.waits.keep.total_seconds())
    assert offered(new) == {1: EVE}
    new = await house.service.rematch(table.id, CAT)
    assert new.stored.seating.place_of(CAT.id) == 2
    assert offered(new) == {1: EVE}, "the end of the others' time is not the end of this"


# Laws

PEOPLE = (ANN, BEN, CAT, DAN, EVE, FAY)


def lawful(table: Table, before: Seating) -> None:
    """What holds of the line of a table at any time."""
    stored = table.stored
    seating = stored.seating
    line = [one.id for one in seating.waiting]
    assert len(set(line)) == len(line) <= MOST_WAITING
    assert all(seating.place_of(user) is None for user in line)
    stayed = [one.id for one in before.waiting if one.id in line]
    assert line[: len(stayed)] == stayed, "the order is kept, and whoever is new comes last"
    assert seating.offers.keys() <= seating.kept.keys()
    assert all(seating.kept[place].id in line for place in seating.offers)
    assert len({one.id for one in seating.kept.values()}) == len(seating.kept)
    if not stored.status.is_open:
        assert not seating.kept
        return
    assert not any(not seating.places[place].free for place in seating.kept)
    assert not seating.sought.keys() & seating.kept.keys()
    due = stored.timing.deadline(DeadlineKind.OFFERED)
    timing = stored.timing
    closed = stored.shuffling.closed
    lasts = closed or timing.stalled is not None or timing.rest is not None
    assert (due is not None) == (bool(seating.offers) and not lasts)
    if closed:
        return
    bound = isinstance(table.phase, Round)
    for place in set(seating.free_places) - seating.kept.keys():
        for user in line:
            known = seating.seen.get(user) if bound else None
            free = seating.kept_for(user) is None and known in (None, place)
            assert not free, "it is offered to nobody, although somebody could take it"


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(st.tuples(st.integers(0, 11), st.integers(0, 5)), max_size=40),
    again=st.booleans(),
)
@example(steps=[(0, 4), (7, 0), (3, 0), (6, 0), (7, 0)], again=False)  # the message came late
def test_whatever_people_do_the_line_is_in_order(steps: list[tuple[int, int]], again: bool) -> None:
    asyncio.run(evening(steps, again=again))


async def evening(steps: list[tuple[int, int]], *, again: bool) -> None:
    """A table, or the rematch of one, at which people do all that there is to be done."""
    house = House()
    table = await house.lobby(*PEOPLE[:4], seats=4, pace=Pace.LIVE60, rounds=9)
    if again:
        await house.begin(table.id)
        await house.stop(table.id)
        table = await house.service.rematch(table.id, ANN)
    for step, who in steps:
        before = (await house.service.table(table.id)).stored.seating
        with suppress(TableError):
            await do(house, table, step, PEOPLE[who])
        now = await house.service.table(table.id)
        lawful(now, before)
        if not now.stored.status.is_open:
            return
    before = (await house.service.table(table.id)).stored.seating
    lawful(await house.service.unstalled(table.id), before)
    house.agree()


async def do(house: House, table: Table, step: int, person: Person) -> None:
    """One of them."""
    service = house.service
    match step:
        case 0 | 1 | 2:
            await service.sit(table.id, person)
        case 3:
            await service.leave(table.id, person.id)
        case 4:
            await service.get_out(table.id, person.id)
        case 5:
            await service.left_server(table.id, person.id)
        case 6:
            due = await house.store.earliest_deadline()
            if due is not None:
                house.clock.now = max(house.clock.now, due.deadline.due)
            await service.deadlines.fire_due()
        case 7:
            now = await service.table(table.id)
            if now.stored.shuffling.closed:
                await house.post(table.id)
            else:
                await service.start(table.id, now.stored.seating.host)
        case 8:
            now = await service.table(table.id)
            await service.rest(table.id, person.id, resting=now.stored.timing.rest is not None)
        case 9:
            now = await service.table(table.id)
            await service.seek(table.id, person.id, min(now.stored.seating.free_places, default=0))
        case 10:
            if not await service.stalled(table.id, ["send_messages"]):
                await service.unstalled(table.id)
        case _:
            now = await service.table(table.id)
            if person in now.stored.seating.people and now.asked:
                await house.play(table.id, person)
            else:
                await service.ready(table.id, person.id, None)


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_a_seat_that_its_person_may_not_take_after_all_is_passed_on(house: House) -> None:
    table = await full(house, DAN, EVE, pace=Pace.DAILY)
    await house.blocks.block(ANN.id, DAN.id, on=True)  # while Dan stands in line
    table = await house.service.leave(table.id, CAT.id)
    assert offered(table) == {2: DAN}
    with refused("kicked"):
        await house.service.sit(table.id, DAN)
    table = await house.service.table(table.id)
    assert offered(table) == {2: EVE}
    assert table.stored.seating.waiting == (EVE,)


@pytest.mark.behaviour("More people want the rematch than it has seats")
@pytest.mark.parametrize("way", ["join", "rematch"])
async def test_a_seat_kept_in_a_rematch_for_who_may_not_take_it_is_free(
    way: str, house: House
) -> None:
    old = await house.match(ANN, BEN, DAN)
    await house.stop(old.id)
    new = await house.service.rematch(old.id, ANN)
    assert new.stored.seating.kept_for(DAN.id) == 2
    await house.blocks.block(ANN.id, DAN.id, on=True)
    with refused("kicked"):
        if way == "join":
            await house.service.sit(new.id, DAN)
        else:
            await house.service.rematch(old.id, DAN)
    await house.service.sit(new.id, EVE, 2)
