"""A slow oracle for Auf und Ab: every subset of a hand, judged by the rule written out once more.

It shares nothing with the module but the interface: cards are texts here, sets are tried one by
one, and the positions come from random play.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple

import pytest

from engine.game import CHANCE, AnyGame, RuleError
from engine.registry import games

GAME: Final[AnyGame] = games()["aufundab"]
PACK: Final = [f"{low}-{high}" for low in range(10) for high in range(low, 10)]
CHANGE: Final = {"0-9", "1-8", "2-7", "3-6", "4-5"}


class Spot(NamedTuple):
    """What the rule needs to know of a position."""

    down: bool
    number: int | None
    """Active number of the set to beat; None when leading."""
    quantity: int
    must: str | None
    """The double that the first play of a round must contain."""


def is_allowed(cards: tuple[str, ...], double_counts: int, spot: Spot) -> bool:
    """Whether these cards may be played at the spot, the double in them counting so much."""
    shown = {int(card[2] if spot.down else card[0]) for card in cards}
    if len(shown) != 1:
        return False
    (number,) = shown
    if spot.must is not None and spot.must not in cards:
        return False
    if spot.number is None:
        return True
    beats = number < spot.number if spot.down else number > spot.number
    has_double = f"{number}-{number}" in cards
    return beats and len(cards) + (double_counts - 1 if has_double else 0) == spot.quantity


def written(cards: tuple[str, ...], double_counts: int) -> str:
    names = [card + "x2" if double_counts == 2 and card[0] == card[2] else card for card in cards]
    return "play " + " ".join(names)


def candidates(cards: list[str]) -> Iterator[tuple[tuple[str, ...], int]]:
    """All non-empty subsets in canonical order, twice where a double can count two."""
    for size in range(1, len(cards) + 1):
        for some in combinations(cards, size):
            yield some, 1
            if any(card[0] == card[2] for card in some):
                yield some, 2


def expected(hand: list[str], spot: Spot, brute: bool) -> set[str]:
    """All that may be played; not `brute`: only subsets with a common number are tried."""
    groups = [hand]
    if not brute:
        place = 2 if spot.down else 0
        groups = [[card for card in hand if card[place] == digit] for digit in "0123456789"]
    found = {
        written(cards, count)
        for group in groups
        for cards, count in candidates(group)
        if is_allowed(cards, count, spot)
    }
    return found | ({"pass"} if spot.number is not None else set())


class Position(NamedTuple):
    state: Any
    seat: int
    hand: list[str]
    spot: Spot


def positions(seats: int, seed: int) -> Iterator[Position]:
    """The positions of a random match, with the rule's own account of mode and set to beat."""
    rng = Random(seed)
    state = GAME.initial(seats, GAME.complete_options(seats, {"hands": 2}))
    hands: list[list[str]] = []
    spot = Spot(False, None, 0, None)
    passed: set[int] = set()
    changes = 0
    while GAME.actors(state):
        (seat,) = GAME.actors(state)
        if seat == CHANCE:
            deal = GAME.deal(state, rng.randrange)
            data: Any = GAME.deal_to_json(deal)
            hands = [list(cards) for cards in data["hands"]]
            doubles = [f"{n}-{n}" for n in range(10) if any(f"{n}-{n}" in cards for cards in hands)]
            spot, passed, changes = Spot(False, None, 0, doubles[0]), set(), 0
            state = GAME.apply(state, CHANCE, deal)
            continue
        yield Position(state, seat, sorted(hands[seat]), spot)
        legal = GAME.legal_actions(state, seat)
        text = GAME.format_action(rng.choice(legal))
        state = GAME.apply(state, seat, GAME.parse_action(text))
        if text == "pass":
            passed.add(seat)
            if len(passed) == seats:
                spot = Spot(spot.down ^ (changes % 2 == 1), None, 0, None)
                passed, changes = set(), 0
            continue
        cards = [word.removesuffix("x2") for word in text.split()[1:]]
        hands[seat] = [card for card in hands[seat] if card not in cards]
        changes += len(CHANGE & set(cards))
        number = int(cards[0][2] if spot.down else cards[0][0])
        spot = Spot(spot.down, number, len(cards) + ("x2" in text), None)


def check(at: Position, brute: bool) -> None:
    legal = [GAME.format_action(action) for action in GAME.legal_actions(at.state, at.seat)]
    assert sorted(legal) == sorted(expected(at.hand, at.spot, brute)), (at.seat, at.hand, at.spot)


@pytest.mark.parametrize("seats", [3, 4])
def test_the_generator_agrees_with_the_oracle(seats: int) -> None:
    seen: set[tuple[bool, bool, bool]] = set()
    for seed in range(12):
        for at in positions(seats, seed):
            check(at, brute=False)
            seen.add((at.spot.down, at.spot.number is None, at.spot.must is not None))
    first, lead, follow = (True, True), (True, False), (False, False)
    assert seen == {
        (False, *first),
        *((down, *kind) for down in (False, True) for kind in (lead, follow)),
    }


@pytest.mark.parametrize("seats", [3, 4])
def test_the_generator_agrees_with_all_subsets_of_small_hands(seats: int) -> None:
    tried = 0
    for seed in range(100, 106):
        small = [at for at in positions(seats, seed) if 0 < len(at.hand) <= 12]
        for at in Random(seed).sample(small, min(10, len(small))):
            check(at, brute=True)
            tried += 1
    assert tried >= 40


@pytest.mark.parametrize("seats", [3, 4])
def test_the_generator_agrees_with_all_subsets_of_a_first_lead(seats: int) -> None:
    for seed in range(2):
        first = next(positions(seats, seed))
        if seats == 4:
            check(first, brute=True)
        else:  # 18 cards: all subsets of the 12 lowest hold every set with the double
            low = [card for card in first.hand if card[0] == (first.spot.must or "")[0]]
            found = expected(first.hand[:12], first.spot, brute=True)
            assert found == expected(low, first.spot, brute=True)
            check(first, brute=False)


@pytest.mark.parametrize("seats", [3, 4])
def test_is_legal_and_apply_agree_with_the_oracle(seats: int) -> None:
    verdicts: set[bool] = set()
    for seed in range(200, 206):
        rng = Random(seed)
        for at in positions(seats, seed):
            for _ in range(12):
                cards = _likely_set(at, rng)
                count = 2 if rng.random() < 0.3 and any(c[0] == c[2] for c in cards) else 1
                held = set(cards) <= set(at.hand)
                allowed = held and is_allowed(cards, count, at.spot)
                action = (
                    GAME.parse_action(written(cards, count)) if _one_double(cards, count) else None
                )
                if action is None:
                    continue
                assert GAME.is_legal(at.state, at.seat, action) == allowed, (cards, count, at)
                verdicts.add(allowed)
                if allowed:
                    GAME.apply(at.state, at.seat, action)
                else:
                    with pytest.raises(RuleError):
                        GAME.apply(at.state, at.seat, action)
                for seat in range(seats):
                    assert seat == at.seat or not GAME.is_legal(at.state, seat, action)
    assert verdicts == {True, False}


def _likely_set(at: Position, rng: Random) -> tuple[str, ...]:
    """Cards that may be a set: of one number mostly, of the hand mostly."""
    source = at.hand if rng.random() < 0.9 else PACK
    if rng.random() < 0.8:
        seed_card = rng.choice(source)
        place = rng.choice((0, 2))
        source = [card for card in source if card[place] == seed_card[place]]
    return tuple(sorted(rng.sample(source, rng.randint(1, min(4, len(source))))))


def _one_double(cards: tuple[str, ...], count: int) -> bool:
    return count == 1 or sum(card[0] == card[2] for card in cards) == 1


def test_no_position_of_the_oracle_depends_on_the_global_generator() -> None:
    random.seed(1)
    one = [at.hand for at in positions(3, 1)]
    random.seed(2)
    assert one == [at.hand for at in positions(3, 1)]
