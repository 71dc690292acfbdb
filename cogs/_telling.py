"""After the commit: the answer to whoever asked for it, then what the others see."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

import discord

from bot.present.channel import channel_message
from bot.tables.model import Table
from cogs._context import Context
from cogs._replies import Reply, Surface
from cogs._views import channel_view


async def answer_then_tell(
    context: Context, reply: Reply, table: Table, otherwise: Callable[[Table], Awaitable[None]]
) -> None:
    """A press on the board is answered with the board, one call instead of two.

    Anything else is answered by `otherwise`.  Then everybody else sees the change.  If that was
    the closing of the seats a panel follows once the cards are dealt.
    """
    if await context.on_board(reply.interaction, table):
        view = channel_message(channel_view(table), context.public)
        await reply.redraw(view)
        context.publisher.note_board(table.id, view)
    else:
        await otherwise(table)
    await context.publisher.flush(table.id)
    if table.closing and reply.surface is Surface.PANEL:
        dealt = await context.tables.table(table.id)
        if not dealt.closing:
            with suppress(discord.NotFound):  # its owner has put the panel away
                await otherwise(dealt)


async def post(context: Context, reply: Reply, table: Table) -> None:
    """The answer to a command becomes the table's message."""
    view = channel_message(channel_view(table), context.public)
    where = await reply.post(view)
    if where is not None:
        await context.publisher.adopt(table.id, *where, view)
    await context.publisher.flush(table.id)


async def greet(context: Context, reply: Reply, table: Table) -> None:
    """Finds out whether the person can be written to; if not, says so and the way out."""
    user = reply.interaction.user.id
    place = table.record.place_of(user)
    if place is None or table.record.places[place].reachable is not None:
        return
    reachable = await context.publisher.greet(table.id, user)
    await context.tables.set_reachable(table.id, user, reachable)
    if not reachable:
        await reply.say("sit.closed_dm")
    await context.publisher.flush(table.id)
