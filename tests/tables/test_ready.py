"""*Ready* in the lobby, and planned tables, which begin without their host."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ids import Computer, TableId
from bot.tables import lobby, match, new_tables
from bot.tables.customs import USUAL_CUSTOMS, Customs, WaitTimes
from bot.tables.model import Table, TableError
from bot.tables.phase import Closing
from bot.tables.plans import Wish
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind, Pace, Person, Status
from engine.players.levels import Level
from tests.tables.fakes import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    DAN,
    EVE,
    FAY,
    GUILD,
    START,
    House,
    deadline_of,
    refused,
)
from tests.tables.stub import StubGame


def begun(table: Table, *people: Person | Computer) -> bool:
    """Whether the match has just begun with these, in that order."""
    assert table.stored.votes.ready == frozenset() or table.stored.status is Status.LOBBY
    return isinstance(table.phase, Closing) and table.stored.seating.starters == people


# As soon as they are enough


async def test_as_many_as_can_play_are_dealt_to_once_all_of_them_are_ready(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT, seats=4)
    for person in (CAT, ANN, CAT):
        table = await house.ready(table, person)
        assert (await house.later(table, 60)).stored.status is Status.LOBBY
    assert table.stored.votes.ready == {ANN.id, CAT.id}
    assert begun(await house.ready(table, BEN), ANN, BEN, CAT)


@pytest.mark.parametrize("seats", [(3, 4), (4,)])
async def test_too_few_are_told_how_many_it_takes(house: House, seats: tuple[int, ...]) -> None:
    house.game.info = replace(house.game.info, seats=seats)
    table = await house.lobby(ANN, BEN, seats=4)
    with refused("too_few", needed=seats[0], seated=2):
        await house.ready(table, ANN)
    assert await house.service.table(table.id) == table


async def test_a_number_between_two_that_can_play_waits_for_the_next(house: House) -> None:
    house.game.info = replace(house.game.info, seats=(2, 4))
    table = await house.lobby(ANN, BEN, seats=4)
    await house.ready(table, ANN)
    await house.service.sit(table.id, CAT)
    with refused("too_few", needed=4, seated=3):
        await house.ready(table, BEN)


LEAVING: Final[dict[str, Callable[[TableService, TableId], Awaitable[Table]]]] = {
    "leaves": lambda service, table: service.leave(table, DAN.id),
    "left the server": lambda service, table: service.left_server(table, DAN.id),
    "is sent away": lambda service, table: service.kick(table, ANN.id, DAN.id),
}


@pytest.mark.behaviour("In a lobby somebody leaves")
@pytest.mark.parametrize("how", LEAVING)
async def test_nothing_begins_because_somebody_left(house: House, how: str) -> None:
    table = await house.lobby(ANN, BEN, CAT, DAN, seats=4)
    await house.ready(table, ANN, BEN, CAT)
    table = await LEAVING[how](house.service, table.id)
    assert table.stored.status is Status.LOBBY
    assert table.stored.votes.ready == frozenset()
    table = await house.ready(table, ANN, BEN)
    assert table.stored.status is Status.LOBBY
    assert begun(await house.ready(table, CAT), ANN, BEN, CAT)


async def test_one_more_who_comes_is_waited_for_and_the_others_stay_ready(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT, seats=4)
    await house.ready(table, ANN, BEN)
    table = await house.service.sit(table.id, DAN)
    assert table.stored.votes.ready == {ANN.id, BEN.id}
    table = await house.ready(table, CAT)
    assert table.stored.status is Status.LOBBY
    assert begun(await house.ready(table, DAN), ANN, BEN, CAT, DAN)


OTHER_GAMES: Final[dict[str, Callable[[TableService, TableId], Awaitable[Table]]]] = {
    "options": lambda service, table: service.change_options(
        table, ANN.id, {"rounds": 2}, USUAL_CUSTOMS
    ),
    "customs": lambda service, table: service.change_options(
        table, ANN.id, {}, Customs(hints=False)
    ),
    "pace": lambda service, table: service.change_options(
        table, ANN.id, {}, USUAL_CUSTOMS, Pace.DAILY
    ),
    "a computer player": lambda service, table: service.seat_computer(table, ANN.id, Level.NORMAL),
}


@pytest.mark.parametrize("planned", [False, True])
@pytest.mark.parametrize("what", OTHER_GAMES)
async def test_they_are_ready_for_what_they_have_read(
    house: House, what: str, planned: bool
) -> None:
    opened = house.planned if planned else house.lobby
    table = await opened(ANN, BEN, CAT, seats=4)
    await house.ready(table, BEN, CAT)
    house.clock.forward(200)
    table = await OTHER_GAMES[what](house.service, table.id)
    assert table.stored.votes.ready == frozenset()
    starts = table.stored.timing.deadline(DeadlineKind.PLANNED)
    again = house.clock() + table.stored.timing.pace.waits.start
    assert (None if starts is None else starts.due) == (again if planned else None)


async def test_nobody_alone_without_a_clock_begins_in_a_channel(house: House) -> None:
    table = await house.lobby(ANN, seats=3)
    await house.service.seat_computer(table.id, ANN.id, Level.NORMAL)
    with refused("endless"):
        await house.ready(table, ANN)


async def test_whoever_presses_late_is_told_and_nothing_changes(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    table = await house.ready(table, ANN, BEN)
    with refused("started"):
        await house.ready(table, BEN)
    assert await house.service.table(table.id) == table
    table = await house.post(table.id)
    with refused("started"):
        await house.ready(table, CAT)
    table = await house.stop(table.id)
    with refused("ended"):
        await house.ready(table, ANN)


# Places that are kept


async def rematch(house: House) -> Table:
    """The lobby of a rematch, in which Ann and Ben are ready and Cat is awaited."""
    old = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, rounds=3)
    await house.stop(old.id)
    new = await house.service.rematch(old.id, ANN)
    await house.service.rematch(old.id, BEN)
    return await house.ready(new, ANN, BEN)


@pytest.mark.behaviour("Not everybody comes to a rematch at once")
@pytest.mark.parametrize("restart", [False, True])
async def test_who_is_ready_waits_for_whom_a_place_is_kept_and_no_longer(restart: bool) -> None:
    house = House()
    table = await rematch(house)
    assert table.stored.status is Status.LOBBY
    seconds = Pace.LIVE60.waits.keep.total_seconds()
    table = await house.later(table, seconds - 1)
    assert table.stored.status is Status.LOBBY
    house = house.restarted() if restart else house
    assert begun(await house.later(table, 1), ANN, BEN)


async def test_after_that_it_waits_as_any_lobby_does(house: House) -> None:
    table = await rematch(house)
    await house.service.sit(table.id, CAT)
    table = await house.later(table, Pace.LIVE60.waits.keep.total_seconds())
    assert table.stored.status is Status.LOBBY
    assert begun(await house.ready(table, CAT), ANN, BEN, CAT)


async def test_nobody_waits_for_who_has_left_the_server(house: House) -> None:
    table = await rematch(house)
    assert begun(await house.service.left_server(table.id, CAT.id), ANN, BEN)


# Planned tables


SIX: Final = (ANN, BEN, CAT, DAN, EVE, FAY)


@pytest.fixture
def six(house: House) -> House:
    """The game is for two to six people."""
    house.game.info = replace(house.game.info, seats=(2, 3, 4, 5, 6))
    return house


async def test_a_planned_table_begins_at_once_when_everybody_is_ready(house: House) -> None:
    table = await house.planned(ANN, BEN, CAT)
    assert begun(await house.ready(table, CAT, BEN, ANN), ANN, BEN, CAT)
    assert not table.stored.timing.overdue


@pytest.mark.behaviour("The time of a planned table comes")
async def test_at_its_time_it_begins_with_whoever_is_ready(six: House) -> None:
    table = await six.planned(*SIX, seats=6)
    await six.ready(table, FAY, BEN, CAT, ANN)
    table = await six.later(table, WaitTimes().start.total_seconds() - 1)
    assert list(table.stored.seating.people) == [*SIX]
    table = await six.later(table, 1)
    assert begun(table, ANN, BEN, CAT, FAY)
    assert (table.stored.options["rounds"], table.stored.timing.overdue) == (4, False)
    assert [one.kind for one in table.stored.timing.deadlines] == [DeadlineKind.POST]
    table = await six.post(table.id)
    for late in (DAN, EVE):
        table = await six.service.sit(table.id, late)
    assert table.stored.seating.waiting == (DAN, EVE), "they may wait for the next match"


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
@pytest.mark.parametrize("late", range(4))
async def test_whoever_is_not_ready_gives_the_seat_to_the_line(house: House, late: int) -> None:
    house.game.info = replace(house.game.info, seats=(4,))
    table = await house.planned(ANN, BEN, CAT, DAN, seats=4)
    await house.service.sit(table.id, EVE)
    away = (ANN, BEN, CAT, DAN)[late]
    there = [one for one in (ANN, BEN, CAT, DAN) if one != away]
    await house.ready(table, *there)
    table = await house.later(table, WaitTimes().start.total_seconds())
    seating = table.stored.seating
    assert (seating.kept, seating.waiting) == ({late: EVE}, (EVE, away))
    assert seating.host in {one.id for one in there}
    table = await house.service.sit(table.id, EVE)
    there.insert(late, EVE)
    assert begun(table, *there)
    assert table.stored.seating.waiting == (away,)


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
async def test_whoever_takes_an_offered_seat_after_that_plays(house: House) -> None:
    house.game.info = replace(house.game.info, seats=(3, 4))
    table = await house.planned(ANN, BEN, CAT, DAN, seats=4)
    await house.service.sit(table.id, EVE)
    house.clock.forward(WaitTimes().start.total_seconds() - 60)
    await house.service.leave(table.id, DAN.id)
    await house.ready(table, ANN, BEN, CAT)
    table = await house.later(table, 60)
    assert (table.stored.status, table.stored.timing.overdue) == (Status.LOBBY, True)
    assert begun(await house.service.sit(table.id, EVE), ANN, BEN, CAT, EVE)


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
async def test_who_is_ready_later_has_the_others_give_way_later(house: House) -> None:
    house.game.info = replace(house.game.info, seats=(4,))
    table = await house.planned(ANN, BEN, CAT, DAN, seats=4)
    await house.service.sit(table.id, EVE)
    await house.later(table, WaitTimes().start.total_seconds())
    house.clock.forward(300)
    table = await house.ready(table, ANN, BEN, CAT)
    assert not table.stored.timing.overdue, "they have the time to press anew"
    table = await house.later(table, WaitTimes().start.total_seconds())
    assert table.stored.seating.kept == {3: EVE}
    assert begun(await house.service.sit(table.id, EVE), ANN, BEN, CAT, EVE)


@pytest.mark.behaviour("The time of a planned table comes")
async def test_it_does_not_close_before_it_would_start(house: House) -> None:
    house.game.info = replace(house.game.info, seats=(4,))
    table = await house.planned(ANN, BEN, CAT, DAN, seats=4)
    table = await house.ready(table, ANN)
    table = await house.later(table, WaitTimes().start.total_seconds())
    house.clock.forward(WaitTimes().lobby.total_seconds() - WaitTimes().start.total_seconds() - 1)
    table = await house.service.leave(table.id, DAN.id)
    starts, closes = (
        deadline_of(table, one).due for one in (DeadlineKind.PLANNED, DeadlineKind.LOBBY)
    )
    assert starts < closes


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
async def test_where_nobody_is_ready_nobody_gives_way(house: House) -> None:
    table = await house.planned(ANN, BEN, seats=2)
    await house.service.sit(table.id, EVE)
    table = await house.later(table, WaitTimes().start.total_seconds())
    assert [*table.stored.seating.people] == [ANN, BEN]
    assert table.stored.seating.waiting == (EVE,)


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
async def test_too_few_wait_and_then_it_begins_as_soon_as_they_are_enough(six: House) -> None:
    six.game.info = replace(six.game.info, seats=(3, 4, 5, 6))
    table = await six.planned(ANN, BEN, CAT, DAN, seats=6)
    await six.ready(table, ANN, BEN)
    table = await six.later(table, WaitTimes().start.total_seconds())
    assert (table.stored.status, table.stored.timing.overdue) == (Status.LOBBY, True)
    assert list(table.stored.seating.people) == [ANN, BEN, CAT, DAN], "nobody has lost a seat"
    six = six.restarted()
    table = await six.service.sit(table.id, EVE)
    assert table.stored.status is Status.LOBBY
    assert begun(await six.ready(table, EVE), ANN, BEN, EVE)


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
async def test_with_nobody_ready_it_stays_a_lobby_until_it_closes(house: House) -> None:
    table = await house.planned(ANN, BEN)
    table = await house.later(table, WaitTimes().start.total_seconds())
    assert table.stored.status is Status.LOBBY
    assert list(table.stored.seating.people) == [ANN, BEN]
    table = await house.later(table, (WaitTimes().lobby - WaitTimes().start).total_seconds())
    assert table.stored.status is Status.EXPIRED


async def test_a_host_who_does_not_come_leads_nothing(house: House) -> None:
    table = await house.planned(ANN, BEN, CAT)
    await house.service.seen_at(table, ANN.id)
    await house.ready(table, CAT, BEN)
    house.clock.forward(170)
    await house.service.seen_at(table, ANN.id)  # she looks on
    table = await house.later(table, WaitTimes().start.total_seconds() - 170)
    assert begun(table, BEN, CAT)
    assert table.stored.seating.host == BEN.id


async def test_who_leads_since_the_host_gave_way_has_the_time_of_a_host(house: House) -> None:
    table = await house.planned(ANN, BEN, CAT, seats=3)
    for person in (DAN, EVE):
        await house.service.sit(table.id, person)
    house.clock.forward(170)
    table = await house.service.seen_at(table, ANN.id)
    house.clock.forward(120)
    table = await house.ready(table, BEN)
    table = await house.later(table, WaitTimes().start.total_seconds() - 290)
    assert table.stored.seating.people == (BEN,)
    table = await house.service.sit(table.id, DAN)
    table = await house.later(table, WaitTimes().host.total_seconds() - 1)
    assert table.stored.seating.host == BEN.id
    assert (await house.later(table, 1)).stored.seating.host == DAN.id


async def test_the_host_still_starts_with_everybody_who_sits_there(house: House) -> None:
    table = await house.planned(ANN, BEN, CAT)
    await house.ready(table, BEN)
    assert begun(await house.service.start(table.id, ANN.id), ANN, BEN, CAT)


@pytest.mark.parametrize("pace", [Pace.LIVE60, Pace.NONE])
async def test_computer_players_are_counted_among_the_ready(house: House, pace: Pace) -> None:
    table = await house.planned(ANN, BEN, computers=1, pace=pace)
    await house.ready(table, ANN)
    table = await house.later(table, WaitTimes().start.total_seconds())
    computer = Computer(1, Level.NORMAL)
    if pace is Pace.LIVE60:
        assert begun(table, ANN, computer)
        return
    assert table.stored.status is Status.LOBBY, "alone without a clock"
    assert begun(await house.ready(table, BEN), ANN, BEN, computer)


async def test_at_a_daily_pace_people_have_half_a_day(house: House) -> None:
    table = await house.planned(ANN, BEN, CAT, pace=Pace.DAILY)
    await house.ready(table, ANN, BEN)
    table = await house.later(table, timedelta(hours=12).total_seconds() - 1)
    assert table.stored.status is Status.LOBBY
    assert begun(await house.later(table, 1), ANN, BEN)


@pytest.mark.parametrize("asked_anew", [False, True])
@pytest.mark.behaviour("The time of a planned table comes")
async def test_at_a_pace_chosen_later_it_begins_no_sooner_than_was_said(
    asked_anew: bool, house: House
) -> None:
    table = await house.planned(ANN, BEN, CAT, pace=Pace.DAILY)
    said = deadline_of(table, DeadlineKind.PLANNED)
    house.clock.forward(3600)
    table = await house.service.change_options(
        table.id, ANN.id, {"rounds": 2}, USUAL_CUSTOMS, Pace.LIVE60
    )
    assert said in table.stored.timing.deadlines
    table = await house.ready(table, ANN, BEN)
    if asked_anew:
        await house.service.leave(table.id, CAT.id)
        await house.service.sit(table.id, DAN)
        await house.ready(table, ANN, BEN)
    since = house.clock()
    house.clock.forward(60)
    await house.service.resume(since, house.clock())
    table = await house.later(table, (said.due - house.clock()).total_seconds() + 59)
    assert table.stored.status is Status.LOBBY
    assert begun(await house.later(table, 1), ANN, BEN)


@pytest.mark.parametrize("pace", [Pace.LIVE60, Pace.NONE])
@pytest.mark.behaviour("Not everybody comes to a rematch at once")
async def test_at_a_pace_chosen_later_it_stays_open_while_seats_are_held(
    pace: Pace, house: House
) -> None:
    old = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    await house.stop(old.id)
    table = await house.service.rematch(old.id, ANN)
    kept = deadline_of(table, DeadlineKind.KEPT)
    await house.service.change_options(table.id, ANN.id, {"rounds": 2}, USUAL_CUSTOMS, pace)
    await house.service.rematch(old.id, CAT)
    table = await house.later(table, (kept.due - house.clock()).total_seconds() - 1)
    assert (table.stored.status, table.stored.seating.kept) == (Status.LOBBY, {1: BEN})
    table = await house.later(table, 1)
    assert (table.stored.status, table.stored.seating.kept) == (Status.LOBBY, {})


@pytest.mark.parametrize("gap", [60, 3600])
async def test_time_in_which_nobody_could_press_is_given_back(house: House, gap: float) -> None:
    table = await house.planned(ANN, BEN, CAT)
    await house.ready(table, ANN, BEN)
    house.clock.forward(100)
    since = house.clock()
    house.clock.forward(gap)
    house = house.restarted()
    await house.service.resume(since, house.clock())
    table = await house.later(table, WaitTimes().start.total_seconds() - 101)
    assert table.stored.status is Status.LOBBY
    assert begun(await house.later(table, 1), ANN, BEN)


async def test_whoever_has_to_press_again_has_the_time_again(house: House) -> None:
    table = await house.planned(ANN, BEN, CAT, DAN)
    await house.ready(table, ANN, BEN, CAT)
    for waited in (299, 350):
        house.clock.forward(waited)
        await house.service.deadlines.fire_due()
        table = await house.service.leave(table.id, DAN.id)
        assert table.stored.votes.ready == frozenset()
        assert not table.stored.timing.overdue
        assert deadline_of(table, DeadlineKind.PLANNED).due == house.clock() + WaitTimes().start
        house.game.info = replace(house.game.info, seats=(4,))  # with one it would begin later
        await house.service.sit(table.id, DAN)
        await house.ready(table, ANN)
    assert begun(await house.ready(table, BEN, CAT, DAN), ANN, BEN, CAT, DAN)


async def test_nothing_of_whoever_lost_their_seat_is_in_the_deal(house: House) -> None:
    table = await house.planned(ANN, BEN, CAT)
    for person in (ANN, CAT):
        await house.service.cut(table.id, person.id, person.name)
    await house.ready(table, ANN, BEN)
    table = await house.later(table, WaitTimes().start.total_seconds())
    assert begun(table, ANN, BEN)
    assert table.words == ("Ann", "")
    assert CAT.id not in table.stored.shuffling.words


# Whatever people do


PEOPLE: Final = (ANN, BEN, CAT, DAN, EVE)
DEEDS: Final = st.one_of(
    st.tuples(st.sampled_from(["sit", "leave", "ready", "ready", "ready"]), st.integers(0, 4)),
    st.tuples(st.just("wait"), st.integers(1, 400)),
)


@given(planned=st.booleans(), deeds=st.lists(DEEDS, max_size=30))
def test_nobody_is_dealt_to_who_did_not_press_since_somebody_left(
    planned: bool, deeds: list[tuple[str, int]]
) -> None:
    game, now = StubGame(), START
    game.info = replace(game.info, seats=(3, 4, 5))
    wish = Wish("stub", 5, {}, pace=Pace.LIVE60)
    stored = new_tables.new_table(
        TableId("T1"), wish, game=game, guild=GUILD, channel=CHANNEL, host=ANN, tip=b"\x01" * 32,
        now=now,
    )  # fmt: skip
    stored = lobby.with_start_time(stored, now) if planned else stored
    table, pressed, time = Table(stored, game), set[str](), planned
    for what, number in deeds:
        before = table
        person = PEOPLE[number % 5]
        try:
            match what:
                case "sit":
                    table = match.altered(table, lobby.sit(table.stored, person, None, now), now)
                case "leave":
                    table = match.altered(table, lobby.leave(table.stored, person.id, now), now)
                    pressed.clear()
                case "ready":
                    table = match.ready_to_begin(table, now, person.id)
                    pressed.add(person.name)
                case _:
                    now += timedelta(seconds=number)
                    for deadline in sorted(table.stored.timing.deadlines, key=lambda d: d.due):
                        table = match.fire(table, deadline, now)
        except TableError:
            assert table == before
            continue
        if table.stored.status is not Status.LOBBY:
            break
    if table.stored.status is not Status.RUNNING:
        return
    seated = {person.name for person in before.stored.seating.people}
    began = {person.name for person in table.stored.seating.people}
    assert began <= pressed
    assert len(began) in game.info.seats
    assert began == seated or time, "only at a planned table does somebody lose a seat"
    assert table.stored.seating.place_of(table.stored.seating.host) is not None
