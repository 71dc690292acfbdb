"""Looking at tables: lists of them; the board as everybody sees it, its log, and the menu ⋯."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import ContextCog, TableCog, about_table, anywhere
from bot.answer.origin import may_attach
from bot.answer.reply import Reply, answering
from bot.answer.sharing import may_share, share
from bot.answer.sight import is_moderator, show_tables
from bot.render.board import get_in_line
from bot.render.channel import channel_message
from bot.render.components import Button
from bot.render.custom_ids import Verb
from bot.render.ended import shared_result
from bot.render.message import Message
from bot.render.offers import leave_line
from bot.render.pages import after_page, log_page, more_page, shared_more, wish_buttons
from bot.render.results import rounds_page
from bot.render.sharing import MORE, RESULT
from bot.tables import queueing
from bot.tables.model import Table
from bot.tables.new_tables import repeatable
from bot.tables.phase import Over
from bot.views.building import begun_head, channel_view, more_blocks, table_head, wishes_view
from bot.views.listing import Whose
from bot.views.values import BoardView, ResultView
from cogs.presses import page_press, table_press


class Looking(TableCog):
    """Views of a table for all people who may know of it."""

    @app_commands.command(name="watch", description="Watch a table; only you see it")
    @about_table(Need.SEE, ended=True)
    @anywhere
    async def watch(self, reply: Reply, table: Table) -> None:
        await reply.whisper(await self._watched(reply, table))

    @table_press(Verb.TABLE, Need.SEE)
    async def _press_table(self, reply: Reply, table: Table) -> None:
        # A copy: it can be renewed, and asks nothing that could be answered elsewhere.
        await reply.whisper(await self._watched(reply, table))

    @table_press(Verb.WATCH, Need.SEE)
    async def _press_watch(self, reply: Reply, table: Table) -> None:
        """A spectator's copy, or a newer one; as for `/watch`, only of what they could see."""
        await reply.panel(await self._watched(reply, table))

    @table_press(Verb.LOG, Need.SEE)
    async def _press_log(self, reply: Reply, table: Table) -> None:
        number = given.page(reply.press.argument)
        over = isinstance(table.phase, Over)
        await reply.page(log_page(begun_head(table), table.told, number, reply.texts, over=over))

    @table_press(Verb.ROUNDS, Need.SEE)
    async def _press_rounds(self, reply: Reply, table: Table) -> None:
        """Show the result of each complete round, and why."""
        rounds = await self.context.tables.rounds(table)
        number = given.page(reply.press.argument)
        await reply.page(rounds_page(begun_head(table), rounds, number, reply.texts))

    @table_press(Verb.MORE, Need.SEE)
    async def _press_more(self, reply: Reply, table: Table) -> None:
        seated = table.stored.seating.place_of(reply.user) is not None
        more, shares = more_blocks(table), may_share(reply.interaction, table.stored.channel)
        if isinstance(table.phase, Over):
            again = table.stored.again is None and bool(repeatable(table))
            page = after_page(table_head(table), reply.texts, shares=shares, again=again)
            await reply.whisper(page)
            return
        moderator = is_moderator(reply.interaction, table)
        wishes = wish_buttons(wishes_view(table, reply.user, moderator=moderator), reply.texts)
        page = more_page(
            table_head(table),
            more,
            reply.texts,
            seated=seated,
            ends=seated or moderator,
            wishes=wishes,
            shares=shares,
            line=_line_button(reply, table),
        )
        await reply.whisper(page)

    @table_press(Verb.SHARE_TABLE, Need.SEE)
    async def _press_share(self, reply: Reply, table: Table) -> None:
        """Show everybody the last trick or the result, as it is now."""
        head, more, view = table_head(table), more_blocks(table), channel_view(table)
        if reply.press.argument == RESULT and isinstance(view, ResultView):
            deck = await self.context.readers.board_deck(head)
            picture = await self.context.picture_cache.board(view, deck)
            shown = partial(shared_result, view, picture=picture, deck=deck)
            await share(self.context, reply, shown, table)
        elif reply.press.argument == MORE and more:
            await share(
                self.context, reply, lambda by, words: shared_more(head, more, by, words), table
            )
        else:
            await reply.say("error.moved_on")

    async def _watched(self, reply: Reply, table: Table) -> Message:
        """The table as a spectator sees it."""
        view, picture = self.context.coach.seen(channel_view(table)), None
        if isinstance(view, BoardView):
            view = replace(view, has_line=queueing.may_stand(table, reply.user))
        deck = (await self.context.readers.preferences_of(reply.user)).deck
        if may_attach(reply.interaction):
            picture = await self.context.picture_cache.board(view, deck)
        return channel_message(view, reply.texts, picture, deck=deck, watched=True)


def _line_button(reply: Reply, table: Table) -> Button | None:
    """The way into the line for a seat, or out of it, for whoever may take it.

    A seat that they may have is offered by the board itself.
    """
    head, user = table_head(table), reply.user
    if table.stored.seating.waits(user):
        return leave_line(head, reply.texts)
    return get_in_line(head, reply.texts) if queueing.may_stand(table, user) else None


# Lists of tables.

WHOSE = [
    app_commands.Choice(name="Mine, on all servers", value=Whose.MINE.value),
    app_commands.Choice(name="Open on this server", value=Whose.HERE.value),
]


class Tables(ContextCog):
    """`/tables`."""

    @app_commands.command(name="tables", description="Your tables, or the open ones on this server")
    @app_commands.describe(where="Which tables (default: yours, on all servers)")
    @app_commands.choices(where=WHOSE)
    @anywhere
    async def tables(self, interaction: discord.Interaction, where: str = Whose.MINE.value) -> None:
        async with answering(interaction) as reply:
            await show_tables(self.context, reply, given.one_of(Whose, where))

    @page_press(Verb.TABLES)
    async def _press_page(self, reply: Reply) -> None:
        whose, _, page = reply.press.argument.partition("|")
        await show_tables(self.context, reply, given.one_of(Whose, whose), given.page(page) or 0)
