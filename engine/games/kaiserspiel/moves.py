"""Kaiserspiel: all moves, their notation, and those that a hand allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from engine.cards import cards_in
from engine.game import NotationError
from engine.games.kaiserspiel.cards import DOWN, PACK, SUIT_CARDS
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


WORDS: Final[tuple[Word, ...]] = get_args(Word)


def _moves() -> Iterator[tuple[Move, str]]:
    for word in WORDS:
        yield Move(word), word
    for card, code in enumerate(PACK.names):
        yield Move("kaiser", 1 << card), f"kaiser {code}"
        yield Move("play", 1 << card), f"play {code}"
        yield Move("down", 1 << card), f"play {code} down"
    for one, two in combinations(range(len(PACK)), 2):
        yield Move("discard", 1 << one | 1 << two), f"discard {PACK.names[one]} {PACK.names[two]}"


TEXTS: Final[Mapping[Move, str]] = dict(_moves())
"""The canonical notation of every move."""
_READ: Final[Mapping[str, Move]] = {text: move for move, text in TEXTS.items()}

PASS: Final = Move("pass")
THREEUP: Final = Move("threeup")
RAISE_1: Final = Move("raise 1")
RAISE_3: Final = Move("raise 3")
LIFT: Final = Move("lift")
STAY: Final = Move("stay")
ACCEPT: Final = Move("accept")
RESIGN: Final = Move("resign")


def laid(play: Move) -> int:
    """The card of a play as it is laid: `DOWN` more face down."""
    card = play.cards.bit_length() - 1
    return card + DOWN if play.verb == "down" else card


# What a hand allows.


def declarations(banners: int) -> tuple[Move, ...]:
    """What may be said by somebody who can declare these Banners."""
    return (*[Move("kaiser", 1 << card) for card in cards_in(banners)], PASS)


def discards(cards: int) -> tuple[Move, ...]:
    """Every choice of two of the cards."""
    pairs = combinations(cards_in(cards), 2)
    return tuple([Move("discard", 1 << one | 1 << two) for one, two in pairs])


def leads(cards: int) -> tuple[Move, ...]:
    """Every card of a hand, face up."""
    return tuple([Move("play", 1 << card) for card in cards_in(cards)])


def follows(cards: int) -> tuple[Move, ...]:
    """Every card of a hand, face up and face down, suit by suit."""
    ways: tuple[Verb, ...] = ("play", "down")
    suits = [[*cards_in(cards & suit)] for suit in SUIT_CARDS]
    return tuple([Move(way, 1 << card) for suit in suits for way in ways for card in suit])


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
