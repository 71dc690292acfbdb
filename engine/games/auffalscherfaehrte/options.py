"""Auf falscher Fährte: number of players, length of a match, and house rules."""

from __future__ import annotations

from functools import partial
from typing import Final

from engine import options
from engine.game import GameInfo, OptionSpec

NEXT_LEADER: Final = options.switch("next_leader", "next", "again")
"""Who starts the next round: the seat after this round's starter, or the starter again."""

INFO: Final = GameInfo(
    id="auffalscherfaehrte",
    rules_version=1,
    seats=(3, 4),
    options=(
        options.length("rounds", lambda seats: 2 * seats),
        OptionSpec(key="jokers", parameter="jokers", kind="bool", default=lambda _: False),
        NEXT_LEADER,
    ),
    # Earlier they would tell who hid which card.
    seeds_after="match",
    forced=True,
)

complete_options: Final = partial(options.complete_options, INFO)
