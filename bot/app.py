"""The composition root: builds the whole program and knows everything; nobody imports it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Awaitable, Coroutine, Mapping
from datetime import UTC, datetime
from typing import Any, Final, cast

import discord
import structlog
import yarl
from discord.ext import commands

from bot.answer.arrivals import Arrivals, Tree
from bot.answer.context import Context
from bot.answer.reply import answered
from bot.i18n import texts
from bot.operate.health import Health, Parts
from bot.operate.metrics import Metrics, traced
from bot.publish.publisher import Publisher
from bot.publish.source import Source
from bot.publish.surfaces import RESULT_MARK
from bot.settings import Settings
from bot.storage import (
    Database,
    SqlLastSeen,
    SqlMeta,
    SqlResults,
    SqlSurfaces,
    SqlTableStore,
    upgrade,
)
from bot.storage.overview import SqlOverview
from bot.tables.downtime import Downtime
from bot.tables.ports import Clock
from bot.tables.service import TableService
from cogs.ending import Ending
from cogs.events import Events
from cogs.leaderboard import Standings
from cogs.lobby import Lobby
from cogs.play import Play
from cogs.presses import Presses
from cogs.rules import Rules
from cogs.verify import Proof
from engine.deal import SEED_BYTES
from engine.registry import games

log = structlog.get_logger(__name__)

ID_ALPHABET: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that cannot be mistaken for each other."""

ID_LENGTH: Final = 5
COMMANDS_KEY: Final = "commands"

WAKING: Final = 20
"""Tables drawn together after a start; the next ones follow after `PAUSE`."""

PAUSE: Final = 0.5
"""Seconds.  So fast is Discord's limit reached, and people's presses are not kept waiting."""

AGAIN: Final = 5.0
"""Seconds after which is tried again what the database refused."""

STOPPING: Final = 9.0
"""Seconds that a stop may take in all, of the ten that hosts grant."""

ANSWERING: Final = 3.0
"""Seconds for what is being answered: so long Discord waits for an answer."""

FAREWELL: Final = 2.5
"""Seconds for saying at the tables that the program will be back."""

CLOSING: Final = 0.7
"""Seconds kept for each of the last steps: connection, tables, database."""


COGS: Final = (Lobby, Ending, Play, Proof, Rules, Standings)
"""What people can type, in the order in which Discord is told of it."""


class SystemChance:
    """Seeds and ids from the operating system's randomness."""

    def seed(self) -> bytes:
        return secrets.token_bytes(SEED_BYTES)

    def table_id(self) -> str:
        return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def utc_now() -> datetime:
    return datetime.now(UTC)


class Stammtisch(commands.Bot):
    """The program as a Discord client: built without connecting, started by `setup_hook`."""

    def __init__(self, settings: Settings, clock: Clock = utc_now) -> None:
        self.metrics = metrics = Metrics()
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            # What people write is never read; how much they write buries boards.
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=settings.guild_ready_timeout,
            http_trace=traced(metrics),
        )
        self._commands = cast(Tree, self.tree)
        self.settings = settings
        self.clock = clock
        self._database: Database | None = None
        self._publisher: Publisher | None = None
        self._surfaces: SqlSurfaces | None = None
        """Until what changed while nobody drew is being drawn."""
        self._downtime: Downtime | None = None
        self._health: Health | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._end: float | None = None
        """When a stop must be over, by the loop's clock."""
        self.tables: TableService | None = None
        """The tables, once `setup_hook` has run."""

    async def setup_hook(self) -> None:
        """Brings database and commands up to date, then wakes every open table."""
        await upgrade(self.settings.database_url)
        self._database = database = await Database.open(self.settings.database_url)
        found = games()
        announcer = _Later()
        tables = TableService(
            store=SqlTableStore(database, self.metrics),
            games=found,
            clock=self.clock,
            chance=SystemChance(),
            announcer=announcer,
            counts=self.metrics,
        )
        public, surfaces = texts("en"), SqlSurfaces(database)
        source = Source(tables)
        self._publisher = publisher = Publisher(
            client=self,
            source=source,
            surfaces=surfaces,
            clock=self.clock,
            texts=public,
            counts=self.metrics,
        )
        announcer.target = publisher
        context = Context(
            tables=tables,
            publisher=publisher,
            results=SqlResults(database),
            games=found,
            clock=self.clock,
            public=public,
            closed=source.closed,
        )
        cogs = [made(context) for made in COGS]
        arrivals = Arrivals(publisher.heard)
        for cog in [*cogs, Presses(context, cogs, arrivals), Events(context)]:
            await self.add_cog(cog)
        self._commands.arrivals = arrivals
        meta = SqlMeta(database)
        await self._register_commands(meta)
        self._surfaces = surfaces
        self._downtime = downtime = Downtime(SqlLastSeen(meta), tables, self.clock)
        self.tables = tables
        firing = self._keep(tables.deadlines.run(), "deadlines")
        self._keep(downtime.run(), "downtime")
        if self.settings.metrics_port is not None:
            parts = Parts(
                SqlOverview(database),
                gateway=lambda: downtime.up,
                deadlines=lambda: not firing.done(),
            )
            self._health = Health(parts, self.metrics)
            await self._health.open(self.settings.metrics_port)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Somebody pressed or typed, or is typing."""
        self.metrics.received(interaction.id, interaction.type.name)

    async def on_answer(self, interaction: discord.Interaction, outcome: str) -> None:
        """An event of `bot.answer.reply`: an interaction is dealt with."""
        self.metrics.interaction(interaction.type.name, outcome)

    def _keep(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Does some work until the program ends."""
        task = asyncio.create_task(work, name=name)
        self._tasks.append(task)
        return task

    # The connection

    async def on_connect(self) -> None:
        """Discord hears the program: after a start, and anew after a session that was lost."""
        await self._heard_again()

    async def on_resumed(self) -> None:
        """Discord hears the program again."""
        await self._heard_again()

    async def on_disconnect(self) -> None:
        """Nobody can press anything: no clock runs until that is over."""
        if self._downtime is not None:
            self._downtime.lost()

    async def on_message(self, message: discord.Message, /) -> None:
        """Somebody wrote: a board wanders up.  What was written is never looked at."""
        if self._publisher is not None:
            self._publisher.passed(message.channel.id, message.author.id)

    async def _heard_again(self) -> None:
        """Gives the time that people missed back to the tables, and lets their clocks run."""
        while self._downtime is not None and self._end is None and not self.is_closed():
            try:
                await self._downtime.back()
                break
            except Exception as error:  # the database: nothing else goes on without it either
                log.error("time_not_given_back", kind=type(error).__name__)
                await asyncio.sleep(AGAIN)
                if not self._downtime.reached:
                    return  # lost again meanwhile: the next connection begins anew
        surfaces, self._surfaces = self._surfaces, None
        if surfaces is not None and self._end is None and not self.is_closed():
            self._keep(self._wake(surfaces), "waking")

    async def _wake(self, surfaces: SqlSurfaces) -> None:
        """Draws what changed while nobody drew; the other tables are not even loaded.

        Whoever has least time left is shown it first.
        """
        if self.tables is None or self._publisher is None:
            return
        try:
            hurry = {table: place for place, table in enumerate(await self.tables.clocked())}
            stale = sorted(await surfaces.stale(), key=lambda table: hurry.get(table, len(hurry)))
            changed = [*stale, *await surfaces.behind(RESULT_MARK)]
        except Exception as error:  # each table heals at its next change
            log.error("changes_not_found", kind=type(error).__name__)
            return
        log.info("tables_woken", changed=len(changed))
        for place, table in enumerate(changed, 1):
            self._publisher.changed(table)
            if place % WAKING == 0:
                await asyncio.sleep(PAUSE)

    # The end

    async def stop(self) -> None:
        """Ends so that nobody notices much, within `STOPPING` seconds.

        No new tables; what is being pressed is answered until the end; tables with a clock say
        that the program will be back; what is queued is drawn.
        """
        if self._end is not None:
            return
        loop = asyncio.get_running_loop()
        self._end = loop.time() + STOPPING
        if self.tables is not None and self._publisher is not None:
            self.tables.drain()
            log.info("stopping")  # from here on no table is opened
            self.tables.deadlines.hold()
            if self._downtime is not None:
                await _within(CLOSING, self._downtime.beat(), "pulse")
            if not await answered(self, ANSWERING):
                log.warning("given_up", what="answers")
            await _within(FAREWELL + CLOSING, self._say_farewell(), "farewell")
        await self.close()

    async def _say_farewell(self) -> None:
        if self.tables is None or self._publisher is None:
            return
        try:
            await self._publisher.farewell(await self.tables.clocked(), FAREWELL)
        except Exception as error:  # whatever it is, the program ends
            log.error("farewell_failed", kind=type(error).__name__)

    async def close(self) -> None:
        """Stops the clock, draws what is queued, closes the connection and the database."""
        loop = asyncio.get_running_loop()
        end = loop.time() + STOPPING if self._end is None else self._end
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING)
        if self._publisher is not None:
            left = max(CLOSING, end - loop.time() - 3 * CLOSING)
            await _within(left + CLOSING, self._publisher.aclose(left), "draws")
            await answered(self, CLOSING / 2)
        # Shielded: discord.py closes once, and whoever asks again waits for that one.
        await _within(CLOSING, asyncio.shield(super().close()), "connection")
        if self.tables is not None:
            await _within(CLOSING, self.tables.aclose(), "writes")
        if self._health is not None:
            await _within(CLOSING, self._health.close(), "health")
        if self._database is not None:
            await _within(CLOSING, self._database.close(), "database")

    async def _register_commands(self, meta: SqlMeta) -> None:
        """Registers the commands if they are not the ones registered last."""
        described = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        text = json.dumps([self.application_id, described], sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if await meta.get(COMMANDS_KEY) != digest:
            await self.tree.sync()
            await meta.put(COMMANDS_KEY, digest)
            log.info("commands_registered", count=len(described))


async def _within(seconds: float, work: Awaitable[None], what: str) -> None:
    """Does the work, or gives it up after so many seconds."""
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            await work
    except TimeoutError:
        log.warning("given_up", what=what)


def described(bot: Stammtisch) -> list[Mapping[str, Any]]:
    """The commands of `bot` as Discord is told of them; it need not have been started."""
    return [command.to_dict(bot.tree) for made in COGS for command in made.__cog_app_commands__]


class _Later:
    """Ties the knot: the tables announce to a publisher that draws what the tables know."""

    def __init__(self) -> None:
        self.target: Publisher | None = None

    def changed(self, table: str) -> None:
        if self.target is not None:
            self.target.changed(table)


def create_bot(settings: Settings | None = None, *, clock: Clock = utc_now) -> Stammtisch:
    """The whole bot from the environment, not connected.

    The base addresses of Discord's API and gateway are class attributes of discord.py: one
    process talks to one Discord.
    """
    settings = settings or Settings()
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks
    discord.http.Route.BASE = settings.discord_api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway_url)
    return Stammtisch(settings, clock)
