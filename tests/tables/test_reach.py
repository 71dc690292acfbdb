"""Clocks run only while people can press: dead lines, machines that sleep, clocks that are set.

Nothing here waits: wall clock, steady clock and the line to Discord are handed in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import pytest

from bot.tables.deadlines import Alarm
from bot.tables.downtime import BEAT, LEAST_GAP, SIGN_TIME, TICK, Downtime
from bot.tables.model import Table
from bot.tables.stored import Deadline, DeadlineKind, Pace, Status
from tests.tables.conftest import Logged
from tests.tables.fakes import ANN, BEN, START, FakeClock, House

TURN = timedelta(seconds=60)
GAP = timedelta(minutes=30)
YEAR = timedelta(days=365)


class Program:
    """A process with its line to Discord and its two clocks, at a table where Ann is asked."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.alive = True
        """Whether the line carries anything."""
        self.silent: float | None = None
        """Since when another line carries nothing, while this one does."""
        self.asked = 0
        """How often Discord was asked for a sign."""
        self.downtime = Downtime(
            house.service, self.ask, house.clock, house.clock.steady, self.sleep
        )

    @property
    def clock(self) -> FakeClock:
        return self.house.clock

    async def ask(self) -> bool:
        self.asked += 1
        if self.alive:
            self.hears()
        return True

    def hears(self) -> None:
        """Something comes on this line."""
        ago = 0.0 if self.silent is None else self.clock.steady() - self.silent
        self.downtime.heard(ago)

    async def sleep(self, alarm: Alarm, seconds: float) -> None:
        """Nobody answers, and the time goes by."""
        await asyncio.sleep(0)
        if not alarm.is_set():
            self.clock.forward(seconds)

    async def runs(self, seconds: float, *, chatter: bool = False) -> None:
        """The program runs so long; with chatter somebody writes on the server all the while."""
        end = self.clock.steady() + seconds
        while self.clock.steady() < end:
            self.clock.forward(min(TICK, end - self.clock.steady()))
            if chatter and self.alive:
                self.hears()
            # Whichever wakes first.
            await self.house.service.deadlines.fire_due()
            await self.downtime.tick()
            await self.house.service.deadlines.fire_due()

    async def reconnected(self, after: float) -> None:
        """discord.py notices that the line is dead, and has another one so much later."""
        self.downtime.lost()
        await self.runs(after)
        self.alive = True
        await self.downtime.back()

    async def restarted(self) -> Program:
        """Another process on the same store, at the same time; nobody is heard yet."""
        return Program(self.house.restarted())

    async def table(self) -> Table:
        (table,) = await self.house.service.tables_in()
        return await self.house.service.table(table)

    async def turn(self) -> Deadline:
        found = (await self.table()).stored.timing.deadline(DeadlineKind.TURN)
        assert found is not None
        return found

    async def left(self) -> timedelta:
        """The time that Ann has left."""
        assert (await self.table()).asked == (0,), "a turn was played"
        return (await self.turn()).due - self.clock.now


async def program(pace: Pace = Pace.LIVE60) -> Program:
    """A program that runs, in the middle of things."""
    made = Program(House())
    await made.downtime.back()
    await made.house.match(ANN, BEN, pace=pace)
    return made


def is_up(p: Program) -> bool:
    return p.downtime.up


# What may happen: each returns the program that runs afterwards, which people can reach


async def the_line_dies(p: Program) -> Program:
    """discord.py says so after a minute without a sign."""
    p.alive = False
    await p.runs(62)
    await p.reconnected(6)
    return p


async def one_of_several_lines_dies(p: Program) -> Program:
    """On the others somebody writes all the while."""
    p.silent = p.clock.steady()
    await p.runs(62, chatter=True)
    p.silent = None
    await p.reconnected(6)
    return p


async def the_line_dies_and_is_mended(p: Program) -> Program:
    """Nobody ever said that it was lost."""
    p.alive = False
    await p.runs(90)
    p.alive = True
    await p.runs(TICK)
    return p


async def the_line_dies_late_in_the_turn(p: Program) -> Program:
    await p.runs(50)
    p.alive = False
    await p.runs(30)
    await p.reconnected(6)
    return p


async def the_line_is_dropped_and_back(p: Program) -> Program:
    await p.reconnected(100)
    return p


async def the_machine_sleeps(p: Program) -> Program:
    """The steady clock stands still; the line survives it."""
    p.clock.now += timedelta(days=2)
    await p.runs(TICK)
    return p


async def the_machine_sleeps_right_after_a_sign(p: Program) -> Program:
    """And of all that runs then the deadlines are first; for the steady clock no time went by."""
    p.hears()
    p.clock.now += timedelta(days=2)
    await p.house.service.deadlines.fire_due()
    await p.runs(TICK)
    return p


async def the_machine_sleeps_and_the_line_dies_of_it(p: Program) -> Program:
    p.clock.now += timedelta(days=2)
    p.alive = False
    await p.runs(20)
    await p.reconnected(3)
    return p


async def the_process_is_stopped(p: Program) -> Program:
    """SIGSTOP and SIGCONT: both clocks go on."""
    p.clock.forward(600)
    await p.runs(TICK)
    return p


async def the_process_is_stopped_for_a_moment(p: Program) -> Program:
    await p.runs(50)
    p.clock.forward(11)
    await p.runs(TICK)
    return p


async def the_process_is_stopped_twice(p: Program) -> Program:
    for _ in range(2):
        p.clock.forward(100)
        await p.runs(TICK)
    return p


async def the_process_is_stopped_and_hears_first_what_waited(p: Program) -> Program:
    p.clock.forward(600)
    p.downtime.heard()
    await p.runs(TICK)
    return p


async def the_process_is_stopped_while_the_line_is_dead(p: Program) -> Program:
    p.alive = False
    await p.runs(8)
    p.clock.forward(600)
    await p.runs(8)
    await p.reconnected(3)
    return p


async def the_clock_is_set_forward_soon_after_the_start(p: Program) -> Program:
    """A machine without a battery: its clock says when it was switched off, until NTP answers."""
    await p.downtime.beat()
    again = await p.restarted()
    again.clock.forward(1)
    await again.downtime.back()
    await again.runs(6)
    again.clock.now += timedelta(hours=3)
    await again.runs(TICK)
    return again


async def the_clock_is_set_forward_without_a_line(p: Program) -> Program:
    p.downtime.lost()
    p.clock.now += timedelta(hours=3)
    await p.runs(10)
    await p.downtime.back()
    return p


async def the_clock_is_set_back(p: Program) -> Program:
    p.clock.now -= timedelta(hours=1)
    await p.runs(TICK)
    return p


async def the_clock_is_set_forward_and_a_question_put_before_that_is_seen(p: Program) -> Program:
    p.clock.now += timedelta(hours=3)
    (table,) = await p.house.service.tables_in()
    await p.house.play_round(table)
    await p.house.next_round(table)
    await p.runs(TICK)
    return p


async def the_clock_was_a_year_ahead(p: Program) -> Program:
    """It is set right while the program runs."""
    again = await p.restarted()
    again.clock.now += YEAR
    await again.downtime.back()
    await again.runs(10)
    again.clock.now -= YEAR
    await again.runs(TICK)
    return again


async def the_clock_was_a_year_ahead_in_another_life(p: Program) -> Program:
    """It is set right while the program does not run."""
    again = await the_clock_is_a_year_ahead(p)
    await again.runs(BEAT)
    third = await again.restarted()
    third.clock.now -= YEAR
    third.clock.forward(100)
    await third.downtime.back()
    return third


async def the_clock_is_a_year_ahead(p: Program) -> Program:
    again = await p.restarted()
    again.clock.now += YEAR
    await again.downtime.back()
    return again


async def the_process_is_killed(p: Program) -> Program:
    await p.runs(14)
    again = await p.restarted()
    again.clock.forward(1000)
    await again.downtime.back()
    return again


async def the_database_is_away_when_time_is_to_be_given_back(p: Program) -> Program:
    p.clock.forward(600)
    p.house.store.failures = [OSError(), OSError()]
    for _ in range(3):
        p.clock.forward(TICK)
        await p.house.service.deadlines.fire_due()
        try:
            await p.downtime.tick()
        except OSError:
            continue
    return p


async def the_answer_to_a_credit_is_lost(p: Program) -> Program:
    p.clock.forward(600)
    p.house.store.failures_after = [OSError("gone")]
    with pytest.raises(OSError, match="gone"):
        await p.downtime.tick()
    await p.runs(20)
    return p


async def the_process_is_killed_while_time_is_given_back(p: Program) -> Program:
    p.downtime.lost()
    p.clock.forward(600)
    p.house.store.failures_after = [OSError("gone")]
    with pytest.raises(OSError, match="gone"):
        await p.downtime.back()
    again = await p.restarted()
    again.clock.forward(4)
    await again.downtime.back()
    return again


EVENTS: list[tuple[Callable[[Program], Awaitable[Program]], float]] = [
    (the_line_dies, 0),
    (one_of_several_lines_dies, 0),
    (the_line_dies_and_is_mended, 0),
    (the_line_dies_late_in_the_turn, 50),
    (the_line_is_dropped_and_back, 0),
    (the_machine_sleeps, 0),
    (the_machine_sleeps_right_after_a_sign, 0),
    (the_machine_sleeps_and_the_line_dies_of_it, 0),
    (the_process_is_stopped, 0),
    (the_process_is_stopped_for_a_moment, 50),
    (the_process_is_stopped_twice, 0),
    (the_process_is_stopped_and_hears_first_what_waited, 0),
    (the_process_is_stopped_while_the_line_is_dead, 0),
    (the_clock_is_set_forward_soon_after_the_start, 6),
    (the_clock_is_set_forward_without_a_line, 0),
    (the_clock_is_set_back, 0),
    (the_clock_is_set_forward_and_a_question_put_before_that_is_seen, 0),
    (the_clock_was_a_year_ahead, 10),
    (the_clock_was_a_year_ahead_in_another_life, 10),
    (the_clock_is_a_year_ahead, 0),
    (the_process_is_killed, 14),
    (the_database_is_away_when_time_is_to_be_given_back, 0),
    (the_answer_to_a_credit_is_lost, 20),
    (the_process_is_killed_while_time_is_given_back, 0),
]
"""With the seconds in which Ann could press meanwhile."""


@pytest.mark.parametrize(
    ("event", "reachable"), EVENTS, ids=lambda value: getattr(value, "__name__", "")
)
@pytest.mark.behaviour("The machine sleeps")
async def test_nobody_loses_time_in_which_they_could_not_press(
    event: Callable[[Program], Awaitable[Program]], reachable: float
) -> None:
    p = await event(await program())
    left = await p.left()
    least = TURN - timedelta(seconds=reachable + TICK) - LEAST_GAP
    assert least <= left <= TURN
    assert is_up(p)
    # And the clock goes on: their time ends.
    await p.runs(left.total_seconds() - 1)
    assert (await p.table()).asked == (0,)
    await p.runs(1 + TICK)
    assert (await p.table()).asked == (1,)
    assert (await p.table()).stored.timing.credited == timedelta()
    p.house.agree()


@pytest.mark.parametrize(
    ("event", "reachable"), EVENTS, ids=lambda value: getattr(value, "__name__", "")
)
async def test_who_has_a_day_gets_back_no_more_than_was_missing(
    event: Callable[[Program], Awaitable[Program]], reachable: float
) -> None:
    """What counts is the real time: the steady clock, and what a machine slept."""
    p = await event(await program(Pace.DAILY))
    left = await p.left()
    day = timedelta(hours=24)
    assert day - timedelta(seconds=reachable + TICK) - LEAST_GAP <= left <= day
    again = (await p.turn()).due
    await p.runs(50)
    assert (await p.turn()).due == again


SET_ANEW = (
    the_clock_is_set_back,
    the_clock_is_set_forward_and_a_question_put_before_that_is_seen,
    the_clock_was_a_year_ahead,
    the_clock_was_a_year_ahead_in_another_life,
    the_clock_is_a_year_ahead,
)
"""After these a turn may have all of its time again: nobody knows how much of it was over."""


@pytest.mark.parametrize(
    ("event", "reachable"),
    [one for one in EVENTS if one[0] not in SET_ANEW],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_what_was_given_is_not_given_again(
    event: Callable[[Program], Awaitable[Program]], reachable: float
) -> None:
    """In the middle of a turn, so that no more than all of it does not hide what is too much."""
    p = await program(Pace.DAILY)
    await p.runs(700)
    before = await p.left()
    p = await event(p)
    latest = timedelta(seconds=BEAT) + LEAST_GAP  # so old the last sign may have been
    assert await p.left() <= before - timedelta(seconds=reachable) + latest


# When all is well


@pytest.mark.parametrize("chatter", [False, True])
async def test_while_all_is_well_nothing_is_given_and_turns_end_on_time(chatter: bool) -> None:
    p = await program()
    before = await p.turn()
    await p.runs(58, chatter=chatter)
    assert await p.turn() == before
    assert (await p.table()).asked == (0,)
    await p.runs(2, chatter=chatter)
    assert (await p.table()).asked == (1,)
    assert p.asked <= (0 if chatter else 60 / BEAT + 2)  # and before each of two deadlines


async def test_clocks_that_differ_by_a_little_are_believed() -> None:
    p = await program()
    before = await p.turn()
    for _ in range(20):
        p.clock.now += timedelta(seconds=0.05)
        await p.runs(2)
    assert await p.turn() == before


async def test_nothing_fires_before_discord_was_asked() -> None:
    """What has been silent for a while may be dead although nobody has noticed."""
    p = await program()
    await p.runs(TURN.total_seconds() - 2, chatter=True)
    p.clock.forward(2)
    p.alive, asked = False, p.asked
    await p.house.service.deadlines.fire_due()
    assert p.asked == asked + 1
    assert (await p.table()).asked == (0,)
    assert not is_up(p)


async def test_a_line_that_is_closing_is_no_sign() -> None:
    p = await program()

    async def closing() -> bool:
        raise ConnectionResetError

    p.downtime._ask = closing
    await p.runs(BEAT + 2 * TICK)
    assert not is_up(p)
    p.downtime._ask = p.ask
    await p.runs(TICK)
    assert is_up(p)


async def test_where_there_is_no_line_nobody_is_silent() -> None:
    p = await program()

    async def nobody() -> bool:
        return False

    p.downtime._ask = nobody
    await p.runs(62)
    assert (await p.table()).asked == (1,)


# Beats


async def test_nothing_fires_before_there_is_a_connection() -> None:
    p = Program(House())
    await p.house.match(ANN, BEN, pace=Pace.LIVE60)
    p.clock.forward(100)
    await p.house.service.deadlines.fire_due()
    assert (await p.table()).asked == (0,)
    assert not is_up(p)
    assert await p.downtime.back() == 0
    assert is_up(p)
    await p.house.service.deadlines.fire_due()
    assert (await p.table()).asked == (1,)


async def test_after_a_start_the_time_since_the_last_sign_is_given_back() -> None:
    p = await program()
    await p.downtime.beat()
    again = await p.restarted()
    again.clock.now += GAP
    assert await again.downtime.back() == 1
    assert again.house.store.alive == again.clock.now
    assert (await again.table()).stored.timing.credited == GAP


async def test_a_second_connection_and_a_second_loss_change_nothing() -> None:
    p = await program()
    p.downtime.lost()
    p.clock.forward(40)
    p.downtime.lost()
    p.clock.forward(40)
    assert await p.downtime.back() == 1
    assert await p.downtime.back() == 0
    assert (await p.table()).stored.timing.credited == timedelta(seconds=80)


async def test_the_last_sign_is_noted_every_ten_seconds_while_people_can_press() -> None:
    p = await program()
    for seconds in (10, 20, 30):
        await p.runs(10, chatter=True)
        assert p.house.store.alive == START + timedelta(seconds=seconds)
    p.downtime.lost()
    await p.runs(30)
    assert p.house.store.alive == START + timedelta(seconds=30)


async def test_a_dead_line_is_not_noted_as_a_sign() -> None:
    p = await program()
    await p.runs(10, chatter=True)
    p.alive = False
    await p.runs(50)
    assert p.house.store.alive == START + timedelta(seconds=10)


async def test_a_note_that_fails_is_made_at_the_next_beat(logged: Logged) -> None:
    p = await program()
    p.house.store.failures = [OSError()]
    await p.runs(10, chatter=True)
    assert "OSError" in repr(logged)
    assert p.house.store.alive == START
    await p.runs(10, chatter=True)
    assert p.house.store.alive == p.clock.now


async def test_it_looks_for_ever_whatever_fails(logged: Logged) -> None:
    p = await program()
    looks: list[float] = []
    over = asyncio.Event()

    async def sleep(alarm: Alarm, seconds: float) -> None:
        if seconds == TICK:
            looks.append(p.clock.steady())
            if len(looks) == 4:
                over.set()
                await asyncio.Event().wait()
        if not alarm.is_set():
            p.clock.forward(30 if len(looks) == 1 else seconds)

    p.downtime._sleep = sleep
    p.house.store.failures = [OSError()]
    running = asyncio.create_task(p.downtime.run())
    await over.wait()
    running.cancel()
    await asyncio.wait({running})
    assert "OSError" in repr(logged)
    assert is_up(p)
    assert await p.left() >= TURN - timedelta(seconds=TICK * 3)


async def test_a_connection_lost_again_while_time_is_given_back_stays_lost() -> None:
    p = await program()
    p.downtime.lost()
    p.clock.now += GAP
    coming = asyncio.create_task(p.downtime.back())
    await asyncio.sleep(0)
    p.downtime.lost()
    assert await coming == 1
    assert not is_up(p)
    p.clock.forward(100)
    await p.house.service.deadlines.fire_due()
    await p.downtime.back()
    assert is_up(p)
    assert (await p.table()).stored.timing.credited == GAP + timedelta(seconds=100)


async def test_a_database_that_takes_its_time_gives_that_back_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    p = await program()
    credit, calls = p.house.store.credit, []

    async def slow(since: datetime | None, until: datetime) -> int:
        count = await credit(since, until)
        calls.append(count)
        if len(calls) == 1:
            p.clock.forward(40)
        return count

    monkeypatch.setattr(p.house.store, "credit", slow)
    p.downtime.lost()
    p.clock.forward(100)
    await p.downtime.back()
    assert await p.left() == TURN
    assert (await p.table()).stored.timing.credited == timedelta(seconds=140)


async def test_a_lobby_that_waited_for_the_program_does_not_expire() -> None:
    p = Program(House())
    await p.downtime.back()
    table = await p.house.lobby(ANN, BEN)
    again = await p.restarted()
    again.clock.now += timedelta(days=1)
    await again.downtime.back()
    await again.house.service.deadlines.fire_due()
    assert (await again.house.service.table(table.id)).stored.status is Status.LOBBY


async def test_the_time_to_answer_is_the_time_a_press_waits() -> None:
    assert SIGN_TIME <= 3 < BEAT
