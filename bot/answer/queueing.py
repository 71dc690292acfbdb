"""What a person in line is told."""

from __future__ import annotations

from bot.answer.context import Context
from bot.answer.origin import Origin
from bot.answer.reply import Reply
from bot.render.offers import queue_page
from bot.tables.model import Table
from bot.tables.queueing import offer_time, turn_of
from bot.views.building import table_head


async def say_turn(context: Context, reply: Reply, table: Table) -> None:
    """Tell the person, who stands in line, their number there; then the table shows the line."""
    turn, time = turn_of(table.stored.seating, reply.user), offer_time(table.stored.timing.pace)
    page = queue_page(table_head(table), turn, time, reply.texts)
    if reply.origin is Origin.DM:
        await reply.panel(page)  # in the place of the invitation
    else:
        await reply.whisper(page)
    await context.publisher.flush(table.id)
