"""Reading typed, chosen or pressed values: each was offered, or is refused.

A press can be forged, and its values may have been offered by an earlier version of the program.
Tables, plans and actions are looked up elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from bot.i18n import languages
from bot.ids import MOST_ID, UserId
from bot.render.preferences import DISCORD
from bot.tables.model import TableError
from engine.players.levels import Level

S = TypeVar("S", bound=str)

MAX_DIGITS: Final = 7
"""Maximum number of digits: more than any page, seat or round has."""


def one_of(offered: Iterable[S], value: str) -> S:
    """The one that is meant.  Raises TableError `not_offered`."""
    for one in offered:
        if one == value:
            return one
    raise TableError("not_offered")


def whole(value: str) -> int | None:
    """A number from 0; None if it is malformed or too long."""
    return int(value) if value.isdecimal() and len(value) <= MAX_DIGITS else None


def number(value: str) -> int:
    """A number from 0, as of a page or a seat.  Raises TableError `not_offered`."""
    found = whole(value)
    if found is None:
        raise TableError("not_offered")
    return found


def language(value: str) -> str:
    """A language that there is; empty for that of Discord.  Raises TableError `not_offered`."""
    found = one_of((DISCORD, *languages()), value)
    return "" if found == DISCORD else found


def page(value: str) -> int | None:
    """The number of a page; None if it is empty.  Raises TableError `not_offered`."""
    return number(value) if value else None


def switch(value: str) -> bool:
    """`1` or `0`.  Raises TableError `not_offered`."""
    if value not in ("0", "1"):
        raise TableError("not_offered")
    return value == "1"


def user(value: str) -> UserId:
    """A user's id.  Raises TableError `not_offered` if it cannot be one of Discord's."""
    return UserId(snowflake(value))


def snowflake(value: str) -> int:
    """The same of anything on Discord."""
    found = int(value) if value.isdecimal() and len(value) <= len(str(MOST_ID)) else 0
    if not 0 < found <= MOST_ID:
        raise TableError("not_offered")
    return found


def is_id(value: str) -> bool:
    """Whether a table or plan may be called that: databases choke on some other texts."""
    return value.isascii() and value.isalnum()


def computers(value: str | None) -> tuple[int, Level]:
    """How many computer players, and how strong: `2 easy`.  Raises TableError `not_offered`."""
    if value is None:
        return 0, Level.NORMAL
    count, _, level = value.partition(" ")
    return number(count), one_of(Level, level)
