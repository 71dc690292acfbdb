"""Sticheln for computer players, compiled: the same as interpreted, and as the game."""

from __future__ import annotations

from typing import Final

import pytest

from tests.players.probing import probe

PROBE: Final = """
import json
from hashlib import sha256
from random import Random
from engine.deal import Seeded
from engine.games.sticheln import GAME
from engine.players.chance import chance_of
from engine.players.compiled import COMPILED, floats, ints
from engine.players.kit import Tried
from engine.players.sticheln import KIT, twin
from engine.players.sticheln.kit import weighed
from engine.players.sticheln.policy import choose
rng, digest = Random(9), sha256()
for number in range(8):
    seats = 3 + number % 4
    options = {"rounds": 1, "zeros": ("aside", "leader")[number // 4]}
    state = GAME.initial(seats, GAME.complete_options(seats, options))
    state = GAME.apply(state, -1, GAME.deal(state, Seeded(rng)))
    flat, r = KIT.flatten(state), chance_of(rng)
    rows, halves = ints([0, -1, 1, 0, 1, 0][:seats]), [weight / 2 for weight in KIT.weights]
    played = KIT.points_by(KIT.flatten(state), rows, floats([*halves, *KIT.weights]), r)
    digest.update(repr(played).encode())
    while state.actors:
        seat = int(flat[twin.TURN])
        rule, any_ = int(choose(flat, seat, r)), int(twin.random_move(flat, r))
        digest.update(f"{rule} {any_} {[int(n) for n in flat]} {[int(n) for n in r]}".encode())
        if rng.random() < 0.1:
            asked = KIT.question(GAME.observe(state, seat))
            for policy in (0, 1):
                tried = Tried.of(asked.moves)
                for truth in (ints(0), flat):
                    KIT.search(asked.known, truth, tried, 40, policy, policy, r)
                found = [float(n).hex() for column in tried for n in column]
                digest.update(repr(found).encode())
            if KIT.room(asked):
                tried, walk = Tried.of(asked.moves), ints(KIT.room(asked))
                weighed(asked.known, asked.history, walk, tried, 2, r, ints(twin.SIZE), 2)
                found = [float(n).hex() for column in (*tried, walk) for n in column]
                digest.update(repr(found).encode())
        move = rule if rng.random() < 0.7 else any_
        twin.play(flat, move)
        state = GAME.apply(state, seat, move)
print(json.dumps([COMPILED, digest.hexdigest()]))
"""

LONG: Final = """
import json
from random import Random
from engine.deal import Seeded
from engine.games.sticheln import GAME
from engine.players.chance import chance_of
from engine.players.compiled import COMPILED, ints
from engine.players.sticheln import KIT, twin
rng, plies, moves = Random(10), 0, ints(twin.HAND)
while plies < 1_000_000:
    seats = rng.choice(GAME.info.seats)
    options = {"rounds": 1, "zeros": rng.choice(["aside", "leader"])}
    state = GAME.initial(seats, GAME.complete_options(seats, options))
    state = GAME.apply(state, -1, GAME.deal(state, Seeded(rng)))
    flat, r = KIT.flatten(state), chance_of(rng)
    while state.actors:
        seat = int(flat[twin.TURN])
        assert seat in state.actors
        found = [int(move) for move in moves[: twin.legal(flat, moves)]]
        assert sorted(found) == sorted(GAME.legal_actions(state, seat))
        move = int(twin.random_move(flat, r))
        twin.play(flat, move)
        state = GAME.apply(state, seat, move)
        plies += 1
    assert flat[twin.TURN] == twin.NONE
    assert tuple(flat[twin.POINTS : twin.POINTS + seats]) == state.round.points
print(json.dumps([COMPILED, plies]))
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_compiled_and_interpreted_are_the_same_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    assert probe(PROBE, compiled=True) == probe(PROBE, compiled=False)


@pytest.mark.nightly
def test_the_compiled_twin_is_the_game_for_a_million_plies() -> None:
    pytest.importorskip("numba")
    assert probe(LONG, compiled=True) == pytest.approx(1_000_000, rel=0.01)
