"""What events are about: games declare it by the codes of what they tell."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from engine.game import CHANCE, AnyGame
from engine.registry import games

GAMES: Final = games()
SELDOM: Final = {"won_lowest"}
"""What random play hardly ever comes to; `tests.engine.reasons` does."""


@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_declared_of_events_is_told(name: str) -> None:
    game, missing = GAMES[name], GAMES[name].info.news.keys() - SELDOM
    for seed in range(200):
        missing -= told(game, Random(seed))
        if not missing:
            return
    assert not missing, "no event has these codes"


def told(game: AnyGame, rng: Random) -> set[str]:
    """Codes of what everybody is told in a round of random play."""
    seats = rng.choice(game.info.seats)
    state, codes = game.initial(seats, game.complete_options(seats, {})), set[str]()
    while True:
        seat = rng.choice(game.actors(state))
        action = (
            game.deal(state, rng.randrange)
            if seat == CHANCE
            else rng.choice(game.legal_actions(state, seat))
        )
        before, state = state, game.apply(state, seat, action)
        events = game.events(before, seat, action, state)
        codes |= {one.phrase.code for one in events if one.audience is None}
        if not game.actors(state) or (CHANCE in game.actors(state)):
            return codes
