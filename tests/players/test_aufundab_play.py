"""Computer players of Auf und Ab: what they choose, and from what."""

from __future__ import annotations

import json
from random import Random
from typing import Final

import pytest

from engine.games.aufundab import GAME
from engine.games.aufundab.sets import PACK
from engine.players.aufundab import KIT, twin
from engine.players.aufundab.policy import LOOKED_AT, choose, new_room
from engine.players.aufundab.twin import (
    ACTOR,
    ALL,
    COUNTS,
    HANDS,
    SIZE,
    TWICE,
    legal,
    play,
    random_move,
)
from engine.players.aufundab.worlds import fill
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.kit import BY_BOUND, EVENLY, GREEDY, RANDOM, Tried
from engine.players.player import Budget
from engine.players.roster import cheater, player
from tests.players.test_aufundab import compiled, lead, listed, positions
from tests.players.test_aufundab_likely import digest as likely_digest


def cards(codes: str) -> int:
    return PACK.mask(codes.split())


def test_the_rules_of_thumb_are_legal_in_every_world() -> None:
    room, found, r = new_room(0.5), ints(LOOKED_AT), chance_of(Random(1))
    for seed in range(30):
        s = KIT.flatten(next(positions(3 + seed % 2, seed))[0])
        while s[ACTOR] >= 0:
            move = int(choose(s, room, found, r))
            assert move in listed(s)
            play(s, move)


def test_greedy_does_not_look_into_other_hands() -> None:
    room, found, r = new_room(0.0), ints(LOOKED_AT), chance_of(Random(2))
    looked = 0
    for state, seat in [*positions(3, 11), *positions(4, 12)]:
        truth, world = KIT.flatten(state), ints(SIZE)
        asked = KIT.question(GAME.observe(state, seat))
        chosen = asked.moves[KIT.greedy(asked.known, asked.moves, r)]
        fill(asked.known, world, r)
        assert chosen == choose(truth, room, found, r) == choose(world, room, found, r)
        looked += list(truth) != list(world)
    assert looked > 50


@pytest.mark.parametrize("name", ["greedy", "pimc", "guided"])
def test_equal_observations_and_generators_are_equal_decisions(name: str) -> None:
    chooser, budget = player(name, GAME), Budget(playouts=60)
    for state, seat in [*positions(4, 13)][::9]:
        view = GAME.observe(state, seat)
        other = GAME.observe(GAME.determinize(view, Random(1)), seat)
        decided = chooser.decide(view, budget, Random(3))
        assert decided == chooser.decide(other, budget, Random(3))
        assert GAME.is_legal(state, seat, decided.action)


def test_the_cheater_sees_what_others_hold() -> None:
    state, seat = next(positions(4, 14))
    decided = cheater(GAME, state).decide(GAME.observe(state, seat), Budget(100), Random(1))
    assert GAME.is_legal(state, seat, decided.action)
    assert decided.playouts == 100


@pytest.mark.parametrize(("seats", "least"), [(3, 0.85), (4, 0.73)])
def test_greedy_ends_most_rounds_first_among_random_players(seats: int, least: float) -> None:
    room, found, r, first = new_room(0.0), ints(LOOKED_AT), chance_of(Random(8)), 0
    rounds = 50 * seats
    for number in range(rounds):
        s, seat = KIT.flatten(next(positions(seats, number // seats))[0]), number % seats
        while s[ACTOR] >= 0:
            play(s, choose(s, room, found, r) if s[ACTOR] == seat else random_move(s, r))
        first += s[twin.OWNER] == seat
    assert first / rounds > least


def test_in_the_deal_as_it_is_playouts_know_who_can_beat_what() -> None:
    truth = lead("2-8 5-6")
    known = ints(truth)
    truth[HANDS + 1] = cards("0-1 0-2 0-3 0-4 0-5")
    truth[HANDS + 2] = cards("1-1 1-2 1-3 1-4 1-5")
    r, shares = chance_of(Random(9)), []
    for whole in (truth, ints(0)):
        tried = Tried.of([cards("5-6")])
        KIT.search(known, whole, tried, 50, RANDOM, EVENLY, r)
        shares.append(tried.wins[0] / tried.visits[0])
    assert shares[0] == 1 > shares[1]


def searched(known: Ints, policy: int, way: int) -> int:
    """The move that 300 playouts find the best."""
    found = ints(twin.MOST)
    count = int(legal(known, found))
    tried = Tried.of(found[:count])
    KIT.search(known, ints(0), tried, 300, policy, way, chance_of(Random(7)))
    assert sum(tried.visits) == 300
    return int(found[max(range(count), key=lambda i: tried.sums[i] / max(1, tried.visits[i]))])


WAYS: Final = [
    pytest.param(RANDOM, EVENLY, id="pimc"),
    pytest.param(GREEDY, BY_BOUND, id="guided"),
    pytest.param(-1, -1, id="greedy"),
]


def decided(known: Ints, policy: int, choosing: int) -> int:
    if policy >= 0:
        return searched(known, policy, choosing)
    return int(choose(known, new_room(0.0), ints(LOOKED_AT), chance_of(Random(1))))


@pytest.mark.parametrize(("policy", "choosing"), WAYS)
def test_who_can_end_the_round_does(policy: int, choosing: int) -> None:
    known = lead("3-4 3-5 3-9")
    assert decided(known, policy, choosing) & ALL == cards("3-4 3-5 3-9")


@pytest.mark.parametrize(("policy", "choosing"), WAYS)
def test_what_nobody_beats_goes_before_the_last_card(policy: int, choosing: int) -> None:
    known = lead("0-3 9-9")
    known[COUNTS + 1] = known[COUNTS + 2] = 1
    move = decided(known, policy, choosing)
    assert move & ALL == cards("9-9"), PACK.codes(move & ALL)


@pytest.mark.parametrize(("policy", "choosing"), WAYS)
def test_two_are_led_when_somebody_has_one_card(policy: int, choosing: int) -> None:
    known = lead("4-5 4-6 4-7 2-8")
    known[COUNTS + 1] = known[COUNTS + 2] = 1
    # A set of three 4s cannot be beaten by anybody; the last card follows.
    assert decided(known, policy, choosing) & ALL == cards("4-5 4-6 4-7")


@pytest.mark.parametrize(("policy", "choosing"), WAYS)
def test_who_is_alone_gets_rid_of_one_more_card(policy: int, choosing: int) -> None:
    known = lead("2-8 5-6")
    known[twin.NUMBER], known[twin.QUANTITY], known[twin.OUT] = 3, 1, 0b110
    assert decided(known, policy, choosing) == cards("5-6")


@pytest.mark.parametrize(("policy", "choosing"), WAYS)
def test_a_lone_double_counts_two_to_end_the_round(policy: int, choosing: int) -> None:
    known = lead("7-7")
    known[twin.NUMBER], known[twin.QUANTITY] = 3, 2
    assert decided(known, policy, choosing) == cards("7-7") | TWICE


def digest() -> list[object]:
    """What compiled and interpreted players do in the same positions."""
    out: list[object] = []
    for seats in (3, 4):
        r, room, found = chance_of(Random(seats)), new_room(0.4), ints(LOOKED_AT)
        for place, (state, seat) in enumerate(positions(seats, 20)):
            s = KIT.flatten(state)
            asked = KIT.question(GAME.observe(state, seat))
            out += [int(choose(s, room, found, r)), int(random_move(s, r)), list(asked.moves)]
            if place % 16:
                continue
            for policy, way in ((RANDOM, EVENLY), (GREEDY, BY_BOUND)):
                tried = Tried.of(asked.moves)
                KIT.search(asked.known, ints(0), tried, 40, policy, way, r)
                out += [[float(n) for n in column] for column in tried]
    return out


@pytest.mark.nightly
@pytest.mark.slow
def test_compiled_and_interpreted_are_the_same_to_the_last_bit() -> None:
    pytest.importorskip("numba")
    # Both in one process, which compiles once.
    code = """
import json
from tests.players import test_aufundab_likely, test_aufundab_play
print(json.dumps([test_aufundab_play.digest(), test_aufundab_likely.digest()]))
"""
    assert json.loads(compiled(code)) == [digest(), likely_digest()]
