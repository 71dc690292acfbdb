"""What every cog works with, handed in by `bot.app`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import discord
import structlog

from bot.answer.reply import Origin, origin_of
from bot.answer.reposts import Reposts
from bot.i18n import ENGLISH
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.publish.publisher import Publisher
from bot.tables.model import Table, TableError
from bot.tables.ports import Clock, Results
from bot.tables.service import TableService
from bot.tables.stored import Person
from engine.game import AnyGame


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the program that cogs may use."""

    tables: TableService
    publisher: Publisher
    results: Results
    games: Mapping[str, AnyGame]
    clock: Clock
    closed: set[tuple[TableId, UserId]] = field(default_factory=set)
    """Tables and people whose direct messages closed there, and who are still to be told."""
    moves: Reposts = field(default_factory=Reposts)

    async def on_board(self, interaction: discord.Interaction, table: Table) -> bool:
        """Whether this is a press on the table's message as it stands in the channel now.

        Not on one that was retired meanwhile, nor on a copy that only the presser sees.
        """
        if origin_of(interaction) is not Origin.CHANNEL or interaction.message is None:
            return False
        where = await self.publisher.where(table.id)
        return where is None or where[1] == interaction.message.id


def person_of(user: discord.abc.User) -> Person:
    return Person(UserId(user.id), user.display_name)


def place_of(interaction: discord.Interaction) -> tuple[GuildId, ChannelId]:
    """Server and channel of an interaction.  Raises TableError `server_only` in a DM."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise TableError("server_only")
    return GuildId(interaction.guild_id), ChannelId(interaction.channel_id)


def locale_of(interaction: discord.Interaction) -> str:
    """The language that the server prefers, as Discord names it."""
    return str(interaction.guild_locale or ENGLISH)


def is_moderator(interaction: discord.Interaction, table: Table) -> bool:
    """Manage Messages in the table's channel, which is where the person is now."""
    here = interaction.channel_id == table.stored.channel
    return here and interaction.permissions.manage_messages


async def named_table(
    context: Context, interaction: discord.Interaction, named: str | None, *, ended: bool = False
) -> Table:
    """The table that a command is about.

    The one named, else the one in this channel, else (in DMs, and in channels without one) the
    only one where the person sits.  With `ended` a channel's newest table counts although it is
    over.  Raises TableError `no_table`, `no_such_table`, `no_table_here` or `which_table`.
    What is logged from here on names it.
    """
    table = await _meant(context, interaction, named, ended=ended)
    structlog.contextvars.bind_contextvars(table=table.id)
    return table


async def _meant(
    context: Context, interaction: discord.Interaction, named: str | None, *, ended: bool
) -> Table:
    if named:
        table = await _visible(context, interaction, named)
        if table is None:
            raise TableError("no_such_table", name=named[:12])
        return table
    if interaction.guild_id is not None and interaction.channel_id is not None:
        tables = context.tables
        find = tables.latest_in_channel if ended else tables.open_in_channel
        here = await find(ChannelId(interaction.channel_id))
        if here is not None:
            return here
    mine = await context.tables.open_of(UserId(interaction.user.id))
    match len(mine):
        case 0:
            raise TableError("no_table_here" if interaction.guild_id else "no_table")
        case 1:
            return mine[0]
        case _:
            raise TableError("which_table", tables=", ".join(table.id for table in mine))


async def suggest_tables(context: Context, interaction: discord.Interaction) -> Sequence[Table]:
    """Tables a person may mean: their own, and the one in this channel."""
    found = {table.id: table for table in await context.tables.open_of(UserId(interaction.user.id))}
    if interaction.guild_id is not None and interaction.channel_id is not None:
        here = await context.tables.latest_in_channel(ChannelId(interaction.channel_id))
        if here is not None:
            found.setdefault(here.id, here)
    return tuple(found.values())


async def _visible(context: Context, interaction: discord.Interaction, named: str) -> Table | None:
    """The table of that id, if the person may know of it."""
    try:
        table = await context.tables.find(TableId(named.strip().upper()))
    except TableError:
        return None
    return table if may_see(interaction, table) else None


def may_see(interaction: discord.Interaction, table: Table) -> bool:
    """Whether the person sits there or can see its channel."""
    stored, user = table.stored, interaction.user
    seat = stored.seating.place_of(UserId(user.id))
    if seat is not None or stored.channel == interaction.channel_id:
        return True
    if interaction.guild is None or stored.guild != interaction.guild.id:
        return False
    channel = interaction.guild.get_channel_or_thread(stored.channel)
    if channel is None or not isinstance(user, discord.Member):
        return False
    return channel.permissions_for(user).view_channel
