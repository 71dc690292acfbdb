"""Composition root: builds the whole program from its parts; no other module imports it.

Once it is connected, it registers the commands with Discord.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

import discord
import structlog
import yarl
from discord import app_commands
from discord.ext import commands

from bot.answer.choices import in_words
from bot.answer.context import Context
from bot.answer.reply import count_answers, note_start
from bot.computers.workers import Workers
from bot.emojis import know_emojis
from bot.i18n import know_commands
from bot.ids import ChannelId, TableId, UserId
from bot.operate.emojis import keep
from bot.operate.metrics import Metrics, traced
from bot.publish.timings import TIMINGS, Timings
from bot.running import CLOSE_TIME, Running, within
from bot.settings import Settings
from bot.sharding import Sharded, patiently, silence
from bot.storage import Database, SqlMeta, remnants, upgrade
from bot.storage.backup import end_open_tables
from bot.storage.database import data_folder
from bot.storage.meta import COMMANDS
from bot.tables.ports import Clock, Computers
from cogs.ending import Again, Ending
from cogs.events import Events
from cogs.first_steps import FirstSteps, Rules
from cogs.history import Matches
from cogs.leaderboard import Leaderboards, Stats
from cogs.lobby import Lobby
from cogs.looking import Looking, Tables
from cogs.planning import Plans
from cogs.play import Coaching, Play
from cogs.preferences import MyData, PreferencesPanel
from cogs.presses import Arrivals, Presses, Tree
from cogs.review import Review
from cogs.seats import MENUS, Inviting, Seats
from cogs.settings import ServerPanel
from cogs.verify import Proof
from cogs.wishes import Wishes
from engine.deal import SEED_BYTES
from engine.registry import games

logger = structlog.get_logger(__name__)

ID_ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that cannot be mistaken for each other."""

ID_LENGTH: Final = 5
COMMAND_IDS_KEY: Final = "command ids"
SLASH: Final = 1
"""Discord's type of the commands that are typed."""

ENTRY_POINT: Final = 4
"""Discord's type of the command that starts an activity."""

ENTRY_POINT_LEFT_OUT: Final = 50240

ENTRY_POINT_FIELDS: Final = frozenset(
    {
        "id", "name", "name_localizations", "description", "description_localizations", "type",
        "handler", "default_member_permissions", "contexts", "integration_types", "nsfw",
    }
)  # fmt: skip
"""Fields of the entry point that Discord accepts."""

COGS: Final = (
    Lobby, Seats, Inviting, Plans, Ending, Again, Wishes, Play, Coaching, Looking, Tables, Proof,
    Matches, Review, Rules, Leaderboards, Stats, PreferencesPanel, ServerPanel, MyData, FirstSteps,
)  # fmt: skip
"""Cogs in the order in which Discord is told of their commands."""


class SystemChance:
    """Seeds and ids from the operating system's randomness."""

    def seed(self) -> bytes:
        return secrets.token_bytes(SEED_BYTES)

    def table_id(self) -> TableId:
        return TableId("".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH)))


def utc_now() -> datetime:
    return datetime.now(UTC)


class Stammtisch(Sharded):
    """The program as a Discord client: built without connecting, started by `setup_hook`."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock | None = None,
        timings: Timings = TIMINGS,
        computers: Computers | None = None,
        *,
        emojis: bool = False,
    ) -> None:
        """`clock` is the wall clock unless one is given, which must not be set while it runs.

        See `Running` for `computers`.  `emojis`: whether to bring Discord's emoji up to date.
        """
        self.metrics = metrics = Metrics()
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            # What people write is never read; how much they write buries boards.
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            # Said with every command: what Discord assumes has changed before.
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=settings.guild_ready_timeout,
            http_trace=traced(metrics),
            enable_debug_events=True,  # `dispatch` hears of everything that comes
        )
        self._commands = cast(Tree, self.tree)
        self.settings = settings
        self._clock, self._steady = _clocks(clock)
        self._timings = timings
        self._computers = computers
        self._emojis = emojis
        self.running: Running | None = None
        """The parts of the program, once `setup_hook` has run."""
        self.workers: Workers | None = None
        """Computer players; they end last, when nothing asks them any more."""
        self._ending: asyncio.Task[None] | None = None
        """The end of the program, once it was asked for."""

    async def setup_hook(self) -> None:
        """Brings database and commands up to date, before Discord is heard."""
        await upgrade(self.settings.database_url)
        database = await Database.open(self.settings.database_url)
        try:
            await remnants.erase_noted(database)
            ended = await end_open_tables(database, self._clock())
        except BaseException:
            await database.close()
            raise
        workers = self.workers = Workers(
            games(),
            self.settings.computer_workers,
            data_folder(self.settings.database_url),
            counts=self.metrics,
        )
        running = Running(
            self,
            database,
            self._clock,
            self._steady,
            SystemChance(),
            self._timings,
            self.metrics,
            self._computers or workers,
            timedelta(seconds=self.settings.computer_seconds),
            pictures=self.settings.pictures,
            source_url=self.settings.source_url,
        )
        try:
            if ended is not None:
                logger.warning("database_restored", ended=ended)
            await self._add_cogs(running.context)
            await self._register_commands(running.meta)
            if self.settings.metrics_port is not None:
                await running.health.open(self.settings.metrics_port)
        except BaseException:
            await running.finish_work()
            await running.close()
            raise
        self.running = running
        if self._emojis:
            running.spawn(keep(self, know_emojis), "emojis")

    async def _add_cogs(self, context: Context) -> None:
        """Adds what people can type and press, and what happens around the tables."""
        cogs = [made(context) for made in COGS]
        membership = context.publisher.membership
        arrivals = Arrivals(membership, context.readers, self.metrics.received)
        count_answers(self, self.metrics)
        note_start(self, self._clock())
        for cog in [*cogs, Presses(context, cogs, arrivals), Events(context)]:
            await self.add_cog(cog)
        for menu in MENUS:
            self.tree.add_command(menu)
        self._commands.arrivals = arrivals

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch as discord.py does; raw events of the gateway, heartbeats too, are only noted.

        Handlers would be a task each, for every message of every channel.
        """
        match event_name:
            case "socket_raw_receive":
                # Then discord.py has noted on which connection that was.
                self.loop.call_soon(self._heard)
            case "socket_raw_send":
                pass
            case _:
                super().dispatch(event_name, *args, **kwargs)

    def _heard(self) -> None:
        """Something came: as long ago as it did on the connection that is silent longest."""
        if self.running is not None:
            self.running.downtime.heard(silence())

    async def on_shard_connect(self, shard: int) -> None:
        """A connection is up: after a start, and again after a session was lost."""
        self.connections.found(shard, self.shard_count or 1)
        if self.running is not None:
            await self.running.heard_again()

    on_shard_resumed = on_shard_connect

    async def on_shard_disconnect(self, shard: int) -> None:
        """Some people cannot press anything: no clock runs until it is known that they sit nowhere,
        or can press again.
        """
        self.connections.lost(shard)
        if self.running is not None:
            self.running.downtime.lost()
            await self.running.heard_again()

    async def on_message(self, message: discord.Message, /) -> None:
        """A message pushes the board up in its channel.  Its content is never read."""
        if self.running is not None:
            channel, author = ChannelId(message.channel.id), UserId(message.author.id)
            self.running.publisher.passed(channel, author)

    async def stop(self) -> None:
        """End without much notice for people, within `running.STOP_TIME` seconds: see `Running`."""
        await self._end(gently=True)

    async def close(self) -> None:
        """Stop the clock, draw queued tables, close the connection and the database."""
        await self._end(gently=False)

    async def _end(self, *, gently: bool) -> None:
        """End the program once; later callers wait for the same end."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._close(gently=gently), name="ending")
        await asyncio.shield(self._ending)

    async def _close(self, *, gently: bool) -> None:
        if self.running is not None:
            if gently:
                await self.running.begin_stop()
            await self.running.finish_work()
        # Shielded: discord.py closes once, and whoever asks again waits for that one.
        await within(self._left(), asyncio.shield(super().close()), "connection")
        if self.running is not None:
            await self.running.close()
        if self.workers is not None:
            await within(self._left(), self.workers.aclose(), "computers")

    def _left(self) -> float:
        """Seconds for a step of the end."""
        return CLOSE_TIME if self.running is None else self.running.left()

    async def _register_commands(self, meta: SqlMeta) -> None:
        """Registers the commands if they are not the ones registered last.

        From then on texts name them by the ids that Discord has given them.
        """
        described = [in_words(one.to_dict(self.tree)) for one in self.tree.get_commands()]
        text = json.dumps([self.application_id, described], sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        known = await meta.get(COMMAND_IDS_KEY)
        if known is None or await meta.get(COMMANDS) != digest:
            there = await self._send_commands(described)
            known = json.dumps({one["name"]: int(one["id"]) for one in there if _is_typed(one)})
            await meta.put(COMMAND_IDS_KEY, known)
            await meta.put(COMMANDS, digest)
            logger.info("commands_registered", count=len(described))
        know_commands(json.loads(known))

    async def _send_commands(self, described: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Tells Discord which commands there are now; how it knows them.

        An application that can be started as an activity has a command of Discord's own, its
        entry point, which no update may leave out (50240): then it is sent along as it is.
        """
        application, upsert = self.application_id, self.http.bulk_upsert_global_commands
        if application is None:
            raise discord.MissingApplicationID

        async def send(payload: list[Any]) -> list[dict[str, Any]]:
            sent = await patiently(lambda: upsert(application, payload=payload), "commands")
            return cast(list[dict[str, Any]], sent)

        try:
            return await send(described)
        except discord.HTTPException as error:
            if error.code != ENTRY_POINT_LEFT_OUT:
                raise
            asked = patiently(lambda: self.http.get_global_commands(application), "commands")
            there = cast(list[dict[str, Any]], await asked)
            kept = [
                {name: value for name, value in command.items() if name in ENTRY_POINT_FIELDS}
                for command in there
                if command["type"] == ENTRY_POINT
            ]
            return await send([*described, *kept])


def _is_typed(command: Mapping[str, Any]) -> bool:
    return bool(command.get("type", SLASH) == SLASH)


def _clocks(clock: Clock | None) -> tuple[Clock, Callable[[], float]]:
    """The wall clock and the steady one; a clock that is given is both."""
    if clock is None:
        return utc_now, time.monotonic
    return clock, lambda: clock().timestamp()


def described(bot: Stammtisch) -> list[Mapping[str, Any]]:
    """The commands of `bot` as Discord is told of them; it need not have been started."""
    typed = (command for made in COGS for command in made.__cog_app_commands__)
    return [in_words(command.to_dict(bot.tree)) for command in (*typed, *MENUS)]


def create_bot(
    settings: Settings | None = None,
    *,
    clock: Clock | None = None,
    timings: Timings = TIMINGS,
    computers: Computers | None = None,
    emojis: bool = False,
) -> Stammtisch:
    """The whole bot from the environment, not connected.

    With `emojis` it brings those of its cards on Discord up to date while it runs.

    The base addresses of Discord's API and gateway are class attributes of discord.py: one
    process talks to one Discord.
    """
    settings = settings or Settings()
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks
    discord.http.Route.BASE = settings.discord_api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)
    return Stammtisch(settings, clock, timings, computers, emojis=emojis)
