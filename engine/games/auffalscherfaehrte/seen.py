"""Auf falscher Fährte: a round of a record as one seat sees it, and whole ones that fit it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from engine.game import Json, NotationError, Options, Seat
from engine.games.auffalscherfaehrte.cards import NAMES, card_named, codes, pack_of
from engine.games.auffalscherfaehrte.view import View, closed_to
from engine.seen import guess_hands, hands_seen
from engine.tricks import in_order

JOKER: Final = "J"
BLANK: Final = "hide ?"


def round_as_seen(view: View, deal: Mapping[str, Any]) -> Mapping[str, Json]:
    """Its own hand, what is left over, and the hidden cards that have been turned."""
    holes: Json = {"hands": hands_seen(deal, view.seat), "aside": deal["aside"], "reveal": None}
    return {"deal": holes, "turned": list(codes(bytes(view.turned)))}


def round_guessed(
    seats: int, options: Options, seat: Seat, seen: Mapping[str, Any]
) -> tuple[Json, list[str]]:
    """Hands without what a seat did not follow; anybody may have hidden what has been turned."""
    aside: list[str] = list(seen["deal"]["aside"])
    own: list[str] = list(seen["deal"]["hands"][seat])
    texts = [done["do"] for done in seen["actions"]]
    hid = {done["seat"] for done in seen["actions"] if done["do"].startswith("hide ")}
    mine = next((text.split(" ")[1] for text in texts if _hides(text)), None)
    order = _order(seats, seat, mine, seen["turned"])
    hidden: list[list[str]] = [[] for _ in range(seats)]
    for hider, card in zip(order, seen["turned"], strict=False):
        hidden[hider] = [card]
    plays = [(done["seat"], done["do"].split(" ")[1]) for done in seen["actions"] if _plays(done)]
    hands = [[card for who, card in plays if who == each] for each in range(seats)]
    hands[seat] = [card for card in own if card != mine]
    hidden[seat] = [] if mine is None else [mine]
    unknown = _left(seats, [*aside, *chain(*hands, *hidden)], jokers=bool(options["jokers"]))
    size = len(own)
    sizes = [size - (each in hid) for each in range(seats)] + [each in hid for each in range(seats)]
    barred = [*_barred(seats, plays, unknown), *[frozenset(filter(_is_joker, unknown))] * seats]
    found = guess_hands(hands + hidden, sizes, unknown, barred)
    whole = [found[each] + found[each + seats] for each in range(seats)]
    said = [
        f"hide {_code(found[done['seat'] + seats][0])}" if text == BLANK else text
        for done, text in zip(seen["actions"], texts, strict=True)
    ]
    return {"hands": [_sorted(hand) for hand in whole], "aside": aside, "reveal": order}, said


def _hides(text: str) -> bool:
    return text.startswith("hide ") and text != BLANK


def _plays(done: Mapping[str, Any]) -> bool:
    return str(done["do"]).startswith("play ")


def _order(seats: int, seat: Seat, mine: str | None, turned: Sequence[str]) -> list[Seat]:
    """An order of turning in which the seat's own card comes when it did, or later."""
    order = [each for each in range(seats) if each != seat]
    at = turned.index(mine) if mine in turned else seats - 1
    order.insert(at, seat)
    return order


def _left(seats: int, known: Sequence[str], *, jokers: bool) -> list[str]:
    """The cards that nobody has shown; jokers are told apart, since each is somewhere else."""
    left = [NAMES[card] for card in pack_of(seats, jokers=jokers)]
    for card in known:
        if card not in left:
            raise NotationError("deal_malformed")
        left.remove(card)
    return [f"{card}{at}" if card == JOKER else card for at, card in enumerate(left)]


def _is_joker(card: str) -> bool:
    return card.startswith(JOKER)


def _code(card: str) -> str:
    return JOKER if _is_joker(card) else card


def _barred(
    seats: int, plays: Sequence[tuple[Seat, str]], unknown: Sequence[str]
) -> Iterator[frozenset[str]]:
    """By seat, the cards that its hand cannot hold: it would have had to play one."""
    tricks = [plays[first : first + seats] for first in range(0, len(plays), seats)]
    cards = [(trick[0][0], [card_named(card) for _, card in trick]) for trick in tricks]
    for closed in closed_to(seats, cards):
        yield frozenset(each for each in unknown if card_named(_code(each)) in closed)


def _sorted(hand: Sequence[str]) -> list[str]:
    return list(codes(in_order([NAMES.index(_code(card)) for card in hand])))
