"""Trick-taking: packs of coloured numbers, following suit, and who wins; shared by games."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Final

from engine.cards import Pack
from engine.game import Seat
from engine.layout import Cards, Laid, Param, Phrase, SeatName, Trick, holding

JOKER: Final = "J"

ANSWERED: Final = 2
"""Cards in a trick, or actions in a series, whose lead has been answered: from here on what was
before it is gone."""


def coloured(suits: str, numbers: int) -> Pack:
    """A pack of `numbers` cards, 0 and up, in each suit: suit by suit, numbers ascending.

    >>> coloured("RY", 2).names
    ('R0', 'R1', 'Y0', 'Y1')
    """
    return Pack(f"{suit}{number}" for suit in suits for number in range(numbers))


def in_order(cards: Iterable[int]) -> bytes:
    """A hand of these cards, one byte a card, in canonical order."""
    return bytes(sorted(cards))


def without(hands: tuple[bytes, ...], seat: Seat, card: int) -> tuple[bytes, ...]:
    """All hands when one such card has left the hand of `seat`.

    >>> without((b"ab", b"cc"), 1, ord("c"))
    (b'ab', b'c')
    """
    held = list(hands)
    held[seat] = held[seat].replace(bytes((card,)), b"", 1)
    return tuple(held)


def seats_from(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats in the order of play, beginning with `first`.

    >>> seats_from(2, 4)
    (2, 3, 0, 1)
    """
    return tuple((first + step) % seats for step in range(seats))


def best(strengths: Sequence[int]) -> int:
    """The place of the highest strength; of equal ones the first.

    >>> best([3, 7, 7])
    1
    """
    return strengths.index(max(strengths))


def laid_trick(
    leader: Seat,
    seats: int,
    cards: Sequence[str],
    winning: int | None,
    special: Container[str] = (),
    *,
    reason: Phrase | None = None,
) -> Trick:
    """A trick as it lies there: the last one if a reason is given, else the current one.

    The card at the place `winning` is marked, and so are those that are `special`.

    >>> lying = laid_trick(2, 3, ["R7"], 0)
    >>> lying.cards, lying.awaited
    ((Laid(seat=2, card='R7', marks=('winning',)),), (0, 1))
    """
    order = seats_from(leader, seats)
    laid = [
        Laid(seat, card, holding(winning=place == winning, special=card in special))
        for place, (seat, card) in enumerate(zip(order, cards, strict=False))
    ]
    return Trick("last" if reason else "current", tuple(laid), order[len(laid) :], reason)


def won(code: str, seat: Seat, card: str, /, **more: Param) -> Phrase:
    """Why a trick is somebody's: who has won it (`seat`) with which card (`cards`).

    >>> won("won_trump", 2, "R7").params["cards"].codes
    ('R7',)
    """
    return Phrase(code, {"seat": SeatName(seat), "cards": Cards((card,)), **more})
