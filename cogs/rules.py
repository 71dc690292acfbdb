"""The rules of a game, in chat."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import GAMES, ContextCog, anywhere
from bot.answer.reply import Reply, answering
from bot.render.custom_ids import Verb
from bot.render.pages import rules_page
from cogs.presses import page_press


class Rules(ContextCog):
    """`/rules` and the button of that name."""

    @app_commands.command(name="rules", description="How a game is played")
    @app_commands.describe(game="Which game")
    @app_commands.choices(game=GAMES)
    @anywhere
    async def rules(self, interaction: discord.Interaction, game: str) -> None:
        async with answering(interaction) as reply:
            await self._show(reply, game, 0, beside=True)

    @page_press(Verb.RULES)
    async def _press_rules(self, reply: Reply) -> None:
        page, beside = reply.press.page
        await self._show(reply, reply.press.game, given.page(page) or 0, beside=beside)

    async def _show(self, reply: Reply, game: str, page: int, *, beside: bool) -> None:
        """That page in place of the one before, or beside a hand that stays."""
        shown = rules_page(self.context.game(game).info.id, page, reply.texts)
        await (reply.whisper(shown) if beside else reply.panel(shown))
