"""Kinds of messages on Discord, and the columns of one that is stored."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final, TypeAlias

from bot.ids import ChannelId, MessageId, QuestionId

Row: TypeAlias = tuple[
    str, int, ChannelId, MessageId, datetime, int, QuestionId | None, bool, str, str, int
]
"""Kind, key, channel id, message id, when it was posted, round, question, and whether it warns; of
a message on its way its nonce, and the kind and key that it is to have.
"""


class Kind(StrEnum):
    """The role of a message for its table."""

    BOARD = "board"
    """The message in the channel, while the table is open."""
    RESULT = "result"
    """The board of a table that is over: it shows the result, and stays."""
    HAND = "hand"
    """A person's hand, by direct message."""
    WHISPER = "whisper"
    """A person's hand in a channel, which they alone see; not stored (`bot.publish.messages`)."""
    GREETING = "greeting"
    """The first direct message to a person who sat down: it has the commitment to the deals, and is
    neither edited nor deleted.  Of a plan: the direct message when its time comes."""
    NOTICE = "notice"
    """The line in the channel that calls the people who are asked."""
    INVITATION = "invitation"
    """The line in the channel that invites a person to a table."""
    SUBSTITUTE = "substitute"
    """The line in the channel that offers a free seat of a running match."""
    OFFER = "offer"
    """The line in the channel that calls a person in line to the place that is offered to them."""
    CALL = "call"
    """The line in the channel that calls a role of the server to a table that has opened.  Of a
    plan: one that calls people to it, by its number."""
    REPORT = "report"
    """The line with the result, in the channel that the server has chosen for that."""
    RETIRED = "retired"
    """No longer shows the table, and is to be deleted."""
    REPLACED = "replaced"
    """Was the message in the channel; a line with a link to the new one is to take its place."""
    SENDING = "sending"
    """Is on its way, or was when the program died: it has no id yet."""


FOR_ONE: Final = (Kind.HAND, Kind.WHISPER, Kind.GREETING, Kind.INVITATION, Kind.OFFER)
"""Kinds of messages that are for one person each, whose id is the key."""
