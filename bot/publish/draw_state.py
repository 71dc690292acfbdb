"""`DrawState`: what the publisher remembers of a table between two draws."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeAlias

from bot.ids import GuildId, QuestionId, UserId
from bot.publish.surfaces import Slot
from bot.render.message import Message
from engine.game import Seat

HOPELESS: Final = 3
"""Refusals in a row, for a reason that nobody knows, after which the next is not waited for."""

Turn: TypeAlias = tuple[int, tuple[Seat, ...], QuestionId | None]
"""Round, whoever is to act, and the question that the board answers."""


@dataclass(slots=True)
class DrawState:
    """The state of a table's worker, and what it knows of the board."""

    dirty: bool = False
    repost: bool = False
    timed: tuple[QuestionId | None, datetime | None] = (None, None)
    """The oldest question as it was drawn last, and when the time for it is up."""
    drawn: bytes = b""
    """Digest of what the board shows; empty while unknown."""
    shown: int | None = None
    """Version of the table that an answer drew on the board, if nothing was drawn after it."""
    version: int | None = None
    """Of the table that was drawn completely last; None while unknown."""
    turn: Turn | None = None
    """What the board was last drawn for; None while unknown."""
    answers: int = 0
    """How often the answer to a press has drawn the board."""
    unposted: asyncio.TimerHandle | None = None
    """A lobby without a message is given time to get one from its command."""
    waited: bool = False
    """That time is over."""
    refused: Exception | None = None
    """How Discord refused to show the table in the draw under way."""
    lost: bool = False
    """Whether the table waits, as far as is known, until Discord lets us show it."""
    guild: GuildId | None = None
    """The server where it was lost; None before."""
    bare: bool = False
    """Whether the board has no picture since we may attach no files there."""
    bidden: bool = False
    """The board says that the program will be back: at the next start it is drawn anew."""
    calls: dict[Slot, asyncio.Task[bool]] = field(default_factory=dict)
    """Hands and lines that are being sent."""
    settling: dict[tuple[str, UserId], asyncio.Task[bool]] = field(default_factory=dict)
    """Hands that are drawn anew since what they asked is over, by their kind and owner."""
    answering: set[UserId] = field(default_factory=set)
    """Whose press is being answered: that will draw the hand which they pressed."""
    unsought: set[Slot] = field(default_factory=set)
    """What may be there already, since a run before this one, and cannot be looked for now."""
    refusals: Counter[Slot] = field(default_factory=Counter)
    """How often in a row Discord refused a message for a reason that nobody knows."""
    failures: int = 0
    """Draws that failed one after the other."""
    timer: asyncio.Handle | None = None
    """What draws later; not every loop's handle of a moment that is near tells when that is."""
    due: float = 0.0
    """When it does, by the loop's clock."""
    task: asyncio.Task[None] | None = None

    def draws(self, message: Message | None, version: int | None = None) -> None:
        """The board shows `message`, of that version as far as is known; None: something else."""
        self.drawn = b"" if message is None else message.digest
        self.shown = None if message is None else version

    def despairs(self, slot: Slot) -> bool:
        """Discord refused this message for a reason that nobody knows: whether once too often."""
        self.refusals[slot] += 1
        return self.refusals[slot] >= HOPELESS

    @property
    def is_in_doubt(self) -> bool:
        """Whether it takes a call that works to know that the table can be shown again.

        Where the draw under way was refused already, that is known.
        """
        return self.lost and self.refused is None
