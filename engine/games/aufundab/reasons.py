"""Auf und Ab: why somebody won a trick or round, as a code with the cards that show it."""

from __future__ import annotations

from typing import Final

from engine.games.aufundab.notation import set_codes
from engine.games.aufundab.sets import NUMBERS, UP, Move, number_of
from engine.games.aufundab.state import Past
from engine.layout import Cards, Phrase, SeatName, phrase

_BEST: Final = tuple(max(NUMBERS) if mode == UP else min(NUMBERS) for mode in (0, 1))
"""By mode: the number that nothing beats."""


def reason(past: Past) -> Phrase:
    """Why the last player in takes a series: everybody has passed, and perhaps had to."""
    number = number_of(past.mode, past.cards)
    code = "won_passed"
    if number == _BEST[past.mode]:
        code = "won_highest" if past.mode == UP else "won_lowest"
    return phrase(code, seat=SeatName(past.winner), cards=_written(past), number=number)


def out_reason(past: Past) -> Phrase:
    """Why the round is over: somebody has played these cards and has no others."""
    return phrase("won_out", seat=SeatName(past.winner), cards=_written(past))


def _written(past: Past) -> Cards:
    return Cards(set_codes(Move(past.cards, past.doubled)), turned=past.mode != UP)
