"""First steps: `/help`, `/about`, a match to try the bot with, and the message to a new server."""

from __future__ import annotations

from importlib.metadata import version

import discord
from discord import app_commands
from discord.ext import commands

from bot.answer import given
from bot.answer.alone import play_alone
from bot.answer.choices import ContextCog, anywhere, may_open_here, require_doors
from bot.answer.origin import Reach, reach_of, spoken_in
from bot.answer.reply import Reply, answering
from bot.answer.sight import table_here
from bot.i18n import texts
from bot.ids import GuildId, TableId
from bot.publish.refusals import FAILURES
from bot.publish.requests import Priority, log_failure
from bot.render.custom_ids import Verb
from bot.render.first_steps import about_page, arrival_message, help_page, which_game
from bot.tables.model import TableError
from bot.tables.plans import Wish
from bot.views.here import Here, can_do
from cogs.presses import page_press


class FirstSteps(ContextCog):
    """What somebody meets who does not know the program."""

    @app_commands.command(name="help", description="What you can do here and now")
    @anywhere
    async def help(self, interaction: discord.Interaction) -> None:
        async with answering(interaction) as reply:
            await self._help(reply)

    @app_commands.command(name="about", description="Whose games these are, what is stored")
    @anywhere
    async def about(self, interaction: discord.Interaction) -> None:
        async with answering(interaction) as reply:
            shown = version("stammtisch"), self.context.source_url, [*self.context.games]
            await reply.whisper(about_page(*shown, reply.texts))

    @page_press(Verb.ALONE)
    async def _press_alone(self, reply: Reply) -> None:
        """A match against computers, once a game is chosen."""
        if not reply.press.argument:
            await reply.whisper(which_game([*self.context.games], reply.texts))
            return
        game = given.one_of(self.context.games, reply.press.argument)
        wish = Wish(game, None, {}, locale=spoken_in(reply.interaction).own)
        await play_alone(self.context, reply, wish)

    @commands.Cog.listener("on_guild_join")
    async def on_invited(self, guild: discord.Guild) -> None:
        """Says what the program does, once, where it may; Discord knows the message by its nonce
        if it tells twice.
        """
        requests, words = self.context.publisher.requests, texts(str(guild.preferred_locale))
        channel = requests.entrance(GuildId(guild.id))
        if channel is None:
            return
        message, nonce = arrival_message([*self.context.games], words), f"new{guild.id}"
        try:
            await requests.send(
                channel, message, nonce, Priority.TIDY, guild=GuildId(guild.id), silent=True
            )
        except FAILURES as error:
            log_failure("server_not_greeted", TableId(""), error)

    async def _help(self, reply: Reply) -> None:
        interaction = reply.interaction
        table, rights = await table_here(self.context, interaction), interaction.permissions
        waiting = await self.context.tables.waiting_for(reply.user, table.id if table else None)
        on_server = reach_of(interaction) is Reach.SERVER
        here = Here(
            reply.user,
            on_server=on_server,
            table=table,
            may_open=may_open_here(interaction),
            closed=on_server and await self._is_closed(interaction),
            moderates=rights.manage_messages and on_server,
            manages=rights.manage_guild and on_server,
            waiting=len(waiting),
        )
        is_open = table is not None and table.stored.status.is_open
        await reply.whisper(
            help_page(
                can_do(here),
                _words(here, reply),
                table.stored.game if table is not None and is_open else None,
                [*self.context.games],
                reply.texts,
            )
        )

    async def _is_closed(self, interaction: discord.Interaction) -> bool:
        """Whether the server's settings let nobody, or not this person, open a table here."""
        try:
            await require_doors(self.context, interaction)
        except TableError:
            return True
        return False


def _words(here: Here, reply: Reply) -> dict[str, object]:
    """What stands in the sentences of `can_do`."""
    words: dict[str, object] = {"count": here.waiting}
    if here.table is not None:
        words["game"] = reply.texts.game_name(here.table.stored.game)
    return words
