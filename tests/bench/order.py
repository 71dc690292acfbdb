"""`python -m tests.bench.order`: in every game greedy < strong, by points over the others.

Equal deals, seeds and playouts give equal points, so this is a guard and no measurement: it ends
with 1 if *strong* is not better.  One JSON line a game.  `tests/players/test_order.py` has the
players that do not search.
"""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import Final

from bot.operate.arena import contest_of, play_deals, tabled_contest
from engine.players.duel import Mean
from engine.registry import games

DEALS: Final = 8
"""At most: `FEW` are enough where they leave no doubt."""
FEW: Final = 4
PLAYOUTS: Final = 300


def over_greedy(game: str) -> Mean:
    """Points that *strong* makes in a round over the mean of *greedy* around it."""
    rules = games()[game]
    seats = 4 if 4 in rules.info.seats else rules.info.seats[0]
    names = ["strong", "greedy"] * 2 if rules.info.teams else ["strong", *["greedy"] * (seats - 1)]
    contest = contest_of(rules, names, {}, 1, PLAYOUTS, None)
    deals = [*play_deals(contest, range(FEW), 1)]
    found = tabled_contest(contest, deals).players[0].over_others
    if abs(found.value) > found.within:
        return found
    deals += play_deals(contest, range(FEW, DEALS), 1)
    return tabled_contest(contest, deals).players[0].over_others


def main() -> int:
    well = True
    for game in games():
        begun = monotonic()
        points, seconds = over_greedy(game).value, round(monotonic() - begun, 1)
        well = well and points > 0
        found = {"game": game, "strong over greedy": round(points, 3) + 0.0, "seconds": seconds}
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
