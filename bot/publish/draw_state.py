"""`DrawState`: what the publisher remembers of a table between two draws."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from bot.ids import GuildId, QuestionId, UserId
from bot.publish.refusals import UNSEEN, Meaning, Purpose, is_barred, read
from bot.publish.surfaces import Slot
from bot.render.message import Message
from engine.game import Seat

MAX_REFUSALS: Final = 3
"""Refusals in a row, for a reason that nobody knows, after which the next is not waited for."""

Turn: TypeAlias = tuple[int, tuple[Seat, ...], QuestionId | None]
"""Round, whoever is to act, and the question that the board answers."""


@dataclass(slots=True)
class Schedule:
    """When a table is drawn next, and of what it was drawn last."""

    dirty: bool = False
    """Whether there is something to draw."""
    version: int | None = None
    """Of the table that was drawn completely last; None while unknown."""
    failures: int = 0
    """Draws that failed one after the other."""
    timer: asyncio.Handle | None = None
    """What draws later; not every loop's handle of a moment that is near tells when that is."""
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
    """What the board of a table shows, as far as is known."""

    drawn: bytes = b""
    """Digest of its message; empty while unknown."""
    shown: int | None = None
    """Version of the table that an answer drew on it, if nothing was drawn after it."""
    answers: int = 0
    """How often the answer to a press has drawn it."""
    turn: Turn | None = None
    """What it was last drawn for; None while unknown."""
    timed: tuple[QuestionId | None, datetime | None] = (None, None)
    """The oldest question as it was drawn last, and when the time for it is up."""
    without_picture: bool = False
    """Whether it has no picture since we may attach no files there."""
    shows_farewell: bool = False
    """It says that the program will be back: at the next start it is drawn anew."""

    def draws(self, message: Message | None, version: int | None = None) -> None:
        """It shows `message`, of that version as far as is known; None: something else."""
        self.drawn = b"" if message is None else message.digest
        self.shown = None if message is None else version


@dataclass(slots=True)
class Trouble:
    """How Discord refuses to show a table."""

    refused: Exception | None = None
    """In the draw under way."""
    lost: bool = False
    """Whether the table waits, as far as is known, until Discord lets us show it."""
    guild: GuildId | None = None
    """The server where it was lost; None before."""
    refusals: Counter[Slot] = field(default_factory=Counter)
    """How often in a row a message was refused for a reason that nobody knows."""

    def is_final(self, slot: Slot, error: Exception, purpose: Purpose) -> bool:
        """Whether trying this message again soon is no use, now that it failed like that.

        A reason that nobody knows is one if it is met once too often.
        """
        if read(error, purpose) is not Meaning.UNKNOWN:
            return is_barred(error, purpose)
        return self._despairs(slot)

    def forgets(self, slot: Slot, error: Exception) -> bool:
        """Whether a message that could not be edited is let be for good: nobody sees it, or the
        reason is one that nobody knows, once too often."""
        meaning = read(error, Purpose.EDIT)
        return meaning in UNSEEN or (meaning is Meaning.UNKNOWN and self._despairs(slot))

    def _despairs(self, slot: Slot) -> bool:
        self.refusals[slot] += 1
        return self.refusals[slot] >= MAX_REFUSALS

    @property
    def is_in_doubt(self) -> bool:
        """Whether it takes a call that works to know that the table can be shown again.

        Where the draw under way was refused already, that is known.
        """
        return self.lost and self.refused is None


@dataclass(slots=True)
class DrawState:
    """What is remembered of a table between two draws."""

    schedule: Schedule = field(default_factory=Schedule)
    board: DrawnBoard = field(default_factory=DrawnBoard)
    trouble: Trouble = field(default_factory=Trouble)
    repost: bool = False
    """Whether the board is to be posted anew, at the bottom of its channel."""
    calls: dict[Slot, asyncio.Task[bool]] = field(default_factory=dict)
    """Hands and lines that are being sent."""
    settling: dict[tuple[str, UserId], asyncio.Task[bool]] = field(default_factory=dict)
    """Hands that are drawn anew since what they asked is over, by their kind and owner."""
    answering: set[UserId] = field(default_factory=set)
    """Whose press is being answered: that will draw the hand which they pressed."""
    unverified: set[Slot] = field(default_factory=set)
    """What may be there already, since a run before this one, and cannot be looked for now."""
