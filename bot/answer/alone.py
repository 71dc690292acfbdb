"""Playing alone, against computers: a table in a person's direct messages with the bot.

Board and hand are one message there, which nobody else sees; it is edited as the match goes on.
People who have added the bot to their own apps can begin anywhere: then the hand is also the answer
to their command, and is updated for as long as Discord lets us edit that.
"""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.answer.context import Context, person_of
from bot.answer.origin import Reach, reach_of, spoken_in
from bot.answer.panels import show_own_hand
from bot.answer.refusals import table_refusal
from bot.answer.reply import Reply
from bot.answer.telling import awaits_message, bring_to_bottom, post, show_way
from bot.ids import ALONE, ChannelId, GuildId, UserId
from bot.publish.refusals import FAILURES, Meaning, Purpose, read
from bot.render.channel import channel_message
from bot.tables.model import Table, TableCode, TableError
from bot.tables.plans import Wish
from bot.tables.stored import Pace, Status
from bot.views.building import channel_view
from engine.game import GameInfo, Seat


async def alone_place(
    context: Context, interaction: discord.Interaction
) -> tuple[GuildId, ChannelId]:
    """Place of a table for one person: their direct messages with the bot.

    Raises TableError `unreachable` if they take none, `held_dm` if Discord refuses all now.
    """
    if reach_of(interaction) is Reach.DM and interaction.channel_id is not None:
        return ALONE, ChannelId(interaction.channel_id)
    try:
        return ALONE, await context.publisher.requests.dm(UserId(interaction.user.id))
    except FAILURES as error:
        raise TableError(_why(error)) from error


async def play_alone(context: Context, reply: Reply, wish: Wish) -> None:
    """Deal a match against computers to the person, or show the one that they play already.

    Raises TableError `unreachable`, `held_dm`, and what `TableService.open` raises.
    """
    guild, channel = await alone_place(context, reply.interaction)
    wish = against_computers(wish, context.games[wish.game].info)
    try:
        table = await context.tables.open(wish, guild, channel, person_of(reply.interaction.user))
    except TableError as error:
        await show_open(context, reply, error)
    else:
        await begin_alone(context, reply, table)


async def show_open(context: Context, reply: Reply, error: TableError) -> None:
    """Say that there is a table already where one was to open, and show it; else raise `error`."""
    table = error.table
    if error.code != "channel_busy" or table is None:
        raise error
    reply.refused = error.code
    here = reply.interaction.channel_id == table.stored.channel
    if not here and table.stored.guild != ALONE:
        await show_way(context, reply, table, reply.texts.get("table.error.channel_busy_there"))
        return
    said = table_refusal(reply.texts, error)
    if table.stored.guild != ALONE and table.stored.seating.place_of(reply.user) is not None:
        leads = table.stored.status is Status.LOBBY and table.stored.seating.host == reply.user
        said = reply.texts.get(f"table.error.channel_{'open' if leads else 'yours'}")
    if here:
        await bring_to_bottom(context, reply, table, said)
    elif table.running:
        await show_own_hand(context, reply, table, notice=said)
    else:  # its beginning was cut off
        await reply.whisper(channel_message(channel_view(table), reply.texts).noted(said))


async def play_again(context: Context, reply: Reply, table: Table, number: int, seat: Seat) -> None:
    """Deal round `number` of `table` again to the person at `seat`, or show what they play already.

    Raises TableError `unreachable`, `held_dm`, and what `TableService.play_again` raises.
    """
    _, channel = await alone_place(context, reply.interaction)
    person, locale = person_of(reply.interaction.user), spoken_in(reply.interaction).own
    try:
        dealt = await context.tables.play_again(table.id, number, seat, person, channel, locale)
    except TableError as error:
        await show_open(context, reply, error)
        return
    await context.publisher.flush(dealt.id)
    await _require_board(context, reply, dealt)
    if reply.interaction.channel_id == channel:
        await reply.say("again.dealt")
        return
    now = await context.tables.table(dealt.id)
    await show_own_hand(context, reply, now, notice=reply.texts.get("alone.begun"))


def against_computers(wish: Wish, info: GameInfo) -> Wish:
    """The same wish for one person: all other seats are computers', and no clock runs."""
    count, level = wish.computers
    seats = wish.seats or (count + 1 if count else info.seats[-1])
    return replace(wish, seats=seats, private=True, pace=Pace.NONE, computers=(seats - 1, level))


def _why(error: Exception) -> TableCode:
    """The refusal for a person who cannot be written to."""
    return "held_dm" if read(error, Purpose.LETTER) is Meaning.LATER else "unreachable"


async def begin_alone(context: Context, reply: Reply, table: Table) -> None:
    """Deals at once; first a message publishes what binds the deals.

    After an earlier press, which may have been cut off, it shows the way to that message.

    Raises TableError `unreachable` or `held_dm`, and leaves no table, where that cannot be sent.
    """
    if not await awaits_message(context, table):
        if not table.running:
            await context.tables.start(table.id, reply.user)
            await context.publisher.flush(table.id)
        await show_way(context, reply, table, reply.texts.get("table.error.started"))
        return
    there = reply.interaction.channel_id == table.stored.channel
    if there:
        await post(context, reply, table)
    else:
        await context.publisher.repost(table.id)
        await _require_board(context, reply, table)
    await context.tables.start(table.id, reply.user)
    await context.publisher.flush(table.id)
    if not there:
        now = await context.tables.table(table.id)
        await show_own_hand(context, reply, now, notice=reply.texts.get("alone.begun"))


async def _require_board(context: Context, reply: Reply, table: Table) -> None:
    """Raises TableError `unreachable` or `held_dm`, and leaves the table, if it has no message."""
    if await context.publisher.board_place(table.id) is None:
        await context.tables.leave(table.id, reply.user)
        raise TableError("held_dm" if context.publisher.held else "unreachable")
