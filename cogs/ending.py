"""Ending a match by vote, and playing again: the rematch, or one deal alone."""

from __future__ import annotations

from contextlib import nullcontext
from functools import partial

from discord import app_commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.alone import begin_alone, play_again, show_open
from bot.answer.choices import TableCog, about_table, anywhere, require_let_in, require_permissions
from bot.answer.context import person_of
from bot.answer.origin import spoken_in
from bot.answer.reply import Reply
from bot.answer.sight import is_moderator, may_open, require_rematch_doors
from bot.answer.telling import awaits_message, greet, if_as_shown, post, say_turn
from bot.ids import ALONE
from bot.render.again import which_round, which_seat
from bot.render.custom_ids import Verb
from bot.render.message import Message
from bot.render.pages import confirm_end, note
from bot.tables import ending, new_tables
from bot.tables.model import Table, TableError
from bot.views.building import channel_view, table_head
from cogs.presses import table_press


class Ending(TableCog):
    """`/endgame`, `/rematch` and their buttons."""

    @app_commands.command(name="endgame", description="End the table, or vote to end it")
    @about_table(Need.DECIDE)
    @anywhere
    @table_press(Verb.END, Need.DECIDE)
    async def endgame(self, reply: Reply, table: Table) -> None:
        """End the table, or vote for it, after a confirmation."""
        await reply.whisper(_asked(reply, table))

    @app_commands.command(name="rematch", description="Play again with the same people")
    @about_table(Need.SIT, ended=True)
    @anywhere
    @table_press(Verb.REMATCH, Need.SIT)
    async def rematch(self, reply: Reply, table: Table) -> None:
        """Open the rematch, or join it; it opens here if this is the table's channel.

        Where a deal was played again it is dealt once more.
        """
        if table.stored.again is not None:
            await play_again(self.context, reply, table, 1, table.stored.again.seat)
            return
        here = reply.interaction.channel_id == table.stored.channel
        alone = table.stored.guild == ALONE
        if here and not alone:
            require_permissions(reply.interaction)
            await require_let_in(self.context, reply.interaction)
        user, interaction = reply.user, reply.interaction
        locale = spoken_in(interaction).own if alone else spoken_in(interaction).shared
        person = person_of(reply.interaction.user)
        tables = self.context.tables
        posting = self.context.posting(interaction, table.stored.channel, opens=True)
        try:
            opened = await tables.rematch(table.id, person, locale, may_open=False)
        except TableError as error:  # there is none yet
            if error.code != "may_not_open" or not (alone or may_open(interaction, table)):
                raise
            if not alone:
                await require_rematch_doors(self.context, interaction, table)
            try:
                with nullcontext() if alone else posting:
                    opened = await tables.rematch(table.id, person, locale)
            except TableError as refused:
                await show_open(self.context, reply, refused)
                return
        if alone:
            await begin_alone(self.context, reply, opened)
            return
        mine = opened.stored.seating.host == user and len(opened.stored.seating.people) == 1
        if here and mine and await awaits_message(self.context, opened):
            await post(self.context, reply, opened)
        else:
            seat = opened.stored.seating.place_of(user)
            if seat is None:
                await say_turn(self.context, reply, opened)
                return
            await reply.say("sit.done", seat=seat + 1)
            await self.context.publisher.flush(opened.id)
        await greet(self.context, reply, opened)

    @table_press(Verb.END_NOW, Need.DECIDE)
    async def _press_end_now(self, reply: Reply, table: Table) -> None:
        """Confirms `/endgame`; where that means something else by now it asks anew."""
        moderator = is_moderator(reply.interaction, table)
        done = self.context.tables.end_as_shown(
            table.id, reply.user, reply.press.argument, moderator=moderator
        )
        ended = await if_as_shown(reply, done, partial(_asked, reply))
        if ended is None:
            return
        code = "end.voted" if ended.stored.status.is_open else "end.done"
        await reply.panel(note(reply.texts.get(code)))
        await self.context.publisher.flush(table.id)


def _asked(reply: Reply, table: Table) -> Message:
    """The question before the table is ended, or voted about.  Raises what `ending.ends` does."""
    moderator, stored = is_moderator(reply.interaction, table), table.stored
    alone = ending.ends(table, reply.user, moderator=moderator) is ending.Ending.ALONE
    votes = None if alone else (len(stored.votes.end_votes), stored.seating.votes_needed)
    left = stored.timing.pace.waits.vote
    return confirm_end(table_head(table), votes, left, reply.texts)


# One deal again, alone.


class Again(TableCog):
    """*Play that deal again* and *Once more*."""

    @table_press(Verb.AGAIN, Need.SEE)
    async def play_again(self, reply: Reply, table: Table) -> None:
        """Deals at once if it is clear which round is meant, and from which seat."""
        said = reply.chosen[0] if reply.chosen else reply.press.argument
        named, place, page, *_ = [*said.split("|"), "", "", ""]
        rounds, head = new_tables.repeatable(table), channel_view(table).head
        if not rounds:
            raise TableError("deal_secret", table)
        if not named and len(rounds) > 1:
            number = given.page(page) or 0
            await reply.page(which_round(head, rounds, number, reply.texts))
            return
        number = given.number(named) if named else rounds[0]
        seat = new_tables.seat_of(table.stored.seating, reply.user)
        if seat is None and place:
            seat = given.number(place)
        if seat is None:
            await reply.page(which_seat(head, number, reply.texts))
            return
        await play_again(self.context, reply, table, number, seat)
