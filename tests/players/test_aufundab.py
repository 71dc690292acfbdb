"""The twin of Auf und Ab is the game, and its worlds are what a seat can believe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from engine.deal import Seeded
from engine.game import CHANCE, Seat
from engine.games.aufundab import GAME
from engine.games.aufundab.cards import DOUBLE, DOUBLES, PACK
from engine.games.aufundab.state import State
from engine.players.aufundab import KIT, twin
from engine.players.aufundab.kit import MOST_MOVES, action_of, move_of
from engine.players.aufundab.twin import ALL, COUNTS, HANDS, MOST, SIZE, legal, play, random_move
from engine.players.aufundab.worlds import fill
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints


def positions(seats: int, seed: int) -> Iterator[tuple[State, Seat]]:
    """The states of two rounds of random play, with the seat to act."""
    rng = Random(seed)
    state = GAME.initial(seats, {"hands": 2})
    while actors := GAME.actors(state):
        (seat,) = actors
        if seat == CHANCE:
            state = GAME.apply(state, seat, GAME.deal(state, Seeded(rng)))
            continue
        yield state, seat
        state = GAME.apply(state, seat, rng.choice(GAME.legal_actions(state, seat)))


def listed(s: Ints) -> list[int]:
    """All moves of the twin."""
    found = ints(MOST)
    return [int(found[i]) for i in range(legal(s, found))]


def alongside(seed: int) -> int:
    """One match of three rounds, game and twin side by side; returns its plies."""
    rng, seats = Random(seed), 3 + seed % 2
    r, state, s, plies = chance_of(rng), GAME.initial(seats, {"hands": 3}), ints(SIZE), 0
    while actors := GAME.actors(state):
        (seat,) = actors
        if seat == CHANCE:
            state = GAME.apply(state, seat, GAME.deal(state, Seeded(rng)))
            s = KIT.flatten(state)
            continue
        assert s[twin.ACTOR] == seat
        moves = listed(s)
        assert len(set(moves)) == len(moves)
        assert {action_of(move) for move in moves} == set(GAME.legal_actions(state, seat))
        # Random moves of the twin like big sets; any others make rounds long.
        move = int(random_move(s, r)) if rng.random() < 0.5 else rng.choice(moves[:3])
        assert move in moves
        assert move_of(action_of(move)) == move
        state = GAME.apply(state, seat, action_of(move))
        play(s, move)
        plies += 1
        assert list(s) == list(KIT.flatten(state))
        scored = state.round.points
        assert (s[twin.ACTOR] < 0) == (scored is not None)
        if scored is not None:
            by_seat = [0] * seats
            by_seat[s[twin.OWNER]] = twin.points(s)
            assert list(scored) == by_seat
    return plies


def test_ply_by_ply_the_twin_is_the_game() -> None:
    assert sum(map(alongside, range(75))) > 15_000


def lead(hand: str, *, opening: bool = False) -> Ints:
    """Three seats, of which seat 0 leads with that hand in mode UP; nothing was played."""
    s = ints(SIZE)
    cards = PACK.mask(hand.split())
    s[twin.SEATS], s[twin.NUMBER], s[twin.OPENING] = 3, -1, 1
    s[twin.OWNER] = -1 if opening else 0
    s[HANDS], s[COUNTS], s[COUNTS + 1], s[COUNTS + 2] = cards, cards.bit_count(), 5, 5
    return s


def check_uniform(s: Ints) -> None:
    moves, r = listed(s), chance_of(Random(1))
    found = Counter(int(random_move(s, r)) for _ in range(1_000 * len(moves)))
    assert set(found) == set(moves)
    assert all(abs(count - 1_000) < 160 for count in found.values())


def test_each_lead_is_as_likely_as_the_others() -> None:
    s = lead("1-1 1-5 1-6 2-8 2-9 4-4")
    assert len(listed(s)) == 3 + 4 + 4 + 3 + 2  # with no double, it, it counted two; 2s; 4s
    check_uniform(s)


def test_each_first_lead_is_as_likely_as_the_others() -> None:
    s = lead("1-1 1-5 1-6 2-8 2-9 4-4", opening=True)
    assert len(listed(s)) == 4 + 4
    check_uniform(s)


def test_each_follow_is_as_likely_as_the_others() -> None:
    s = lead("0-9 1-1 1-5 1-6 1-7 2-8 2-9 4-4 5-5 5-6")
    s[twin.NUMBER], s[twin.QUANTITY] = 0, 3
    # A pass; three 1s with no double, it, it counted two; 5-5 counted two and 5-6.
    assert len(listed(s)) == 1 + 1 + 3 + 3 + 1
    check_uniform(s)


def test_what_a_seat_knows_is_the_state_without_the_other_hands() -> None:
    for state, seat in [*positions(3, 1), *positions(4, 2)]:
        asked = KIT.question(GAME.observe(state, seat))
        whole = list(KIT.flatten(state))
        for other in range(len(state.hands)):
            if other != seat:
                assert whole[HANDS + other]
                whole[HANDS + other] = 0
        assert list(asked.known) == whole


def test_moves_to_look_at_are_legal_and_few() -> None:
    many = 0
    for seed in range(12):
        for state, seat in positions(3 + seed % 2, seed):
            view = GAME.observe(state, seat)
            asked = KIT.question(view)
            assert len(set(asked.moves)) == len(asked.moves) <= MOST_MOVES
            assert [move_of(action) for action in asked.actions] == list(asked.moves)
            if len(view.legal_actions) <= MOST_MOVES:
                assert sorted(asked.actions) == sorted(view.legal_actions)
            else:
                many += 1
                assert all(GAME.is_legal(state, seat, action) for action in asked.actions)
    assert many > 10


def in_world(state: State, world: Ints) -> State:
    """The game's state with the hands of a world."""
    seats = len(state.hands)
    hands = tuple(int(hand) for hand in world[HANDS : HANDS + seats])
    aside = ALL & ~(int(world[twin.PLAYED]) | sum(hands))
    return state._replace(hands=hands, round=state.round._replace(aside=aside))


def test_worlds_look_to_the_seat_as_the_state_does() -> None:
    rng = Random(4)
    r, differ = chance_of(rng), 0
    for state, seat in [*positions(3, 3), *positions(4, 4)]:
        view = GAME.observe(state, seat)
        world = ints(SIZE)
        fill(KIT.question(view).known, world, r)
        believed = in_world(state, world)
        assert GAME.observe(believed, seat) == view
        assert list(KIT.flatten(believed)) == list(world)
        differ += believed.hands != state.hands
        # Whoever had a double below the opening one would have begun.
        assert not sum(believed.hands) & DOUBLES & (DOUBLE[state.round.opening] - 1)
    assert differ > 50


def test_in_worlds_every_unseen_card_is_as_likely_in_every_place() -> None:
    known, world, r = ints(SIZE), ints(SIZE), chance_of(Random(5))
    known[:] = lead("0-0 0-1 0-2 0-3 0-4")
    known[COUNTS + 1], known[COUNTS + 2] = 20, 25
    found = Counter[int]()
    for _ in range(2_000):
        fill(known, world, r)
        for card in range(55):
            found[card] += int(world[HANDS + 1]) >> card & 1
    unseen = [card for card in range(55) if not int(known[HANDS]) >> card & 1]
    assert all(abs(found[card] - 2_000 * 20 / 50) < 110 for card in unseen)


def test_no_other_hand_has_a_double_below_the_opening_one() -> None:
    known, world, r = lead("3-3 3-4 5-8"), ints(SIZE), chance_of(Random(7))
    known[twin.OPENING] = 3
    known[COUNTS + 1], known[COUNTS + 2] = 24, 25  # three more lie aside
    for _ in range(50):
        fill(known, world, r)
        hands = [int(hand) for hand in world[HANDS : HANDS + 3]]
        assert [hand.bit_count() for hand in hands] == [3, 24, 25]
        assert ALL & ~sum(hands) == PACK.mask(["0-0", "1-1", "2-2"])
