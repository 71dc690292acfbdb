"""Presses on messages of another epoch: of before the database was restored, or of its lost future.

None of them does anything but show the table as it stands.
"""

from __future__ import annotations

import discord

from bot.answer.context import Context, locale_of
from bot.answer.origin import Origin
from bot.answer.panels import show_hand
from bot.answer.reply import Reply
from bot.i18n import texts
from bot.ids import ChannelId, MessageId
from bot.render.channel import channel_message
from bot.render.custom_ids import Press, presses_in
from bot.render.pages import below, note
from bot.tables.model import Table, TableError
from bot.views.building import channel_view, hand_view


def tells_of_a_restoration(interaction: discord.Interaction, press: Press, table: Table) -> bool:
    """Whether a message of ours asks what nobody can have been asked yet: a question of a future
    that the database does not know.

    What is merely claimed counts for nothing: it would stop every match.
    """
    if not table.stored.status.is_open:
        return False
    stands = (table.stored.epoch, table.ply)
    return (press.epoch, press.question or 0) > stands and _is_there(interaction, press)


async def is_about_nothing(
    context: Context, interaction: discord.Interaction, press: Press
) -> bool:
    """Whether a message of ours is about a table that there is not: one that was opened in the
    future that was lost, or that nobody needs any more.
    """
    if not _is_there(interaction, press):
        return False
    try:
        await context.tables.find(press.table)
    except TableError as error:
        return error.code == "no_such_table"
    return False


async def put_away(reply: Reply) -> None:
    """Leaves one line where a message was that is about nothing."""
    reply.refused = "no_such_table"
    public = reply.origin is Origin.CHANNEL
    words = texts(locale_of(reply.interaction)) if public else reply.texts
    await reply.redraw(note(words.get("retired.gone")))


async def show_as_it_is(context: Context, reply: Reply, press: Press, table: Table) -> None:
    """The table as it stands, in the place of what was pressed; that gives way to the board."""
    reply.refused = "restored"
    said = reply.texts.get("error.restored")
    where = await context.publisher.where(table.id)
    hand = hand_view(table, reply.user, where, notice=said)
    if hand is not None:
        await show_hand(context, reply, hand)
    else:
        shown = channel_message(channel_view(table), reply.texts, watched=table.begun)
        await reply.panel(below(said, shown))
    pressed = reply.interaction.message
    if pressed is not None and reply.origin is Origin.CHANNEL:
        channel, message = ChannelId(pressed.channel.id), MessageId(pressed.id)
        await context.publisher.outlived(table.id, channel, message, press.epoch)
        await context.publisher.flush(table.id)


def _is_there(interaction: discord.Interaction, press: Press) -> bool:
    """Whether it stands in the message, which is ours: whoever forges a press forges nothing so."""
    message, me = interaction.message, interaction.client.user
    if message is None or me is None or message.author.id != me.id:
        return False
    return press in presses_in(message.components)
