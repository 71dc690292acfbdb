"""The composition root: builds the whole program and knows everything; nobody imports it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from datetime import UTC, datetime

import discord
import structlog
import yarl
from discord.ext import commands

from bot.i18n import texts
from bot.present.publisher import Publisher
from bot.present.surfaces import RESULT_MARK
from bot.settings import Settings
from bot.storage import Database, SqlMeta, SqlResults, SqlSurfaces, SqlTableStore, upgrade
from bot.tables.ports import Clock
from bot.tables.service import TableService
from cogs._context import Context
from cogs._source import TableSource
from cogs.ending import Ending
from cogs.lobby import Lobby
from cogs.play import Play
from cogs.presses import Presses, pressed_by
from cogs.proof import Proof
from cogs.rules import Rules
from cogs.standings import Standings
from engine.deal import SEED_BYTES
from engine.registry import games

log = structlog.get_logger(__name__)

ID_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters and digits that cannot be mistaken for each other."""

ID_LENGTH = 5
COMMANDS_KEY = "commands"


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
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=settings.guild_ready_timeout,
        )
        self.settings = settings
        self.clock = clock
        self._database: Database | None = None
        self._publisher: Publisher | None = None
        self._deadlines: asyncio.Task[None] | None = None
        self.tables: TableService | None = None
        """The tables, once `setup_hook` has run."""

    async def setup_hook(self) -> None:
        """Brings database and commands up to date, then wakes every open table."""
        await upgrade(self.settings.database_url)
        self._database = database = await Database.open(self.settings.database_url)
        found = games()
        announcer = _Later()
        tables = TableService(
            store=SqlTableStore(database),
            games=found,
            clock=self.clock,
            chance=SystemChance(),
            announcer=announcer,
        )
        public, surfaces = texts("en"), SqlSurfaces(database)
        self._publisher = publisher = Publisher(
            client=self,
            source=TableSource(tables),
            surfaces=surfaces,
            clock=self.clock,
            texts=public,
        )
        announcer.target = publisher
        context = Context(
            tables=tables,
            publisher=publisher,
            results=SqlResults(database),
            games=found,
            clock=self.clock,
            public=public,
        )
        cogs = [
            Lobby(context),
            Ending(context),
            Play(context),
            Proof(context),
            Rules(context),
            Standings(context),
        ]
        presses = Presses(cogs)
        for cog in [*cogs, presses]:
            await self.add_cog(cog)
        self.add_dynamic_items(pressed_by(presses))
        await self._register_commands(SqlMeta(database))
        self.tables = tables
        self._deadlines = asyncio.create_task(tables.deadlines.run(), name="deadlines")
        for table in await tables.open_tables():
            publisher.changed(table.id)
        for ended in await surfaces.behind(RESULT_MARK):
            publisher.changed(ended)

    async def close(self) -> None:
        """Stops the clock, draws what is queued, closes the connection and the database."""
        if self._deadlines is not None:
            self._deadlines.cancel()
            await asyncio.wait([self._deadlines])
        if self._publisher is not None:
            await self._publisher.aclose()
        await super().close()
        if self.tables is not None:
            await self.tables.aclose()
        if self._database is not None:
            await self._database.close()

    async def _register_commands(self, meta: SqlMeta) -> None:
        """Registers the commands if they are not the ones registered last."""
        described = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        text = json.dumps([self.application_id, described], sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if await meta.get(COMMANDS_KEY) != digest:
            await self.tree.sync()
            await meta.put(COMMANDS_KEY, digest)
            log.info("commands_registered", count=len(described))


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
