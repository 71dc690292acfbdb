"""What goes wrong between the program and a database on a server."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Final

from tests.chaos.kinds import AT_A_COMMIT, Trick
from tests.wire.proxy import Fault, Proxy

WRITING: Final = rb"BEGIN(;| ISOLATION LEVEL READ COMMITTED;)"
"""What begins a transaction that writes; one that only reads says so."""

COMMIT: Final = b"COMMIT;"

SOON: Final = 2.0
"""Seconds in which something is written, mostly."""

AWAY: Final = (0.3, 4.0)
"""Seconds for which the database cannot be reached: longer, mostly, than anybody is patient."""

SLOW: Final = (0.5, 3.0)
"""Seconds for which it is slow."""

LATE: Final = (0.005, 0.1)
"""Seconds by which what passes is late meanwhile: a transaction takes dozens of them."""


class DatabaseLine:
    """The way to the database; undisturbed after `heal`."""

    def __init__(self, proxy: Proxy, rng: random.Random) -> None:
        self._proxy = proxy
        self._rng = rng

    async def disturb(self, trick: Trick) -> bool:
        """Does that, and returns when it is over (lines that went silent stay so).

        Whether it was done: what is to go wrong at a COMMIT needs one.
        """
        match trick:
            case Trick.DATABASE_CUT:
                self._proxy.cut()
            case Trick.DATABASE_SILENT:
                self._proxy.silence()
            case Trick.DATABASE_AWAY:
                await self._away()
            case Trick.DATABASE_SLOW:
                await self._slow()
            case _:
                return await self._at_a_commit(AT_A_COMMIT[trick])
        return True

    def refuse(self) -> None:
        """From now on there are no connections to the database, until `heal`."""
        self._proxy.away = True
        self._proxy.cut()

    def heal(self) -> None:
        self._proxy.delay = 0.0
        self._proxy.away = False
        self._proxy.disarm()

    async def _away(self) -> None:
        self.refuse()
        try:
            await asyncio.sleep(self._rng.uniform(*AWAY))
        finally:
            self.heal()

    async def _slow(self) -> None:
        self._proxy.delay = self._rng.uniform(*LATE)
        try:
            await asyncio.sleep(self._rng.uniform(*SLOW))
        finally:
            self.heal()

    async def _at_a_commit(self, fault: Fault) -> bool:
        sprung = self._proxy.set_trap(COMMIT, fault, after=WRITING)
        with suppress(TimeoutError):
            async with asyncio.timeout(SOON):
                await sprung.wait()
        self._proxy.disarm()
        return sprung.is_set()
