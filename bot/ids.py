"""Ids of tables, users and messages, each a type of its own for mypy; who sits at a table.

Ids are made where they come from: Discord's objects, rows of the database, `custom_id`s.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Set
from dataclasses import dataclass
from typing import Any, Final, NewType, TypeAlias

from engine.players.levels import Level

UserId = NewType("UserId", int)
"""Id of a person.  Below 0 it is nobody's on Discord: it stands for a person who was forgotten."""
MOST_ID: Final = 2**63 - 1
"""Largest id of Discord: 64 bits, of which the first is not used; a database holds no larger
one."""
GuildId = NewType("GuildId", int)
"""Id of a server."""
ALONE: Final = GuildId(0)
"""In place of a server: a table of one person alone, in their direct messages with the bot.  No
server of Discord's has it."""
ChannelId = NewType("ChannelId", int)
"""Id of a channel, a thread, or a direct message."""
RoleId = NewType("RoleId", int)
"""Id of a role; the one that everybody has is that of its server."""
MessageId = NewType("MessageId", int)
TableId = NewType("TableId", str)
"""Id of a table, public (`T7Q2K`): letters that cannot be mistaken for each other, and digits."""
PlanId: TypeAlias = TableId
"""Id of a plan, and of the table that opens for it."""
QuestionId = NewType("QuestionId", int)
"""Number of a question put to a seat: the ply at which it was put."""


# Who sits there.


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer player at a table; it has no name but what each language calls it."""

    number: int
    """From 1, in the order of the seats: what tells it from the others at its table."""
    level: Level


@dataclass(frozen=True, slots=True)
class Somebody:
    """Whoever was forgotten, or is not to be named: only what each language calls them."""

    seat: int | None = None
    """Where they sit, if that has to tell them from others at their table."""


def is_forgotten(user: UserId) -> bool:
    """Whether it is the id of somebody who was forgotten: such an id is nobody's."""
    return user < 0


Named: TypeAlias = str | Somebody
"""A person's own name, or somebody who was forgotten."""

Called: TypeAlias = Named | Computer
"""What a person or a computer player is called."""


def own_name(user: UserId, name: str) -> Named:
    """The name of one person, who need not be told from others."""
    return Somebody() if is_forgotten(user) else name


# Caches of what is known by id: what was forgotten in the store is dropped there.

Ids: TypeAlias = Set[int | str]
"""Ids of tables, plans, people and servers: none of one kind is one of another's."""


def drop(known: MutableMapping[Any, Any], ids: Ids | None) -> None:
    """Drop all that is known under one of these ids, or under a key that has one of them.

    None: all that is known.
    """
    if ids is None:
        known.clear()
        return
    pairs = [key for key in known if isinstance(key, tuple) and not ids.isdisjoint(key)]
    for key in (*ids, *pairs):
        known.pop(key, None)
