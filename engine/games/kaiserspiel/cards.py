"""Kaiserspiel: the pack, the rank table, and who wins a trick.

`RANKS` is the one place where the ranks stand; everything that compares cards is computed from it
at import, for each special suit and each set of declared Kaisers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from engine.cards import Pack
from engine.tricks import best

SUITS: Final = "ARSB"
PLAIN: Final = "KOUB765432"
"""Plain ranks, high to low."""
PACK: Final = Pack(suit + rank for suit in SUITS for rank in PLAIN)
SIZE: Final = len(PLAIN)
BITS: Final = tuple(1 << card for card in range(len(PACK)))
SUIT_CARDS: Final = tuple(((1 << SIZE) - 1) << suit * SIZE for suit in range(len(SUITS)))
BANNERS: Final = PACK.mask(suit + "B" for suit in SUITS)
BANNER: Final = tuple(bit & BANNERS for bit in BITS)
"""By card: its mask if it is a Banner, else 0."""
MUGG: Final = PACK.index("BB")

DOWN: Final = len(PACK)
"""Added to a card that lies face down: 40 … 79."""
HIDDEN: Final = 2 * DOWN
"""In place of somebody else's card that lies face down."""
HIDDEN_KAISER: Final = HIDDEN + 1
"""In place of somebody else's declared Kaiser that lies face down: that much is announced."""


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

SEVEN: Final = "7"
"""This card of the special suit counts only when it is led, and then wins …"""
TAMER: Final = "U"
"""… unless this one lies in the trick: then the highest trump from this one up wins."""

Strengths: TypeAlias = tuple[int, ...]
"""By card, also face down: the strongest of a trick wins, of equal ones the first played.

0 is what can never win.
"""


class Rules(NamedTuple):
    """How cards compare with one special suit and one set of declared Kaisers."""

    led: tuple[Strengths, ...]
    """led[card]: the strengths of all cards in a trick to which `card` was led."""
    seven: int
    """The Seven of the special suit."""
    tamer: int
    """The only card that keeps a led Seven from winning."""

    def winner(self, trick: Sequence[int]) -> int:
        """The place in a trick, not empty and perhaps not full, of the card that wins it."""
        led = trick[0]
        if led == self.seven and self.tamer not in trick:
            return 0
        strengths = self.led[led]
        return best([strengths[card] for card in trick])


def _trump_ranks(special: int, kaisers: int) -> dict[int, int]:
    """Place in `RANKS` of every card that is a trump."""
    ranks = {rank.card: place for place, rank in enumerate(RANKS)}
    found: dict[int, int] = {}
    for card, code in enumerate(PACK.names):
        if kaisers >> card & 1:
            found[card] = ranks["mugg" if card == MUGG else "kaiser"]
        elif card // SIZE == special and code[1] in ranks:
            found[card] = ranks[code[1]]
    return found


def _scale() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Strength of every trump, by its place in `RANKS`, and of every plain rank of the suit led.

    Trumps and the suit led stand in one order: a plain rank is just above the highest trump that
    does not reach it.
    """
    order: list[tuple[str, int]] = []
    plain = 0
    for place, rank in enumerate(RANKS):
        while plain < PLAIN.index(rank.reaches):
            order.append(("plain", plain))
            plain += 1
        order.append(("trump", place))
    order += [("plain", rest) for rest in range(plain, SIZE)]
    strength = {each: len(order) - at for at, each in enumerate(order)}
    trumps = tuple(strength["trump", place] for place in range(len(RANKS)))
    return trumps, tuple(strength["plain", place] for place in range(SIZE))


_TRUMP_STRENGTH, _PLAIN_STRENGTH = _scale()


def _rules(special: int, kaisers: int) -> Rules:
    trumps = _trump_ranks(special, kaisers)
    seven = special * SIZE + PLAIN.index(SEVEN)
    tamer = special * SIZE + PLAIN.index(TAMER)

    def strengths(suit: int | None, lowest: int = len(RANKS)) -> Strengths:
        """With cards of a suit led, or of none, and trumps up to a place in `RANKS`."""
        found = [0] * (HIDDEN_KAISER + 1)
        for card in range(len(PACK)):
            if card in trumps:
                place = trumps[card]
                found[card] = _TRUMP_STRENGTH[place] if place <= lowest else 0
            elif card // SIZE == suit and card != seven:
                found[card] = _PLAIN_STRENGTH[card % SIZE]
        return tuple(found)

    of_trump = strengths(None)
    of_suit = [strengths(suit) for suit in range(len(SUITS))]
    of_seven = strengths(None, trumps[tamer])
    led = tuple(
        of_trump if card in trumps else of_seven if card == seven else of_suit[card // SIZE]
        for card in range(len(PACK))
    )
    return Rules(led, seven, tamer)


def _kaiser_sets() -> tuple[int, ...]:
    """Every set of Banners, as masks."""
    banners = [BITS[suit * SIZE + PLAIN.index("B")] for suit in range(len(SUITS))]
    return tuple(
        sum(banner for suit, banner in enumerate(banners) if chosen >> suit & 1)
        for chosen in range(1 << len(SUITS))
    )


RULES: Final[tuple[Mapping[int, Rules], ...]] = tuple(
    MappingProxyType({kaisers: _rules(special, kaisers) for kaisers in _kaiser_sets()})
    for special in range(len(SUITS))
)
"""RULES[special suit][mask of the declared Kaisers]."""


_LOWNESS: Final = bytes(
    0 if BANNERS >> card & 1 else card % SIZE + 1 for card in range(len(PACK))
) + bytes(256 - len(PACK))
"""Translates cards into how low they are; Banners into 0."""


def special_suit(opens: Sequence[int]) -> int | None:
    """The suit of the lowest open card, Banners apart, of equal ones the first dealt.

    None if all are Banners.
    """
    lows = bytes(opens).translate(_LOWNESS)
    lowest_of_all = max(lows, default=0)
    return opens[lows.index(lowest_of_all)] // SIZE if lowest_of_all else None


def lowest(cards: Sequence[int], count: int) -> list[int]:
    """`count` of the cards, lowest plain rank first, then canonical order; Banners last."""
    return sorted(cards, key=lambda card: (BANNERS >> card & 1, -(card % SIZE), card))[:count]
