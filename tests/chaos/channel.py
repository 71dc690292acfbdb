"""A channel and the people who play in it, and nowhere else."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from simcord.backend.errors import BackendError

from tests.chaos.kinds import Deed, Tally
from tests.wire.deck import Deck
from tests.wire.ledger import Known
from tests.wire.people import Person, Shown, Wire

GONE: Final = (BackendError, LookupError, ValueError)
"""What a person meets who presses something that is there no more."""

NAP: Final = 0.05
"""Seconds between two looks at a table that waits for something."""

KEPT: Final = 20
"""So many old panels and boards somebody remembers."""

Look: TypeAlias = Callable[[str], Known]


@dataclass
class Channel:
    """The place, its people, and what they remember."""

    wire: Wire
    look: Look
    newest: Callable[[int], Known | None]
    up: asyncio.Event
    """Set while the program runs."""
    rng: random.Random
    id: int
    people: list[Person]
    stranger: Person
    moderator: Person
    """Who never plays."""
    tally: Tally
    deeds: Deck[Deed]
    """What is to be done at running tables; all channels draw from the same."""
    lobby_deeds: Deck[Deed]
    least: int = 0
    """So often every deed is to be done in the whole run."""
    calm: bool = False
    """Nobody does anything but play."""
    ended: dict[str, str] = field(default_factory=dict)
    """Matches that were played here: how they ended."""
    coming: int = 0
    """Computer players that the host of the newest lobby is still to seat."""
    panels: deque[tuple[Person, Shown]] = field(default_factory=lambda: deque(maxlen=KEPT))
    """Panels that somebody has kept: nobody else can press them."""
    boards: dict[int, Shown] = field(default_factory=dict)
    """Boards as they were seen last, by their message."""
    asked_for: set[str] = field(default_factory=set)
    """Matches whose result somebody may have asked to see again."""

    def wanted(self, deck: Deck[Deed]) -> list[Deed]:
        """Deeds of that deck which were not done often enough yet."""
        return [deed for deed in deck.kinds if self.tally.deeds[deed] < self.least]

    def board(self) -> Shown:
        """The newest message that can be pressed, which is remembered.  Raises LookupError."""
        shown = self.wire.board(self.id)
        self.boards[shown.id] = shown
        if len(self.boards) > KEPT:
            del self.boards[next(iter(self.boards))]
        return shown

    def someone(self, known: Known) -> Person:
        """Somebody who sits at the table."""
        if not known.people:
            return self.stranger
        return self.wire.people[self.rng.choice(sorted(known.people.values()))]

    def present(self, known: Known) -> list[Person]:
        """Those whose votes count."""
        return [
            self.wire.people[user]
            for place, user in sorted(known.people.items())
            if place not in known.away
        ]

    async def at_once(self, doing: list[Awaitable[Any]]) -> None:
        """At the same moment; what some of them find gone does not keep the others."""
        for outcome in await asyncio.gather(*doing, return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(outcome, GONE):
                raise outcome
