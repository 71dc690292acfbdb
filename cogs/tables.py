"""Lists of tables: one's own, and those that are open on a server."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import ContextCog, anywhere
from bot.answer.listing import show_tables
from bot.answer.reply import Reply, answering
from bot.render.custom_ids import Verb
from bot.views.listing import Whose
from cogs.presses import page_press

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
