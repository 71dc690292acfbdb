"""Weights that are found by playing: how they are varied, what they play against, their file."""

from __future__ import annotations

from itertools import pairwise
from math import dist
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

import engine.players
from engine.games import aufundab
from engine.games.sticheln import GAME
from engine.players import aufundab as aufundab_players
from engine.players.chance import chance_of
from engine.players.compiled import floats, ints
from engine.players.duel import dealt as begin
from engine.players.duel import one_round
from engine.players.evolving import (
    PARENTS,
    RATE,
    VARIANTS,
    Evolution,
    Vector,
    begun,
    evolved,
    variants,
)
from engine.players.roster import kit_of
from engine.players.sticheln import KIT, twin
from engine.players.sticheln.policy import choose
from engine.players.training import (
    ANY,
    KEPT,
    KINDS,
    SINCE,
    TRAINED,
    Generation,
    Round,
    Training,
    gained,
    generation,
    gone_on,
    is_trainable,
    trained_from,
    values,
    written,
)
from engine.registry import games
from tests.players.test_sticheln import dealt

TRAINABLE = ("aufundab", "sticheln")

BEST = (3.0, -20.0, 0.5, 0.0, 7.0)


def worth(vector: Vector, noise: Random) -> float:
    """Most at BEST, each number in its own unit, and never measured exactly."""
    far = sum(
        ((a - b) / unit) ** 2 for a, b, unit in zip(vector, BEST, (1, 9, 1, 1, 3), strict=True)
    )
    return -far + noise.gauss(0.0, 0.05)


def searched(now: Evolution, seed: int, generations: int) -> Evolution:
    while now.generation < generations:
        found = variants(now, seed)
        noise = Random(now.generation)
        now = evolved(now, found, [worth(each, noise) for each in found])
    return now


START = (1.0, -10.0, 2.0, 1.0, 2.0)


def test_a_search_gets_to_the_best_that_is_known() -> None:
    end = searched(begun(START), 1, 400)
    assert end.mean == pytest.approx(BEST, abs=0.4)
    assert dist(end.mean, BEST) < dist(START, BEST) / 10


def test_noise_that_hides_what_variants_differ_by_does_not_drive_a_search_away() -> None:
    start, rng = (1.0,) * 30, Random(2)
    best = tuple([1.0 + rng.gauss(0.0, 0.1) for _ in start])
    now = begun(start)
    for _ in range(200):
        found = variants(now, 3)
        now = evolved(now, found, [rng.gauss(0.0, 0.5) - dist(each, best) ** 2 for each in found])
    assert dist(now.mean, best) < 0.7 * dist(start, best)


def test_equal_seeds_give_equal_weights_and_another_one_others() -> None:
    one = searched(begun(START), 1, 20)
    assert one == searched(begun(START), 1, 20)
    assert one == searched(searched(begun(START), 1, 7), 1, 20)
    assert one.mean != searched(begun(START), 2, 20).mean


def test_a_zero_among_weights_is_varied_too() -> None:
    found = variants(begun((0.0, 4.0)), 1)
    assert len(set(found)) == VARIANTS
    assert len({low for low, _ in found}) == VARIANTS
    assert min(begun((0.0, 0.0)).spread) > 0.0


def test_the_best_count_and_the_worse_half_does_not() -> None:
    now = begun((1.0,))
    found = [(float(at),) for at in range(VARIANTS)]
    mean = evolved(now, found, list(range(VARIANTS))).mean[0]
    assert RATE * (VARIANTS - PARENTS) < mean < RATE * VARIANTS + 1.0
    other = [*[(-1e9,)] * (VARIANTS - PARENTS), *found[VARIANTS - PARENTS :]]
    assert evolved(now, other, list(range(VARIANTS))).mean[0] == mean


# A generation of Sticheln


def test_a_generation_plays_every_kind_of_table_from_every_seat() -> None:
    made = generation(GAME, KIT, trained_from(KIT), 5)
    assert made == generation(GAME, KIT, trained_from(KIT), 5)
    assert made != generation(GAME, KIT, trained_from(KIT), 6)
    tables = {(each.kind, len(each.rows), each.seat) for each in made.rounds}
    assert tables == {
        (kind, seats, seat) for kind in KINDS for seats in GAME.info.seats for seat in range(seats)
    }
    for each in made.rounds:
        assert [at for at, row in enumerate(each.rows) if row == 0] == [each.seat]
        assert max(each.rows) <= len(made.others)
        others = {row for row in each.rows if row}
        assert (
            others == {ANY} if each.kind == "random" else ANY not in others or each.kind == "mixed"
        )
    assert made.others[0] == KIT.weights
    assert {each.state[twin.ZEROS] for each in made.rounds} == {0, 1}, "both ways of the rules"


def test_the_deals_are_others_in_every_generation() -> None:
    first = trained_from(KIT)
    second = Training(first.evolution._replace(generation=1), ())
    one, two = (generation(GAME, KIT, now, 5).rounds for now in (first, second))
    states = [{tuple(each.state) for each in rounds} for rounds in (one, two)]
    assert not states[0] & states[1]


def test_rules_of_thumb_gain_what_they_gain_by_themselves() -> None:
    """By weights that are given, as by those that stand in the code; the start is kept."""
    start = [int(each) for each in KIT.flatten(dealt(4, "aside", Random(3)))]
    chance = [int(each) for each in chance_of(Random(8))]
    played = Generation(
        (Round("mixed", start, 2, [1, ANY, 0, 1], chance),), (KIT.weights,), places=False
    )
    flat, r = ints(start), ints(chance)
    while flat[twin.TURN] != twin.NONE:
        seat = flat[twin.TURN]
        twin.play(flat, twin.random_move(flat, r) if seat == 1 else choose(flat, seat, r))
    points = flat[twin.POINTS : twin.POINTS + 4]
    gain = points[2] - (sum(points) - points[2]) / 3
    assert gained(KIT, played, KIT.weights) == [gain] == gained(KIT, played, KIT.weights)
    bad = tuple([-weight for weight in KIT.weights])
    assert gained(KIT, played, bad) != [gain]


@pytest.mark.parametrize("seats", aufundab.GAME.info.seats)
def test_weights_as_they_stand_play_as_the_rules_of_thumb(seats: int) -> None:
    """A round at which everybody goes by them comes to what it comes to by the game itself."""
    game, kit, r = aufundab.GAME, aufundab_players.KIT, chance_of(Random(1))
    for deal in range(3):
        state = begin(game, seats, one_round(game, seats, {}), 3, deal).state
        points = kit.points_by(kit.flatten(state), ints(seats), floats(kit.weights), r)
        while game.round_scores(state) is None:
            asked = kit.question(game.observe(state, state.actor))
            action = asked.actions[kit.greedy(asked.known, asked.moves, r)]
            state = game.apply(state, state.actor, action)
        assert tuple(points) == game.round_scores(state)


@pytest.mark.parametrize("name", TRAINABLE)
def test_whoever_plays_the_other_way_round_loses(name: str) -> None:
    game, kit = games()[name], kit_of(name)
    assert is_trainable(kit)
    made = generation(game, kit, trained_from(kit), 2)
    few = made._replace(rounds=tuple(each for each in made.rounds if each.kind == "greedy")[::16])
    bad = tuple([-weight for weight in kit.weights])
    assert few.places is (name == "aufundab"), "its winner alone scores: how often counts"
    assert few.places is (set(gained(kit, few, bad)) <= {0.0, 1.0})
    assert sum(gained(kit, few, bad)) < sum(gained(kit, few, kit.weights))


def test_every_kind_of_table_counts_as_much() -> None:
    def at(kind: str, seats: int) -> Round:
        return Round(kind, [], 0, [0] * seats, [])

    rounds = (at("random", 3), at("greedy", 3), at("greedy", 3), at("greedy", 4))
    played = Generation(rounds, (), places=False)
    # The second gains by a wide measure where the others gain by a narrow one.
    gains = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 9.0], [0.0, 5.0, -5.0, 0.0]]
    one, two, three = values(played, gains)
    assert one == pytest.approx(two)
    assert three == 0.0


def test_now_and_then_the_mean_joins_the_population() -> None:
    now = Training(begun((1.0, 2.0)), ())
    lengths = []
    for number in range(1, SINCE * 30 + 1):
        mean = (float(number), 0.0)
        now = gone_on(now, now.evolution._replace(generation=number, mean=mean))
        lengths.append(len(now.past))
    assert lengths[SINCE - 2 : SINCE] == [0, 1]
    assert max(lengths) == KEPT
    assert all(one < two for one, two in pairwise(now.past))
    assert fmean(mean[0] for mean in now.past) < SINCE * 25, "old ones stay"


# Files


def test_files_of_weights_name_what_the_rules_of_thumb_go_by() -> None:
    found = list(Path(engine.players.__path__[0]).glob(f"*/{TRAINED}"))
    assert found
    for file in found:
        kit = kit_of(file.parent.name)
        assert is_trainable(kit)
        lines = [line.split() for line in file.read_text(encoding="ascii").splitlines()]
        weights = [float(weight) for _, weight in lines]
        assert written(kit.names, weights) == file.read_text(encoding="ascii")
        assert tuple(weights) != kit.weights


def test_every_weight_has_a_name() -> None:
    for name in TRAINABLE:
        kit = kit_of(name)
        assert is_trainable(kit)
        assert len(set(kit.names)) == len(kit.names) == len(kit.weights)
    assert not is_trainable(None)
