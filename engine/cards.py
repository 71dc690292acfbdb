"""Cards as small ints and sets of cards as bitmasks, with their codes at the edge.

Inside a game a card is its index in the pack's canonical order (`data/docs/notation.md`) and a
hand is an int whose bit i says that card i is in it.  Codes exist for people, records and layouts
only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from engine.game import Located, NotationError, Seat
from engine.notation import excerpt

Lying: TypeAlias = tuple[Iterable[int], str, tuple[Seat, ...] | None]
"""Cards, their place, and which seats know that; None: everybody."""


def cards_in(mask: int) -> Iterator[int]:
    """Indices of the cards in `mask`, in canonical order.

    >>> list(cards_in(0b10110))
    [1, 2, 4]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Pack:
    """The cards of a game in canonical order.

    >>> pack = Pack(["R1", "R2", "J"])
    >>> pack.mask(["J", "R1"]), pack.codes(0b101), pack.listed([2, 0])
    (5, ('R1', 'J'), ('J', 'R1'))
    """

    __slots__ = ("_index", "all", "names")

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        """Code of every card, by index."""
        self._index = {code: index for index, code in enumerate(self.names)}
        self.all = (1 << len(self.names)) - 1
        """The mask of the whole pack."""

    def __len__(self) -> int:
        return len(self.names)

    def codes(self, mask: int) -> tuple[str, ...]:
        """Codes of the cards in `mask`, in canonical order."""
        names = self.names
        return tuple([names[index] for index in cards_in(mask)])

    def listed(self, cards: Iterable[int]) -> tuple[str, ...]:
        """Codes of the cards as they stand there."""
        names = self.names
        return tuple([names[card] for card in cards])

    def located(self, seats: int, lying: Iterable[Lying]) -> tuple[Located, ...]:
        """Cards with their place and who of so many seats knows it, in canonical order."""
        everybody = tuple(range(seats))
        found = [
            (card, place, everybody if known_to is None else known_to, known_to is None)
            for cards, place, known_to in lying
            for card in cards
        ]
        return tuple(
            Located(self.names[card], place, known_to, public)
            for card, place, known_to, public in sorted(found)
        )

    def index(self, code: str) -> int:
        """The card that `code` names.  Raises NotationError `unknown_card` (card)."""
        try:
            return self._index[code]
        except KeyError:
            raise NotationError("unknown_card", card=excerpt(code)) from None

    def in_order(self, codes: Iterable[str]) -> tuple[int, ...]:
        """The cards of a record, which must stand in canonical order.

        Raises NotationError `deal_malformed`, also for a code that names no card, or one twice.
        """
        try:
            cards = tuple([self._index[code] for code in codes])
        except KeyError:
            raise NotationError("deal_malformed") from None
        if list(cards) != sorted({*cards}):
            raise NotationError("deal_malformed")
        return cards

    def mask(self, codes: Iterable[str]) -> int:
        """The set of these cards.  Raises NotationError `unknown_card`, `card_twice` (card)."""
        mask = 0
        for code in codes:
            bit = 1 << self.index(code)
            if mask & bit:
                raise NotationError("card_twice", card=code)
            mask |= bit
        return mask
