"""`python -m tests.bench.order`: in every game random < greedy < strong, by points over the others.

Equal deals, seeds and playouts give equal points, so this is a guard and no measurement: it ends
with 1 if a player is not better than the one that it has to be better than.  One JSON line a game.
"""

from __future__ import annotations

import json
import sys
from time import monotonic
from typing import Final, NamedTuple

from bot.operate.contests import contest_of, play_deals, tabled_contest
from engine.players.figures import Mean
from engine.registry import games


class Guard(NamedTuple):
    better: str
    worse: str
    deals: int
    """At most: `FEW` are enough where they leave no doubt."""
    playouts: int


GUARDS: Final = (Guard("greedy", "random", 12, 1), Guard("strong", "greedy", 8, 300))
FEW: Final = 4


def over(game: str, guard: Guard) -> Mean:
    """Points that the better one makes in a round over the mean of the worse."""
    rules = games()[game]
    seats = 4 if 4 in rules.info.seats else rules.info.seats[0]
    alone = [guard.better, *[guard.worse] * (seats - 1)]
    names = [guard.better, guard.worse] * 2 if rules.info.teams else alone
    contest = contest_of(rules, names, {}, 1, guard.playouts, None)
    deals = [*play_deals(contest, range(FEW), 1)]
    found = tabled_contest(contest, deals).players[0].over_others
    if abs(found.value) > found.within:
        return found
    deals += play_deals(contest, range(FEW, guard.deals), 1)
    return tabled_contest(contest, deals).players[0].over_others


def main() -> int:
    well = True
    for game in games():
        begun = monotonic()
        found = {f"{each.better} over {each.worse}": over(game, each).value for each in GUARDS}
        well = well and all(points > 0 for points in found.values())
        rounded = {what: round(points, 3) for what, points in found.items()}
        seconds = round(monotonic() - begun, 1)
        sys.stdout.write(json.dumps({"game": game, **rounded, "seconds": seconds}) + "\n")
        sys.stdout.flush()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
