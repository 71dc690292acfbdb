"""Refusals of Discord: the meaning of each, by what was asked; messages without emoji.

One table for all requests of the program: missing permissions and time-outs, what was deleted, what
is too old, limits.  Callers decide what to do about a meaning; only this module knows the numbers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple, TypeVar

import aiohttp
import discord

from bot.emojis import doubt_emojis
from bot.render.message import Message


class Purpose(Enum):
    """The purpose of a request."""

    POST = auto()
    """A new message in a channel or thread."""
    EDIT = auto()
    """Another face for a message that is there."""
    TIDY = auto()
    """To look for a message, or to take it away."""
    LETTER = auto()
    """A direct message, or the channel for those."""
    PERSON = auto()
    """To look up a person on a server or in a thread."""
    PLACE = auto()
    """To look up a server, channel or thread, or to change a server's calendar."""
    ANSWER = auto()
    """The answer to a command or press."""


class Meaning(Enum):
    """The meaning of a refusal."""

    GONE = auto()
    """The message does not exist any more."""
    STUCK = auto()
    """The message is there and cannot be edited: another takes its place."""
    VANISHED = auto()
    """The channel or thread, or the server, does not exist any more."""
    BARRED = auto()
    """The program lacks a permission: trying again soon is no use."""
    LOCKED = auto()
    """The thread is locked: trying again soon is no use."""
    CLOSED = auto()
    """This person cannot be written to."""
    ABSENT = auto()
    """This person is not on the server, or not in the thread."""
    LATER = auto()
    """It says nothing of the request: it is about the program, or Discord, and passes."""
    LATE = auto()
    """The command or press cannot be answered any more."""
    ANSWERED = auto()
    """The command or press was answered already."""
    UNKNOWN = auto()
    """An unknown reason: the same request would be refused again."""


UNSEEN: Final = frozenset({Meaning.GONE, Meaning.VANISHED, Meaning.CLOSED})
"""Meanings after which nobody sees a message."""


MAX_REFUSALS: Final = 3
"""Refusals of a message in a row, for an unknown reason, after which the next is not waited for."""


class Refusal(NamedTuple):
    """What Discord said to a message that it did not take."""

    meaning: Meaning
    passes: bool
    """Whether trying again soon is of use."""
    code: int = 0


PASSES: Final = Refusal(Meaning.LATER, passes=True)


def is_settled(refusal: Refusal | None) -> bool:
    """Whether a message is there, or there is no use in trying it again soon."""
    return refusal is None or not refusal.passes


class Held(Exception):
    """No direct message is sent just now: Discord refused them to the program a moment ago."""


FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, OSError, Held)
"""Exceptions of requests to Discord, TimeoutError among them."""

_ALWAYS: Final[Mapping[int, Meaning]] = {
    10003: Meaning.VANISHED,  # unknown channel
    10004: Meaning.BARRED,  # unknown server: the program is not on it
    10008: Meaning.GONE,  # unknown message
    20016: Meaning.LATER,  # slow mode
    20026: Meaning.LATER,  # the program is flagged as spam
    20028: Meaning.LATER,  # too much written in the channel
    20029: Meaning.LATER,  # too much written on the server
    40001: Meaning.LATER,  # unauthorized
    40002: Meaning.LATER,  # the program's account is to be verified
    40003: Meaning.LATER,  # the program opens direct messages too fast
    40004: Meaning.LATER,  # sending is switched off for a while
    40006: Meaning.LATER,  # this feature is
    40062: Meaning.LATER,  # the service is limited
    40333: Meaning.LATER,  # Cloudflare
    50001: Meaning.BARRED,  # no access
    50013: Meaning.BARRED,  # no permission, or timed out
    50014: Meaning.LATER,  # invalid token
    110000: Meaning.LATER,  # not yet available
    110001: Meaning.LATER,  # not yet available
    130000: Meaning.LATER,  # overloaded
}

_NOT_WRITABLE: Final[Mapping[int, Meaning]] = {
    10013: Meaning.CLOSED,  # unknown user
    50007: Meaning.CLOSED,  # cannot be written to
    50278: Meaning.CLOSED,  # no server in common
}

_LOCKS: Final[Mapping[int, Meaning]] = {
    50083: Meaning.LOCKED,  # the thread is archived
    160005: Meaning.LOCKED,  # the thread is locked
}

_TABLE: Final[Mapping[Purpose, Mapping[int, Meaning]]] = {
    Purpose.POST: {
        **_LOCKS,
        **_NOT_WRITABLE,
        10008: Meaning.UNKNOWN,
        40058: Meaning.BARRED,  # a forum
        50008: Meaning.BARRED,  # no channel for text
        50024: Meaning.BARRED,  # another type of channel
    },
    Purpose.EDIT: {
        **_NOT_WRITABLE,
        20022: Meaning.STUCK,  # too many edits of an announcement
        30046: Meaning.STUCK,  # too many edits of an old message
        50005: Meaning.STUCK,  # written by somebody else: the program has had another account
        50083: Meaning.STUCK,  # whoever posts in an archived thread opens it
        160005: Meaning.STUCK,
    },
    Purpose.TIDY: {**_LOCKS, **_NOT_WRITABLE},
    Purpose.LETTER: {
        **_NOT_WRITABLE,
        10003: Meaning.CLOSED,  # the channel between the two
        10004: Meaning.UNKNOWN,
        10008: Meaning.UNKNOWN,
        50001: Meaning.UNKNOWN,
        50013: Meaning.UNKNOWN,
        50033: Meaning.CLOSED,  # invalid recipient
    },
    Purpose.PERSON: {
        10007: Meaning.ABSENT,  # unknown member
        10013: Meaning.ABSENT,  # unknown user
    },
    Purpose.PLACE: {},
    Purpose.ANSWER: {
        10003: Meaning.UNKNOWN,
        10015: Meaning.LATE,  # unknown webhook
        10062: Meaning.LATE,  # unknown interaction
        40060: Meaning.ANSWERED,
        40094: Meaning.LATE,  # too many follow-ups
        50027: Meaning.LATE,  # invalid token of a webhook
    },
}
"""By purpose: codes with a meaning of their own there."""

_PLACES: Final = frozenset({Purpose.POST, Purpose.EDIT, Purpose.TIDY, Purpose.PLACE})
"""Purposes for which a refusal without a reason means that the program may not."""

UNAUTHORIZED: Final = 401
FORBIDDEN: Final = 403
TOO_MANY: Final = 429
SERVER_ERROR: Final = 500


def meaning(status: int, code: int, purpose: Purpose) -> Meaning:
    """The meaning of a refusal with that status and code."""
    if status >= SERVER_ERROR or status == TOO_MANY:
        return Meaning.LATER
    known = _TABLE[purpose].get(code) or _ALWAYS.get(code)
    if known is not None:
        return known
    if status == UNAUTHORIZED:
        return Meaning.LATER
    return Meaning.BARRED if status == FORBIDDEN and purpose in _PLACES else Meaning.UNKNOWN


def read(error: Exception, purpose: Purpose) -> Meaning:
    """The meaning of one of `FAILURES`; a lost answer counts as `LATER`."""
    if isinstance(error, discord.HTTPException) and not _is_barrier(error):
        return meaning(error.status, error.code, purpose)
    return Meaning.LATER


def is_barred(error: Exception, purpose: Purpose) -> bool:
    """Whether trying again soon is no use, until a person lets the program."""
    return read(error, purpose) in (Meaning.BARRED, Meaning.LOCKED, Meaning.CLOSED)


def _is_barrier(error: discord.HTTPException) -> bool:
    """Whether a page of Cloudflare forbade it: it is about the program's address."""
    if error.status != FORBIDDEN:
        return False
    return error.response.headers.get("Content-Type", "").startswith("text/")


def may_have_arrived(error: Exception) -> bool:
    """Whether the message may have been sent in spite of that error."""
    if isinstance(error, discord.HTTPException):
        return error.status >= SERVER_ERROR
    return not isinstance(error, Held)


def numbers(error: Exception) -> tuple[int | None, int | None]:
    """Status and code of a refusal, for the log; None for other errors."""
    if isinstance(error, discord.HTTPException):
        return error.status, error.code
    return None, None


def wait_of(error: Exception) -> float | None:
    """Seconds after which Discord wants to be asked again; None if it does not say."""
    if not isinstance(error, discord.HTTPException) or error.status != TOO_MANY:
        return None
    try:
        return max(0.0, float(error.response.headers.get("Retry-After", "")))
    except ValueError:
        return None


# Refused emoji.
#
# A message whose emoji Discord refuses is sent again without emoji.  Otherwise a deleted emoji
# would keep back every message that has it on a button; and sometimes Discord refuses one that
# exists.

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
