"""A match over the real store, by a new process at every step, is the match of one process."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from bot.ids import ChannelId, GuildId, MessageId
from bot.storage.database import Database
from bot.storage.tables import SqlTableStore
from bot.tables.model import Table
from bot.tables.phase import Closing
from bot.tables.plans import Wish
from bot.tables.ports import TableStore
from bot.tables.service import TableService
from bot.tables.stored import Actor, Pace, Status
from tests.tables.fakes import ANN, BEN, CAT, FakeClock, FakeStore, Recorder, SeededChance
from tests.tables.stub import StubGame


def processes(
    store: TableStore, clock: FakeClock, game: StubGame, *, anew: bool
) -> Callable[[], TableService]:
    """Makes processes over a store; with `anew` none has folded logs or records in mind."""
    chance = SeededChance()

    def process() -> TableService:
        current = store
        if anew and isinstance(store, SqlTableStore):
            current = SqlTableStore(store._database)
        return TableService(
            current, clock=clock, chance=chance, announcer=Recorder(), games={"stub": game}
        )

    return process


async def opened(tables: TableService, seats: int, rounds: int, pace: Pace = Pace.NONE) -> Table:
    wish = Wish("stub", seats, {"rounds": rounds}, pace=pace)
    return await tables.open(wish, GuildId(1), ChannelId(2), ANN)


async def played(store: TableStore, *, anew: bool) -> Table:
    """The table after a match with words, a swap, and passes for the whole deal."""
    clock, game = FakeClock(), StubGame()
    game.passes = {1}
    process = processes(store, clock, game, anew=anew)
    table = await opened(process(), seats=3, rounds=2)
    name = table.id
    for person in (BEN, CAT):
        await process().sit(name, person)
    await process().sit(name, ANN, 2)
    await process().cut(name, BEN.id, "kuckuck")
    await process().cut(name, CAT.id, "x")
    await process().cut(name, CAT.id, "")
    await process().start(name, ANN.id)
    for number in (1, 2):
        await process().posted(name, number, MessageId(2**62 + number))
        await process().set_standing_pass(name, BEN.id, None, on=True)
        while (table := await process().table(name)).actors:
            (seat,) = table.actors
            if table.answers_itself(seat):
                clock.forward(2)
                await process().deadlines.fire_due()
                continue
            by = table.stored.seating.people[seat].id
            await process().act(name, table.questions[seat], by, "play 3", 10 * number + seat)
        for person in table.stored.seating.people if number == 1 else ():
            await process().ready(name, person.id, None)
    return await process().table(name)


async def test_a_match_over_the_real_store_by_a_new_process_at_every_step(
    database: Database,
) -> None:
    table = await played(SqlTableStore(database), anew=True)
    memory = await played(FakeStore(), anew=False)
    assert table.stored.status is Status.FINISHED
    assert [p.person for p in table.stored.seating.places] == [CAT, BEN, ANN]
    assert [s.words for s in table.stored.shuffling.shuffles] == [
        ("", "kuckuck", ""),
        ("", "", ""),
        (),
    ]
    assert [entry.text for entry in table.log if entry.seat == 1] == ["play 0"] * 2
    assert (table.stored, table.log) == (memory.stored, memory.log)


async def timed(store: TableStore, *, anew: bool) -> Table:
    """The table after a match with a clock: warnings, misses, a stand-in, a gap, a way back."""
    clock = FakeClock()
    process = processes(store, clock, StubGame(), anew=anew)
    table = await opened(process(), seats=2, rounds=4, pace=Pace.LIVE60)
    name = table.id
    await process().sit(name, BEN)
    await process().start(name, ANN.id)
    for number in range(1, 5):
        await process().posted(name, number, MessageId(number))
        await process().act(name, None, ANN.id, "play 3", 10 * number)
        if number == 2:
            await process().resume(clock.now, clock.now + timedelta(minutes=5))
            clock.forward(300)
        if number == 4:
            await process().come_back(name, BEN.id)
            await process().act(name, None, BEN.id, "play 4", 10 * number + 1)
        while (
            not isinstance((table := await process().table(name)).phase, Closing)
            and table.stored.timing.deadlines
        ):
            clock.forward(15)
            await process().deadlines.fire_due()
    return table


async def test_a_match_with_a_clock_over_the_real_store_by_a_new_process_at_every_step(
    database: Database,
) -> None:
    table = await timed(SqlTableStore(database), anew=True)
    memory = await timed(FakeStore(), anew=False)
    assert table.stored.status is Status.FINISHED
    assert [entry.by for entry in table.log if entry.seat == 1] == [
        Actor.CLOCK,
        Actor.CLOCK_AWAY,
        Actor.STAND_IN,
        Actor.PERSON,
    ]
    assert (table.stored, table.log, table.told) == (memory.stored, memory.log, memory.told)
