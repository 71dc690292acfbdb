"""Lists of tables as answers to a command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.answer.context import Context
from bot.answer.origin import Reach, reach_of
from bot.answer.reply import Reply
from bot.answer.sight import my_tables, tables_here
from bot.ids import ChannelId, GuildId
from bot.paging import paged
from bot.render.components import channel_url, jump_url
from bot.render.listing import LINES, tables_page, which_table
from bot.tables.model import Table
from bot.views.listing import Listed, TablesView, Whose, listed


async def show_tables(context: Context, reply: Reply, whose: Whose, page: int = 0) -> None:
    """Show a page (from 0) of the person's tables or this server's; one beyond the end is the last.

    Raises TableError `server_only` if the bot is not on this server.
    """
    interaction = reply.interaction
    found = await (my_tables if whose is Whose.MINE else tables_here)(context, interaction)
    shown, number, pages = paged(found, page, LINES)
    lines = [await _line(context, reply, table, whose) for table in shown]
    on_server = reach_of(interaction) is Reach.SERVER
    view = TablesView(whose, tuple(lines), number, pages, on_server)
    await reply.panel(tables_page(view, reply.texts))


async def ask_which(context: Context, reply: Reply, tables: Sequence[Table], command: str) -> None:
    """Asks which of these tables `command` is about."""
    lines = [await _line(context, reply, table, Whose.MINE) for table in tables]
    await reply.whisper(which_table(lines, command, reply.texts))


async def _line(context: Context, reply: Reply, table: Table, whose: Whose) -> Listed:
    stored = table.stored
    where = await context.publisher.board_place(table.id)
    return replace(
        listed(table, reply.user),
        place=_place(
            reply.interaction.client, stored.guild, stored.channel, named=whose is Whose.MINE
        ),
        url=channel_url(stored.guild, stored.channel)
        if where is None
        else jump_url(stored.guild, *where),
    )


def _place(client: discord.Client, guild: GuildId, channel: ChannelId, *, named: bool) -> str:
    """`#cards`, or with the server `named` `Club · #cards`; less if the gateway has not told it."""
    server = client.get_guild(guild)
    place = None if server is None else server.get_channel_or_thread(channel)
    parts = [server.name] if server is not None and named else []
    return " · ".join([*parts, *([f"#{place.name}"] if place is not None else [])])
