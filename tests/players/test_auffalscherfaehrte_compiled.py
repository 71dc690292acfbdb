"""The players of Auf falscher Fährte are the same compiled and interpreted."""

from __future__ import annotations

from typing import Final

import pytest

from tests.players.probing import probe

PROBE: Final = """
import json
from random import Random
from engine.deal import Seeded
from engine.game import CHANCE
from engine.games.auffalscherfaehrte.game import GAME
from engine.games.auffalscherfaehrte.view import observe
from engine.players.auffalscherfaehrte.kit import KIT
from engine.players.auffalscherfaehrte.search import weighed
from engine.players.auffalscherfaehrte.twin import SIZE
from engine.players.chance import chance_of
from engine.players.compiled import COMPILED, ints
from engine.players.kit import Tried
out = []
for seats, jokers in ((3, False), (3, True), (4, False), (4, True)):
    rng = Random(seats)
    state = GAME.initial(seats, GAME.complete_options(seats, {"rounds": 1, "jokers": jokers}))
    state = GAME.apply(state, CHANCE, GAME.deal(state, Seeded(rng)))
    while actors := GAME.actors(state):
        seat, r = actors[0], chance_of(rng)
        asked = KIT.question(observe(state, seat))
        for policy, way in ((0, 0), (1, 1)):
            tried = Tried.of(asked.moves)
            KIT.search(asked.known, ints(0), tried, 6, policy, way, r)
            out += [float(n) for column in tried for n in column]
        if KIT.room(asked):
            tried, walk = Tried.of(asked.moves), ints(KIT.room(asked))
            weighed(asked.known, asked.history, walk, tried, 2, r, ints(SIZE), 2)
            out += [int(n) for n in walk] + [float(n) for column in tried for n in column]
        out += [int(n) for n in r]
        move = KIT.greedy(asked.known, asked.moves, r)
        out.append(int(move))
        state = GAME.apply(state, seat, asked.actions[move])
    out += state.round.scores
print(json.dumps([COMPILED, out]))
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_compiled_and_interpreted_are_the_same_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    assert probe(PROBE, compiled=True) == probe(PROBE, compiled=False)
