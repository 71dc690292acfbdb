"""Ids of tables, users and messages, each a type of its own for mypy.

They are made where they come from: Discord's objects, rows of the database, `custom_id`s.
"""

from __future__ import annotations

from typing import Final, NewType, TypeAlias

UserId = NewType("UserId", int)
MOST_ID: Final = 2**63 - 1
"""Ids of Discord have 64 bits, of which the first is not used; a database holds no larger one."""
GuildId = NewType("GuildId", int)
"""Of a server."""
ALONE: Final = GuildId(0)
"""In place of a server: a table of one person alone, in their direct messages with the bot.  No
server of Discord's has it."""
ChannelId = NewType("ChannelId", int)
"""Of a channel, a thread, or what two people write in directly."""
MessageId = NewType("MessageId", int)
TableId = NewType("TableId", str)
"""Of a table, public (`T7Q2`): letters that cannot be mistaken, digits."""
PlanId: TypeAlias = TableId
"""Of a plan, and of the table that opens for it."""
QuestionId = NewType("QuestionId", int)
"""Of a question put to a seat: the ply at which it was put."""
