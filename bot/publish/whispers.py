"""Private hands in channels, as long as they can be edited.

Discord lets such a message be edited or deleted for fifteen minutes after the press that drew it,
with a secret that came with the press.  That secret is in discord.py's message only: it is kept in
memory, is part of no `repr` and no log line, and is stored nowhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, TypeAlias

import discord
from cachetools import TTLCache

from bot.ids import MessageId

EDITABLE_TIME: Final = timedelta(minutes=14)
"""How long what a press drew is edited or deleted: Discord allows one minute more."""

MAX_SECONDS: Final = 10.0
"""Seconds that editing or deleting one may take."""

MAX_WHISPERS: Final = 2_000
"""Maximum number of hands that are edited; a press on another shows the table as it is."""

SentWhisper: TypeAlias = discord.InteractionMessage | discord.WebhookMessage
"""A message that the answer to a press has made or redrawn."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """The message of a hand that its owner alone sees."""

    message: SentWhisper = field(repr=False)
    files: bool = True
    """Whether we may attach files there."""


Whispers: TypeAlias = "TTLCache[MessageId, Whisper]"


def editable(clock: Callable[[], datetime]) -> Whispers:
    """Room for hands that can still be edited, by message."""
    seconds = EDITABLE_TIME.total_seconds()
    return TTLCache(MAX_WHISPERS, seconds, timer=lambda: clock().timestamp())
