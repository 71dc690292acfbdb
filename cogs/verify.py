"""The deal that anyone can check: a word to cut with, the proofs, and the record of a match."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import TableCog, about_table, anywhere, table_choices
from bot.answer.reply import Reply
from bot.answer.telling import answer_then_tell
from bot.render.custom_ids import Verb
from bot.render.deal_proof import cut_modal, read_cut, verify_page
from bot.render.pages import download
from bot.tables.deals import may_cut
from bot.tables.model import Table, TableError
from bot.tables.phase import Unreadable
from bot.views.building import table_head, verify_view
from cogs.presses import table_press


class Proof(TableCog):
    """`/cut`, `/verify` and `/replay`, and the buttons of the first two."""

    # Commands

    @app_commands.command(name="cut", description="Mix a word of your own into the next deal")
    @app_commands.describe(word="Letters and digits, at most 20; leave it out to remove yours")
    @about_table(Need.ACT)
    @anywhere
    async def cut(self, reply: Reply, table: Table, word: str = "") -> None:
        await self._cut(reply, table, word.strip())

    @app_commands.command(name="verify", description="Check that the cards were not stacked")
    @about_table(Need.SEE, ended=True)
    @anywhere
    @table_press(Verb.VERIFY, Need.SEE)
    async def verify(self, reply: Reply, table: Table) -> None:
        if isinstance(table.phase, Unreadable):
            raise TableError("unreadable", table, id=table.id)
        page = given.page(reply.press.argument) or 0
        check = await self.context.tables.checked(table)
        await reply.page(verify_page(verify_view(table, page, check), reply.texts))

    @app_commands.command(name="replay", description="Get the record of a finished match")
    @about_table(Need.SEE, ended=True)
    @anywhere
    @table_press(Verb.FILE, Need.SEE)
    async def replay(self, reply: Reply, table: Table) -> None:
        text = await self.context.tables.record(table)
        said = reply.texts.get("replay.here", table=table.id)
        await reply.whisper(download(said, f"{table.id}.json", text.encode()))

    @replay.autocomplete("table")
    async def _suggest_over(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return await table_choices(self.context, interaction, current, over=True)

    # Presses

    @table_press(Verb.CUT, Need.ACT)
    async def _press_cut(self, reply: Reply, table: Table) -> None:
        """Opens the form, or takes the word that was sent in with it."""
        if reply.interaction.type is discord.InteractionType.modal_submit:
            await self._cut(reply, table, read_cut(reply.interaction))
            return
        if not table.stored.status.is_open:
            raise TableError("ended", table)
        if not may_cut(table.phase):
            raise TableError("cut_closed", table)
        await reply.form(cut_modal(table_head(table), reply.texts))

    # What both do

    async def _cut(self, reply: Reply, table: Table, word: str) -> None:
        table = await self.context.tables.cut(table.id, reply.user, word)
        code = "cut.done" if word else "cut.taken_back"
        await answer_then_tell(self.context, reply, table, lambda _: reply.say(code, word=word))
