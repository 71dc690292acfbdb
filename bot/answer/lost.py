"""Presses on messages of another epoch: of before the database was restored, or of its lost future.

None of them does anything but show the table as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord

from bot.answer.context import Context
from bot.answer.reply import Drawn, Origin, Reply
from bot.ids import ChannelId, MessageId
from bot.render.channel import channel_message
from bot.render.custom_ids import Press
from bot.render.hand import hand_panel
from bot.render.pages import below
from bot.tables.model import Table
from bot.views.building import channel_view, hand_view


def tells_of_a_restoration(interaction: discord.Interaction, press: Press, table: Table) -> bool:
    """Whether a message of ours asks what nobody can have been asked yet: a question of a future
    that the database does not know.

    What is merely claimed counts for nothing: it would stop every match.
    """
    if not table.stored.status.is_open or interaction.message is None:
        return False
    stands = (table.stored.epoch, table.ply)
    if (press.epoch, press.question or 0) <= stands:
        return False
    me = interaction.client.user
    mine = me is not None and interaction.message.author.id == me.id
    return mine and press.encode() in _custom_ids(interaction.message.components)


async def show_as_it_is(context: Context, reply: Reply, press: Press, table: Table) -> None:
    """The table as it stands, in the place of what was pressed; that gives way to the board."""
    reply.refused = "restored"
    said = reply.texts.get("error.restored")
    where = await context.publisher.where(table.id)
    hand = hand_view(table, reply.user, where, notice=said)
    if hand is not None:
        drawn = await reply.panel(hand_panel(hand, reply.texts))
    else:
        shown = channel_message(channel_view(table), reply.texts, watched=table.begun)
        drawn = await reply.panel(below(said, shown))
    pressed, epoch = reply.interaction.message, table.stored.epoch
    if pressed is None:
        return
    channel, message = ChannelId(pressed.channel.id), MessageId(pressed.id)
    if reply.origin is Origin.CHANNEL:
        await context.publisher.outlived(table.id, channel, message, press.epoch)
        await context.publisher.flush(table.id)
    elif reply.origin is Origin.DM and drawn is Drawn.IN_PLACE and hand is not None:
        await context.publisher.note_panel(
            table.id, reply.user, channel, message, hand.question, epoch
        )


def _custom_ids(components: Any) -> Iterator[str]:
    """Of everything in a message, whatever it stands in."""
    for component in components:
        if found := getattr(component, "custom_id", None):
            yield found
        yield from _custom_ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            yield from _custom_ids((accessory,))
