"""Why a trick or a series is somebody's, by a table of cases.

That the reason which is told is shown too, of the card that won: `law_reasons`.
"""

from __future__ import annotations

import pytest

from engine.layout import Cards, Phrase, SeatName, Suit
from tests.engine import reasons


@pytest.mark.parametrize(("cards", "wanted"), reasons.STICHELN.items())
def test_sticheln(cards: str, wanted: tuple[str, str | None]) -> None:
    code, card = wanted
    assert reasons.why_of_sticheln(cards) == _expected(code, cards, card, cards[0])


def test_sticheln_where_the_leader_takes_zeros() -> None:
    why = reasons.why_of_sticheln("R0 Y0 G0", zeros_taken=True)
    assert why == _expected("won_zeros", "R0 Y0 G0", "R0", "R")
    zeros_first = reasons.why_of_sticheln("R0 Y0 G1", zeros_taken=True)
    assert zeros_first == _expected("won_other_colour", "R0 Y0 G1", "G1", "R")


@pytest.mark.parametrize(("cards", "wanted"), reasons.FAEHRTE.items())
def test_auf_falscher_faehrte(cards: str, wanted: tuple[str, str | None]) -> None:
    code, card = wanted
    assert reasons.why_of_faehrte(cards) == _expected(code, cards, card, card and card[0])


@pytest.mark.parametrize(("case", "wanted"), reasons.KAISERSPIEL.items())
def test_kaiserspiel(case: tuple[str, str], wanted: tuple[str, str, str | None]) -> None:
    cards, kaisers = case
    code, card, beaten = wanted
    expected = _expected(code, cards, card, card[0])
    if beaten is not None:
        expected = Phrase(code, {**expected.params, "beaten": Cards((beaten,))})
    assert reasons.why_of_kaiserspiel(cards, kaisers) == expected


@pytest.mark.parametrize(("case", "code"), reasons.AUFUNDAB.items())
def test_auf_und_ab(case: tuple[int, str], code: str) -> None:
    mode, cards = case
    why = reasons.why_of_aufundab(mode, cards)
    assert (why.code, why.params["cards"]) == (code, Cards(tuple(cards.split()), turned=bool(mode)))
    assert why.params["seat"] == SeatName(reasons.LEADER)
    assert why.params["number"] == int(cards.split("-")[1 if mode else 0][0])


def _expected(code: str, cards: str, card: str | None, suit: str | None) -> Phrase:
    if card is None or suit is None:
        return Phrase(code)
    trick = cards.split()
    seat = (reasons.LEADER + trick.index(card)) % len(trick)
    return Phrase(code, {"seat": SeatName(seat), "cards": Cards((card,)), "suit": Suit(suit)})
