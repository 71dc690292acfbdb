"""Worlds of Sticheln that are as frequent as they are likely."""

from __future__ import annotations

from math import log
from random import Random
from statistics import fmean

import pytest

from engine.games.sticheln import GAME
from engine.players.chance import chance_of
from engine.players.compiled import ints
from engine.players.metropolis import FINE
from engine.players.sticheln import KIT, twin
from engine.players.sticheln.walk import HERE, SCORE, likelihood, score, walk_on
from tests.players.test_sticheln import TABLES, dealt, plain, states


@pytest.mark.parametrize(("seats", "zeros"), TABLES[::3])
def test_what_the_others_did_is_as_likely_as_when_they_did_it(seats: int, zeros: str) -> None:
    """Told afterwards from what one seat saw, with all cards as they are."""
    rng, r, s, told = Random(seats), chance_of(Random(1)), ints(twin.SIZE), 0
    done = [0.0] * seats
    state = dealt(seats, zeros, rng)
    while state.actors:
        seat = state.actors[0]
        asked = KIT.question(GAME.observe(state, seat))
        if state.stage == "play":
            walk = ints(KIT.room(asked))
            walk_on(asked.known, asked.history, walk, 0, r, s)
            walk[HERE : HERE + twin.SIZE] = KIT.flatten(state)
            for one in range(seats):
                if one != seat:
                    assert score(walk, one, s) / FINE == pytest.approx(done[one], abs=1e-3)
                    told += 1
        move = rng.choice(asked.actions)
        done[seat] += log(likelihood(asked.known, seat, move % twin.CHOOSE))
        state = GAME.apply(state, seat, move)
    assert told > 80


@pytest.mark.parametrize(("seats", "zeros"), TABLES[::3])
def test_wherever_a_walk_comes_could_be_the_truth(seats: int, zeros: str) -> None:
    r, s, met = chance_of(Random(1)), ints(twin.SIZE), 0
    for ply, state in enumerate(states(seats, zeros, Random(4))):
        if state.stage != "play" or ply % 5:
            continue
        seat = state.actors[0]
        view = GAME.observe(state, seat)
        asked = KIT.question(view)
        walk = ints(KIT.room(asked))
        for _ in range(2):
            walk_on(asked.known, asked.history, walk, 1, r, s)
            hands = [
                bytes(sorted(s[at : at + s[twin.COUNT + one]]))
                for one in range(seats)
                for at in [twin.HANDS + one * twin.HAND]
            ]
            # A state of the game whose flat twin this is looks the same to the seat.
            world = state._replace(hands=tuple(hands))
            assert plain(KIT.flatten(world)) == plain(s)
            assert sorted(b"".join(hands)) == sorted(b"".join(state.hands))
            assert GAME.observe(world, seat) == view
            for one in set(range(seats)) - {seat}:
                assert walk[SCORE + one] == score(walk, one, ints(twin.SIZE))
            met += 1
    assert met > 12


def test_nothing_is_weighed_while_all_choose() -> None:
    state = dealt(4, "aside", Random(1))
    assert KIT.room(KIT.question(GAME.observe(state, 0))) == 0


def test_a_walk_stays_where_it_is_likely() -> None:
    """Rules of thumb chose and played: the worlds met explain that better than any that fit."""
    r, s, gained = chance_of(Random(1)), ints(twin.SIZE), list[float]()
    state = dealt(4, "aside", Random(2))
    while state.actors:
        seat = state.actors[0]
        asked = KIT.question(GAME.observe(state, seat))
        if state.tricks.number in (3, 6, 9) and not state.trick:
            scores = [0, 0]
            for at, steps in enumerate((0, 6)):
                for _ in range(3):
                    walk = ints(KIT.room(asked))
                    walk_on(asked.known, asked.history, walk, steps, r, s)
                    scores[at] += sum(walk[SCORE : SCORE + 4])
            gained.append((scores[1] - scores[0]) / 3 / FINE)
        chosen = KIT.greedy(asked.known, asked.moves, r)
        state = GAME.apply(state, seat, asked.actions[chosen])
    assert fmean(gained) > 3
