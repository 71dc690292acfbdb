"""Showing everybody in a channel the content of a private answer: once, silently, by name.

The post is made from what everybody may see, in the language of the server: nothing is taken from
the answer itself.
"""

from __future__ import annotations

from collections.abc import Callable

import discord

from bot.answer.context import Context, place_of
from bot.answer.origin import Reach, reach_of, spoken_in
from bot.answer.reply import Reply
from bot.i18n import Texts, texts
from bot.ids import ChannelId
from bot.render.message import Message
from bot.tables.model import Table


def may_share(interaction: discord.Interaction, channel: ChannelId | None = None) -> bool:
    """Whether the person could write where they are; with `channel` only if that is there."""
    if reach_of(interaction) is not Reach.SERVER or channel not in (None, interaction.channel_id):
        return False
    thread = isinstance(interaction.channel, discord.Thread)
    may = interaction.permissions
    return may.send_messages_in_threads if thread else may.send_messages


async def share(
    context: Context,
    reply: Reply,
    make: Callable[[str, Texts], Message],
    table: Table | None = None,
) -> None:
    """Post what `make` returns for the person's name and the server's words.

    A `table` is shared only in its own channel, since elsewhere it is unknown who may see it.
    """
    interaction, pressed = reply.interaction, reply.interaction.message
    if pressed is None:
        await reply.say("error.moved_on")
    elif reach_of(interaction) is not Reach.SERVER:
        await reply.say("share.no_channel")
    elif table is not None and interaction.channel_id != table.stored.channel:
        await reply.say("share.elsewhere")
    elif not may_share(interaction):
        await reply.say("share.may_not")
    elif pressed.id in context.shared:
        await reply.say("share.again")
    else:
        _, here = place_of(interaction)
        with context.posting(interaction, here):
            context.shared[pressed.id] = None  # at once: of two presses one comes second
            posted = None
            try:
                words = texts(
                    spoken_in(interaction).shared if table is None else table.stored.locale
                )
                message = make(interaction.user.display_name, words)
                posted = await reply.post(message, silent=True)
            finally:
                if posted is None:
                    context.shared.pop(pressed.id, None)
