"""Worlds of Sticheln and Auf falscher Fährte that are as frequent as they are likely."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from random import Random
from statistics import fmean
from types import ModuleType
from typing import Any, Final, NamedTuple

import pytest

from engine.game import AnyGame, Options, Seat
from engine.games import auffalscherfaehrte as faehrte_game
from engine.games import sticheln as sticheln_game
from engine.players.auffalscherfaehrte import twin as faehrte
from engine.players.auffalscherfaehrte import walk
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.kit import FINE, Question
from engine.players.sticheln import twin, worlds
from tests.players.positions import kit, positions
from tests.players.test_auffalscherfaehrte import check_world
from tests.players.test_sticheln import plain, unflat


def likely_in_sticheln(known: Ints, seat: Seat, move: int) -> float:
    return worlds.likelihood(known, seat, move % twin.CHOOSE)


def likely_in_faehrte(known: Ints, seat: Seat, move: int) -> float:
    return walk.likelihood(known, move)


def could_be_sticheln(state: Any, seat: Seat, asked: Question, s: Ints) -> None:
    world = unflat(s, state)
    assert plain(kit("sticheln").flatten(world)) == plain(s)
    assert sorted(b"".join(world.hands)) == sorted(b"".join(state.hands))
    assert sticheln_game.GAME.observe(world, seat) == sticheln_game.GAME.observe(state, seat)


def could_be_faehrte(state: Any, seat: Seat, asked: Question, s: Ints) -> None:
    check_world(asked.known, ints(s), seat)


class Walk(NamedTuple):
    """How a game walks."""

    game: AnyGame
    way: ModuleType
    """Has `walk_on`, `score`, and where a walk keeps what."""
    size: int
    likelihood: Callable[[Ints, Seat, int], float]
    could_be: Callable[[Any, Seat, Question, Ints], None]
    """Raises AssertionError where a world could not be the truth."""


STICHELN: Final = Walk(sticheln_game.GAME, worlds, twin.SIZE, likely_in_sticheln, could_be_sticheln)
FAEHRTE: Final = Walk(faehrte_game.GAME, walk, faehrte.SIZE, likely_in_faehrte, could_be_faehrte)

CASES: Final = [
    pytest.param(STICHELN, 3, {"zeros": "aside"}, id="sticheln-3"),
    pytest.param(STICHELN, 4, {"zeros": "leader"}, id="sticheln-4"),
    pytest.param(STICHELN, 6, {"zeros": "aside"}, id="sticheln-6"),
    pytest.param(FAEHRTE, 3, {"jokers": False}, id="faehrte-3"),
    pytest.param(FAEHRTE, 3, {"jokers": True}, id="faehrte-3-jokers"),
    pytest.param(FAEHRTE, 4, {"jokers": False}, id="faehrte-4"),
    pytest.param(FAEHRTE, 4, {"jokers": True}, id="faehrte-4-jokers"),
]


def walked(one: Walk, asked: Question, steps: int, r: Ints) -> tuple[Ints, Ints]:
    """A new walk after so many steps, and where it is."""
    walk, s = ints(kit(one.game.info.id).room(asked)), ints(one.size)
    one.way.walk_on(asked.known, asked.history, walk, steps, r, s)
    return walk, s


@pytest.mark.parametrize(("one", "seats", "options"), CASES)
def test_what_the_others_did_is_as_likely_as_when_they_did_it(
    one: Walk, seats: int, options: Options
) -> None:
    """Told afterwards from what one seat saw, with all cards as they are."""
    players, done, told, r = kit(one.game.info.id), [0.0] * seats, 0, chance_of(Random(1))
    for state, seat, action in positions(one.game, seats, 3, options, thumbs=0.0):
        asked = players.question(one.game.observe(state, seat))
        if state.stage not in ("hide", "choose"):
            walk, s = walked(one, asked, 0, r)
            walk[one.way.HERE : one.way.HERE + one.size] = players.flatten(state)
            for other in set(range(seats)) - {seat}:
                found = one.way.score(walk, other, s) / FINE
                assert found == pytest.approx(done[other], abs=1e-3)
                told += 1
        move = asked.moves[asked.actions.index(action)]
        # Who of two changed a trump is not known afterwards.
        if state.stage != "trump" or len(state.round.offers) == 1:
            done[seat] += log(one.likelihood(asked.known, seat, move))
    assert told > 50


@pytest.mark.parametrize(("one", "seats", "options"), CASES)
def test_wherever_a_walk_comes_could_be_the_truth(one: Walk, seats: int, options: Options) -> None:
    players, r, met = kit(one.game.info.id), chance_of(Random(1)), 0
    for ply, (state, seat, _) in enumerate(positions(one.game, seats, 4, options)):
        asked = players.question(one.game.observe(state, seat))
        if ply % 5 or state.stage in ("hide", "choose"):
            continue
        walk, s = walked(one, asked, 1, r)
        for _ in range(3):
            one.could_be(state, seat, asked, s)
            # What a walk keeps of its world is what that world says.
            for other in set(range(seats)) - {seat}:
                assert walk[one.way.SCORE + other] == one.way.score(walk, other, ints(one.size))
            one.way.walk_on(asked.known, asked.history, walk, 1, r, s)
            met += 1
    assert met > 12


@pytest.mark.parametrize("one", [STICHELN, FAEHRTE], ids=["sticheln", "faehrte"])
def test_nothing_is_weighed_before_anybody_did_anything(one: Walk) -> None:
    state, seat, _ = next(positions(one.game, 4, 1))
    players = kit(one.game.info.id)
    assert players.room(players.question(one.game.observe(state, seat))) == 0


@pytest.mark.parametrize("one", [STICHELN, FAEHRTE], ids=["sticheln", "faehrte"])
def test_a_walk_stays_where_it_is_likely(one: Walk) -> None:
    """All went by rules of thumb: the worlds met explain that better than any that fit."""
    players, r, gained = kit(one.game.info.id), chance_of(Random(1)), list[float]()
    for ply, (state, seat, _) in enumerate(positions(one.game, 4, 6, thumbs=1.0)):
        if ply in (16, 28, 40):
            asked = players.question(one.game.observe(state, seat))
            scores = []
            for steps in (0, 6):
                walks = [walked(one, asked, steps, r)[0] for _ in range(3)]
                told = [sum(walk[one.way.SCORE : one.way.SCORE + 4]) for walk in walks]
                scores.append(fmean(told) / FINE)
            gained.append(scores[1] - scores[0])
    assert fmean(gained) > 3
