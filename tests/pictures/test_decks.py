"""Every deck keeps what it promises to whoever chooses it."""

from __future__ import annotations

from itertools import combinations

import pytest

from bot.pictures.decks import DECKS, WHITE, Colour, Deck, colour, mix
from tests.pictures.seeing import DEFICIENCIES, contrast, seen_distance


def test_contrast_is_counted_as_it_should_be() -> None:
    assert contrast(colour("#000000"), WHITE) == pytest.approx(21, abs=0.01)
    assert contrast(colour("#777777"), WHITE) == pytest.approx(4.48, abs=0.01)


def test_red_and_green_are_alike_to_who_cannot_tell_them_apart() -> None:
    red, green, blue = colour("#A03A3A"), colour("#6A6A28"), colour("#3A3AC8")
    assert seen_distance(red, green, "deuteranopia") < 20 < seen_distance(red, blue, "deuteranopia")


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("suits", ["suits", "swiss"])
def test_the_colour_blind_deck_keeps_any_two_suits_apart(suits: str, deficiency: str) -> None:
    colours: dict[str, Colour] = getattr(DECKS["colour-blind"], suits)
    near = {
        (one, other): distance
        for one, other in combinations(colours, 2)
        if (distance := seen_distance(colours[one], colours[other], deficiency)) < 20
    }
    assert not near


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_low_and_high_are_apart_in_every_deck(deck: Deck, deficiency: str) -> None:
    assert seen_distance(deck.low, deck.high, deficiency) >= 20


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_a_swiss_trump_does_not_look_as_if_it_won(deck: Deck, deficiency: str) -> None:
    """What wins lies on gold: the ground of a trump is further from it than that of other cards."""
    apart = seen_distance(deck.swiss_special, deck.gold, deficiency)
    assert apart > seen_distance(deck.ground, deck.gold, deficiency)
    assert seen_distance(deck.swiss_special, deck.ground, deficiency) > 8


def test_the_deck_of_high_contrast_has_seven_to_one() -> None:
    deck = DECKS["contrast"]
    assert deck.solid  # so a suit's colour is the ground of what is written in ink
    for suit in deck.suits.values():
        assert contrast(deck.ink, suit) >= 7
    for letter in (*deck.swiss.values(), deck.low, deck.high):
        assert contrast(letter, deck.ground) >= 7
        assert contrast(letter, WHITE) >= 7
    for letter in deck.swiss.values():
        assert contrast(letter, deck.swiss_special) >= 7
    assert contrast(deck.ink, deck.gold) >= 7


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_a_card_that_cannot_be_played_can_still_be_read(deck: Deck) -> None:
    """A deck for those who need contrast keeps as much of it as is asked of plain text."""
    wanted = 4.5 if deck.solid else 1.8
    pairs = [(deck.ink, deck.ground), (WHITE, deck.low), (WHITE, deck.high)]
    pairs += [(letter, deck.ground) for letter in (deck.low, deck.high, *deck.swiss.values())]
    pairs += [(deck.ink, suit) if deck.solid else (suit, deck.ground)
              for code, suit in deck.suits.items() if deck.solid or code != "Y"]  # fmt: skip
    for pair in pairs:
        letter, ground = (mix(one, deck.felt, deck.shade) for one in pair)
        assert contrast(letter, ground) >= wanted, pair


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_what_is_written_can_be_read_in_every_deck(deck: Deck) -> None:
    """Large figures: three to one."""
    written = {s: c for s, c in deck.suits.items() if s != "Y" and not deck.solid}
    for letter in (*written.values(), *deck.swiss.values(), deck.low, deck.high, deck.ink):
        assert contrast(letter, deck.ground) >= 3
    for suit in deck.suits.values():
        assert not deck.solid or contrast(deck.ink, suit) >= 3
    assert contrast(deck.ground, deck.felt) >= 4.5
