"""Kaiserspiel: everything a seat can do, its notation, and what a hand allows.

There are fewer than a thousand moves, so each exists once, with its text, in tables built at
import.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from engine.cards import cards_in
from engine.game import NotationError
from engine.games.kaiserspiel.cards import BITS, DOWN, PACK, SIZE, SUIT_CARDS, SUITS
from engine.notation import canonical_words, excerpt, typed_words

Word: TypeAlias = Literal[
    "pass", "threeup", "raise 1", "raise 3", "lift", "stay", "accept", "resign"
]
Verb: TypeAlias = Literal[Word, "kaiser", "discard", "play", "down"]


class Move(NamedTuple):
    """What a seat does: a word, or a verb and the mask of its cards.

    `down` plays its card face down.
    """

    verb: Verb
    cards: int = 0


_PLAYS: Final[tuple[tuple[Verb, int], ...]] = (("play", 0), ("down", DOWN))
WORDS: Final[tuple[Word, ...]] = get_args(Word)


def _moves() -> Iterator[tuple[Move, str]]:
    for word in WORDS:
        yield Move(word), word
    for bit, code in zip(BITS, PACK.names, strict=True):
        yield Move("kaiser", bit), f"kaiser {code}"
        yield Move("play", bit), f"play {code}"
        yield Move("down", bit), f"play {code} down"
    for one, two in combinations(range(len(PACK)), 2):
        yield Move("discard", BITS[one] | BITS[two]), f"discard {PACK.names[one]} {PACK.names[two]}"


TEXTS: Final[Mapping[Move, str]] = MappingProxyType(dict(_moves()))
"""The canonical notation of every move."""
MOVES: Final[Mapping[Move, Move]] = {move: move for move in TEXTS}
"""The one move that equals a given one: those of the tables can be told apart by identity."""
_READ: Final[Mapping[str, Move]] = MappingProxyType({text: move for move, text in TEXTS.items()})

PASS: Final = MOVES[Move("pass")]
THREEUP: Final = MOVES[Move("threeup")]
RAISE_1: Final = MOVES[Move("raise 1")]
RAISE_3: Final = MOVES[Move("raise 3")]
LIFT: Final = MOVES[Move("lift")]
STAY: Final = MOVES[Move("stay")]
ACCEPT: Final = MOVES[Move("accept")]
RESIGN: Final = MOVES[Move("resign")]


# What a hand allows.


def discards(cards: int) -> tuple[Move, ...]:
    """Every choice of two of the cards."""
    acorns, roses, shields, bells = SUIT_CARDS
    codes = _CARDS[cards & acorns] + _CARDS[cards & roses]
    codes += _CARDS[cards & shields] + _CARDS[cards & bells]
    return tuple([_DISCARD[one][two] for one, two in combinations(codes, 2)])


def leads(hand: int) -> tuple[Move, ...]:
    """Every card of the hand, face up, suit by suit."""
    acorns, roses, shields, bells = SUIT_CARDS
    return (
        _LEADS[hand & acorns] + _LEADS[hand & roses] + _LEADS[hand & shields] + _LEADS[hand & bells]
    )


def follows(hand: int) -> tuple[Move, ...]:
    """Every card of the hand, face up and face down, suit by suit."""
    acorns, roses, shields, bells = SUIT_CARDS
    return (
        _FOLLOWS[hand & acorns]
        + _FOLLOWS[hand & roses]
        + _FOLLOWS[hand & shields]
        + _FOLLOWS[hand & bells]
    )


class _Memo(dict[int, tuple[Move, ...]]):
    """The plays of the cards of one suit, by their mask: at most 4 × 1,024 of them."""

    def __init__(self, *verbs: Literal["play", "down"]) -> None:
        super().__init__()
        self._verbs = verbs

    def __missing__(self, cards: int) -> tuple[Move, ...]:
        self[cards] = found = tuple(
            [MOVES[Move(verb, BITS[card])] for verb in self._verbs for card in cards_in(cards)]
        )
        return found


_LEADS: Final = _Memo("play")
_FOLLOWS: Final = _Memo("play", "down")
_CARDS: Final = {
    some << suit * SIZE: bytes(cards_in(some << suit * SIZE))
    for suit in range(len(SUITS))
    for some in range(1 << SIZE)
}
"""The cards of a mask within one suit, in canonical order."""
_DISCARD: Final = tuple(
    {two: MOVES[Move("discard", bit | BITS[two])] for two in range(one + 1, len(PACK))}
    for one, bit in enumerate(BITS)
)
"""The discard of two cards, in canonical order."""
DISCARDED: Final[Mapping[object, int]] = {
    move: move.cards for move in MOVES if move.verb == "discard"
}
"""By discard: the mask of its cards; any other key is missing."""
LAID: Final[Mapping[object, tuple[int, int]]] = {
    Move(verb, bit): (bit, card + below) for verb, below in _PLAYS for card, bit in enumerate(BITS)
}
"""By play: the mask of its card, and how the card lies in the trick; likewise."""


def _declares() -> Iterator[tuple[int, tuple[Move, ...]]]:
    banners = [BITS[card] for card, code in enumerate(PACK.names) if code[1] == "B"]
    for size in range(len(banners) + 1):
        for some in combinations(banners, size):
            yield sum(some), (*(MOVES[Move("kaiser", bit)] for bit in some), PASS)


DECLARES: Final[Mapping[int, tuple[Move, ...]]] = dict(_declares())
"""What may be said with these Banners to declare, as a mask."""


# Notation.


def parse_move(text: str) -> Move:
    """The move that a canonical text names.  Raises NotationError for any other text."""
    found = _READ.get(text)
    if found is None:
        _read(canonical_words(text))
        raise NotationError("not_canonical", text=excerpt(text))
    return found


def parse_typed(text: str) -> Move:
    """The move that a person meant: case, spaces and the order of cards are forgiven.

    One card alone is played, two alone are discarded.
    """
    words = typed_words(text)
    codes = set(PACK.names)
    if words and words[0].upper() in codes:
        two = len(words) == 2 and words[1].upper() in codes
        words.insert(0, "discard" if two else "play")
    return _read([word.upper() if word.upper() in codes else word for word in words])


def _read(words: Sequence[str]) -> Move:
    match words:
        case ["play", card, "down"]:
            return Move("down", PACK.mask([card]))
        case ["play", *cards]:
            return Move("play", _mask(cards, 1))
        case ["kaiser", *cards]:
            return Move("kaiser", _mask(cards, 1))
        case ["discard", *cards]:
            return Move("discard", _mask(cards, 2))
        case _:
            found = _READ.get(" ".join(words))
            if found is None:
                raise NotationError("unknown_action", text=excerpt(" ".join(words)))
            return found


def _mask(codes: Sequence[str], count: int) -> int:
    if not codes:
        raise NotationError("no_cards")
    cards = PACK.mask(codes)
    if len(codes) != count:
        raise NotationError("wrong_number_of_cards", count=count)
    return cards
