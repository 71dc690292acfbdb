"""The laws that every game must pass, as functions over random matches.

A law takes a game, a number of seats, given options and a seed; it plays a match with random
legal actions and looks at it.  It raises `BrokenLawError` with its own name first, whatever went
wrong, and returns how many things it compared, so that a test can insist that it compared any.
Laws know the interface only: no rule of any game stands here, but in what its claims mean
(`meanings_<game>`).
"""

from __future__ import annotations

from tests.conformance import (
    laws_of_claims,
    laws_of_coaching,
    laws_of_knowledge,
    laws_of_layout,
    laws_of_play,
    laws_of_records,
    laws_of_stories,
    laws_of_tricks,
)
from tests.conformance.law import LAWS, BrokenLawError

__all__ = ["FAMILIES", "LAWS", "BrokenLawError"]

FAMILIES = (
    laws_of_play,
    laws_of_records,
    laws_of_knowledge,
    laws_of_layout,
    laws_of_tricks,
    laws_of_stories,
    laws_of_coaching,
    laws_of_claims,
)
"""Where the laws stand; importing them fills `LAWS`."""
