"""Kaiserspiel: the pack, ranks, who wins a trick; all moves, and how they are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from engine.cards import Pack, cards_in
from engine.game import NotationError
from engine.notation import canonical_words, excerpt, typed_words
from engine.tricks import best

# Cards.

SUITS: Final = "ARSB"
PLAIN: Final = "KOUB765432"
"""Plain ranks, high to low."""
PACK: Final = Pack(suit + rank for suit in SUITS for rank in PLAIN)
SIZE: Final = len(PLAIN)
SUIT_CARDS: Final = tuple(((1 << SIZE) - 1) << suit * SIZE for suit in range(len(SUITS)))
"""The cards of each suit, as masks."""
BANNERS: Final = PACK.mask(suit + "B" for suit in SUITS)
MUGG: Final = PACK.index("BB")

DOWN: Final = len(PACK)
"""Added to a card that lies face down: 40 … 79."""
HIDDEN: Final = 2 * DOWN
"""In place of somebody else's card that lies face down."""
HIDDEN_KAISER: Final = HIDDEN + 1
"""In place of somebody else's declared Kaiser that lies face down: that much is announced."""


def mask(cards: Iterable[int]) -> int:
    """The set of these cards, each given once; how they lie does not matter.

    >>> PACK.codes(mask([2, 0, DOWN + 1]))
    ('AK', 'AO', 'AU')
    """
    return sum([1 << card % DOWN for card in cards])


# Ranks.


class Rank(NamedTuple):
    """A trump: which card it is, and the highest plain rank of the suit led that it beats."""

    card: str
    """A rank of the special suit, or "mugg", or "kaiser" (any other declared Banner)."""
    reaches: str


RANKS: Final = (
    Rank("mugg", "K"),
    Rank("5", "K"),
    Rank("U", "K"),
    Rank("kaiser", "K"),
    Rank("6", "K"),
    Rank("2", "K"),
    Rank("3", "O"),
    Rank("4", "U"),
)
"""The trumps, high to low.  A higher one never reaches less than a lower one."""
_PLACES: Final[Mapping[str, int]] = {rank.card: place for place, rank in enumerate(RANKS)}

_SEVEN: Final = PLAIN.index("7")
"""This card of the special suit counts only when it is led, and then wins …"""
_TAMER: Final = PLAIN.index("U")
"""… unless this one lies in the trick: then the highest trump from this one up wins."""


def special_suit(opens: Sequence[int]) -> int | None:
    """The suit of the lowest open card, Banners apart, of equal ones the first dealt.

    None if all are Banners.
    """
    others = [card for card in opens if not BANNERS >> card & 1]
    return max(others, key=lambda card: card % SIZE) // SIZE if others else None


def trump_rank(card: int, special: int | None, kaisers: int) -> int | None:
    """Place in `RANKS` of a card that lies face up; None if it is no trump."""
    if kaisers >> card & 1:
        return _PLACES["mugg" if card == MUGG else "kaiser"]
    return _PLACES.get(PLAIN[card % SIZE]) if card // SIZE == special else None


def is_seven(card: int, special: int | None) -> bool:
    """Whether it is †7."""
    return card % SIZE == _SEVEN and card // SIZE == special


def is_unter(card: int, special: int | None) -> bool:
    """Whether it is †U."""
    return card % SIZE == _TAMER and card // SIZE == special


# Who wins a trick.


def winner(trick: Sequence[int], special: int | None, kaisers: int) -> int:
    """The place of the card that wins a trick, which is not empty and perhaps not full.

    `kaisers` is the mask of all declared ones.  A card that lies face down can never win.

    >>> def won(codes: str) -> str:
    ...     trick = [PACK.index(code) for code in codes.split()]
    ...     return PACK.names[trick[winner(trick, SUITS.index("R"), PACK.mask(["BB"]))]]
    >>> won("AO R3 AK R6"), won("AO R3 AK A2"), won("AO R3 SK A2"), won("R7 R5 BB A2")
    ('R6', 'AK', 'R3', 'R7')
    >>> won("R7 RU A2 A3"), won("R7 RU R5 A3"), won("RO RK AK A2"), won("RO AK A2 A3")
    ('RU', 'R5', 'RK', 'RO')
    """
    led = trick[0]
    # 1. †7 led: it wins unless †U lies in the trick; then the highest of Mugg, †5, †U wins.
    seven = is_seven(led, special)
    if seven and not any(is_unter(card, special) for card in trick):
        return 0
    # 2. A trump led: the highest trump wins.
    # 3. Anything else led: the highest of its suit, unless the highest trump beats it.
    trumps_only = seven or trump_rank(led, special, kaisers) is not None
    suit = None if trumps_only else led // SIZE
    # Of equal Kaisers the first played is the higher.
    return best([_strength(card, suit, special, kaisers) for card in trick])


def _strength(card: int, suit: int | None, special: int | None, kaisers: int) -> int:
    """Of a card in a trick to which this suit was led (None: trumps only); 0 never wins."""
    if card >= DOWN:
        return 0
    rank = trump_rank(card, special, kaisers)
    # A trump stands just above the highest plain rank that it reaches.
    if rank is not None:
        return _above(PLAIN.index(RANKS[rank].reaches)) + len(RANKS) - rank
    # †7 never counts when not led.
    counts = card // SIZE == suit and not is_seven(card, special)
    return _above(card % SIZE) if counts else 0


def _above(plain: int) -> int:
    """Strength of a plain rank of the suit led: between two there is room for all trumps."""
    return (SIZE - plain) * (len(RANKS) + 1)


def lowest(cards: Sequence[int], count: int) -> list[int]:
    """`count` of the cards, lowest plain rank first, then canonical order; Banners last."""
    return sorted(cards, key=lambda card: (BANNERS >> card & 1, -(card % SIZE), card))[:count]


# Moves.

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
