"""The arena of `.ci/run`: in every game random < easy < normal, on duplicate deals.

Players are interpreted here, and equal deals and seeds give equal points on every machine.  Three
sit at a table, in Kaiserspiel two pairs.  A hundred deals of a round are enough: every gap is wider
than its 95 % interval, the closest (normal over easy in Kaiserspiel) 1.6 times, and all eight
contests take eight seconds of one core.  `tests.bench.order` has the searching one.
"""

from __future__ import annotations

from typing import Final

import pytest

from bot.operate.arena import contest_of, play_deals, tabled_contest
from engine.game import AnyGame
from engine.players.duel import Mean
from engine.registry import games

DEALS: Final = 100


def over_others(game: AnyGame, better: str, worse: str) -> Mean:
    """Points of a round that the first makes over the mean of the second around it."""
    if game.info.teams:
        names = [better, worse, better, worse]
    else:
        names = [better, *[worse] * (game.info.seats[0] - 1)]
    contest = contest_of(game, names, {}, 1, 1, None)
    return tabled_contest(contest, play_deals(contest, range(DEALS), 1)).players[0].over_others


@pytest.mark.slow
@pytest.mark.every_case
@pytest.mark.parametrize(("better", "worse"), [("easy", "random"), ("normal", "easy")])
@pytest.mark.parametrize("game", games().values(), ids=list(games()))
def test_who_is_said_to_play_better_does(game: AnyGame, better: str, worse: str) -> None:
    found = over_others(game, better, worse)
    assert found.value > found.within, found
