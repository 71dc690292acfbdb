"""Sticheln: number of players, length of a match, and house rules."""

from __future__ import annotations

from typing import Final

from engine import options
from engine.game import GameInfo

ZEROS: Final = options.switch("zeros", "aside", "leader")
"""Who takes a trick of nothing but zeros: nobody, or the seat that led it."""

INFO: Final = GameInfo(
    id="sticheln",
    rules_version=1,
    seats=(3, 4, 5, 6),
    options=(options.length("rounds", lambda seats: seats), ZEROS),
    seeds_after="round",
    forced=True,
)
