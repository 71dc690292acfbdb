"""Filling holes in a record as one seat sees it: the part that games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Json, NotationError, Seat


def hands_seen(deal: Mapping[str, Any], seat: Seat | None) -> list[Json]:
    """The hands of a deal; only that seat's own is not null."""
    return [hand if owner == seat else None for owner, hand in enumerate(deal["hands"])]


def words_of(seen: Mapping[str, Any], seat: Seat) -> list[list[str]]:
    """What that seat did in the round, as words."""
    return [done["do"].split(" ") for done in seen["actions"] if done["seat"] == seat]


def guess_hands(
    known: Sequence[Sequence[str]],
    sizes: Sequence[int],
    unknown: Sequence[str],
    barred: Sequence[frozenset[str]],
) -> list[list[str]]:
    """Hands of these sizes from the cards that are known to be in each and `unknown` ones.

    No hand gets a card that is barred from it.  What is left over stays out.  Raises NotationError
    `deal_malformed` if there is no such way.
    """
    hands = [list(hand) for hand in known]
    holder: dict[str, int] = {}

    def give(hand: int, tried: set[str]) -> bool:
        """One card more for that hand, if need be by moving others' (an augmenting path)."""
        for card in unknown:
            if card in tried or card in barred[hand]:
                continue
            tried.add(card)
            if card not in holder or give(holder[card], tried):
                holder[card] = hand
                return True
        return False

    for hand, size in enumerate(sizes):
        for _ in range(size - len(known[hand])):
            if not give(hand, set()):
                raise NotationError("deal_malformed")
    for card, hand in holder.items():
        hands[hand].append(card)
    return hands
