"""Ids, each of a type of its own, so that no checker lets one stand for another.

They are made where they come from: Discord's objects, rows of the database, `custom_id`s.
"""

from __future__ import annotations

from typing import NewType

UserId = NewType("UserId", int)
GuildId = NewType("GuildId", int)
"""Of a server."""
ChannelId = NewType("ChannelId", int)
"""Of a channel, a thread, or what two people write in directly."""
MessageId = NewType("MessageId", int)
TableId = NewType("TableId", str)
"""Of a table, public (`T7Q2`): letters that cannot be mistaken, digits."""
QuestionId = NewType("QuestionId", int)
"""Of a question put to a seat: the ply at which it was put."""
