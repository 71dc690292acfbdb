"""Settings of a server, for those who manage it."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import DECK_CHOICES, DECKS, ContextCog, guild_only
from bot.answer.context import place_of
from bot.answer.origin import may_attach
from bot.answer.reply import Reply, answering
from bot.render.custom_ids import Verb
from bot.render.preferences import server_deck_page
from cogs.presses import page_press


class ServerSettings(ContextCog):
    """`/settings`."""

    @app_commands.command(name="settings", description="Choose how boards look on this server")
    @app_commands.describe(deck="Which cards boards show (default: look at them)")
    @app_commands.choices(deck=DECK_CHOICES)
    @app_commands.default_permissions(manage_guild=True)
    @guild_only
    async def settings(self, interaction: discord.Interaction, deck: str | None = None) -> None:
        async with answering(interaction) as reply:
            await self._choose(reply, deck)

    @page_press(Verb.SERVER_DECK)
    async def _press_deck(self, reply: Reply) -> None:
        await self._choose(reply, reply.chosen[0] if reply.chosen else None)

    @page_press(Verb.SETTINGS)
    async def _press_settings(self, reply: Reply) -> None:
        await self._choose(reply, None)

    async def _choose(self, reply: Reply, deck: str | None) -> None:
        guild, _ = place_of(reply.interaction)
        # Discord's default can be changed by a server, and a press asks for nothing.
        if not reply.interaction.permissions.manage_guild:
            await reply.say("server_decks.may_not")
            return
        readers = self.context.readers
        if deck is not None:
            await readers.choose_server_deck(guild, given.one_of(DECKS, deck))
        chosen = await readers.server_deck(guild)
        drawn = (
            await self.context.picture_cache.samples(chosen)
            if may_attach(reply.interaction)
            else ()
        )
        await reply.panel(server_deck_page(chosen, drawn, reply.texts))
