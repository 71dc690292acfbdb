"""What one person has played on a server, also against another."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.answer.choices import ContextCog, guild_only
from bot.answer.context import place_of
from bot.answer.reply import Reply, answering
from bot.answer.sharing import may_share
from bot.answer.stats import is_off, stats_of
from bot.i18n import safe_name
from bot.ids import GuildId, UserId
from bot.render.custom_ids import Verb
from bot.render.stats import records_page, rivals_page, stats_page
from bot.tables.model import TableError
from bot.tables.stored import Person
from bot.views.values import RivalsView
from cogs.presses import page_press


class Stats(ContextCog):
    """`/stats`."""

    @app_commands.command(name="stats", description="A player's record on this server")
    @app_commands.describe(
        player="Which player (default: you)", against="Only their matches with this person"
    )
    @guild_only
    async def stats(
        self,
        interaction: discord.Interaction,
        player: discord.User | None = None,
        against: discord.User | None = None,
    ) -> None:
        async with answering(interaction) as reply:
            guild, _ = place_of(interaction)
            user = player or interaction.user
            for asked in (user, *([against] if against is not None else [])):
                if asked.id != reply.user and await is_off(self.context, UserId(asked.id)):
                    await reply.say("stats.off", name=safe_name(asked.display_name))
                    return
            one = Person(UserId(user.id), user.display_name)
            if against is not None and against.id != user.id:
                other = Person(UserId(against.id), against.display_name)
                await self._show_rivals(reply, guild, one, other)
                return
            view = await stats_of(self.context, guild, one.id, one.name)
            shares = may_share(interaction) and not await is_off(self.context, one.id)
            await reply.whisper(stats_page(view, reply.texts, shares=shares))

    @page_press(Verb.RECORDS)
    async def _press_records(self, reply: Reply) -> None:
        """The best there was here of each kind, if this server wants leaderboards."""
        guild, _ = place_of(reply.interaction)
        if not (await self.context.servers.settings(guild)).counting.board:
            raise TableError("no_leaderboard")
        found = await self.context.memories.records(guild, tuple(self.context.games))
        await reply.whisper(records_page(found, reply.texts))

    async def _show_rivals(self, reply: Reply, guild: GuildId, one: Person, other: Person) -> None:
        rivalry = await self.context.memories.rivalry(guild, one.id, other.id)
        if reply.user not in (one.id, other.id):
            # Single matches may have been played where the reader sees nothing.
            rivalry = rivalry._replace(last=())
        await reply.whisper(rivals_page(RivalsView((one.name, other.name), rivalry), reply.texts))
