"""Help on panels: hints, why a card cannot be played, and no more tips."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.answer.access import Need
from bot.answer.choices import TableCog, about_table, anywhere
from bot.answer.panels import show_own_hand, stale_press
from bot.answer.reply import Reply
from bot.render.coaching import hint_lines, hint_page, why_not
from bot.render.custom_ids import Verb
from bot.tables import hinting
from bot.tables.model import Table, TableCode, TableError
from bot.views.building import hand_view
from bot.views.hinting import hint_view
from bot.views.values import Aid
from cogs.presses import table_press

_OVER: Final[frozenset[TableCode]] = frozenset({"stale", "ended"})
"""Refusals of a hint whose question is over."""


class Coaching(TableCog):
    """Help beside the cards of a panel."""

    @app_commands.command(name="hint", description="Ask what a computer player would do")
    @about_table(Need.ACT, asked=True)
    @anywhere
    @table_press(Verb.HINT, Need.ACT)
    async def hint(self, reply: Reply, table: Table) -> None:
        """Show a hint to the person alone, on the hand they asked on; their question stays open."""
        try:
            seat, asked = hinting.require_question(table, reply.user, reply.press.question)
            if table.only_action(seat) is None:
                await reply.defer()  # it is thought about
            hint = await self.context.tables.hint(table, reply.user, asked)
        except TableError as error:
            if error.code not in _OVER:
                raise
            notice = reply.texts.get("hint.moved_on")
            await show_own_hand(self.context, reply, error.table or table, notice=notice)
            return
        view = hint_view(hint)
        if reply.press.verb is Verb.HINT:
            aid = Aid(tuple(hint_lines(view, reply.texts)), hint=view.figure is not None)
            await show_own_hand(self.context, reply, hint.table, aid=aid)
        else:
            await reply.whisper(hint_page(view, reply.texts))

    @table_press(Verb.WHY, Need.ACT)
    async def _press_why(self, reply: Reply, table: Table) -> None:
        """Says it of the cards as they are held now, and only while that is still asked."""
        view = hand_view(table, reply.user, None)
        if view is None or view.question is None or view.question != reply.press.question:
            notice = stale_press(reply, table)
            await show_own_hand(self.context, reply, table, notice=notice)
            return
        why = why_not(view, reply.texts)
        if why is None:
            await reply.say("why.none")
        else:
            await show_own_hand(self.context, reply, table, aid=why)

    @table_press(Verb.NO_TIPS, Need.SEE)
    async def _press_no_tips(self, reply: Reply, table: Table) -> None:
        locale = str(reply.interaction.locale)
        await self.context.readers.change(reply.user, locale, lambda now: replace(now, tips=False))
        await self.context.coach.put_away(reply.user)
        notice = reply.texts.get("tips.done")
        await show_own_hand(self.context, reply, table, notice=notice)
