"""Auf und Ab: a round of a record as one seat sees it, and whole ones that fit it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import cards_in
from engine.game import Json, NotationError, Options, Seat
from engine.games.aufundab.sets import DOUBLES, PACK
from engine.games.aufundab.state import View
from engine.seen import guess_hands, hands_seen, words_of


def round_as_seen(view: View, deal: Mapping[str, Any]) -> Mapping[str, Json]:
    """Its own hand, and what lay aside once the round is over."""
    aside = deal["aside"] if view.round.points is not None else None
    return {"deal": {"hands": hands_seen(deal, view.seat), "aside": aside}}


def round_guessed(
    seats: int, options: Options, seat: Seat, seen: Mapping[str, Any]
) -> tuple[Json, list[str]]:
    """Whoever starts holds the lowest double of all hands: no lower one is in any."""
    texts = [done["do"] for done in seen["actions"]]
    known = [_played(words_of(seen, each)) for each in range(seats)]
    known[seat] = list(seen["deal"]["hands"][seat])
    found = {card for hand in known for card in hand}
    unknown = [card for card in PACK.names if card not in found]
    if (aside := seen["deal"]["aside"]) is not None:
        unknown = [card for card in unknown if card not in aside]
    start = seen["start"]
    doubles = [PACK.names[card] for card in cards_in(DOUBLES)]
    opening = next((card for card in doubles if card in _first(texts)), None)
    if opening is None and start == seat:
        opening = next(card for card in doubles if card in known[seat])
    if opening is None:
        opening = next((card for card in doubles if card in unknown), None)
        if opening is None:
            raise NotationError("deal_malformed")
        known[start].append(opening)
        unknown.remove(opening)
    lower = frozenset(doubles[: doubles.index(opening)])
    size = len(PACK) // seats
    hands = guess_hands(known, [size] * seats, unknown, [lower] * seats)
    held = {card for hand in hands for card in hand}
    rest = [card for card in PACK.names if card not in held]
    return {"hands": [list(PACK.codes(PACK.mask(hand))) for hand in hands], "aside": rest}, texts


def _played(actions: list[list[str]]) -> list[str]:
    return [card for words in actions for card in _cards(words)]


def _cards(words: list[str]) -> list[str]:
    return [word.removesuffix("x2") for word in words[1:]]


def _first(texts: list[str]) -> list[str]:
    """The cards of the first lead."""
    return _cards(texts[0].split(" ")) if texts else []
