"""Kaiserspiel's twin, worlds, rules of thumb and search are the same compiled and interpreted."""

from __future__ import annotations

from typing import Final

import pytest

from tests.players.probing import probe

DIGEST: Final = """
import hashlib, json
from random import Random
from engine.games.kaiserspiel import GAME
from engine.players.chance import chance_of
from engine.players.compiled import COMPILED, ints
from engine.players.kaiserspiel import KIT, flat, slots, twin
from engine.players.kaiserspiel.policy import choose
from engine.players.kaiserspiel.worlds import draw_world
from engine.players.kit import BY_BOUND, EVENLY, GREEDY, RANDOM, Tried

digest = hashlib.sha256()
def note(*numbers):
    digest.update(repr([float(n) for n in numbers]).encode())

r, room, world = chance_of(Random(7)), ints(slots.DECK), ints(slots.SIZE)
plies = searches = 0
for seed in range(6):
    rng = Random(seed)
    state = GAME.initial(4, {"target": 30, "limit": bool(seed % 2)})
    while GAME.actors(state):
        state = GAME.apply(state, -1, GAME.deal(state, rng.randrange))
        s = flat.flatten(state)
        while GAME.actors(state) != (-1,) and GAME.actors(state):
            seat = GAME.actors(state)[0]
            asked = KIT.question(GAME.observe(state, seat))
            draw_world(asked.known, world, room, r)
            thumb = int(choose(s, seat, r))
            other = int(twin.random_move(s, room, r))
            note(*s, *world, thumb, other)
            if len(asked.moves) > 1 and plies % 5 == 0:
                searches += 1
                for policy, way in ((RANDOM, EVENLY), (GREEDY, BY_BOUND)):
                    for truth in (ints(0), KIT.flatten(state)):
                        tried = Tried.of(asked.moves)
                        KIT.search(asked.known, truth, tried, 12, policy, way, r)
                        note(*tried.visits, *tried.sums, *tried.wins)
            move = thumb if rng.random() < 0.8 else other
            twin.play(s, move)
            state = GAME.apply(state, seat, flat.ACTIONS[move])
            plies += 1
print(json.dumps([COMPILED, [plies, searches, digest.hexdigest()]]))
"""


MILLION: Final = """
import json
from random import Random
from engine.games.kaiserspiel import GAME
from engine.players.chance import chance_of
from engine.players.compiled import COMPILED, ints
from engine.players.kaiserspiel import flat, slots, twin
from engine.players.kaiserspiel.policy import choose

room, plies, seed = ints(slots.DECK), 0, 0
while plies < 1_000_000:
    seed += 1
    rng = Random(seed)
    r = chance_of(rng)
    state = GAME.initial(4, {"target": 101, "limit": bool(seed % 2)})
    while GAME.actors(state):
        state = GAME.apply(state, -1, GAME.deal(state, rng.randrange))
        s = flat.flatten(state)
        while state.step != "over":
            seat = rng.choice(GAME.actors(state))
            s[slots.ACTOR] = seat
            actions = GAME.legal_actions(state, seat)
            count = twin.legal(s, room)
            assert sorted(map(flat.move_of, actions)) == sorted(room[:count].tolist())
            move = room[rng.randrange(count)] if rng.random() < 0.5 else choose(s, seat, r)
            twin.play(s, move)
            state = GAME.apply(state, seat, flat.ACTIONS[int(move)])
            now = GAME.actors(state)
            assert s[slots.ACTOR] == (-1 if state.step == "over" else now[0])
            plies += 1
        assert s.tolist() == flat.flatten(state).tolist()
        assert state.round.points[:2] == (s[slots.POINTS], s[slots.POINTS + 1])
print(json.dumps([COMPILED, [plies]]))
"""


@pytest.mark.nightly
@pytest.mark.slow
def test_compiled_and_interpreted_are_the_same_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    found = probe(DIGEST, compiled=True)
    assert found == probe(DIGEST, compiled=False)
    assert isinstance(found[0], int)
    assert found[0] > 200


@pytest.mark.nightly
def test_a_million_plies_are_the_same_as_the_games() -> None:
    pytest.importorskip("numba")
    (plies,) = probe(MILLION, compiled=True)
    assert isinstance(plies, int)
    assert plies >= 1_000_000
