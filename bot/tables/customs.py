"""Customs of a table, such as hints allowed: choices beside its rules; which matches count."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Final

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
