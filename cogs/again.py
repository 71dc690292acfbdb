"""Playing a deal of a match again, alone."""

from __future__ import annotations

from bot.answer import given
from bot.answer.access import Need
from bot.answer.alone import play_again
from bot.answer.choices import TableCog
from bot.answer.reply import Reply
from bot.render.again import which_round, which_seat
from bot.render.custom_ids import Verb
from bot.tables import new_tables
from bot.tables.model import Table, TableError
from bot.views.building import channel_view
from cogs.presses import table_press


class Again(TableCog):
    """*Play that deal again* and *Once more*."""

    @table_press(Verb.AGAIN, Need.SEE)
    async def play_again(self, reply: Reply, table: Table) -> None:
        """Deals at once if it is clear which round is meant, and from which seat."""
        said = reply.chosen[0] if reply.chosen else reply.press.argument
        named, place, page, *_ = [*said.split("|"), "", "", ""]
        rounds, head = new_tables.repeatable(table), channel_view(table).head
        if not rounds:
            raise TableError("deal_secret", table)
        if not named and len(rounds) > 1:
            number = given.page(page) or 0
            await reply.page(which_round(head, rounds, number, reply.texts))
            return
        number = given.number(named) if named else rounds[0]
        seat = new_tables.seat_of(table.stored.seating, reply.user)
        if seat is None and place:
            seat = given.number(place)
        if seat is None:
            await reply.page(which_seat(head, number, reply.texts))
            return
        await play_again(self.context, reply, table, number, seat)
