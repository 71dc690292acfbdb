"""Law: whatever is asked of the tables at the same time, everybody is answered.

A crowd starts every operation of `TableService` at one table within the same milliseconds, on a
real database, each with a seeded delay before and after everything that it asks of the store.  By
night every pair of them is raced too, while the match is ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from inspect import iscoroutinefunction
from itertools import combinations_with_replacement
from random import Random
from typing import Any, Final

import pytest

from bot.ids import ChannelId, GuildId, MessageId, QuestionId, TableId, UserId
from bot.storage.database import Database
from bot.storage.tables import SqlTableStore
from bot.tables import loaded
from bot.tables.customs import USUAL_CUSTOMS
from bot.tables.ending import ends, means, removal
from bot.tables.model import Table, TableError
from bot.tables.opener import Limits
from bot.tables.plans import Wish
from bot.tables.ports import Due
from bot.tables.service import TableService
from bot.tables.stored import UNASKED, Deadline, DeadlineKind, Pace, Person
from engine.game import NotationError, RuleError
from engine.players.levels import Level
from tests.nightly import by_day
from tests.patience import PATIENCE
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, MODERATOR, FakeClock, Recorder, SeededChance
from tests.tables.stub import StubGame

UNLIMITED: Final = Limits(10**6, 10**6, 10**6, 10**6)

PEOPLE: Final = (ANN, BEN, CAT, DAN, EVE)

TURNS: Final = (0, 0, 1, 2, 5, 20)
"""So many turns of the event loop a delay takes."""


@pytest.fixture(autouse=True)
def _nobody_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a lock waits longer than the test: a wait in a circle hangs."""
    monkeypatch.setattr(loaded, "LONGEST_WAIT", 2 * PATIENCE)


class Delayed:
    """A store that takes its time, and everybody's in another order for every seed."""

    def __init__(self, store: SqlTableStore, random: Random) -> None:
        self._store = store
        self._random = random

    def __getattr__(self, name: str) -> Any:
        asked = getattr(self._store, name)
        if not iscoroutinefunction(asked):
            return asked

        async def slowly(*args: Any, **given: Any) -> Any:
            await self.pause()
            try:
                return await asked(*args, **given)
            finally:
                await self.pause()

        return slowly

    async def pause(self) -> None:
        for _ in range(self._random.choice(TURNS)):
            await asyncio.sleep(0)


class Scene:
    """One table of one server, and what may be asked about it."""

    def __init__(self, service: TableService, number: int, random: Random) -> None:
        self.service = service
        self.guild, self.channel = GuildId(1000 + number), ChannelId(1 + number)
        self.random = random
        self.table = TableId("")

    @property
    def who(self) -> Person:
        return self.random.choice(PEOPLE)

    @property
    def user(self) -> UserId:
        return self.who.id

    def opening(self, host: Person, channel: int | None = None) -> Awaitable[Table]:
        return self.service.open(
            Wish("stub", 3, {"rounds": 1}, pace=Pace.LIVE60),
            self.guild,
            self.channel if channel is None else ChannelId(channel),
            host,
        )

    async def begun(self) -> None:
        """Ann, Ben and Cat play."""
        service = self.service
        self.table = (await self.opening(ANN)).id
        for person in (BEN, CAT):
            await service.sit(self.table, person)
        await service.start(self.table, ANN.id)
        await service.posted(self.table, 1, MessageId(5))

    async def again(self) -> Table:
        """As a press does it: the table is looked up before."""
        await self.service.find(self.table)
        return await self.service.rematch(self.table, self.random.choice((ANN, BEN, CAT)))


def question() -> Deadline:
    return Deadline(DeadlineKind.TURN, UNASKED, FakeClock().now)


OPERATIONS: Final[dict[str, Callable[[Scene], Awaitable[object]]]] = {
    "open": lambda s: s.opening(s.who),
    "change_options": lambda s: s.service.change_options(
        s.table, ANN.id, {"rounds": 2}, USUAL_CUSTOMS
    ),
    "sit": lambda s: s.service.sit(s.table, s.who),
    "leave": lambda s: s.service.leave(s.table, CAT.id),
    "leave_as_shown": lambda s: _of_it(
        s,
        lambda t: s.service.leave_as_shown(t.id, CAT.id, means(t, FakeClock().now, CAT.id) or ""),
    ),
    "get_out": lambda s: s.service.get_out(s.table, s.user),
    "turned_down": lambda s: s.service.turned_down(s.table, s.user),
    "left_server": lambda s: s.service.left_server(s.table, s.user),
    "come_back": lambda s: s.service.come_back(s.table, s.user),
    "ready_to_begin": lambda s: s.service.ready_to_begin(s.table, s.user),
    "shuffle_seats": lambda s: s.service.shuffle_seats(s.table, ANN.id),
    "invite": lambda s: s.service.invite(s.table, ANN.id, s.user),
    "hand_over": lambda s: s.service.hand_over(s.table, ANN.id, s.user),
    "seen_at": lambda s: _seen_at(s),
    "kick": lambda s: s.service.kick(s.table, MODERATOR.id, EVE.id, moderator=True),
    "kick_as_shown": lambda s: _of_it(
        s,
        lambda t: s.service.kick_as_shown(
            t.id,
            MODERATOR.id,
            EVE.id,
            removal(t, FakeClock().now, MODERATOR.id, EVE.id, moderator=True),
            moderator=True,
        ),
    ),
    "set_reachable": lambda s: s.service.set_reachable(s.table, s.user, reachable=False),
    "end": lambda s: s.service.end(s.table, MODERATOR.id, moderator=True),
    "end_as_shown": lambda s: _of_it(
        s,
        lambda t: s.service.end_as_shown(
            t.id, MODERATOR.id, ends(t, MODERATOR.id, moderator=True), moderator=True
        ),
    ),
    "rematch": lambda s: s.again(),
    "play_again": lambda s: s.service.play_again(s.table, 1, 0, s.who, s.channel),
    "cut": lambda s: s.service.cut(s.table, s.user, "kuckuck"),
    "posted": lambda s: s.service.posted(s.table, 1, MessageId(1)),
    "start": lambda s: s.service.start(s.table, ANN.id),
    "act": lambda s: s.service.act(s.table, None, s.user, "play 1", None),
    "ready": lambda s: s.service.ready(s.table, s.user, None),
    "stalled": lambda s: s.service.stalled(s.table, ()),
    "unstalled": lambda s: s.service.unstalled(s.table),
    "vanished": lambda s: s.service.vanished(s.table),
    "resume": lambda s: s.service.resume(None, FakeClock().now),
    "note_reachable": lambda s: s.service.note_reachable(FakeClock().now),
    "table": lambda s: s.service.table(s.table),
    "find": lambda s: s.service.find(s.table),
    "open_in_channel": lambda s: s.service.open_in_channel(s.channel),
    "latest_in_channel": lambda s: s.service.latest_in_channel(s.channel),
    "open_of": lambda s: s.service.open_of(s.user),
    "waiting_for": lambda s: s.service.waiting_for(s.user),
    "open_on": lambda s: s.service.open_on(s.guild),
    "open_tables": lambda s: s.service.open_tables(),
    "tables_in": lambda s: s.service.tables_in(s.guild),
    "clocked": lambda s: s.service.clocked(),
    "rounds": lambda s: _of_it(s, s.service.rounds),
    "checked": lambda s: _of_it(s, s.service.checked),
    "record": lambda s: _of_it(s, s.service.record),
    "reviewed": lambda s: _of_it(s, lambda t: s.service.reviewed(t, None)),
    "opinion": lambda s: _of_it(s, lambda t: _opinion(s, t)),
    "seat_computer": lambda s: s.service.seat_computer(s.table, ANN.id, Level.EASY),
    "send_computer_away": lambda s: s.service.send_computer_away(s.table, ANN.id, 2),
    "hint": lambda s: _of_it(s, lambda t: s.service.hint(t, ANN.id, None)),
    "fire": lambda s: s.service.fire(Due(s.table, question())),
    "set_standing_pass": lambda s: s.service.set_standing_pass(s.table, s.user, None, on=True),
    "choose_ahead": lambda s: s.service.choose_ahead(s.table, CAT.id, QuestionId(1), "play 1"),
    "take_back": lambda s: s.service.take_back(s.table, s.user, QuestionId(2), None),
    "answer_take_back": lambda s: s.service.answer_take_back(
        s.table, s.user, QuestionId(2), None, agrees=True
    ),
    "rest": lambda s: s.service.rest(s.table, s.user, resting=True),
    "choose_pace": lambda s: s.service.choose_pace(s.table, s.user, Pace.LIVE120),
    "nudge": lambda s: s.service.nudge(s.table, s.user, QuestionId(1)),
    "seek": lambda s: s.service.seek(s.table, s.user, 2),
    "speak_on": lambda s: s.service.speak_on(GuildId(1), "de"),
    "speak_to": lambda s: s.service.speak_to(s.user, "de"),
    "bar": lambda s: s.service.bar(s.user),
}

ALONE: Final = frozenset({"aclose"})
"""What nobody asks while the program runs."""


async def _seen_at(scene: Scene) -> Table:
    return await scene.service.seen_at(await scene.service.find(scene.table), ANN.id)


async def _of_it(scene: Scene, look: Callable[[Table], Awaitable[object]]) -> object:
    return await look(await scene.service.table(scene.table))


async def _opinion(scene: Scene, table: Table) -> object:
    return await scene.service.opinion(await scene.service.reviewed(table, 1), 0, ANN.id)


def test_every_operation_of_the_service_is_raced() -> None:
    asked = {
        name
        for name in dir(TableService)
        if not name.startswith("_") and asyncio.iscoroutinefunction(getattr(TableService, name))
    }
    assert OPERATIONS.keys() == asked - ALONE


async def started(database: Database, random: Random) -> TableService:
    return TableService(
        Delayed(SqlTableStore(database), random),
        clock=FakeClock(),
        chance=SeededChance(),
        announcer=Recorder(),
        games={"stub": StubGame()},
        limits=UNLIMITED,
    )


async def raced(scenes: list[tuple[Scene, list[str]]], random: Random) -> None:
    """All at once; everybody is answered.  Afterwards tables are opened on the same servers."""

    async def asked(scene: Scene, name: str) -> None:
        for _ in range(random.choice(TURNS)):
            await asyncio.sleep(0)
        with suppress(TableError, NotationError, RuleError):
            await OPERATIONS[name](scene)

    asking = [
        asyncio.create_task(asked(scene, name), name=f"{scene.guild}: {name}")
        for scene, names in scenes
        for name in names
    ]
    random.shuffle(asking)
    await answered(asking)
    later = (scene.opening(scene.who, scene.channel + 10**6) for scene, _ in scenes)
    await answered([asyncio.create_task(_opened(one), name="open elsewhere") for one in later])


async def _opened(opening: Awaitable[Table]) -> None:
    await opening


async def answered(asking: list[asyncio.Task[None]]) -> None:
    _, hanging = await asyncio.wait(asking, timeout=PATIENCE)
    for task in hanging:
        task.cancel()
    assert not hanging, sorted(task.get_name() for task in hanging)
    for task in asking:
        task.result()


@pytest.mark.parametrize("seed", by_day(range(40), every=10))
async def test_of_a_crowd_everybody_is_answered(database: Database, seed: int) -> None:
    random = Random(seed)
    service = await started(database, random)
    scenes = []
    for number in range(4):
        scene = Scene(service, number, random)
        await scene.begun()
        more = random.choices(("open", "rematch", "end", "act", "latest_in_channel"), k=12)
        scenes.append((scene, [*OPERATIONS, *more]))
    await raced(scenes, random)
    await service.aclose()


def pairs() -> Iterator[list[tuple[str, str]]]:
    """All of them, by twenty."""
    found = list(combinations_with_replacement(OPERATIONS, 2))
    for start in range(0, len(found), 20):
        yield found[start : start + 20]


@pytest.mark.nightly
@pytest.mark.parametrize("some", list(pairs()), ids=lambda some: "-".join(some[0]))
async def test_of_two_at_a_table_that_is_ended_both_are_answered(
    database: Database, some: list[tuple[str, str]]
) -> None:
    random = Random(len(some))
    service = await started(database, random)
    scenes = []
    for number, pair in enumerate(some):
        scene = Scene(service, number, random)
        await scene.begun()
        scenes.append((scene, [*pair, "end"]))
    await raced(scenes, random)
    await service.aclose()
