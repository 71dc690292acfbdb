"""Auf falscher Fährte: actions of people and of chance, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.game import Json, NotationError, Seat
from engine.games.auffalscherfaehrte.cards import (
    NAMES,
    SUITS,
    Card,
    Suit,
    codes,
    hand_of,
    the_card,
)
from engine.notation import canonical_words, card_list, card_lists, excerpt, typed_words
from engine.strict_json import is_number


class Deal(NamedTuple):
    """The chance action."""

    hands: tuple[bytes, ...]
    aside: bytes
    """The card left over, if there is one."""
    reveal: tuple[Seat, ...]
    """The order in which the seats' hidden cards will be turned."""
    dealer: Seat


class Hide(NamedTuple):
    """Lays a card of the hand face down."""

    card: Card
    verb: Literal["hide"] = "hide"
    """Tells moves of different kinds apart, which are compared as tuples."""


class NameTrump(NamedTuple):
    """Says what is trump from now on; None declines."""

    suit: Suit | None
    verb: Literal["trump"] = "trump"


Play: TypeAlias = Card
"""Plays this card to the trick: a hand is the sequence of its plays as it is."""
Move: TypeAlias = Hide | Play | NameTrump
"""What a seat does."""
Action: TypeAlias = Move | Deal

DECLINE: Final = NameTrump(None)
_TRUMPS: Final = {**{word: NameTrump(suit) for suit, word in enumerate(SUITS)}, "keep": DECLINE}
"""By the word for it."""

TEXTS: Final[dict[Move, str]] = {
    **{Hide(card): f"hide {name}" for card, name in enumerate(NAMES)},
    **{card: f"play {name}" for card, name in enumerate(NAMES)},
    **{move: f"trump {word}" for word, move in _TRUMPS.items()},
}
"""The notation of every move there is."""


def parse_move(text: str) -> Move:
    """The move that a record's text names; NotationErrors as in `parse_typed`.

    Raises `not_canonical` (text) besides.
    """
    return _move(canonical_words(text), text)


def parse_typed(text: str, *, hiding: bool) -> Move:
    """The move that a person typed: case and spaces are forgiven.

    A card alone is hidden or played, as the situation asks.

    Raises NotationError: `too_long` (limit), `unknown_action` (text), `no_cards`, `one_card`,
    `unknown_card` (card), `unknown_suit` (text).
    """
    words = typed_words(text)
    if len(words) == 1 and words[0].upper() in NAMES:
        words.insert(0, "hide" if hiding else "play")
    named = [word if word == "keep" else word.upper() for word in words[1:]]
    return _move(words[:1] + named, text)


def _move(words: Sequence[str], text: str) -> Move:
    match words:
        case ["trump", word]:
            if word not in _TRUMPS:
                raise NotationError("unknown_suit", text=excerpt(word))
            return _TRUMPS[word]
        case ["hide", *names]:
            return Hide(the_card(names))
        case ["play", *names]:
            return the_card(names)
        case _:
            raise NotationError("unknown_action", text=excerpt(text))


def deal_to_json(deal: Deal) -> Json:
    """`{"hands": [[codes], …], "aside": [codes], "reveal": [seats]}`."""
    return {
        "hands": [list(codes(hand)) for hand in deal.hands],
        "aside": list(codes(deal.aside)),
        "reveal": list(deal.reveal),
    }


def deal_from_json(data: Json) -> tuple[tuple[bytes, ...], bytes, tuple[Seat, ...]]:
    """Hands, card left over and order of turning; cards must stand in canonical order.

    Raises NotationError `deal_malformed`.
    """
    hands = [_strict_hand(row) for row in card_lists(data, "hands")]
    aside = _strict_hand(card_list(data, "aside"))
    reveal = data.get("reveal") if isinstance(data, dict) else None
    if not isinstance(reveal, list):
        raise NotationError("deal_malformed")
    order = tuple([seat for seat in reveal if is_number(seat)])
    if len(order) != len(reveal):
        raise NotationError("deal_malformed")
    return tuple(hands), aside, order


def _strict_hand(names: Sequence[str]) -> bytes:
    try:
        hand = hand_of(names)
    except NotationError:
        raise NotationError("deal_malformed") from None
    if list(codes(hand)) != list(names):
        raise NotationError("deal_malformed")
    return hand
