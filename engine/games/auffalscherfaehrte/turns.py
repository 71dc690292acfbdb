"""Auf falscher Fährte: whose turn it is, and what may be played at it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.game import CHANCE, Seat
from engine.games.auffalscherfaehrte.cards import A_JOKER, OTHERS, SUIT_OF
from engine.tricks import seats_from

UNKNOWN: Final = -1
"""In place of a card, a suit or a seat: there is none, or it is not known."""

NOBODY: Final[Seat] = -2
"""In place of a seat: none plays to a trick, or none won it.  (-1 is CHANCE.)"""

# Stages of a match, by who is asked what.
PLAYING: Final = 0
HIDING: Final = 1
"""All seats that have not yet hidden a card are to do so."""
OFFER: Final = 2
"""One seat may change the trump."""
DEAL: Final = 3
"""A deal is due: at first, and after every round but the last."""
OVER: Final = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """Who is asked what.  In a trick AFTER has the next one by card: a play reckons nothing.

    A class with slots rather than a named tuple, because its fields are read at every play.
    """

    stage: int
    actors: tuple[Seat, ...]
    """All who are to act; CHANCE if a deal is due."""
    player: Seat = NOBODY
    """Who plays to the trick."""
    led: int = UNKNOWN
    """The suit to follow; UNKNOWN while none has been led."""
    others: bytes = b""
    """The cards that do not follow; none of them while none has been led."""
    joker: bool = False
    """Whether a joker lies in the trick."""
    number: int = UNKNOWN
    """Its place in AFTER if a card is to be played."""
    later: tuple[Seat, ...] = ()
    """Who may change the trump as well, after the one who is asked now."""

    def plays(self, hand: bytes) -> bytes:
        """What may be played from a hand, each card once; nothing if no card is asked for.

        The colour led if the hand has it, else anything; a joker besides, but no second one in
        a trick unless the hand holds nothing else.
        """
        if self.stage != PLAYING:
            return b""
        coloured = hand.rstrip(A_JOKER)
        found = coloured.strip(self.others) or coloured
        if len(coloured) < len(hand) and not (self.joker and coloured):
            found += A_JOKER
        return found


_after: Final[list[tuple[Turn | None, ...]]] = []


@cache
def _turns(order: tuple[Seat, ...], led: int, joker: bool) -> Turn:
    """The turn of the first in `order`; the others follow."""
    rest = order[1:]

    def then(suit: int, joker: bool) -> Turn | None:
        return _turns(rest, suit, joker) if rest else None

    after = [then(suit if led == UNKNOWN else led, joker) for suit in SUIT_OF]
    _after.append((*after, then(led, True)))
    return Turn(
        stage=PLAYING,
        actors=order[:1],
        player=order[0],
        led=led,
        others=b"" if led == UNKNOWN else OTHERS[led],
        joker=joker,
        number=len(_after) - 1,
    )


LEAD: Final = {
    seats: tuple([_turns(seats_from(leader, seats), UNKNOWN, False) for leader in range(seats)])
    for seats in (3, 4)
}
"""By seats and leader: the first turn of a trick."""

AFTER: Final = tuple(_after)
"""By the number of a turn and the card played then: the next turn in the same trick; None after
its last card.  Not in the turn itself: states are compared, and looked through by the laws."""

LEAD_AFTER: Final = {
    seats: tuple(
        [tuple([leads[seat] for seat in seats_from(last + 1, seats)]) for last in range(seats)]
    )
    for seats, leads in LEAD.items()
}
"""By seats, the last to play to a trick, and the place of its winner there: the next turn."""

DEAL_DUE: Final = Turn(DEAL, (CHANCE,))
MATCH_OVER: Final = Turn(OVER, ())


@cache
def hiding(waiting: tuple[Seat, ...]) -> Turn:
    """These seats have still to hide a card."""
    return Turn(HIDING, waiting)


@cache
def offering(seats: tuple[Seat, ...]) -> Turn:
    """These seats may change the trump, one after the other."""
    return Turn(OFFER, seats[:1], later=seats[1:])
