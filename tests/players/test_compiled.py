"""Compiled and interpreted players are the same; random numbers, and which move is next."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest

from engine.players.chance import below, chance_of, shuffle, unit
from engine.players.compiled import COMPILED, ints, lowest, popcount
from engine.players.kit import FLAT, GUIDED, Tried, add, next_move
from engine.registry import games
from tests.players.probing import probe

PROBE: Final = """
import json
from random import Random
from engine.players.chance import below, chance_of, shuffle, unit
from engine.players.compiled import COMPILED, ints, jit, lowest, popcount
from engine.players.kit import FLAT, GUIDED, Tried
from engine.players.kit import add, add_points, next_move
r = chance_of(Random(5))
out = [int(below(r, 1000)) for _ in range(50)] + [float(unit(r)) for _ in range(20)]
cards = ints(list(range(40)))
shuffle(r, cards, 40)
out += [int(card) for card in cards]

@jit
def bits(mask):
    return popcount(mask) * 100 + lowest(mask)

out += [int(bits(1 << i | 1 << 61 | 1 << 30)) for i in range(60)]
tried = Tried.of(range(5))
for turn in range(200):
    move = next_move(tried, GUIDED, 3.0)
    add(tried, move, float(unit(r)) + move, float(unit(r)), 1)
    add_points(tried, move, cards, 3, 4, 2, 1)
out += [float(n) for column in tried for n in column] + [int(next_move(tried, FLAT, 3.0))]
print(json.dumps([COMPILED, out]))
"""


@pytest.mark.slow
def test_compiled_and_interpreted_are_the_same_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    assert probe(PROBE, compiled=True) == probe(PROBE, compiled=False)


OF_A_GAME: Final = """
import json
from engine.players.compiled import COMPILED
from tests.players.positions import digest
print(json.dumps([COMPILED, digest("{game}")]))
"""


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_players_are_the_same_to_the_last_bit(game: str) -> None:
    pytest.importorskip("numba")
    script = OF_A_GAME.format(game=game)
    assert probe(script, compiled=True) == probe(script, compiled=False)


MILLION: Final = """
import json
from engine.players.compiled import COMPILED
from tests.players.test_{game} import alongside
plies = seed = 0
while plies < 1_000_000:
    plies += alongside(seed)
    seed += 1
print(json.dumps([COMPILED, plies]))
"""


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("game", games())
def test_for_a_million_plies_the_compiled_twin_is_the_game(game: str) -> None:
    pytest.importorskip("numba")
    assert probe(MILLION.format(game=game), compiled=True) >= 1_000_000


def test_every_number_below_is_as_likely() -> None:
    r = chance_of(Random(1))
    found = Counter(below(r, 7) for _ in range(70_000))
    assert set(found) == set(range(7))
    assert all(abs(count - 10_000) < 400 for count in found.values())
    mean = sum(unit(r) for _ in range(10_000)) / 10_000
    assert abs(mean - 0.5) < 0.02


def test_a_shuffle_puts_every_card_everywhere() -> None:
    r, where = chance_of(Random(2)), Counter[tuple[int, int]]()
    for _ in range(6_000):
        cards = ints(range(6))
        shuffle(r, cards, 5)
        assert cards[5] == 5
        assert sorted(cards) == list(range(6))
        where.update(enumerate(map(int, cards)))
    assert all(abs(where[place, card] - 1_200) < 150 for place in range(5) for card in range(5))


def test_bits() -> None:
    assert [popcount(mask) for mask in (1, 0b1011, 1 << 61 | 1)] == [1, 3, 2]
    assert [lowest(mask) for mask in (1, 0b1000, 1 << 61)] == [0, 3, 61]


def test_the_better_move_is_tried_more_often_and_the_others_still_are() -> None:
    tried = Tried.of([7, 8, 9])
    for _ in range(300):
        move = next_move(tried, GUIDED, 1.0)
        add(tried, move, (0.1, 0.9, 0.5)[move], 0.0, 0)
    assert tried.visits[1] > tried.visits[2] > tried.visits[0] > 0


def test_evenly_means_evenly() -> None:
    tried = Tried.of([7, 8, 9])
    for _ in range(30):
        add(tried, next_move(tried, FLAT, 1.0), 0.0, 0.0, 0)
    assert list(tried.visits) == [10, 10, 10]


def test_tests_run_interpreted_unless_somebody_says_otherwise() -> None:
    assert not COMPILED
