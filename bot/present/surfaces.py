"""Which message shows what: the marks of stored messages, and what becomes of old ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol, assert_never

from bot.present.views import (
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

LOBBY_MARK: Final = 0
RESULT_MARK: Final = -1
GREETED: Final = -1
"""Mark of a panel that shows no hand yet."""


class Where(NamedTuple):
    """A stored surface; the mark says what it shows.

    Board: number of the round, `LOBBY_MARK`, `RESULT_MARK`.  Panel: number of the question, or
    the ply of the deal for somebody who has not been asked since; never falling.
    """

    channel: int
    message: int
    posted: datetime
    mark: int


class Surfaces(Protocol):
    """Where the messages are; kept over restarts."""

    async def find(self, table: str, viewer: int) -> tuple[int, int, datetime, int] | None:
        """Channel, message, when it was posted, mark."""
        ...

    async def put(
        self, table: str, viewer: int, channel: int, message: int, posted: datetime, mark: int
    ) -> None: ...

    async def drop(self, table: str, viewer: int) -> None: ...

    async def all_of(self, table: str) -> Sequence[tuple[int, int, int, datetime, int]]:
        """Viewer, channel, message, when it was posted, mark."""
        ...


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


def farewell(view: ChannelView, mark: int) -> str:
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
