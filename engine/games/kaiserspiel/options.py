"""Kaiserspiel: what it is called, how many play it and how long a match may be."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine import options
from engine.game import GameInfo, OptionSpec

SEATS: Final = 4

LIMIT: Final = OptionSpec(
    key="limit", parameter=None, kind="bool", default=lambda _: True, before=False
)
"""Nothing lifts the value above what is still needed: else two captains could call without end."""

INFO: Final = GameInfo(
    id="kaiserspiel",
    rules_version=1,
    seats=(SEATS,),
    options=(options.length("target", lambda _: 41, 1000, measures="points"), LIMIT),
    teams=((0, 2), (1, 3)),
    seeds_after="match",
)

check_seats: Final = partial(options.check_seats, INFO)
complete_options: Final = partial(options.complete_options, INFO)
