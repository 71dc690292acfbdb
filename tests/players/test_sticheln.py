"""Sticheln for computer players: the flat twin, the worlds and the rules of thumb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import pytest

from engine.deal import Seeded
from engine.game import CHANCE
from engine.games.sticheln import GAME
from engine.games.sticheln.cards import PACK
from engine.games.sticheln.state import State, View
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.kit import FLAT, GUIDED, Begin, Tried
from engine.players.player import Budget
from engine.players.roster import player
from engine.players.sticheln import KIT, twin
from engine.players.sticheln.policy import choose
from engine.players.sticheln.worlds import draw_world

TABLES: Final = [(seats, zeros) for seats in (3, 4, 5, 6) for zeros in ("aside", "leader")]


def dealt(seats: int, zeros: str, rng: Random) -> State:
    """The first state of a match of one round."""
    options = GAME.complete_options(seats, {"rounds": 1, "zeros": zeros})
    before = GAME.initial(seats, options)
    return GAME.apply(before, CHANCE, GAME.deal(before, Seeded(rng)))


def states(seats: int, zeros: str, rng: Random) -> Iterator[State]:
    """All states of a round in which seats act in any order, half by rules of thumb."""
    state, r = dealt(seats, zeros, rng), chance_of(rng)
    while state.actors:
        yield state
        seat = rng.choice(state.actors)
        move = rng.choice(GAME.legal_actions(state, seat))
        if rng.random() < 0.5:
            asked = KIT.question(GAME.observe(state, seat))
            move = asked.actions[KIT.greedy(asked.known, asked.moves, r)]
        state = GAME.apply(state, seat, move)


def plain(flat: Ints) -> list[int]:
    """A flat state without what means nothing: the order of hands, a colour before any lead."""
    found = [int(number) for number in flat]
    if not found[twin.LAID]:
        found[twin.LEAD] = twin.NONE
    for seat in range(twin.MOST):
        at = twin.HANDS + seat * twin.HAND
        found[at : at + twin.HAND] = sorted(found[at : at + twin.HAND])
    return found


def unflat(flat: Ints, like: State) -> State:
    """The game's state that a flat one means; what no play depends on is taken from `like`."""
    hands = []
    for seat in range(flat[twin.SEATS]):
        at = twin.HANDS + seat * twin.HAND
        hands.append(bytes(sorted(flat[at : at + flat[twin.COUNT + seat]])))
    chosen = tuple(flat[twin.CHOSEN : twin.CHOSEN + flat[twin.SEATS]])
    return like._replace(hands=tuple(hands), round=like.round._replace(chosen=chosen))


def cards(text: str) -> bytes:
    return bytes(map(PACK.index, text.split()))


def alongside(seed: int) -> int:
    """A round to its end in twin and game; its plies.  Of eight seeds all differ."""
    seats, zeros = TABLES[seed % len(TABLES)]
    rng, plies = Random(seed), 0
    r, state = chance_of(rng), dealt(seats, zeros, rng)
    flat = KIT.flatten(state)
    while state.actors:
        seat = flat[twin.TURN]
        assert seat in state.actors
        move = int(twin.random_move(flat, r) if rng.random() < 0.5 else choose(flat, seat, r))
        assert move in GAME.legal_actions(state, seat)
        twin.play(flat, move)
        state = GAME.apply(state, seat, move)
        plies += 1
        assert plain(flat) == plain(KIT.flatten(state))
    assert tuple(flat[twin.POINTS : twin.POINTS + seats]) == state.round.points
    return plies


@pytest.mark.parametrize("case", range(len(TABLES)), ids=[str(case) for case in TABLES])
def test_the_twin_is_the_game_ply_by_ply(case: int) -> None:
    assert sum(alongside(case + len(TABLES) * number) for number in range(12)) > 400


@pytest.mark.parametrize(("zeros", "points"), [("aside", 0), ("leader", 3)])
def test_a_trick_of_nothing_but_zeros(zeros: str, points: int) -> None:
    state = dealt(3, zeros, Random(1))
    hands = [cards("R0 R1"), cards("Y0 Y1"), cards("G0 G1")]
    state = state._replace(
        stage="play",
        actors=(1,),
        hands=tuple(hands),
        tricks=state.tricks._replace(number=12, leader=1),
        round=state.round._replace(chosen=tuple(cards("B5 B6 B7"))),
    )
    flat = KIT.flatten(state)
    for card in cards("Y0 G0 R0"):
        twin.play(flat, card)
    assert flat[twin.TURN] == flat[twin.LEADER] == 1
    assert flat[twin.POINTS + 1] == points - 6
    assert flat[twin.LEFT] == 1


@pytest.mark.parametrize(("seats", "zeros"), TABLES)
def test_worlds_look_the_same_to_whom_they_are_made_for(seats: int, zeros: str) -> None:
    rng = Random(seats)
    world = ints(twin.SIZE)
    for state in states(seats, zeros, rng):
        seat = rng.choice(state.actors)
        view = GAME.observe(state, seat)
        known = KIT.question(view).known
        draw_world(known, chance_of(rng), world)
        guess = unflat(world, state)
        assert GAME.observe(guess, seat) == view
        turn = KIT.flatten(guess)
        turn[twin.TURN] = seat
        assert plain(world) == plain(turn)
        assert sorted(each.card for each in GAME.cards(guess)) == sorted(GAME.pack(seats, {}))


def test_every_unseen_card_is_as_likely_in_every_hand() -> None:
    rng = Random(4)
    *_, state = (each for each in states(4, "aside", rng) if each.tricks.number < 9)
    me = state.actors[0]
    known = KIT.question(GAME.observe(state, me)).known
    world, r = ints(twin.SIZE), chance_of(rng)
    found = dict.fromkeys([(card, seat) for card in range(len(PACK)) for seat in range(4)], 0)
    for _ in range(2_000):
        draw_world(known, r, world)
        for seat in range(4):
            at = twin.HANDS + seat * twin.HAND
            for card in world[at : at + world[twin.COUNT + seat]]:
                found[card, seat] += 1
    others = [seat for seat in range(4) if seat != me]
    unseen = b"".join(state.hands[seat] for seat in others)
    for card in unseen:
        for seat in others:
            expected = 2_000 * len(state.hands[seat]) / len(unseen)
            assert abs(found[card, seat] - expected) < 5 * expected**0.5


def asked(
    hand: str, chosen: str, trick: str, taken: Sequence[str], leader: int
) -> tuple[State, View]:
    """A play of three late in a round: what is not named is in the others' hands."""
    seats = 3
    state = dealt(seats, "aside", Random(2))
    me = (leader + len(trick.split())) % seats
    collected = tuple(map(cards, taken))
    left = len(cards(hand))
    number = 14 - left
    seen = set(b"".join((*collected, cards(hand), cards(trick), cards(chosen))))
    pool = [card for card in b"".join(state.hands) if card not in seen]
    hands = []
    for seat in range(seats):
        played = (seat - leader) % seats < len(trick.split())
        count = left if not played else left - 1
        hands.append(cards(hand) if seat == me else bytes(sorted(pool[:count])))
        if seat != me:
            del pool[:count]
    # The rest of the pack was set aside, wherever it came from: only what is unseen matters.
    now = state._replace(
        stage="play",
        actors=(me,),
        hands=tuple(hands),
        trick=cards(trick),
        tricks=state.tricks._replace(
            number=number, leader=leader, taken=collected, aside=bytes(pool)
        ),
        round=state.round._replace(chosen=tuple(cards(chosen))),
    )
    return now, GAME.observe(now, me)


PLAIN: Final = [
    # The last to play takes two good cards with a high one, …
    ("G8 Y1", "R1 B2 P3", "Y5 G4", 1, "G8"),
    # … but does not take two of its own colour with a low one, …
    ("G1 R2", "R1 B2 P3", "R8 R7", 1, "R2"),
    # … and is rid of the highest of its own colour where another takes it.
    ("R8 G1", "R1 B2 P3", "R3 Y7", 1, "R8"),
]


@pytest.mark.parametrize(("hand", "chosen", "trick", "leader", "best"), PLAIN)
@pytest.mark.parametrize("name", ["greedy", "pimc", "guided"])
def test_what_is_plain_is_found(
    name: str, hand: str, chosen: str, trick: str, leader: int, best: str
) -> None:
    _, view = asked(hand, chosen, trick, ("", "", ""), leader)
    for seed in range(3):
        decision = player(name, GAME).decide(view, Budget(400), Random(seed))
        assert GAME.format_action(decision.action) == f"play {best}"


@pytest.mark.parametrize(
    ("chosen", "points", "value", "won"),
    [
        ("R1 B2 P3", (2, -2, -3), 4.5, 1.0),
        ("R3 B0 P1", (0, 0, -1), 0.5, 0.5),
        ("R4 B0 P0", (-1, 0, 0), -1.0, 0.0),
    ],
)
def test_estimates_are_points_over_the_others(
    chosen: str, points: tuple[int, ...], value: float, won: float
) -> None:
    """With the last card of a round every playout ends alike; a first place is shared."""
    state, view = asked("G8", chosen, "Y5 G4", ("", "", ""), 1)
    question = KIT.question(view)
    tried = Tried.of(question.moves)
    KIT.search(question, Begin(), tried, 20, FLAT, chance_of(Random(1)))
    assert GAME.apply(state, 0, question.moves[0]).round.points == points
    assert [column[0] for column in tried[1:4]] == [20, 20 * value, 20 * won]


@pytest.mark.parametrize("way", [FLAT, GUIDED])
def test_a_search_in_the_truth_ends_where_the_truth_ends(way: int) -> None:
    rng = Random(3)
    for state in states(4, "aside", rng):
        seat = state.actors[-1]
        question = KIT.question(GAME.observe(state, seat))
        truth = KIT.flatten(state)
        before = list(truth)
        count = len(question.moves)
        tried = Tried.of(question.moves)
        KIT.search(question, Begin(truth), tried, count, way, chance_of(rng))
        assert list(truth) == before
        assert sum(tried.visits) == count
        if len(state.trick) == 3 and state.tricks.number == 13:
            end = GAME.apply(state, seat, question.moves[0])
            points = end.round.points
            assert points is not None
            mean = (sum(points) - points[seat]) / 3
            assert tried.sums[0] == pytest.approx(tried.visits[0] * (points[seat] - mean))
