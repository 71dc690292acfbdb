"""Seats: taking one, who sits where, invitations, computer players, sending people away."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.choices import LEVELS, MAX_SEATS, TableCog, about_table, guild_only
from bot.answer.context import person_of
from bot.answer.inviting import invite, never_with
from bot.answer.reply import Reply, answering
from bot.answer.sight import is_moderator, named_table
from bot.answer.telling import answer_then_tell, greet, if_as_shown, say_seated, say_turn
from bot.i18n import safe_name
from bot.ids import UserId
from bot.render.components import button
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import computers_page, confirm_kick, note
from bot.render.seats import name as seated
from bot.render.seats import with_level
from bot.tables import ending, lobby
from bot.tables.lobby import require_host, require_lobby
from bot.tables.model import Table, TableError
from bot.tables.stored import DeadlineKind
from bot.views.building import due_at, kick_view, table_head
from cogs.presses import page_press, table_press
from engine.players.levels import Level


class Seats(TableCog):
    """Commands and buttons about seats."""

    # Commands

    @app_commands.command(name="join", description="Sit down at the table in this channel")
    @about_table(Need.SIT)
    @guild_only
    @table_press(Verb.JOIN, Need.SIT)
    async def join(self, reply: Reply, table: Table) -> None:
        await self._sit(reply, table, None)

    seat = app_commands.Group(
        name="seat",
        description="Who sits at the table",
        allowed_contexts=app_commands.AppCommandContext(guild=True),
    )

    @seat.command(name="invite", description="Invite somebody to your table")
    @app_commands.describe(player="Which player")
    @about_table(Need.LEAD)
    async def seat_invite(self, reply: Reply, table: Table, player: discord.User) -> None:
        await invite(self.context, reply, table, UserId(player.id))

    @seat.command(name="add", description="Seat a computer player at your table")
    @app_commands.describe(
        level="How strong it plays", seat="Number of the seat, as in the lobby; else the first free"
    )
    @app_commands.choices(level=LEVELS)
    @about_table(Need.LEAD)
    async def seat_add(
        self,
        reply: Reply,
        table: Table,
        level: str = lobby.USUAL_LEVEL.value,
        seat: app_commands.Range[int, 1, MAX_SEATS] | None = None,
    ) -> None:
        place = None if seat is None else seat - 1
        table, said = await self._seat_computer(reply, table, given.one_of(Level, level), place)
        await reply.whisper(note(said))
        await self.context.publisher.flush(table.id)

    @seat.command(name="kick", description="Remove somebody from the table, or vote to")
    @app_commands.describe(
        player="Which player", seat="Number of the seat instead, as on the board: computers too"
    )
    @about_table(Need.DECIDE)
    async def seat_kick(
        self,
        reply: Reply,
        table: Table,
        player: discord.User | None = None,
        seat: app_commands.Range[int, 1, MAX_SEATS] | None = None,
    ) -> None:
        """Asks first, and says what it means; a computer player goes at once."""
        seating = table.stored.seating
        if player is None and seat is not None and seat - 1 in seating.computers:
            table, said = await self._send_computer_away(reply, table, seat - 1)
            await reply.whisper(note(said))
            await self.context.publisher.flush(table.id)
            return
        target = UserId(player.id) if player is not None else _to_send_away(table, seat)
        await reply.whisper(self._asked(reply, table, target))

    @seat.command(name="host", description="Make somebody else at the table the host")
    @app_commands.describe(player="Which player")
    @about_table(Need.LEAD)
    async def seat_host(self, reply: Reply, table: Table, player: discord.User) -> None:
        table = await self.context.tables.hand_over(table.id, reply.user, UserId(player.id))
        place = table.stored.seating.place_of(UserId(player.id)) or 0
        await reply.say("seat.host_is", name=seated(table_head(table), place, reply.texts))
        await self.context.publisher.flush(table.id)

    @seat.command(name="take", description="Take a free seat, or take yours back from a stand-in")
    @app_commands.describe(seat="Number of the seat, as on the board")
    @about_table(Need.SIT)
    async def seat_take(
        self, reply: Reply, table: Table, seat: app_commands.Range[int, 1, MAX_SEATS]
    ) -> None:
        await self._sit(reply, table, seat - 1)

    # Presses

    @table_press(Verb.SIT, Need.SIT)
    async def _press_sit(self, reply: Reply, table: Table) -> None:
        """Takes a seat of the menu; the host swaps with nobody but whom it named there."""
        place, _, user = reply.choice.partition("|")
        shown = given.user(user) if user else lobby.UNSEATED
        await self._sit(reply, table, given.number(place), shown)

    @table_press(Verb.TAKE, Need.SIT)
    async def _press_take(self, reply: Reply, table: Table) -> None:
        await self._sit(reply, table, given.number(reply.press.argument))

    @table_press(Verb.OUT, Need.SEE)
    async def _press_out(self, reply: Reply, table: Table) -> None:
        """Leaves the line, by the answer that said one stands there, or by the offer of a seat."""
        table = await self.context.tables.get_out(table.id, reply.user)
        await reply.panel(note(reply.texts.get("line.left")))
        await self.context.publisher.flush(table.id)

    @table_press(Verb.KICK_NOW, Need.DECIDE)
    async def _press_kick_now(self, reply: Reply, table: Table) -> None:
        """Confirms `/seat kick`; where that means something else by now it asks anew."""
        shown, _, user = reply.press.argument.rpartition("|")
        target = given.user(user)
        seat = table.stored.seating.place_of(target)
        waiting = (one.name for one in table.stored.seating.waiting if one.id == target)
        name = (
            safe_name(next(waiting, ""))
            if seat is None
            else seated(table_head(table), seat, reply.texts)
        )
        moderator = is_moderator(reply.interaction, table)
        kicking = self.context.tables.kick_as_shown(
            table.id, reply.user, target, shown, moderator=moderator
        )
        after = await if_as_shown(reply, kicking, lambda now: self._asked(reply, now, target))
        if after is None:
            return
        if votes := after.stored.votes.away_votes.get(target):
            needed = after.stored.seating.votes_to_remove
            said = reply.texts.get("seat.voted_out", name=name, count=len(votes), needed=needed)
        elif seat is None:
            said = reply.texts.get("line.kicked", name=name)
        elif after.running:
            said = reply.texts.get("seat.kicked_match", name=name, seat=seat + 1)
        else:
            said = reply.texts.get("seat.kicked", name=name)
        await reply.panel(note(said))
        await self.context.publisher.flush(table.id)

    @table_press(Verb.COMPUTERS, Need.LEAD)
    async def _press_computers(self, reply: Reply, table: Table) -> None:
        """Shows the host which computer players there are, and which there may be."""
        require_lobby(table.stored)
        require_host(table.stored, reply.user)
        await reply.whisper(_computers(reply, table))

    @table_press(Verb.ADD_COMPUTER, Need.LEAD)
    async def _press_add_computer(self, reply: Reply, table: Table) -> None:
        level = given.one_of(Level, reply.press.argument)
        table, said = await self._seat_computer(reply, table, level, None)
        await self._show_computers(reply, table, said)

    @table_press(Verb.NO_COMPUTER, Need.LEAD)
    async def _press_no_computer(self, reply: Reply, table: Table) -> None:
        place = given.number(reply.press.argument)
        table, said = await self._send_computer_away(reply, table, place)
        await self._show_computers(reply, table, said)

    @table_press(Verb.SHUFFLE, Need.LEAD)
    async def _press_shuffle(self, reply: Reply, table: Table) -> None:
        table = await self.context.tables.shuffle_seats(table.id, reply.user)
        seat = (table.stored.seating.place_of(reply.user) or 0) + 1
        await answer_then_tell(
            self.context, reply, table, lambda _: reply.say("seat.shuffled", seat=seat)
        )

    # What several of them do

    def _asked(self, reply: Reply, table: Table, target: UserId) -> Message:
        """The question whether the person removes `target`.

        Raises what `ending.kick` raises if they may not.
        """
        moderator = is_moderator(reply.interaction, table)
        now, user = self.context.clock(), reply.user
        meant = ending.removal(table, now, user, target, moderator=moderator)
        view = kick_view(table, target, meant)
        if view is None:  # whom `removal` has found is there
            raise TableError("target_not_seated", table)
        return confirm_kick(view, reply.texts)

    async def _show_computers(self, reply: Reply, table: Table, said: str) -> None:
        await reply.panel(_computers(reply, table, said))
        await self.context.publisher.flush(table.id)

    async def _seat_computer(
        self, reply: Reply, table: Table, level: Level, place: int | None
    ) -> tuple[Table, str]:
        """The table with one more computer player, and the sentence about it."""
        before = table.stored.seating.computers.keys()
        table = await self.context.tables.seat_computer(table.id, reply.user, level, place)
        seated = table.stored.seating.computers
        at = next((seat for seat in seated if seat not in before), next(iter(seated), 0))
        who = with_level(seated[at], reply.texts) if at in seated else ""
        return table, reply.texts.get("computers.seated", name=who, seat=at + 1)

    async def _send_computer_away(
        self, reply: Reply, table: Table, place: int
    ) -> tuple[Table, str]:
        """The table without the computer player at `place`, and the sentence about it."""
        who = table.stored.seating.computers.get(place)
        table = await self.context.tables.send_computer_away(table.id, reply.user, place)
        name = "" if who is None else with_level(who, reply.texts)
        return table, reply.texts.get("computers.gone", name=name, seat=place + 1)

    async def _sit(
        self, reply: Reply, table: Table, place: int | None, shown: UserId | None = None
    ) -> None:
        user = reply.user
        before = table.stored.seating.place_of(user)
        away = before is not None and table.stored.seating.places[before].away
        person = person_of(reply.interaction.user)
        table = await self.context.tables.sit(table.id, person, place, shown)
        seat = table.stored.seating.place_of(user)
        if before is not None and before == seat:
            await reply.say("back.done" if away else "sit.already", seat=seat + 1)
            await self.context.publisher.flush(table.id)
            return
        if seat is None:
            await say_turn(self.context, reply, table)
            return
        said = note(reply.texts.get("sit.done", seat=seat + 1))
        await answer_then_tell(self.context, reply, table, lambda _: say_seated(reply, said))
        if before is None:
            await greet(self.context, reply, table)


def _to_send_away(table: Table, number: int | None) -> UserId:
    """The person on the seat of that number.

    Raises TableError `kick_whom` (nobody was named), `target_not_seated`.
    """
    if number is None:
        raise TableError("kick_whom")
    person = table.stored.seating.person_at(number - 1)
    if person is None:
        raise TableError("target_not_seated")
    return person.id


def _computers(reply: Reply, table: Table, said: str = "") -> Message:
    # Seats that are offered to people in line become free at times of their own.
    kept = None if table.stored.seating.offers else due_at(table, DeadlineKind.KEPT)
    counts = table.stored.counting.counts(hinted=False, computers=True)
    return computers_page(table_head(table), reply.texts, said, kept=kept, counts=counts)


# Invitations.


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
