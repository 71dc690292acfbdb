"""Worlds of Auf falscher Fährte that are as frequent as they are likely."""

from __future__ import annotations

from math import log
from random import Random
from statistics import fmean

import pytest

from engine.games.auffalscherfaehrte.game import GAME
from engine.games.auffalscherfaehrte.view import observe
from engine.players.auffalscherfaehrte import twin
from engine.players.auffalscherfaehrte.kit import KIT
from engine.players.auffalscherfaehrte.likely import likelihood
from engine.players.auffalscherfaehrte.walk import HERE, SCORE, score, walk_on
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.metropolis import FINE
from tests.players.test_auffalscherfaehrte import CASES, check_world, positions


@pytest.mark.parametrize(("seats", "jokers", "next_leader"), CASES[::2])
def test_what_the_others_did_is_as_likely_as_when_they_did_it(
    seats: int, jokers: bool, next_leader: str
) -> None:
    """Told afterwards from what one seat saw, with all cards as they are."""
    done, told, s, r = [0.0] * seats, 0, ints(twin.SIZE), chance_of(Random(1))
    for state, seat, action, _ in positions(seats, jokers, next_leader, 3, rounds=1):
        view = observe(state, seat)
        asked = KIT.question(view)
        if state.stage != "hide":
            walk, flat = ints(KIT.room(asked)), KIT.flatten(state)
            walk_on(asked.known, asked.history, walk, 0, r, s)
            walk[HERE : HERE + twin.SIZE] = flat
            for one in range(seats):
                if one != seat:
                    assert score(walk, one, s) / FINE == pytest.approx(done[one], abs=1e-3)
                    told += 1
        move = asked.moves[asked.actions.index(action)]
        if state.stage != "trump" or len(state.round.offers) == 1:
            done[seat] += log(likelihood(asked.known, move))
    assert told > 50


@pytest.mark.parametrize(("seats", "jokers", "next_leader"), CASES[::2])
def test_wherever_a_walk_comes_could_be_the_truth(
    seats: int, jokers: bool, next_leader: str
) -> None:
    r, s, met = chance_of(Random(1)), ints(twin.SIZE), 0
    for ply, (state, seat, _, _) in enumerate(positions(seats, jokers, next_leader, 4)):
        asked = KIT.question(observe(state, seat))
        if ply % 6 or not KIT.room(asked):
            continue
        walk = ints(KIT.room(asked))
        for _ in range(3):
            walk_on(asked.known, asked.history, walk, 1, r, s)
            check_world(asked.known, s, seat)
            known_scores(walk, seat)
            met += 1
    assert met > 30


def known_scores(walk: Ints, seat: int) -> None:
    """What a walk keeps of its world is what that world says."""
    s = ints(twin.SIZE)
    for one in range(walk[HERE + twin.SEATS]):
        if one != seat:
            assert walk[SCORE + one] == score(walk, one, s)


def test_nothing_is_weighed_before_anybody_did_anything() -> None:
    state, *_ = next(each for each in positions(4, True, "next", 1))
    assert KIT.room(KIT.question(observe(state, state.actors[0]))) == 0


def test_a_walk_stays_where_it_is_likely() -> None:
    """Rules of thumb hid and played: the worlds met explain that better than any that fit."""
    rng, r, s, gained = Random(5), chance_of(Random(1)), ints(twin.SIZE), list[float]()
    state, *_ = next(positions(4, False, "next", 6, rounds=1))
    while state.round.points is None:
        seat = state.actors[0]
        asked = KIT.question(observe(state, seat))
        if len(state.tricks) in (3, 6, 9) and not state.trick:
            scores = [0, 0]
            for at, steps in enumerate((0, 6)):
                for _ in range(3):
                    walk = ints(KIT.room(asked))
                    walk_on(asked.known, asked.history, walk, steps, r, s)
                    scores[at] += sum(walk[SCORE : SCORE + 4])
            gained.append((scores[1] - scores[0]) / 3 / FINE)
        chosen = KIT.greedy(asked.known, asked.moves, chance_of(rng))
        state = GAME.apply(state, seat, asked.actions[chosen])
    assert fmean(gained) > 3
