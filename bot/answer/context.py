"""What every cog works with, handed in by `bot.app`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import discord

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
