"""Sticheln: a round of a record as one seat sees it, and whole ones that fit it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Json, Options, Seat
from engine.games.sticheln.cards import HAND, PACK, USED, codes
from engine.games.sticheln.state import View
from engine.seen import guess_hands, hands_seen, words_of

BLANK = "?"


def round_as_seen(view: View, deal: Mapping[str, Any]) -> Mapping[str, Json]:
    """Only its own hand; nothing lies aside."""
    return {"deal": {"hands": hands_seen(deal, view.seat), "aside": []}}


def round_guessed(
    seats: int, options: Options, seat: Seat, seen: Mapping[str, Any]
) -> tuple[Json, list[str]]:
    """As long as choices are secret nothing was played, so any card may have been chosen."""
    words = [words_of(seen, each) for each in range(seats)]
    known = [[card for _, card in each if card != BLANK] for each in words]
    known[seat] = list(seen["deal"]["hands"][seat])
    found = {card for hand in known for card in hand}
    unknown = [card for card in codes(USED[seats]) if card not in found]
    hands = guess_hands(known, [HAND] * seats, unknown, [frozenset()] * seats)
    texts = [
        f"choose {hands[done['seat']][0]}" if done["do"] == f"choose {BLANK}" else done["do"]
        for done in seen["actions"]
    ]
    return {"hands": [list(PACK.codes(PACK.mask(hand))) for hand in hands], "aside": []}, texts
