"""Kaiserspiel: a round of a record as one seat sees it, and whole ones that fit it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.game import Json, Options, Seat
from engine.games.kaiserspiel.cards import PACK
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.state import View

DEALT: Final = 28
"""Cards of a pack that are dealt: one open to each, then three times two."""


def owner(place: int, dealer: Seat) -> Seat:
    """Who gets the card at that place of the pack, one that is dealt."""
    turn = place if place < SEATS else (place - SEATS) // 2
    return (dealer + 1 + turn) % SEATS


def round_as_seen(view: View, deal: Mapping[str, Any]) -> Mapping[str, Json]:
    """The cut card, the open cards and its own, once they have been dealt."""
    pack = deal["pack"]
    seen: list[Json] = [None] * len(pack)
    seen[-1] = pack[-1]
    got = 0
    for place in range(DEALT):
        if place < len(view.round.opens):
            seen[place] = pack[place]
        if view.seat is not None and owner(place, view.round.dealer) == view.seat:
            if got < _got(view, view.seat):
                seen[place] = pack[place]
            got += 1
    return {"deal": {"pack": seen}}


def _got(view: View, seat: Seat) -> int:
    """Cards that a seat has been dealt so far."""
    return view.counts[seat] + 2 * view.done[seat] + len(view.tricks.places_of(seat))


def round_guessed(
    seats: int, options: Options, seat: Seat, seen: Mapping[str, Any]
) -> tuple[Json, list[str]]:
    """Declared Kaisers come as early as they can; what was thrown out or laid face down is any
    card that its owner did not show.
    """
    pack: list[str | None] = list(seen["deal"]["pack"])
    shown: list[list[str]] = [[] for _ in range(SEATS)]
    """Cards that each is known to have got: Kaisers first, in the order of their declaration."""
    kaisers: list[list[str]] = [[] for _ in range(SEATS)]
    for done in seen["actions"]:
        match done["do"].split(" "):
            case ["kaiser", card]:
                kaisers[done["seat"]].append(card)
            case ["play", card]:
                shown[done["seat"]].append(card)
    for each in range(SEATS):
        known = [*kaisers[each], *shown[each]]
        todo = [card for card in dict.fromkeys(known) if card not in pack]
        for place in range(DEALT):
            if todo and pack[place] is None and owner(place, seen["dealer"]) == each:
                pack[place] = todo.pop(0)
    rest = [card for card in PACK.names if card not in pack]
    whole = [rest.pop() if card is None else card for card in pack]
    held = [
        [whole[place] for place in range(DEALT) if owner(place, seen["dealer"]) == each]
        for each in range(SEATS)
    ]
    texts = []
    free = [
        [card for card in held[each] if card not in shown[each] and card not in kaisers[each]]
        for each in range(SEATS)
    ]
    unshown = [[card for card in kaisers[each] if card not in shown[each]] for each in range(SEATS)]
    for done in seen["actions"]:
        who = done["seat"]
        match done["do"].split(" "):
            case ["discard", "?", "?"]:
                pair = PACK.codes(PACK.mask([free[who].pop(), free[who].pop()]))
                texts.append("discard " + " ".join(pair))
            case ["play", "?", "down"]:
                texts.append(f"play {free[who].pop()} down")
            case ["play", "kaiser", "down"]:
                texts.append(f"play {unshown[who].pop()} down")
            case _:
                texts.append(done["do"])
    return {"pack": list(whole)}, texts
