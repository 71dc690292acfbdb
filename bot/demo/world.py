"""The simulated server: SimCord with the real bot, four people, and one page at a time.

SimCord lets one operation run at a time and locks its page when two meet.  A press, the page's
redrawing after something that nobody pressed for, and a restart therefore take turns here.
SimCord's internal names are used in this file only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, cast

import discord
import simcord
from aiohttp import web

# The page needs the time of day and the name of the bot, for which SimCord has no public door.
from simcord._clock import Clock

from bot.app import Stammtisch, create_bot
from bot.computers.workers import Workers
from bot.emojis import know_emojis
from bot.i18n import as_typed, texts
from bot.ids import ChannelId
from bot.operate.emojis import pictures
from bot.settings import Settings
from bot.tables.lobby import USUAL_LEVEL
from bot.tables.ports import Advice, Thought
from bot.tables.stored import Pace, Status
from engine.registry import games

# One after the other.

SIZE: Final = "configure_presentation"
"""What a page does when it opens, or its window has another size."""


def take_turns(page: simcord.Preview, lock: asyncio.Lock, changed: asyncio.Event) -> None:
    """Lets what is done on the page wait for whatever is going on.

    `changed` is cleared where what a press has changed is published already.
    """
    act = page._action

    async def in_turn(context: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with lock:
            if body.get("kind") == SIZE:
                # Of a page that was redrawn meanwhile it would be refused, and never asked again:
                # that of a phone would stay as wide as a desktop's.
                body = {**body, "published_revision": page._get_page(context).revision}
            # What the page says is "in 9 minutes" is counted from here.
            page._advance_presentation_time()
            before = [shown.revision for shown in page._pages.values()]
            result = await act(context, body)
            if before != [shown.revision for shown in page._pages.values()]:
                # What the press changed is published, but not after one that is refused or
                # that the bot does not end in time.
                changed.clear()
            return result

    setattr(page, "_action", in_turn)  # noqa: B010 - a method for this one page; SimCord has no door


# Emoji.

ADDRESS: Final = "https://cdn.simcord.invalid/emojis/{}.png"
"""Where a page would look for an emoji; it is served by the page's own server instead."""

Assets: TypeAlias = Mapping[str, tuple[str, bytes]]
"""Name and content of files, by the address that stands for them."""


class Emojis:
    """All emoji of ours, drawn while the demo starts; the first page waits for them.

    To be made before SimCord runs, so that it does not wait for the drawing.
    """

    def __init__(self) -> None:
        self._drawing = asyncio.create_task(pictures())
        self._ids: Mapping[str, int] = {}
        self._assets: Assets = {}

    async def assets(self, create: Callable[[str], int]) -> Assets:
        """The pictures for a page.  `create` makes an emoji of that name, and returns its id."""
        drawn = await self._drawing
        if not self._ids:
            self._ids = ids = {name: create(name) for name in drawn}
            know_emojis(ids)
            self._assets = {
                ADDRESS.format(ids[name]): (f"{name}.png", png) for name, png in drawn.items()
            }
        return self._assets

    def forget(self) -> None:
        """The demo is over."""
        self._drawing.cancel()


# The server.

T = TypeVar("T")

PEOPLE: Final = ("Ann", "Ben", "Cat", "Dan")
VISITOR: Final = PEOPLE[0]
"""Who plays against computer players where nobody says who."""
CHANNEL: Final = "stammtisch"

SHORT_POINTS: Final = 7
"""Points of a short match, where it is played to a number of points: two rounds of Kaiserspiel, or
one in which somebody raises."""

GATHER_SECONDS: Final = 0.15
"""Seconds for which changes are gathered before the page is published again."""

SETTLE_SECONDS: Final = 2.0
"""Seconds that a press waits for the bot."""

SLEEP: Final = 0.5
"""Seconds of sleep for which a press waits, but not where the bot began to sleep for longer: it
waits neither for the next heartbeat nor until a computer player plays."""

_SCRIPT: Final = "/ours.js"
"""Path of the script that we add to a page."""

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
    """What a page shows: the channel or the direct messages of `person`, seen by them.

    With `game` it is the channel where the visitor plays that against computer players.
    """

    person: str
    direct: bool
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """A server of its own where the visitor plays one game against computer players."""

    channel: simcord.ChannelHandle
    visitor: simcord.MemberActor


class Outside:
    """Computer players who are no part of the bot to SimCord: no press waits for their thoughts.

    To be made before SimCord runs: whatever they do, their processes too, is done as without it.
    """

    env: simcord.Env
    """SimCord, once it runs."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._workers = Workers(games(), settings.computer_workers, folder)
        self._context = copy_context()

    def wake(self, games: Collection[str]) -> None:
        """See `bot.tables.ports.Computers`."""
        self._context.run(self._workers.wake, games)

    async def decide(self, thought: Thought) -> str | None:
        """See `bot.tables.ports.Computers`."""
        return await self._waited_for(self._workers.decide(thought))

    async def advise(self, thought: Thought) -> Advice | None:
        """See `bot.tables.ports.Computers`."""
        return await self._waited_for(self._workers.advise(thought))

    async def _waited_for(self, thinking: Coroutine[None, None, T]) -> T:
        task = self._context.run(asyncio.create_task, thinking)
        return cast(T, await self.env.external_wait(task, reason="a computer player thinks"))

    async def aclose(self) -> None:
        """Ends their processes."""
        await self._workers.aclose()


def short_length(game: str) -> int:
    """The length of a short match of `game`: one round, or a few points."""
    specs = games()[game].info.options
    measures = next(spec.measures for spec in specs if spec.parameter == "length")
    return SHORT_POINTS if measures == "points" else 1


class World:
    """A running simulated Discord.  Pages follow what the bot does by itself."""

    def __init__(
        self,
        env: simcord.Env,
        settings: Settings,
        port: int,
        computers: Outside,
        emojis: Emojis,
        language: str,
    ) -> None:
        self._env = env
        self.language: Final = language
        """As Discord names it: of everybody, and of the servers."""
        _speak(env, language)
        self._settings = settings
        self._computers = computers
        self._emojis = emojis
        self._port = port
        self._page: simcord.Preview | None = None
        self._lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self._users = {name: env.create_user(name.lower(), global_name=name) for name in PEOPLE}
        guild = env.create_guild("The regulars")
        self._channel = guild.create_text_channel(
            CHANNEL, topic=as_typed(texts(language).get("demo.topic")).replace("`", "")
        )
        self._members = {name: self._member(guild, name) for name in self._users}
        self._rooms: dict[str, Room] = {}
        """By game, those that somebody has asked for."""
        env.backend.subscribers.append(lambda event, payload: self._changed.set())
        _hear_of_whispers(env, self._changed.set)

    async def greet(self) -> None:
        """One direct message to everybody, so that there is a page to show."""
        for name, user in self._users.items():
            known = await self._env.bot.fetch_user(user.id)
            await known.send(texts(self.language).get("demo.hello", name=name))

    async def show(self, view: View) -> str:
        """Close the page there is and open another; its address, which is a key."""
        assets = await self._pictures()
        async with self._lock:
            await self._close_page()
            channel, viewers = self._seen(view)
            try:
                self._page = await self._opened(self._port, channel, viewers, assets)
            except simcord.SetupError as error:
                if not isinstance(error.__cause__, OSError):
                    raise
                # Somebody took the port while there was no page: on any other, then.
                self._page = await self._opened(0, channel, viewers, assets)
            return self._page.url

    async def _opened(
        self, port: int, channel: simcord.ChannelHandle, viewers: Sequence[Any], assets: Assets
    ) -> simcord.Preview:
        page = self._env.preview(
            channel, viewers=viewers, layout="channel", port=port, assets=assets
        )
        _serve_at_once(page, assets)
        _add_script(page)
        take_turns(page, self._lock, self._changed)
        return await page.__aenter__()

    def _seen(self, view: View) -> tuple[simcord.ChannelHandle, list[Any]]:
        """What a page shows, and as whom; it opens as the first of them."""
        if view.direct:
            user = self._users[view.person]
            return user.dm_channel, [user]
        if view.game is not None:
            room = self._rooms[view.game]
            return room.channel, [room.visitor]
        order = sorted(PEOPLE, key=lambda name: name != view.person)
        return self._channel, [self._members[name] for name in order]

    async def _pictures(self) -> Assets:
        """What a page shows beside what the bot sends."""
        backend = self._env.backend
        return await self._emojis.assets(lambda name: backend.create_application_emoji(name).id)

    async def play(self, game: str, *, short: bool = False) -> str:
        """Seat the visitor with computer players at a table of `game`, and start; its page's key.

        A match of that game that still goes on is shown as it stands; another is as long as it
        usually is, or `short`.
        """
        await self._pictures()
        async with self._lock:
            room = self._rooms.get(game) or self._build(game)
            # A bot that goes on playing is not waited for to the end.
            if await self._status(room) is None:
                computers = f"{games()[game].info.seats[-1] - 1} {USUAL_LEVEL}"
                asked: dict[str, str | int] = {
                    "game": game,
                    "computers": computers,
                    "pace": Pace.DAILY.value,
                }
                if short:
                    asked["length"] = short_length(game)
                with suppress(TimeoutError):
                    await room.visitor.slash(room.channel, "newgame", **asked)
            lobby = room.channel.last_message
            if lobby is not None and await self._status(room) is Status.LOBBY:
                with suppress(TimeoutError):
                    start = texts(self.language).get("button.start")
                    await room.visitor.click(lobby, label=start)
        return await self.show(View(VISITOR, direct=False, game=game))

    def _build(self, game: str) -> Room:
        """A server for `game`: how many tables one person may open is counted for each of them."""
        title = texts(self.language).game_name(game)
        guild = self._env.create_guild(title)
        channel = guild.create_text_channel(title.lower().replace(" ", "-"))
        made = self._rooms[game] = Room(channel, self._member(guild, VISITOR))
        return made

    def _member(self, guild: simcord.GuildHandle, name: str) -> simcord.MemberActor:
        """Somebody on a server; the visitor manages each, so that `/settings` can be tried."""
        manages = discord.Permissions(manage_guild=True)
        roles = [guild.create_role("Host", permissions=manages)] if name == VISITOR else []
        return guild.add_member(self._users[name], roles=roles)

    async def _status(self, room: Room) -> Status | None:
        """What the table there is in; None if there is none that is open."""
        bot = self._env.bot
        if not isinstance(bot, Stammtisch) or bot.running is None:
            return None
        table = await bot.running.tables.open_in_channel(ChannelId(room.channel.id))
        return None if table is None else table.stored.status

    async def restart(self) -> None:
        """Stop the bot and start a new one on the same database, while the pages stay open."""
        async with self._lock:
            old = self._env.bot
            await self._env.restart_bot(self._made())
            await old.close()
        self._changed.set()

    def _made(self) -> Stammtisch:
        return create_bot(self._settings, clock=self._env.now, computers=self._computers)

    async def follow(self) -> None:
        """Publish again whatever changed without a press; runs until cancelled."""
        while True:
            await self._changed.wait()
            await asyncio.sleep(GATHER_SECONDS)
            async with self._lock:
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
        async with self._lock:
            await self._close_page()


@asynccontextmanager
async def world(folder: Path, port: int, language: str) -> AsyncIterator[World]:
    """A simulated server, in that language, with a bot whose database lies in `folder`; pages go to
    `port`."""
    settings = demo_settings(folder)
    clock = WallClock()
    computers, emojis = Outside(settings, folder), Emojis()
    bot: Stammtisch = create_bot(settings, clock=clock.now, computers=computers)
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
    _let_time_go_on(runner._env)
    try:
        async with runner as env:
            computers.env = env
            made = World(env, settings, port, computers, emojis, language)
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
    finally:
        emojis.forget()
        await computers.aclose()


def _serve_at_once(page: Any, assets: Assets) -> None:
    """SimCord looks at each picture in a process of its own; ours it need not look at."""
    prepare, ours = page._prepare_asset, {content for _, content in assets.values()}

    async def prepared(context: str | None, asset: str, **more: Any) -> Any:
        _, record, content = page._authorized_asset(context, asset)
        if content in ours:
            return "image/png", content, record.filename
        return await prepare(context, asset, **more)

    page._prepare_asset = prepared


def _add_script(page: Any) -> None:
    """What SimCord's page does otherwise than Discord is mended by a script of ours."""
    server = page._server
    static, script = server._static, files("bot.demo").joinpath("preview.js").read_text("utf-8")

    async def served(request: web.Request) -> web.Response:
        if request.path == _SCRIPT:
            return web.Response(
                text=script,
                content_type="application/javascript",
                headers=server._SECURITY_HEADERS,
            )
        answer: web.Response = await static(request)
        if request.path == "/" and answer.text is not None:
            answer.text = answer.text.replace(
                "</head>", f'<script src="{_SCRIPT}" defer></script></head>'
            )
        return answer

    server._STATIC_FILES = {**server._STATIC_FILES, _SCRIPT: ""}
    server._static = served


def _speak(env: simcord.Env, language: str) -> None:
    """Interactions come in that language: SimCord knows but one."""
    backend: Any = env.backend
    emit = backend.emit

    def said(event: str, payload: dict[str, Any], *more: Any, **named: Any) -> Any:
        if event == "INTERACTION_CREATE":
            payload["locale"] = language
            if "guild_id" in payload:
                payload["guild_locale"] = language
        return emit(event, payload, *more, **named)

    backend.emit = said


def _hear_of_whispers(env: simcord.Env, heard: Callable[[], None]) -> None:
    """SimCord tells nobody of messages that one person sees: who looks at them is told here.

    A hint comes long after the press for it, and hands are drawn anew without any.
    """
    backend: Any = env.backend

    def telling(act: Callable[..., T]) -> Callable[..., T]:
        def told(*given: Any, **named: Any) -> T:
            done = act(*given, **named)
            heard()
            return done

        return told

    for name in ("commit_message", "edit_message", "delete_message"):
        setattr(backend, name, telling(getattr(backend, name)))


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
        if when is not None and when() - began > SLEEP:
            record.real_handle = None

    inner._schedule_timer = later


def _let_time_go_on(env: simcord.Env) -> None:
    """Work that a timer began may take longer than a press waits: on a slow machine it often does.

    To SimCord that is a failure, after which it runs no timer of the bot until somebody presses.
    """
    inner: Any = env
    advance = inner._advance_to

    async def advanced(target: float, deadline: float) -> None:
        with suppress(TimeoutError):
            await advance(target, deadline)
            return
        # Without waiting, for what became due in the last moment.
        with suppress(TimeoutError):
            await advance(target, 0.0)

    inner._advance_to = advanced


def demo_settings(folder: Path) -> Settings:
    """Settings of a demo: neither `.env` nor the environment plays a part."""
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    database = f"sqlite+aiosqlite:///{folder / 'demo.sqlite3'}"
    return Settings.model_validate({**defaults, "database_url": database})
