"""Messages whose emoji Discord refuses: they are sent again without emoji.

Otherwise a deleted emoji would keep back every message that has it on a button; and sometimes
Discord refuses one that exists.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import discord

from bot.emojis import doubt_emojis
from bot.render.message import Message

MALFORMED: Final = 50035
"""A part of the message is not as it should be; the text says which."""

T = TypeVar("T")


async def send_or_without_emoji(message: Message, send: Callable[[Message], Awaitable[T]]) -> T:
    """The result of `send`; of a second try without emoji if one of them was refused."""
    try:
        return await send(message)
    except discord.HTTPException as error:
        if error.code != MALFORMED or "emoji" not in error.text or message.without_emoji is None:
            raise
        doubt_emojis()
        return await send(message.without_emoji)
