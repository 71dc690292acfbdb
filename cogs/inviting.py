"""Invitations: sending them from a lobby's menu, and their buttons."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import TableCog
from bot.answer.inviting import invite, never_with
from bot.answer.reply import Reply, answering
from bot.answer.sight import named_table
from bot.ids import UserId
from bot.render.components import button
from bot.render.custom_ids import Press, Verb
from bot.render.pages import note
from bot.tables.model import Table
from cogs.presses import page_press, table_press


class Inviting(TableCog):
    """The lobby's menu of people, and *Not today* and *Never*."""

    async def invite_to_table(self, interaction: discord.Interaction, player: UserId) -> None:
        """To the table of this channel, or to the only one where the person sits who asks."""
        async with answering(interaction) as reply:
            table = await named_table(self.context, interaction, None, Need.LEAD)
            await invite(self.context, reply, table, player)

    @table_press(Verb.INVITE, Need.LEAD)
    async def _press_invite(self, reply: Reply, table: Table) -> None:
        await invite(self.context, reply, table, given.user(reply.choice))

    @page_press(Verb.NOT_TODAY)
    async def _press_not_today(self, reply: Reply) -> None:
        await reply.panel(note(reply.texts.get("invite.not_today")))
        if reply.press.table:
            await self.context.publisher.declined(reply.press.table, reply.user)

    @page_press(Verb.NEVER)
    async def _press_never(self, reply: Reply) -> None:
        """Never with the person who sent this invitation, or again."""
        again = reply.press.argument.startswith("+")
        who = given.user(reply.press.argument.removeprefix("+"))
        if again:
            await self.context.blocks.block(reply.user, who, on=False)
            await reply.panel(note(reply.texts.get("invite.welcome")))
            return
        await never_with(self.context, reply, who)
        undo = Press(Verb.NEVER, argument=f"+{who}")
        said = reply.texts.get("invite.never")
        await reply.panel(note(said, button(reply.texts.get("button.allow_again"), undo)))


@app_commands.context_menu(name="Invite to a table")
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
async def invite_to_a_table(interaction: discord.Interaction, player: discord.User) -> None:
    """Invite a person by a right-click on them."""
    client = interaction.client
    cog = client.get_cog(Inviting.__name__) if isinstance(client, commands.AutoShardedBot) else None
    if isinstance(cog, Inviting):
        await cog.invite_to_table(interaction, UserId(player.id))


MENUS: Final = (invite_to_a_table,)
"""Entries of the menu of a right-click."""
