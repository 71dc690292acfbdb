"""A match of one round that begins as a round of another match did."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, AnyGame, Options
from engine.options import check_table_options
from engine.playout import play_match
from engine.record import opening_from_json, opening_to_json, record, to_text
from engine.registry import games
from engine.verify import verify

MATCHES = [
    ("aufundab", 3, {"hands": 4}),
    ("aufundab", 4, {"target": 30}),
    ("auffalscherfaehrte", 3, {"rounds": 4, "jokers": True}),
    ("auffalscherfaehrte", 4, {"rounds": 4, "next_leader": "again"}),
    ("kaiserspiel", 4, {"target": 41}),
    ("kaiserspiel", 4, {"target": 41, "limit": False}),
    ("sticheln", 3, {"rounds": 3}),
    ("sticheln", 6, {"rounds": 3, "zeros": "leader"}),
]
"""Games with seats and options, in matches of several rounds."""


def test_every_game_is_among_them() -> None:
    assert {name for name, _, _ in MATCHES} == {*games()}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "seats", "given"), MATCHES)
def test_every_round_can_be_played_as_a_match_of_its_own(
    name: str, seats: int, given: Options, seed: int
) -> None:
    game = games()[name]
    options = game.complete_options(seats, given)
    state = game.initial(seats, options)
    once, begun = options, state
    log: list[tuple[int, Any]] = []
    for seat, action in play_match(game, seats, options, Random(f"{name}{seed}")):
        if seat == CHANCE:
            once = game.one_round(options, state)
            assert game.complete_options(seats, once) == once
            begun = game.initial(seats, once)
            after = game.apply(state, seat, action)
            opening = json.loads(json.dumps(opening_to_json(game, action, after)))
            again = opening_from_json(game, begun, opening)
            begun, state = game.apply(begun, CHANCE, again), after
            assert opening_to_json(game, again, begun) == opening_to_json(game, action, after)
            log = [(CHANCE, again)]
        else:
            state, begun = game.apply(state, seat, action), game.apply(begun, seat, action)
            log.append((seat, action))
        assert_same(game, seats, state, begun)
        points = game.round_scores(state)
        assert points == game.round_scores(begun)
        if points is not None:
            assert game.scores(begun) == points
            stopped = None if game.outcome(begun) is not None else "again"
            made = record(game, seats, once, log, stopped=stopped)
            assert verify(json.loads(to_text(made)), 1) == []


def assert_same(game: AnyGame, seats: int, state: Any, begun: Any) -> None:
    """What lies where, who knows it, and what may be done now; between rounds only the cards."""
    assert game.round_head(begun) == game.round_head(state)
    assert game.cards(begun) == game.cards(state)
    if game.round_scores(state) is None:
        assert game.actors(begun) == game.actors(state)
        for seat in range(seats):
            assert list(game.legal_actions(begun, seat)) == list(game.legal_actions(state, seat))


def test_no_table_may_choose_the_trump_that_it_begins_with() -> None:
    game = games()["auffalscherfaehrte"]
    with pytest.raises(Exception, match="option_unknown"):
        check_table_options(game.info, {"trump": "G"})
    assert "trump" not in game.complete_options(4, {})
    assert game.complete_options(4, {"trump": "G"})["trump"] == "G"
    with pytest.raises(Exception, match="option_type"):
        game.complete_options(4, {"trump": "X"})
