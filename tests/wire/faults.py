"""Discord's bad days over HTTP: what goes wrong with a request, by plan or by chance."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tests.wire.deck import Deck


class Kind(StrEnum):
    """What happens to a request."""

    ROUTE = "429 route"
    """Refused: this route has had enough."""
    GLOBAL = "429 global"
    SHARED = "429 shared"
    """Refused: others use what this request wants, too."""
    ERROR = "5xx"
    """Refused for no reason; nothing was done."""
    SILENCE = "silence"
    """Nothing is done, and no answer ever comes."""
    CUT = "cut"
    """The connection breaks before anything is done."""
    LOST = "answer lost"
    """It is done, and the connection breaks before the answer."""
    DENIED = "answer is 5xx"
    """It is done, and the answer is an error nevertheless."""
    SLOW = "slow"
    """It is done, later."""
    REFUSED = "refused"
    """A refusal of Discord's own kind: `status` and `code` say which."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong."""

    kind: Kind
    seconds: float = 0.3
    """Until one may try again; how long the answer is kept back."""
    status: int = 503
    code: int = 0


@dataclass(slots=True)
class _Planned:
    fault: Fault
    method: str
    path: re.Pattern[str]
    times: int


Weights = Mapping[Kind, int]

EVERYTHING: Final[Weights] = {
    Kind.ROUTE: 13,
    Kind.GLOBAL: 3,
    Kind.SHARED: 6,
    Kind.ERROR: 10,
    Kind.CUT: 6,
    Kind.LOST: 6,
    Kind.DENIED: 6,
    Kind.SLOW: 10,
    Kind.SILENCE: 1,
}
"""How often what happens where everything happens: so many times in every 61."""


@dataclass(slots=True)
class Faults:
    """Decides about every request.  What was planned goes first, then chance."""

    injected: Counter[Kind] = field(default_factory=Counter)
    spared: Sequence[re.Pattern[str]] = ()
    """Paths that chance leaves alone."""
    _plan: list[_Planned] = field(default_factory=list)
    _chance: Callable[[], Fault | None] | None = None

    def plan(self, fault: Fault, method: str = "*", path: str = "", times: int = 1) -> None:
        """The next `times` requests of that method whose path holds the pattern go wrong."""
        self._plan.append(_Planned(fault, method, re.compile(path), times))

    def by_chance(
        self, seed: int, rate: float, weights: Weights = EVERYTHING, seconds: float = 0.2
    ) -> None:
        """From now on a request goes wrong with that probability; no kind is left out."""
        rng = random.Random(seed)
        deck = Deck(rng, weights)

        def draw() -> Fault | None:
            if rng.random() >= rate:
                return None
            kind = deck.draw()
            status = rng.choice([500, 502, 503, 504])
            return Fault(kind, rng.uniform(0.3, 1.0) * seconds, status)

        self._chance = draw

    def stop(self) -> None:
        """Nothing goes wrong any more."""
        self._plan.clear()
        self._chance = None

    def next(self, method: str, path: str) -> Fault | None:
        """What happens to this request."""
        fault = self._planned(method, path)
        if fault is None and self._chance is not None:
            if any(spared.search(path) for spared in self.spared):
                return None
            fault = self._chance()
        if fault is not None:
            self.injected[fault.kind] += 1
        return fault

    def _planned(self, method: str, path: str) -> Fault | None:
        for planned in self._plan:
            if planned.method in ("*", method) and planned.path.search(path):
                planned.times -= 1
                if planned.times <= 0:
                    self._plan.remove(planned)
                return planned.fault
        return None
