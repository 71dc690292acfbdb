"""A search says the same however often it looks at the clock."""

from __future__ import annotations

from random import Random

import pytest

from engine.players import search
from engine.players.duel import dealt, one_round
from engine.players.player import Budget
from engine.players.roster import player
from engine.registry import games


@pytest.mark.parametrize("name", games())
def test_slices_do_not_change_what_is_decided(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games()[name]
    seats = game.info.seats[-1]
    state = dealt(game, seats, one_round(game, seats, {}), 0, 0).state
    for _ in range(2 * seats + 1):  # some is known of the others by then
        seat = game.actors(state)[0]
        state = game.apply(state, seat, game.default_action(game.observe(state, seat)))
    view = game.observe(state, game.actors(state)[0])
    found = []
    for size in (7, 30):
        monkeypatch.setattr(search, "SLICE", size)
        found.append(player("strong", game).decide(view, Budget(30), Random(2)))
    assert found[0] == found[1]
