"""Kaiserspiel: why somebody won a trick or round, as a code with the cards that show it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Seat
from engine.games.kaiserspiel.cards import (
    DOWN,
    MUGG,
    PACK,
    SIZE,
    SUITS,
    is_seven,
    is_unter,
    trump_rank,
    winner,
)
from engine.layout import Cards, Param, Phrase, Suit
from engine.tricks import won


def reason(trick: Sequence[int], leader: Seat, special: int | None, kaisers: int) -> Phrase:
    """Why the winner of a complete trick takes it; `kaisers` is the mask of all declared ones.

    What lies face down never wins, so whoever does not know it is told the same.
    """
    place = winner(trick, special, kaisers)
    code, beaten = _why(trick, place, special, kaisers)
    card = trick[place]
    more: dict[str, Param] = {} if beaten is None else {"beaten": Cards((PACK.names[beaten],))}
    seat = (leader + place) % len(trick)
    return won(code, seat, PACK.names[card], suit=Suit(SUITS[card // SIZE]), **more)


def _why(
    trick: Sequence[int], place: int, special: int | None, kaisers: int
) -> tuple[str, int | None]:
    """The code, and the card that was in the way, if one was."""
    led, card = trick[0], trick[place]
    up = [each for each in trick if each < DOWN]
    ranks = {each: trump_rank(each, special, kaisers) for each in up}
    trumps = {each: rank for each, rank in ranks.items() if rank is not None}
    # 1. †7 led: it wins unless †U lies in the trick; then the highest of Mugg, †5, †U wins.
    if is_seven(led, special):
        if place == 0:
            return "won_seven", None
        return ("won_unter" if is_unter(card, special) else "won_with_unter"), led
    # 3. No trump is there, or the highest does not beat the highest of the suit led.
    if card not in trumps:
        if not trumps:
            return "won_suit_led", None
        return "won_over_trump", min(trumps, key=trumps.__getitem__)
    # 2., 3. The highest trump wins; of equal Kaisers the first played.
    if list(trumps.values()).count(trumps[card]) > 1:
        return "won_first_kaiser", None
    kind = "trump"
    if kaisers >> card & 1:
        kind = "mugg" if card == MUGG else "kaiser"
    if place == 0:
        return f"won_{kind}", None
    # The card that would win if this one lay face down.
    others = [*trick[:place], card + DOWN, *trick[place + 1 :]]
    return f"won_{kind}_over", others[winner(others, special, kaisers)]
