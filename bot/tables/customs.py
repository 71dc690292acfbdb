"""Choices beside the rules: customs of a table, such as hints allowed; its pace; what counts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from engine.game import GameInfo


@dataclass(frozen=True, slots=True)
class Customs:
    """Choices of a table's host beside the options of the game; each is on or off."""

    hints: bool = True
    """People who are asked may ask what a computer player would do; the result counts that."""
    passes: bool = False
    """A seat that can only pass does so without being asked, which tells that it holds nothing
    better."""
    forced: bool = False
    """A card that is the only legal one of a trick is played without asking."""
    counts: bool = True
    """The match counts on the leaderboards of its server, as far as that wants it counted."""
    drawn: bool = False
    """Who sits where is drawn by lot when the match begins."""
    rotates: bool = False
    """In a rematch everybody has another partner, unless seats are drawn."""

    def as_json(self) -> dict[str, bool]:
        """Every custom by name."""
        return asdict(self)

    @property
    def told(self) -> tuple[tuple[str, bool], ...]:
        """What differs from the default and changes anything, and whether it holds."""
        return tuple(
            (name, on)
            for name, on in self.as_json().items()
            if on != getattr(USUAL_CUSTOMS, name) and not (name == "rotates" and self.drawn)
        )


def offered(info: GameInfo, *, alone: bool = False) -> tuple[str, ...]:
    """Names of the customs that mean something at this game, for its host to choose.

    Whoever plays `alone` is on no leaderboard.
    """
    means = {
        "hints": True,
        "passes": bool(info.passes),
        "forced": info.forced,
        "counts": not alone,
        "drawn": True,
        "rotates": info.seats == (2 * len(info.teams),) and {len(t) for t in info.teams} == {2},
    }
    return tuple(name for name, something in means.items() if something)


USUAL_CUSTOMS: Final = Customs()
"""The default customs."""


# Which matches leaderboards count.


@dataclass(frozen=True, slots=True)
class Counting:
    """What a server wants counted; a table keeps to what held when it was opened."""

    board: bool = True
    """Whether anything counts."""
    hints: bool = True
    """Whether a match counts for people who took a hint in it."""
    computers: bool = False
    """Whether matches count that computer players began."""

    def counts(self, *, hinted: bool, computers: bool) -> bool:
        """Whether a match of people and perhaps `computers` counts for somebody."""
        return self.board and (self.hints or not hinted) and (self.computers or not computers)


USUAL_COUNTING = Counting()
"""What counts where nobody has chosen otherwise."""


# Paces.


class WaitTimes(NamedTuple):
    """Times for which people are waited for, beside those for decisions."""

    lobby: timedelta = timedelta(minutes=15)
    """From a lobby's opening, or the last arrival, until it expires."""
    start: timedelta = timedelta(minutes=5)
    """From the opening of a planned table until it begins with whoever is ready."""
    host: timedelta = timedelta(minutes=3)
    """Without a sign of the host, until another person in the lobby becomes host."""
    offer: timedelta = timedelta(minutes=2)
    """While a place is kept for the person in line to whom it is offered."""
    vote: timedelta = timedelta(minutes=1)
    """What is left to the others once more than half want to end the match."""
    keep: timedelta = timedelta(minutes=2)
    """While a rematch keeps the places of the former people for them: others still find time to
    come before its lobby expires."""


class Pace(StrEnum):
    """How long a decision may take."""

    LIVE60 = "live60"
    LIVE120 = "live120"
    LIVE180 = "live180"
    RELAXED = "relaxed"
    DAILY = "daily"
    NONE = "none"
    """No clock, and no calls."""

    @property
    def time(self) -> timedelta | None:
        """Time for one decision; None without a clock."""
        return _TIMES.get(self)

    @property
    def warning(self) -> timedelta:
        """Time left when people are warned."""
        return timedelta() if self.time is None else min(self.time / 4, timedelta(hours=4))

    @property
    def pause(self) -> timedelta:
        """Between two rounds."""
        return timedelta(minutes=10) if self is Pace.DAILY else timedelta(seconds=60)

    @property
    def waits(self) -> WaitTimes:
        """How long people are waited for, not about decisions."""
        return _WAITS.get(self, WaitTimes())

    @property
    def slow(self) -> bool:
        """Whether a day or more may pass before a decision, so that nobody need look in sooner."""
        return self.time is None or self.time >= timedelta(days=1)


_TIMES: Final = {
    Pace.LIVE60: timedelta(seconds=60),
    Pace.LIVE120: timedelta(seconds=120),
    Pace.LIVE180: timedelta(seconds=180),
    Pace.RELAXED: timedelta(minutes=10),
    Pace.DAILY: timedelta(hours=24),
}

_HALF_DAY: Final = timedelta(hours=12)
_WAITS: Final = {
    Pace.RELAXED: WaitTimes(keep=timedelta(minutes=10)),
    Pace.DAILY: WaitTimes(  # people look in once a day
        timedelta(days=1), _HALF_DAY, _HALF_DAY, _HALF_DAY, _HALF_DAY, _HALF_DAY
    ),
    Pace.NONE: WaitTimes(vote=_HALF_DAY, keep=timedelta(minutes=10)),
}
