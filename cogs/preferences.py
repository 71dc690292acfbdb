"""Preferences of a person: the deck, and tips again."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import DECK_CHOICES, DECKS, ContextCog, anywhere
from bot.answer.origin import may_attach
from bot.answer.reply import Reply, answering
from bot.render.custom_ids import Verb
from bot.render.preferences import deck_page
from cogs.presses import page_press


class Preferences(ContextCog):
    """`/preferences`."""

    @app_commands.command(name="preferences", description="Choose how your cards look")
    @app_commands.describe(deck="Which cards you see (default: look at yours)")
    @app_commands.choices(deck=DECK_CHOICES)
    @anywhere
    async def preferences(self, interaction: discord.Interaction, deck: str | None = None) -> None:
        async with answering(interaction) as reply:
            await self._choose(reply, deck)

    @page_press(Verb.DECK)
    async def _press_deck(self, reply: Reply) -> None:
        await self._choose(reply, reply.chosen[0] if reply.chosen else None)

    @page_press(Verb.TIPS)
    async def _press_tips(self, reply: Reply) -> None:
        await self.context.coach.bring_back(reply.user)
        await self._choose(reply, None, reply.texts.get("tips.again"))

    async def _choose(self, reply: Reply, deck: str | None, said: str | None = None) -> None:
        readers, user = self.context.readers, reply.user
        if deck is not None:
            locale = str(reply.interaction.locale)
            await readers.choose_deck(user, given.one_of(DECKS, deck), locale)
        chosen = await readers.deck_of(user)
        drawn = (
            await self.context.picture_cache.samples(chosen)
            if may_attach(reply.interaction)
            else ()
        )
        untold = await self.context.coach.has_put_away(user)
        page = deck_page(chosen, drawn, reply.texts, untold=untold)
        await reply.panel(page if said is None else page.noted(said))
