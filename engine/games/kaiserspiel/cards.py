"""Kaiserspiel: the pack, the table of ranks, and who wins a trick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.cards import Pack
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
