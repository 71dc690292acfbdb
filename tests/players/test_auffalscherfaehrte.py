"""The flat twin of Auf falscher Fährte, its worlds, its rules of thumb and its search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Final

import pytest

from engine.deal import Seeded
from engine.game import CHANCE, Options, Seat
from engine.games.auffalscherfaehrte.cards import JOKER, Move, card_named
from engine.games.auffalscherfaehrte.game import GAME
from engine.games.auffalscherfaehrte.state import State
from engine.games.auffalscherfaehrte.view import observe
from engine.players.auffalscherfaehrte import twin
from engine.players.auffalscherfaehrte.kit import KIT
from engine.players.auffalscherfaehrte.policy import WEIGHTS, choose
from engine.players.auffalscherfaehrte.worlds import deal, pack_of, unseen, world
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.kit import FLAT, GUIDED, Begin, Question, Tried

CASES: Final = list(product((3, 4), (False, True), ("next", "again")))


def positions(
    seats: int, jokers: bool, next_leader: str, seed: int, rounds: int = 2
) -> Iterator[tuple[State, Seat, Move, State]]:
    """Plies of a random match: the state, who acts, what it does, the state after.

    Jokers are kept back, so that some have to be played to the same trick.  Of the matches with an
    odd seed a joker is left over where one can be.
    """
    rng = Random(f"{seats}{jokers}{next_leader}{seed}")
    options: Options = {"rounds": rounds, "jokers": jokers, "next_leader": next_leader}
    state = GAME.initial(seats, GAME.complete_options(seats, options))
    while actors := GAME.actors(state):
        if actors == (CHANCE,):
            deal = GAME.deal(state, Seeded(rng))
            while seats == 3 and jokers and seed % 2 and JOKER not in deal.aside:
                deal = GAME.deal(state, Seeded(rng))
            state = GAME.apply(state, CHANCE, deal)
            continue
        seat = rng.choice(actors)
        legal = GAME.legal_actions(state, seat)
        action = rng.choice(legal)
        if action == JOKER and rng.random() < 0.9:
            action = rng.choice(legal)
        after = GAME.apply(state, seat, action)
        yield state, seat, action, after
        state = after


def moves_of(flat: Ints) -> set[int]:
    mask = twin.legal(flat)
    return {move for move in range(62) if mask >> move & 1}


def alongside(seed: int) -> int:
    """Plies of a match in which the twin and the game are the same; of eight seeds all differ."""
    seats, jokers, next_leader = CASES[seed % len(CASES)]
    plies, flat, full = 0, ints(0), ints(0)
    for state, seat, action, after in positions(seats, jokers, next_leader, seed // len(CASES)):
        if state.stage == "hide" and len(state.actors) == seats:
            flat = KIT.flatten(state)
        flat[twin.ACTOR] = seat
        asked = KIT.question(observe(state, seat))
        assert moves_of(flat) == set(asked.moves)
        assert set(asked.actions) == set(GAME.legal_actions(state, seat))
        twin.play(flat, asked.moves[asked.actions.index(action)])
        full = KIT.flatten(after)
        plies += 1
        if after.round.points is not None:
            assert flat[twin.STAGE] == twin.OVER
            assert tuple(twin.points(flat, each) for each in range(seats)) == after.round.points
        assert list(full) == list(flat)
    return plies


@pytest.mark.parametrize("case", range(len(CASES)), ids=[str(case) for case in CASES])
def test_the_twin_is_the_game_ply_by_ply(case: int) -> None:
    assert sum(alongside(case + len(CASES) * seed) for seed in range(6)) > 400


def forget(s: Ints, seat: Seat) -> None:
    """What that seat, which is to act, knows of a state, in place."""
    s[twin.ACTOR] = seat
    for other in range(s[twin.SEATS]):
        s[twin.REVEAL + other] = twin.NONE
        if other != seat:
            s[twin.HAND + other] = s[twin.JOKERS + other] = 0
            if s[twin.HIDDEN + other] >= 0:
                s[twin.HIDDEN + other] = twin.UNKNOWN
    s[twin.SCRATCH : twin.SIZE] = ints(twin.SIZE - twin.SCRATCH)


def known_to(state: State, seat: Seat) -> Ints:
    return KIT.question(observe(state, seat)).known


@pytest.mark.parametrize(("seats", "jokers", "next_leader"), CASES[::2])
def test_what_a_seat_knows_is_the_state_without_what_is_hidden(
    seats: int, jokers: bool, next_leader: str
) -> None:
    for state, seat, _, _ in positions(seats, jokers, next_leader, 7):
        flat = KIT.flatten(state)
        forget(flat, seat)
        assert list(flat) == list(known_to(state, seat))


def check_world(known: Ints, flat: Ints, seat: Seat) -> None:
    """It could be the truth: every card is somewhere, none where all know it is not."""
    seats = flat[twin.SEATS]
    everywhere, jokers = flat[twin.SEEN], flat[twin.JOKERS_SEEN]
    for other in range(seats):
        hand, hidden = flat[twin.HAND + other], flat[twin.HIDDEN + other]
        assert hand & everywhere == 0
        everywhere |= hand
        if hidden >= 0 and not flat[twin.TURNED_CARDS] >> hidden & 1:
            assert everywhere >> hidden & 1 == 0
            everywhere |= 1 << hidden
        assert hand.bit_count() + flat[twin.JOKERS + other] == flat[twin.HELD + other]
        jokers += flat[twin.JOKERS + other]
        for suit in range(4):
            if flat[twin.VOID + other] >> suit & 1:
                assert hand >> 13 * suit & twin.SUIT == 0
    hidden_cards = [flat[twin.HIDDEN + other] for other in range(seats)]
    shown = [flat[twin.HIDDEN + flat[twin.REVEAL + at]] for at in range(flat[twin.TURNED])]
    assert sum(1 << card for card in shown) == flat[twin.TURNED_CARDS]
    assert sorted(flat[twin.REVEAL : twin.REVEAL + seats]) == list(range(seats))
    assert len({card for card in hidden_cards if card >= 0}) == seats - hidden_cards.count(-1)
    assert everywhere == pack_of(seats)
    assert jokers == flat[twin.PACK_JOKERS]
    forget(flat, seat)
    assert list(flat) == list(known)


@pytest.mark.parametrize(("seats", "jokers", "next_leader"), CASES[::2])
def test_a_world_could_be_the_truth(seats: int, jokers: bool, next_leader: str) -> None:
    r, flat = chance_of(Random(1)), ints(twin.SIZE)
    for seed in range(3):
        for state, _, _, _ in positions(seats, jokers, next_leader, seed):
            for seat in state.actors:
                known = known_to(state, seat)
                world(known, r, flat)
                check_world(known, flat, seat)


def test_where_many_are_void_a_world_is_found_with_care() -> None:
    r, flat, failed = chance_of(Random(1)), ints(twin.SIZE), 0
    for seed in range(20):
        for state, seat, _, _ in positions(4, False, "next", seed):
            if len(state.tricks) > 6:
                known = known_to(state, seat)
                flat[:] = known
                failed += deal(flat, r, 0) == 0
                flat[:] = known
                assert deal(flat, r, 1) == 1
    assert failed


def test_an_unseen_card_may_be_anywhere() -> None:
    r, flat, where = chance_of(Random(1)), ints(twin.SIZE), Counter[int]()
    state, *_ = next(each for each in positions(4, True, "next", 1) if each[0].stage == "play")
    (seat,) = state.actors
    known = known_to(state, seat)
    card = next(card for card in range(52) if unseen(known, seat) >> card & 1)
    turned = Counter[int]()
    for _ in range(2_000):
        world(known, r, flat)
        turned[flat[twin.REVEAL]] += 1
        for other in range(4):
            where[other] += flat[twin.HAND + other] >> card & 1
            where[4 + other] += flat[twin.HIDDEN + other] == card
    others = [other for other in range(4) if other != seat]
    assert all(abs(where[other] - 600) < 100 for other in others)
    assert all(15 < where[4 + other] < 90 for other in others)
    assert all(abs(turned[other] - 500) < 90 for other in range(4))


def end_of_round(hand: str, trick: str, unseen: str, hidden: str, taken: tuple[int, ...]) -> Ints:
    """What seat 3 knows near the end of a round of four that began at seat 0; red is trump.

    Cards by their codes; everything that is not named was played.
    """
    own, table, rest, covered = (
        [card_named(c) for c in t.split()] for t in (hand, trick, unseen, hidden)
    )
    flat = [0] * twin.SIZE
    flat[twin.SEATS], flat[twin.TRICKS], flat[twin.DONE] = 4, 12, 12 - len(own)
    flat[twin.STAGE], flat[twin.ACTOR] = twin.PLAYING, 3
    flat[twin.LED] = flat[twin.BEST] = flat[twin.OFFERS] = flat[twin.OFFERS + 1] = twin.NONE
    flat[twin.SEEN] = pack_of(4) & ~sum(1 << card for card in own + rest)
    flat[twin.TURNED], flat[twin.TURNED_CARDS] = 4, sum(1 << card for card in covered)
    flat[twin.TAKEN : twin.TAKEN + 4] = taken
    for seat in range(4):
        flat[twin.CARD + seat] = flat[twin.REVEAL + seat] = twin.NONE
        flat[twin.HELD + seat] = len(own) - (seat < len(table))
        flat[twin.HIDDEN + seat] = twin.UNKNOWN
    flat[twin.HAND + 3] = sum(1 << card for card in own)
    flat[twin.HIDDEN + 3] = covered[3]
    for seat, card in enumerate(table):
        flat[twin.CARD + seat] = card
        flat[twin.PLACED] += 1
        strength = twin.strength_of(flat, card)
        flat[twin.LED] = table[0] // 13
        if strength > flat[twin.STRENGTH]:
            flat[twin.STRENGTH], flat[twin.BEST] = strength, seat
    if not table:
        flat[twin.LEADER] = 3
    return ints(flat)


def played_out(known: Ints, begin: Begin, playouts: int, way: int) -> Tried:
    """What so many playouts of all moves come to."""
    moves = tuple(sorted(moves_of(known)))
    tried = Tried.of(moves)
    KIT.search(Question(known, moves, moves), begin, tried, playouts, way, chance_of(Random(1)))
    return tried


def searched(known: Ints, way: int) -> int:
    """The move that 400 playouts find best."""
    tried = played_out(known, Begin(), 400, way)
    means = [total / count for total, count in zip(tried.sums, tried.visits, strict=True)]
    return tried.moves[means.index(max(means))]


PLUS, MINUS = "Y12 B12 G12 R9", "Y0 B0 G0 R1"
PLAIN: Final = {
    "the trick is there to be taken": (
        ("Y11 Y3", "Y5 Y9 B1", "G4 Y2 B6", PLUS, (3, 3, 3, 1)),
        "Y11",
    ),
    "no trick is wanted": (("Y11 Y3", "Y5 Y9 B1", "G4 Y12 B6", MINUS, (3, 3, 3, 1)), "Y3"),
    "of what does not win the highest goes": (
        ("Y8 Y3", "Y5 Y9 B1", "Y4 Y6 Y7", MINUS, (3, 2, 3, 2)),
        "Y8",
    ),
    "the lowest that wins is enough": (
        ("Y12 Y10", "Y5 Y9 B1", "Y11 Y6 Y7", PLUS, (3, 3, 2, 2)),
        "Y10",
    ),
}


@pytest.mark.parametrize("name", PLAIN)
def test_where_the_sensible_card_is_plain_all_find_it(name: str) -> None:
    position, sensible = PLAIN[name]
    known = end_of_round(*position)
    assert choose(known, WEIGHTS) == card_named(sensible)
    assert searched(known, GUIDED) == card_named(sensible)
    assert searched(known, FLAT) == card_named(sensible)


@pytest.mark.parametrize(("hidden", "suit"), [(PLUS, 1), (MINUS, 2)])
def test_the_last_names_the_trump_that_helps(hidden: str, suit: int) -> None:
    unseen = "R2 R3 R4 R5 G5 G6 G7 G8 B5 B6 B7 B8"
    taken = (2, 2, 3, 1) if hidden == PLUS else (2, 2, 1, 3)
    hand = "Y9 Y10 Y11 Y8" if hidden == PLUS else "R7 R8 R9 B0"
    known = end_of_round(hand, "", unseen, hidden, taken)
    known[twin.STAGE], known[twin.OFFERS] = twin.NAMING, 3
    known[twin.LEADER] = 0
    named = choose(known, WEIGHTS), searched(known, GUIDED)
    if hidden == PLUS:
        assert named == (suit, suit)
    else:
        assert 0 not in named
        assert twin.KEEP not in named


def test_whoever_holds_all_that_is_high_does_not_make_the_round_minus() -> None:
    state = GAME.initial(4, GAME.complete_options(4, {}))
    deal = GAME.deal(state, lambda n: n - 1)
    high = [13 * suit + number for suit in range(4) for number in (10, 11, 12)] + [39]
    rest = [card for card in range(52) if card not in high]
    hands = (bytes(sorted(high)), *(bytes(rest[at::3]) for at in range(3)))
    state = GAME.apply(state, CHANCE, deal._replace(hands=hands))
    known = known_to(state, 0)
    for hidden in (choose(known, WEIGHTS), searched(known, GUIDED)):
        assert hidden % 13 >= 10


def test_whose_turn_it_is_in_the_truth_does_not_matter_while_all_hide() -> None:
    state, *_ = next(positions(4, True, "next", 1))
    known, found = known_to(state, 2), []
    for actor in (0, 2):
        truth = KIT.flatten(state)
        truth[twin.ACTOR] = actor
        found.append(list(played_out(known, Begin(truth), 30, GUIDED).sums))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("taken", "value", "share"),
    [((5, 3, 1, 2), 2 / 3, 0.0), ((3, 3, 2, 3), 2.0, 1.0), ((4, 3, 1, 3), 2.0, 0.5)],
)
def test_what_a_playout_is_worth(taken: tuple[int, ...], value: float, share: float) -> None:
    truth = end_of_round("Y11", "Y5 Y9 B1", "", PLUS, taken)
    for seat, card in enumerate(map(card_named, PLUS.split())):
        truth[twin.HIDDEN + seat] = card
    # The truth is what counts where it is told.
    known = end_of_round("Y11", "Y5 Y9 B1", "", PLUS, (11, 0, 0, 0))
    tried = played_out(known, Begin(truth), 5, FLAT)
    assert list(tried.visits) == [5]
    assert tried.sums[0] == pytest.approx(5 * value)
    assert tried.wins[0] == 5 * share
