"""The simulated server: SimCord with the real bot, four people, and one page at a time.

SimCord lets one operation run at a time and locks its page when two meet.  A press, the page's
redrawing after something that nobody pressed for, and a restart therefore take turns here.
SimCord's internal names are used in this file only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import discord
import simcord

# The page needs the time of day and the name of the bot, for which SimCord has no public door.
from simcord._clock import Clock

from bot import create_bot
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.app import Stammtisch

PEOPLE: Final = ("Ann", "Ben", "Cat", "Dan")
CHANNEL: Final = "stammtisch"

GATHER_SECONDS: Final = 0.15
"""So long changes are gathered before the page is published again."""

SETTLE_SECONDS: Final = 2.0
"""So long a press waits for the bot; a bot that sleeps for less is waited for, but not where it
began to sleep for longer: a press does not wait for the next heartbeat."""

# Taken before SimCord replaces the clock inside the bot's tasks.
_monotonic = time.monotonic


class WallClock(Clock):
    """The time of day, so that messages carry today's date and timers run by themselves."""

    def __init__(self) -> None:
        super().__init__()
        self._begun = _monotonic()
        self._epoch = datetime.now(UTC)

    @property
    def elapsed(self) -> float:
        return _monotonic() - self._begun

    @elapsed.setter
    def elapsed(self, seconds: float) -> None:
        """Nobody sets the time of day."""

    def now(self) -> datetime:
        return self._epoch + timedelta(seconds=self.elapsed)

    def advance(self, seconds: float) -> None:
        """Nor moves it."""


@dataclass(frozen=True, slots=True)
class View:
    """What a page shows: the channel or the direct messages of `person`, seen by them."""

    person: str
    direct: bool


class World:
    """A running simulated Discord.  Pages follow what the bot does by itself."""

    def __init__(self, env: simcord.Env, settings: Settings, port: int) -> None:
        self._env = env
        self._settings = settings
        self._port = port
        self._page: simcord.Preview | None = None
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        self._users = {name: env.create_user(name.lower(), global_name=name) for name in PEOPLE}
        guild = env.create_guild("The regulars")
        self._channel = guild.create_text_channel(
            CHANNEL, topic="Type /newgame to open a table, /rules to read how to play."
        )
        self._members = {name: guild.add_member(user) for name, user in self._users.items()}
        env.backend.subscribers.append(lambda event, payload: self._changed.set())

    async def greet(self) -> None:
        """One direct message to everybody, so that there is a page to show."""
        for name, user in self._users.items():
            known = await self._env.bot.fetch_user(user.id)
            await known.send(f"Hello {name}! Your cards arrive here when a round is dealt.")

    async def show(self, view: View) -> str:
        """Close the page there is and open another; its address, which is a key."""
        async with self._turn:
            await self._close_page()
            if view.direct:
                user = self._users[view.person]
                page = self._env.preview(
                    user.dm_channel, viewers=[user], layout="channel", port=self._port
                )
            else:
                # Whoever stands first is whom the page opens as.
                order = sorted(PEOPLE, key=lambda name: name != view.person)
                page = self._env.preview(
                    self._channel,
                    viewers=[self._members[name] for name in order],
                    layout="channel",
                    port=self._port,
                )
            self._take_turns(page)
            self._page = await page.__aenter__()
            return self._page.url

    def _take_turns(self, page: simcord.Preview) -> None:
        """Let what is done on the page wait for whatever is going on."""
        act = page._action

        async def in_turn(context: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
            async with self._turn:
                result = await act(context, body)
                # The page has published what the press changed.
                self._changed.clear()
                return result

        setattr(page, "_action", in_turn)  # noqa: B010 - a method for this one page; SimCord has no door

    async def restart(self) -> None:
        """Stop the bot and start a new one on the same database, while the pages stay open."""
        async with self._turn:
            old = self._env.bot
            await self._env.restart_bot(create_bot(self._settings, clock=self._env.now))
            await old.close()
        self._changed.set()

    async def follow(self) -> None:
        """Publish again whatever changed without a press; runs until cancelled."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(GATHER_SECONDS)
            async with self._turn:
                if self._page is None or not self._changed.is_set():
                    continue
                self._changed.clear()
                try:
                    await self._page.refresh()
                except (simcord.SetupError, TimeoutError):
                    # The bot is busy, or the page was closed from within: look again.
                    self._changed.set()

    async def _close_page(self) -> None:
        page, self._page = self._page, None
        if page is not None:
            await page.close()

    async def aclose(self) -> None:
        async with self._turn:
            await self._close_page()


@asynccontextmanager
async def world(folder: Path, port: int) -> AsyncIterator[World]:
    """A simulated server with a bot whose database lies in `folder`; pages go to `port`."""
    settings = demo_settings(folder)
    clock = WallClock()
    bot: Stammtisch = create_bot(settings, clock=clock.now)
    runner = simcord.run(
        bot,
        check_errors=False,
        settle_timeout=SETTLE_SECONDS,
        approved_intents=discord.Intents.default(),
        shard_count=1,
    )
    runner._env.backend.clock = clock
    runner._env.backend.bot_user.name = "Stammtisch"
    _let_nobody_wait_for_long_sleeps(runner._env)
    async with runner as env:
        made = World(env, settings, port)
        await made.greet()
        following = asyncio.create_task(made.follow())
        try:
            yield made
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following
            await made.aclose()
            last = env.bot
    await last.close()


def _let_nobody_wait_for_long_sleeps(env: simcord.Env) -> None:
    """What the bot sleeps until runs by itself; no press that meets its end waits for it.

    SimCord waits for every timer that is to run within the time of a press.  One whose handle it
    does not know is none of these, and runs in real time all the same.
    """
    inner: Any = env
    schedule = inner._schedule_timer

    def later(record: Any, *more: Any) -> None:
        began = _monotonic()
        schedule(record, *more)
        handle = record.real_handle
        # The bot's clock goes on by itself: what is left is read off the handle.
        # A handle that does not tell when it comes is one of a moment that is near (uvloop's).
        when = getattr(handle, "when", None)
        if when is not None and when() - began > SETTLE_SECONDS:
            record.real_handle = None

    inner._schedule_timer = later


def demo_settings(folder: Path) -> Settings:
    """Settings of a demo: neither `.env` nor the environment plays a part."""
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    database = f"sqlite+aiosqlite:///{folder / 'demo.sqlite3'}"
    return Settings.model_validate({**defaults, "database_url": database})
