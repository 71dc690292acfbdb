"""Which message shows what: the marks of stored messages, and what becomes of old ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol, assert_never

from bot.views.values import (
    BoardView,
    ChannelView,
    ClosedView,
    LobbyView,
    Pause,
    ResultView,
    ShufflingView,
)

BOARD: Final = 0
"""The viewer whose surface is the board in the channel."""

NOTICE: Final = -1
"""The viewer whose surface is the line that calls whoever is asked.

Smaller ones are messages that are to be deleted.
"""

LOBBY_MARK: Final = 0
RESULT_MARK: Final = -1
GREETED: Final = -1
"""Mark of a panel that shows no hand yet."""


class Surface(NamedTuple):
    """A stored surface; the mark says what it shows.

    Board: number of the round, `LOBBY_MARK`, `RESULT_MARK`.  Panel and notice: `asked_mark`;
    never falling.
    """

    channel: int
    message: int
    posted: datetime
    mark: int


class Surfaces(Protocol):
    """Surface the messages are; kept over restarts."""

    async def all_of(self, table: str) -> Sequence[tuple[int, int, int, datetime, int]]:
        """Viewer, channel, message, when it was posted, mark."""
        ...

    async def save(
        self,
        rows: Mapping[tuple[str, int], tuple[int, int, datetime, int] | None],
        drawn: Mapping[str, int | None],
    ) -> None:
        """Stores, in one go, messages by table and viewer (None: there is none any more) and the
        versions of tables that were drawn completely last.
        """
        ...


def asked_mark(question: int, warned: bool = False) -> int:
    """The mark of what calls somebody to a question; a warning comes after the first call.

    Whoever is not asked has a hand with the mark of the ply of the deal as `question`.
    """
    return 2 * question + warned


def is_warning(mark: int) -> bool:
    """Whether an `asked_mark` is that of a warning."""
    return mark % 2 == 1


NONCE: Final = 24
"""Characters of a nonce of ours; Discord allows one more."""


def known_by(*parts: object) -> str:
    """The nonce of a message that is sent once and no more, by what it is for.

    Sent again because the answer was lost, or the program died before it was stored, it is still
    the same message to Discord, for some minutes.
    """
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:NONCE]


def mark_of(view: ChannelView) -> int:
    """The mark of a message that shows `view`."""
    match view:
        case LobbyView():
            return LOBBY_MARK
        case ShufflingView(round=number) | BoardView(round=number):
            return number
        case ResultView() | ClosedView():
            return RESULT_MARK
        case _:
            assert_never(view)


def same_message(view: ChannelView, mark: int) -> bool:
    """Whether `view` belongs into the message that shows `mark`, or into one of its own.

    Each round and a result have a message of their own.
    """
    match view:
        case LobbyView() | ClosedView():
            return True
        case ShufflingView(round=number) | BoardView(round=number):
            return mark == number
        case ResultView():
            return False
        case _:
            assert_never(view)


def carried(view: ChannelView, mark: int) -> tuple[str, tuple[str, ...]]:
    """Commitment and words that the message with `mark` carried, which `view` takes over."""
    match view:
        case BoardView(round=number) if mark < number:
            return view.dealt, view.words
        case BoardView(pause=Pause(commitment=commitment, words=words)):
            return commitment, words
        case BoardView():
            return view.commitment, ()
        case LobbyView() | ShufflingView() | ResultView():
            return view.commitment, view.words
        case ClosedView():
            return "", ()
        case _:
            assert_never(view)


def retired_code(view: ChannelView, mark: int) -> str:
    """What the message with `mark` says once `view` has one of its own: the sentence's code."""
    match view:
        case ResultView() | ClosedView():
            return "retired.result"
        case ShufflingView() | BoardView() if mark == LOBBY_MARK:
            return "retired.lobby"
        case ShufflingView(round=number) | BoardView(round=number) if mark < number:
            return "retired.round"
        case _:
            return "retired.moved"
