"""First steps: `/help`, `/about`, `/rules`, a match to try, and the message to a new server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version

import discord
from discord import app_commands
from discord.ext import commands

from bot.answer import given
from bot.answer.alone import play_alone
from bot.answer.choices import GAMES, ContextCog, anywhere, may_open_here, require_doors
from bot.answer.origin import Reach, reach_of, spoken_in
from bot.answer.reply import Reply, answering
from bot.answer.sight import table_here
from bot.i18n import texts
from bot.ids import GuildId, TableId, UserId
from bot.publish.refusals import FAILURES
from bot.publish.requests import Priority, log_failure
from bot.render.custom_ids import Verb
from bot.render.first_steps import about_page, arrival_message, help_page, which_game
from bot.render.pages import rules_page
from bot.tables import lobby, queueing
from bot.tables.model import Table, TableError
from bot.tables.plans import Wish
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


# What somebody can do where they are now: the lines of `/help`, as codes.  Pure.


@dataclass(frozen=True, slots=True)
class Here:
    """A person, where they are, and what is there."""

    user: UserId
    on_server: bool
    """Whether this is a channel of a server where the program is a member."""
    table: Table | None = None
    """The open table of this place, else the one that was there last; None: there was none."""
    may_open: bool = False
    """Whether they may write and use commands here, and the program may write."""
    closed: bool = False
    """Whether the server's settings let them open no table here."""
    moderates: bool = False
    manages: bool = False
    waiting: int = 0
    """Number of other tables where they are asked something."""


def can_do(here: Here) -> tuple[str, ...]:
    """Codes of what they can do, the nearest first; behind each the house has one sentence."""
    return tuple(_lines(here))


def _lines(here: Here) -> Iterator[str]:
    table = here.table
    is_open = table is not None and table.stored.status.is_open
    if table is not None and is_open:
        yield from _at_a_table(here, table)
    if here.waiting:
        yield "help.waiting" if is_open else "help.waiting_elsewhere"
    if table is not None and not is_open and table.stored.seating.place_of(here.user) is not None:
        yield "help.over"
    if not is_open and here.on_server:
        may_not = "help.closed" if here.closed else "help.may_not_open"
        yield "help.open" if here.may_open and not here.closed else may_not
    if not (is_open and not here.on_server):
        yield "help.alone"
    if here.on_server:
        yield "help.server"
    if here.manages:
        yield "help.settings"
    yield "help.rules"


def _at_a_table(here: Here, table: Table) -> Iterator[str]:
    """What can be done at an open table, by whether they sit at it."""
    seating = table.stored.seating
    seated = seating.place_of(here.user) is not None
    if table.waits_for(here.user):
        yield "help.asked"
    if table.running:
        yield "help.seated" if seated else "help.watch"
        takes = queueing.seat_for(table, here.user)
        if not seated and takes is not None and not seating.private:
            yield "help.free_seat"
    elif not seated:
        full = not seating.open_to(here.user)
        yield "help.full" if full else "help.invited" if seating.private else "help.join"
    else:
        yield "help.host" if seating.host == here.user else "help.guest"
    if queueing.is_the_way(table.stored, here.user) and lobby.is_welcome(seating, here.user):
        if seating.waits(here.user):
            yield "help.in_line"
        elif not queueing.is_full(seating):
            yield "help.line"
    if here.moderates and not seated:
        yield "help.moderate"


# The rules of a game, in chat.


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
