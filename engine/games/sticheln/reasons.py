"""Sticheln: why somebody won a trick or round, as a code with the cards that show it."""

from __future__ import annotations

from engine.games.sticheln.cards import NUMBER, PACK, SUIT, SUITS
from engine.games.sticheln.state import UNKNOWN, Past
from engine.layout import Phrase, Suit, phrase
from engine.tricks import won


def reason(past: Past) -> Phrase:
    """Why the winner of a complete trick takes it, or why nobody does.

    Zeros never count; of the others a card that is not of the colour led goes before all that are.
    """
    cards, led = past.cards, SUIT[past.cards[0]]
    if past.winner == UNKNOWN:
        return phrase("nobody_takes")
    card = cards[(past.winner - past.leader) % len(cards)]
    colour = Suit(SUITS[led])
    if not NUMBER[card]:
        # Switch `zeros` = `leader`.
        return won("won_zeros", past.winner, PACK.names[card], suit=colour)
    others = [each for each in cards if SUIT[each] != led]
    if SUIT[card] != led:
        equals = sum(NUMBER[each] == NUMBER[card] for each in others)
        code = "won_other_colour" if equals == 1 else "won_other_colour_first"
    else:
        code = "won_colour_led" if not others else "won_over_zeros"
    return won(code, past.winner, PACK.names[card], suit=colour)
