"""`DrawState`: what the publisher remembers of a table between two draws."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from bot.ids import GuildId, QuestionId, UserId
from bot.publish.refusals import Refusal
from bot.publish.surfaces import Slot
from bot.render.message import Message
from engine.game import Seat

Turn: TypeAlias = tuple[int, tuple[Seat, ...], QuestionId | None]
"""Round, the seats to act, and the question that the board answers."""


@dataclass(slots=True)
class Schedule:
    """When a table is drawn next, and of what it was drawn last."""

    dirty: bool = False
    """Whether there is something to draw."""
    version: int | None = None
    """Version of the table at its last complete draw; None while unknown."""
    failures: int = 0
    """Draws that failed one after the other."""
    timer: asyncio.Handle | None = None
    """Handle of the next draw; not every event loop's handle tells its time."""
    due: float = 0.0
    """When it does, by the loop's clock."""
    task: asyncio.Task[None] | None = None
    """The draw under way."""
    unposted: asyncio.TimerHandle | None = None
    """A lobby without a message is given time to get one from its command."""
    waited: bool = False
    """That time is over."""


@dataclass(slots=True)
class DrawnBoard:
    """The content of a table's board, as far as known."""

    drawn: bytes = b""
    """Digest of its message; empty while unknown."""
    shown: int | None = None
    """Version of the table that an answer drew on it, if nothing was drawn after it."""
    answers: int = 0
    """How often the answer to a press has drawn it."""
    turn: Turn | None = None
    """The turn for which it was last drawn; None while unknown."""
    timed: tuple[QuestionId | None, datetime | None] = (None, None)
    """The oldest question as it was drawn last, and when the time for it is up."""
    without_picture: bool = False
    """Whether it has no picture since we may attach no files there."""
    shows_farewell: bool = False
    """Whether it says that the program will be back: then it is redrawn at the next start."""

    def draws(self, message: Message | None, version: int | None = None) -> None:
        """Note that it shows `message`, of that version if known; None: something else."""
        self.drawn = b"" if message is None else message.digest
        self.shown = None if message is None else version


@dataclass(slots=True)
class Trouble:
    """How Discord refuses to show a table."""

    refused: Refusal | None = None
    """In the draw under way."""
    lost: bool = False
    """Whether the table waits, as far as is known, until Discord lets us show it."""
    guild: GuildId | None = None
    """The server where it was lost, or where a plan is; None if it is not lost."""

    @property
    def is_in_doubt(self) -> bool:
        """Whether it takes a call that works to know that the table can be shown again.

        Where the draw under way was refused already, that is known.
        """
        return self.lost and self.refused is None


@dataclass(slots=True)
class DrawState:
    """State of a table between two draws."""

    schedule: Schedule = field(default_factory=Schedule)
    board: DrawnBoard = field(default_factory=DrawnBoard)
    trouble: Trouble = field(default_factory=Trouble)
    repost: bool = False
    """Whether the board is to be posted again, at the bottom of its channel."""
    calls: dict[Slot, asyncio.Task[bool]] = field(default_factory=dict)
    """Hands and lines that are being sent."""
    settling: dict[Slot, asyncio.Task[bool]] = field(default_factory=dict)
    """Hands being redrawn since their question is over."""
    answering: set[UserId] = field(default_factory=set)
    """People whose press is being answered, which will redraw their hand."""
