"""Kaiserspiel: who wins a trick, against a slow oracle that transcribes the rules' text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Final, NamedTuple

import pytest

from engine.games.kaiserspiel.cards import DOWN, PACK, RANKS, SUITS, special_suit
from engine.games.kaiserspiel.cards import winner as wins

BANNERS: Final = ("AB", "RB", "SB", "BB")
KAISERS: Final = [frozenset(some) for size in range(5) for some in combinations(BANNERS, size)]
"""Every set of declared Kaisers."""


# The oracle: rules/kaiserspiel.md, "Ranks" and "Who wins a trick", in its words and order.


class Laid(NamedTuple):
    card: str
    up: bool = True


def rank(card: str, special: str, kaisers: frozenset[str]) -> int | None:
    """The number of a trump in the table of ranks, 1 to 8."""
    if card in kaisers:
        return 1 if card == "BB" else 4
    if card[0] != special:
        return None
    return {"5": 2, "U": 3, "6": 5, "2": 6, "3": 7, "4": 8}.get(card[1])


def winner(trick: Sequence[Laid], special: str, kaisers: frozenset[str]) -> int:
    """The place of the card that wins."""
    led = trick[0].card
    up = [place for place, laid in enumerate(trick) if laid.up]
    cards = [laid.card for laid in trick]
    ranks = {place: rank(cards[place], special, kaisers) for place in up}
    trumps = [place for place in up if ranks[place] is not None]
    # 1. Seven of the special suit led.
    if led == special + "7":
        unter = special + "U"
        if unter not in [cards[place] for place in up]:
            return 0
        for wanted in (1, 2, 3):
            for place in up:
                if ranks[place] == wanted:
                    return place
    # 2. A trump led: the highest trump wins; of equal Kaisers the first played.
    if ranks[0] is not None:
        return min(trumps, key=lambda place: (ranks[place], place))
    # 3. Anything else led.
    plain = "KOUB765432"
    of_suit = [
        place
        for place in up
        if cards[place][0] == led[0] and place not in trumps and cards[place] != special + "7"
    ]
    high = min(of_suit, key=lambda place: plain.index(cards[place][1]))
    if not trumps:
        return high
    top = min(trumps, key=lambda place: (ranks[place], place))
    number = ranks[top]
    assert number is not None
    beaten = plain
    if number == 7:
        beaten = "OUB765432"
    if number == 8:
        beaten = "UB765432"
    return top if cards[high][1] in beaten else high


# The game.


def won(trick: Sequence[Laid], special: str, kaisers: frozenset[str]) -> int:
    cards = [PACK.index(laid.card) + (0 if laid.up else DOWN) for laid in trick]
    return wins(cards, SUITS.index(special), PACK.mask(kaisers))


def check(trick: Sequence[Laid], special: str, kaisers: frozenset[str]) -> None:
    wanted, found = winner(trick, special, kaisers), won(trick, special, kaisers)
    assert wanted == found, f"{trick} with {special} special and {set(kaisers)} declared"


@pytest.mark.parametrize("special", SUITS)
def test_every_answer_to_every_lead(special: str) -> None:
    for kaisers in KAISERS:
        for led, other in permutations(PACK.names, 2):
            check([Laid(led), Laid(other)], special, kaisers)


def test_every_trick_of_the_cards_that_matter() -> None:
    """All of the special suit, every Banner, and two plain cards, three at a time."""
    cards = [*(code for code in PACK.names if code[0] == "R"), "AB", "SB", "BB", "AK", "AO", "AU"]
    for kaisers in KAISERS:
        for trick in permutations(cards, 3):
            check([Laid(code) for code in trick], "R", kaisers)


@pytest.mark.parametrize("seed", range(4))
def test_random_tricks_with_cards_face_down(seed: int) -> None:
    rng = Random(seed)
    for special, kaisers in product(SUITS, KAISERS):
        for _ in range(150):
            codes = rng.sample(PACK.names, 4)
            if rng.random() < 0.3:  # the rare lead
                codes = [special + "7", *[code for code in codes if code != special + "7"]][:4]
            ups = [True, *(rng.random() < 0.8 for _ in range(3))]
            check([Laid(*each) for each in zip(codes, ups, strict=True)], special, kaisers)


def test_a_higher_trump_never_reaches_less() -> None:
    """Else comparing the highest trump alone would not do."""
    reach = ["KOU".index(each.reaches) for each in RANKS]
    assert reach == sorted(reach)
    assert [each.card for each in RANKS] == ["mugg", "5", "U", "kaiser", "6", "2", "3", "4"]


def test_the_special_suit_is_that_of_the_lowest_open_card() -> None:
    """Of all open cards, in every order: Banners apart, of equal ones the first dealt."""
    rng = Random(1)
    for _ in range(3000):
        codes = rng.sample([*PACK.names, *BANNERS * 3], 4)
        if len(set(codes)) < 4:
            continue
        wanted = None
        for low in "234567UOK":
            found = [code for code in codes if code[1] == low]
            if found:
                wanted = SUITS.index(found[0][0])
                break
        assert special_suit([PACK.index(code) for code in codes]) == wanted
