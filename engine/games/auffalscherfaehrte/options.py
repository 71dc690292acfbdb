"""Auf falscher Fährte: number of players, length of a match, and house rules."""

from __future__ import annotations

from typing import Final

from engine import options
from engine.game import GameInfo, Options, OptionSpec
from engine.games.auffalscherfaehrte.cards import SUITS

NEXT_LEADER: Final = options.switch("next_leader", "next", "again")
"""Who starts the next round: the seat after this round's starter, or the starter again."""

TRUMP: Final = OptionSpec(
    key="trump",
    parameter=None,
    kind="choice",
    default=lambda _: SUITS[0],
    before=SUITS[0],
    choices=tuple(SUITS),
    at_tables=False,
)
"""The trump of the first round at its start.  Only a round that is played again names it, since it
may have begun with another trump than red."""

INFO: Final = GameInfo(
    id="auffalscherfaehrte",
    rules_version=1,
    seats=(3, 4),
    options=(
        options.length("rounds", lambda seats: 2 * seats),
        OptionSpec(key="jokers", parameter="jokers", kind="bool", default=lambda _: False),
        NEXT_LEADER,
        TRUMP,
    ),
    # Earlier they would tell who hid which card.
    seeds_after="match",
    forced=True,
)


def complete_options(seats: int, given: Options) -> Options:
    """A value for every option, but for a trump that is not named."""
    complete = options.complete_options(INFO, seats, given)
    return {key: value for key, value in complete.items() if key != TRUMP.key or key in given}
