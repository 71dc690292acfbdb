"""Kaiserspiel: number of players, length of a match, and house rules."""

from __future__ import annotations

from typing import Final

from engine import options
from engine.game import GameInfo, OptionSpec

SEATS: Final = 4

LIMIT: Final = OptionSpec(
    key="limit",
    parameter=None,
    kind="bool",
    default=lambda _: True,
    before=False,
    at_tables=False,
)
"""Nothing lifts the value above what is still needed: else two captains could call without end."""

INFO: Final = GameInfo(
    id="kaiserspiel",
    rules_version=1,
    seats=(SEATS,),
    options=(
        # A short match, and what is played to at the championship.
        options.length("target", lambda _: 41, 150, measures="points", offered=(41, 101)),
        LIMIT,
    ),
    teams=((0, 2), (1, 3)),
    seeds_after="match",
    forced=True,
)
