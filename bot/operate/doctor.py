"""`stammtisch doctor`: checks settings, database, login and permissions.

Changes nothing, and does not disturb a bot that runs: the database is only read, Discord is asked
by plain requests, and the gateway is greeted without logging in there.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from itertools import groupby
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.publish.refusals import wait_of
from bot.settings import Settings, SettingsError
from bot.storage.database import Database, StorageError, sqlite_file
from bot.storage.migrations import outdated, revision
from bot.storage.overview import Shown, SqlOverview
from bot.storage.transaction import unusable
from bot.tables.ports import Unavailable

REQUEST_TIME: Final = 20.0
"""Seconds that one question to Discord may take."""

SPACE: Final = 200_000_000
"""Bytes that should be free where the database is."""

NEEDED: Final[Mapping[str, str]] = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
    "attach_files": "Attach Files",
}
"""The permissions that the bot asks for: discord.py's name of each, and Discord's."""

_PRIVILEGED: Final = (
    ("gateway_presence", "Presence"),
    ("gateway_guild_members", "Server Members"),
    ("gateway_message_content", "Message Content"),
)
"""Privileged intents: the flag of an application that has it switched on (or the same flag with
`_limited`), and Discord's name."""

_PAGE: Final = 200
"""Servers in one answer of Discord, at most."""

_HELLO: Final = 10
"""First message of a gateway."""

_OLD: Final = "dm_permission"
"""A field of commands that Discord has replaced by `contexts`."""


class Mark(Enum):
    GOOD = "✓"
    BAD = "✗"
    UNKNOWN = "–"
    """Not checked, or nothing to worry about."""


class Finding(NamedTuple):
    """One line: the thing checked, and what to do if it is not in order."""

    mark: Mark
    text: str

    def __str__(self) -> str:
        return f"{self.mark.value} {self.text}"


good: Final = partial(Finding, Mark.GOOD)
bad: Final = partial(Finding, Mark.BAD)
unknown: Final = partial(Finding, Mark.UNKNOWN)


async def examine(
    settings: Settings, commands: Sequence[Mapping[str, Any]]
) -> AsyncIterator[Finding]:
    """Everything there is to say, as it is found out.

    `commands` are the program's, as Discord is told of them.
    """
    yield good("settings: read")
    shown, findings = await _database(settings.database_url)
    for finding in findings:
        yield finding
    if settings.discord_token is None:
        yield unknown("Discord: not asked, since DISCORD_TOKEN is not set; put it into .env")
        return
    try:
        token = settings.token()
    except SettingsError as error:
        yield bad(f"Discord: {error}")
        return
    discord.http.Route.BASE = settings.discord_api_url
    async with discord.Client(intents=discord.Intents(guilds=True)) as client:
        me = await _login(settings, client, token)
        if isinstance(me, Finding):
            yield me
            return
        yield good(f"login: as {_plain(me.user.name)}")
        yield await _answer("commands", _commands(client, me, commands))
        yield _intents(me)
        yield await _answer("gateway", _gateway(settings, client))
        async for finding in _servers(client, me, shown):
            yield finding


# The database


async def _database(url: str) -> tuple[Sequence[Shown], list[Finding]]:
    """Its open tables, as far as they can be read, and what there is to say of it."""
    try:
        path = sqlite_file(url)
        disk = [] if path is None else [_disk(path)]
        there = path is None or _is_there(path)
    except StorageError as error:
        return (), [bad(f"database: {error}")]
    except OSError as error:
        return (), [bad(f"database: {unusable(error)}")]
    if not there:
        made = unknown(f"database: {path} is not there yet; stammtisch run makes it")
        return (), [made, *disk]
    try:
        database = await Database.open(url)
    except StorageError as error:
        return (), [bad(f"database: {error}"), *disk]
    findings = [good(f"database: {database.shown_url} answers"), *disk]
    shown: Sequence[Shown] = ()
    try:
        found = await database.read(revision)
        findings.insert(1, _schema(found))
        if outdated(found) is None:
            shown = await SqlOverview(database).shown()
    except (SQLAlchemyError, Unavailable) as error:
        findings.append(bad(f"database: cannot be read ({type(error).__name__})"))
    finally:
        await database.close()
    return shown, findings


def _is_there(path: Path) -> bool:
    """Raises OSError if that cannot be said."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True


def _schema(found: str | None) -> Finding:
    said = outdated(found)
    if said is None:
        return good(f"schema: up to date ({found})")
    return (unknown if found is None else bad)(f"schema: {said}")


def _disk(path: Path) -> Finding:
    """Whether the folder of the database can be written, and has space."""
    folder = path.absolute().parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        return bad(f"disk: {folder} cannot be written; give it to the user who runs the bot")
    if path.exists() and not os.access(path, os.W_OK):
        return bad(f"disk: {path} cannot be written; give it to the user who runs the bot")
    free = shutil.disk_usage(folder).free
    said = f"{free / 1e9:.1f} GB free in {folder}"
    if free < SPACE:
        return bad(f"disk: only {said}; make room, or nothing can be stored")
    return good(f"disk: {said}")


# Discord


class _Me(NamedTuple):
    """The account that is logged in."""

    user: discord.ClientUser
    application: discord.AppInfo


_TROUBLE: Final = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


async def _answer(what: str, asked: Awaitable[Finding]) -> Finding:
    try:
        return await asyncio.wait_for(asked, REQUEST_TIME)
    except _TROUBLE as error:
        return bad(f"{what}: {_why(error)}")


def _why(error: BaseException) -> str:
    """A failure of Discord's in a few words, and none of Discord's own."""
    seconds = wait_of(error) if isinstance(error, Exception) else None
    if seconds is not None:
        minutes = max(1, ceil(seconds / 60))
        return f"Discord was asked too often (429); try again in {minutes} minutes"
    if isinstance(error, discord.HTTPException):
        return f"Discord says {error.status} (code {error.code}); try again in a minute"
    return f"Discord does not answer ({type(error).__name__}); try again in a minute"


async def _login(settings: Settings, client: discord.Client, token: str) -> _Me | Finding:
    try:
        await asyncio.wait_for(client.login(token), REQUEST_TIME)
    except discord.LoginFailure:
        return bad(
            "login: Discord refuses DISCORD_TOKEN; reset the token in Discord's developer portal"
            " and put the new one into .env"
        )
    except discord.HTTPException as error:
        return bad(f"login: {_why(error)}")
    except _TROUBLE as error:
        return bad(
            f"login: Discord cannot be reached at {settings.discord_api_url}"
            f" ({type(error).__name__}); check the connection, and DISCORD_API_URL if you set it"
        )
    if client.user is None or client.application is None:
        return bad("login: Discord does not say who the bot is; try again in a minute")
    return _Me(client.user, client.application)


async def _commands(
    client: discord.Client, me: _Me, wanted: Sequence[Mapping[str, Any]]
) -> Finding:
    found: Sequence[Mapping[str, Any]] = await client.http.get_global_commands(me.application.id)
    if not found:
        return unknown("commands: none is registered yet; stammtisch run registers them")
    there = {command["name"]: command for command in found}
    asked = {command["name"]: command for command in wanted}
    names = there.keys() | asked.keys()
    other = sorted(name for name in names if not agrees(asked.get(name), there.get(name)))
    if other:
        said = ", ".join(f"/{_plain(name)}" for name in other)
        return bad(
            f"commands: not as this program has them: {said}; stammtisch run registers them anew"
        )
    return good(f"commands: all {len(asked)} registered")


def agrees(wanted: Any, found: Any) -> bool:
    """Whether Discord has what it was told.  It adds fields, and leaves out empty ones."""
    match wanted:
        case Mapping():
            given = found if isinstance(found, Mapping) else {}
            return all(
                agrees(value, given.get(key)) for key, value in wanted.items() if key != _OLD
            )
        case [] | None | False:
            return not found
        case list() | tuple():
            return (
                isinstance(found, list)
                and len(found) == len(wanted)
                and all(map(agrees, wanted, found))
            )
        case _:
            return bool(wanted == found)


def _intents(me: _Me) -> Finding:
    flags = me.application.flags
    on = [
        name
        for flag, name in _PRIVILEGED
        if getattr(flags, flag) or getattr(flags, f"{flag}_limited")
    ]
    if on:
        return unknown(
            f"intents: {', '.join(on)} is on in Discord's developer portal and not needed;"
            " switch it off there"
        )
    return good("intents: none that is privileged")


async def _gateway(settings: Settings, client: discord.Client) -> Finding:
    _, _, limit = await client.http.get_bot_gateway()
    if limit["remaining"] <= 0:
        hours = limit["reset_after"] / 3_600_000
        return bad(
            f"gateway: the bot was started {limit['total']} times today, and Discord allows no"
            f" more; try again in {hours:.1f} hours"
        )
    address = f"{settings.discord_gateway_url}/?v=10&encoding=json"
    try:
        async with aiohttp.ClientSession() as session, session.ws_connect(address) as socket:
            hello = await socket.receive_json()
    except (aiohttp.ClientError, OSError, TypeError, ValueError) as error:
        return bad(
            f"gateway: {settings.discord_gateway_url} cannot be reached ({type(error).__name__});"
            " check the connection, and DISCORD_GATEWAY_URL if you set it"
        )
    if not isinstance(hello, dict) or hello.get("op") != _HELLO:
        return bad(f"gateway: {settings.discord_gateway_url} is no gateway of Discord's")
    return good(f"gateway: says hello ({limit['remaining']} starts left today)")


# Servers


async def _servers(
    client: discord.Client, me: _Me, shown: Sequence[Shown]
) -> AsyncIterator[Finding]:
    """A line for every server, and one for every place of an open table that has trouble."""
    try:
        servers = await asyncio.wait_for(_all_servers(client), REQUEST_TIME)
    except _TROUBLE as error:
        yield bad(f"servers: {_why(error)}")
        return
    if not servers:
        yield unknown("servers: the bot is on none; invite it with the address in the README")
    tables = {guild: list(found) for guild, found in groupby(shown, lambda line: line.guild)}
    for server in servers:
        guild, name = int(server["id"]), _plain(str(server["name"]))
        here = tables.pop(guild, [])
        try:
            asked = _permissions(client, me, server, here)
            has, troubles = await asyncio.wait_for(asked, REQUEST_TIME)
        except _TROUBLE as error:
            yield bad(f"server {name}: {_why(error)}")
            continue
        lacking = [] if has.administrator else _lacking(has, NEEDED)
        if lacking:
            yield bad(f"server {name}: {_give(lacking)} to the bot's role")
        else:
            count = f"; open tables: {len(here)}" if here else ""
            yield good(f"server {name}: all permissions{count}")
        for trouble in troubles:
            yield bad(f"server {name}, {trouble}")
    for guild, here in tables.items():
        names = ", ".join(line.table for line in here)
        yield bad(f"server {guild}: the bot is not there, but tables are open ({names}); invite it")


async def _all_servers(client: discord.Client) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    after: int | None = None
    while True:
        page: Sequence[Mapping[str, Any]] = await client.http.get_guilds(
            _PAGE, after=after, with_counts=False
        )
        found += page
        if len(page) < _PAGE:
            return found
        after = int(page[-1]["id"])


async def _permissions(
    client: discord.Client, me: _Me, server: Mapping[str, Any], here: Sequence[Shown]
) -> tuple[discord.Permissions, list[str]]:
    """Permissions of the bot's roles on a server, and what is wrong in channels of its open tables.

    Servers without an open table cost no request: the list of servers has the roles' permissions.
    """
    if not here and "permissions" in server:
        return discord.Permissions(int(server["permissions"])), []
    guild = await client.fetch_guild(int(server["id"]), with_counts=False)
    member = await guild.fetch_member(me.user.id)
    said = [(await _channel(guild, member, place), place.table) for place in here]
    return member.guild_permissions, [f"{what} (table {table})" for what, table in said if what]


async def _channel(server: discord.Guild, member: discord.Member, place: Shown) -> str | None:
    try:
        channel = parent = await server.fetch_channel(place.channel)
        if isinstance(channel, discord.Thread):
            parent = await server.fetch_channel(channel.parent_id)
    except discord.NotFound:
        return f"channel {place.channel}: it was deleted; the table ends by itself"
    except discord.Forbidden:
        return f"channel {place.channel}: {_give(['View Channel'])} to the bot there"
    if isinstance(parent, discord.Thread):
        return None  # Discord knows no thread in a thread
    other = "send_messages" if channel is not parent else "send_messages_in_threads"
    needed = [name for name in NEEDED if name != other]
    lacking = _lacking(parent.permissions_for(member), needed)
    name = f"channel #{_plain(channel.name)}"
    return f"{name}: {_give(lacking)} to the bot there" if lacking else None


def _lacking(has: discord.Permissions, needed: Iterable[str]) -> list[str]:
    return [NEEDED[name] for name in needed if not getattr(has, name)]


def _give(names: Iterable[str]) -> str:
    return f"missing: {', '.join(names)}; give it"


def _plain(name: str) -> str:
    """A name as a terminal may show it: on one line, and without commands to the terminal."""
    return "".join(char for char in name if char.isprintable())[:60]
