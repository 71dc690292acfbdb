"""Questions at the fifth game, and whoever counts how they are answered."""

from __future__ import annotations

import asyncio
import os
import select
from collections import Counter
from collections.abc import Callable
from random import Random
from types import MappingProxyType
from typing import Any, Final

import pytest

from bot.computers import sources, workers
from bot.computers.sources import By, Why
from bot.tables.ports import Thought
from engine.game import CHANCE, AnyGame
from engine.players.levels import Level
from tests.fifth.games.tides import GAME
from tests.patience import PATIENCE

SOUND: Final = ("tests.fifth.added",)
WICKED: Final = ("tests.computers.wicked",)
GAMES: Final = MappingProxyType[str, AnyGame]({"tides": GAME})


def view(seats: int, seed: int = 1, depth: int = 4) -> Any:
    """What the first seat sees after the deal."""
    state = GAME.initial(seats, {"depth": depth})
    state = GAME.apply(state, CHANCE, GAME.deal(state, Random(seed).randrange))
    return GAME.observe(state, 0)


def thought(seats: int = 2, level: Level = Level.STRONG, seed: int = 1) -> Thought:
    return Thought("tides", view(seats, seed), level, seed)


def best(asked: Thought) -> str:
    """What rules of thumb play: the highest card."""
    cards = map(str, asked.view.legal_actions)
    return f"play {max(cards, key=lambda card: int(card[1:]))}"


def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what hangs takes so long: a loaded machine is no reason to fail."""
    monkeypatch.setattr(workers, "ANSWER_TIME", PATIENCE)
    monkeypatch.setattr(workers, "HUNG_AFTER", PATIENCE)
    for name in ("COMPILED", "INTERPRETED"):
        monkeypatch.setattr(workers, name, getattr(workers, name)._replace(hurry=PATIENCE))


class Counts:
    """See `ThoughtCounts`."""

    def __init__(self) -> None:
        self.by: list[By] = []
        self.why: list[Why] = []
        self.seconds: list[float] = []
        self.playouts: list[int] = []
        self.most_waiting = 0
        self.when_it_falls: Callable[[], None] = lambda: None
        self.workers = Counter[str]()
        self._warm = asyncio.Event()
        self._alive = asyncio.Event()

    def decided(self, by: By, seconds: float) -> None:
        self.by.append(by)
        self.seconds.append(seconds)

    def looked(self, playouts: int) -> None:
        self.playouts.append(playouts)

    def fell_back(self, why: Why) -> None:
        self.why.append(why)
        self.when_it_falls()

    def waiting(self, count: int) -> None:
        self.most_waiting = max(self.most_waiting, count)

    def working(self, count: int, warm: int) -> None:
        self.workers = Counter(all=count, warm=warm)
        (self._alive.set if count else self._alive.clear)()
        if warm == count > 0:
            self._warm.set()

    async def begun(self) -> None:
        """Somebody lives."""
        await self._alive.wait()

    async def warmed(self) -> None:
        """All are compiled.  Raises TimeoutError where compiling is given up."""
        async with asyncio.timeout(sources.COMPILE_TIME + PATIENCE):
            await self._warm.wait()


def gone(pids: frozenset[int]) -> bool:
    """Whether these processes end."""
    for pid in pids:
        try:
            end = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            if not select.select([end], [], [], PATIENCE)[0]:
                return False
        finally:
            os.close(end)
    return True
