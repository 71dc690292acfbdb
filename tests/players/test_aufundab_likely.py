"""Worlds of Auf und Ab that are as frequent as they are likely after what the others did."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from random import Random

from engine.games.aufundab import GAME
from engine.games.aufundab.cards import PACK
from engine.games.aufundab.state import State
from engine.players.aufundab import KIT, twin
from engine.players.aufundab.twin import ACTOR, ALL, COUNTS, HANDS, SIZE, play
from engine.players.aufundab.worlds import (
    CHAINS,
    KINDS,
    NEVER,
    WALK,
    Desk,
    go_on,
    likelihood,
    recall,
)
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.kit import GUIDED, Begin, Question, Tried
from engine.players.player import Budget
from engine.players.roster import player
from tests.determinizing import determinize
from tests.players.test_aufundab import in_world, positions


def walked(asked: Question, proposals: int, seed: int) -> list[Ints]:
    """The worlds at which the chains of a new walk arrive."""
    walk, r, desk = ints(WALK), chance_of(Random(seed)), Desk.with_noise(0.0)
    recall(asked.known, asked.history, walk, r, desk)
    for chain in range(CHAINS):
        go_on(asked.history, walk, chain, proposals, r, desk)
    return [ints(walk[chain * SIZE : (chain + 1) * SIZE]) for chain in range(CHAINS)]


def thoughtful(seats: int, seed: int, kind: str = "greedy") -> Iterator[tuple[State, Question]]:
    """Each seventh position of a round among players by the rules of thumb, or of that kind."""
    state, greedy = next(positions(seats, seed))[0], player(kind, GAME)
    plies = 0
    while GAME.round_scores(state) is None:
        (seat,) = GAME.actors(state)
        view = GAME.observe(state, seat)
        if plies % 7 == 6:
            yield state, KIT.question(view)
        state = GAME.apply(state, seat, greedy.decide(view, Budget(1), Random(plies)).action)
        plies += 1


def test_what_was_done_leads_from_the_deal_to_what_a_seat_knows() -> None:
    for state, seat in [*positions(3, 31), *positions(4, 32)]:
        asked = KIT.question(GAME.observe(state, seat))
        s = ints(asked.history[:SIZE])
        for other in range(len(state.hands)):
            s[HANDS + other] |= state.hands[other]
            assert s[HANDS + other].bit_count() == s[COUNTS + other] == 18 - 5 * (s[0] == 4)
        for move in asked.history[SIZE:]:
            play(s, move)
        assert list(s) == list(KIT.flatten(state))


def test_a_walk_stays_in_worlds_that_look_to_the_seat_as_the_state_does() -> None:
    differ = 0
    for state, asked in [*thoughtful(3, 33), *thoughtful(4, 34)]:
        seat = int(asked.known[ACTOR])
        for world in walked(asked, 30, 1):
            believed = in_world(state, world)
            assert GAME.observe(believed, seat) == GAME.observe(state, seat)
            assert list(KIT.flatten(believed)) == list(world)
            differ += believed.hands != state.hands
    assert differ > 20


def test_worlds_of_a_walk_are_nearer_to_the_truth() -> None:
    rightly = [0, 0]
    for seed in range(2):
        for state, asked in [*thoughtful(4, seed)][1:4]:
            seat = asked.known[ACTOR]
            for way, proposals in enumerate((0, 150)):
                for world in walked(asked, proposals, 2):
                    for other in range(4):
                        if other != seat:
                            held = int(world[HANDS + other]) & state.hands[other]
                            rightly[way] += held.bit_count()
    assert rightly[1] > 1.1 * rightly[0]


def test_who_passed_what_could_be_beaten_cheaply_rarely_holds_a_better_single() -> None:
    state = next(positions(3, 35))[0]
    start = state.round.start
    state = GAME.apply(state, start, GAME.parse_action("play 0-0"))
    passing = (start + 1) % 3
    state = GAME.apply(state, passing, GAME.parse_action("pass"))
    (seat,) = GAME.actors(state)
    low = PACK.mask([f"{one}-{two}" for one in (1, 2) for two in range(one + 1, 9)])
    counts = []
    for proposals in (0, 200):
        found = [
            (int(world[HANDS + passing]) & low).bit_count()
            for seed in range(6)
            for world in walked(KIT.question(GAME.observe(state, seat)), proposals, seed)
        ]
        counts.append(sum(found))
    assert counts[1] < counts[0]


def test_what_somebody_did_tells_what_kind_of_player_it_is() -> None:
    """With its cards as they are: by the rules of thumb to the letter, at random otherwise."""
    likelier = {}
    for kind in ("greedy", "random"):
        told = [0.0] * KINDS
        for seed in range(3):
            *_, (state, asked) = thoughtful(4, seed, kind)
            for seat in range(4):
                desk = Desk.with_noise(0.0)
                mixed = likelihood(asked.history, seat, state.hands[seat], NEVER, desk)
                by = desk.by
                assert max(by) - log(KINDS) <= mixed <= max(by) <= 0.0
                told = [one + float(more) for one, more in zip(told, by, strict=True)]
        likelier[kind] = told.index(max(told))
    assert likelier == {"greedy": 0, "random": KINDS - 1}


def test_equal_observations_and_generators_are_equal_searches() -> None:
    for state, asked in [*thoughtful(4, 36)][1:4]:
        view = GAME.observe(state, int(asked.known[ACTOR]))
        again = KIT.question(GAME.observe(determinize(GAME, view, Random(1)), view.actor))
        assert searched(asked, 5) == searched(again, 5)


def test_a_walk_goes_on_from_slice_to_slice() -> None:
    _, asked = next(thoughtful(3, 37))
    walk, r = ints(WALK), chance_of(Random(3))
    worlds = []
    for _ in range(2):
        found = searched(asked, 1, walk, r)
        assert sum(found[0]) == 1
        worlds.append(list(walk))
    assert worlds[0][twin.SEATS] == 3
    assert worlds[0][:SIZE] != worlds[1][:SIZE]
    assert worlds[0][SIZE:] == worlds[1][SIZE:]
    assert all(world[twin.PLAYED] & ~ALL == 0 for world in worlds)


def searched(
    asked: Question, playouts: int, walk: Ints | None = None, r: Ints | None = None
) -> list[list[float]]:
    """Visits, sums and wins of a search in likely worlds."""
    walk = ints(WALK) if walk is None else walk
    r = chance_of(Random(4)) if r is None else r
    tried = Tried.of(asked.moves)
    KIT.search(asked, Begin(walk=walk), tried, playouts, GUIDED, r)
    return [[float(n) for n in column] for column in tried[1:]]
