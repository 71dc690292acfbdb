"""Auf falscher Fährte: why somebody won a trick or round, as a code with the cards that show it."""

from __future__ import annotations

from engine.games.auffalscherfaehrte.cards import JOKER, SUIT_OF, SUITS, code, of_suit
from engine.games.auffalscherfaehrte.rules import suit_led
from engine.games.auffalscherfaehrte.state import NOBODY, CompleteTrick
from engine.layout import Phrase, Suit, phrase
from engine.tricks import won


def reason(trick: CompleteTrick) -> Phrase:
    """Why the winner of a trick takes it, or why nobody does: by the trump as it was then."""
    cards, led = trick.cards, suit_led(trick.cards)
    if trick.winner == NOBODY or led is None:
        return phrase("trick_nobodys")
    card = cards[(trick.winner - trick.leader) % len(cards)]
    colour = Suit(SUITS[SUIT_OF[card]])
    if SUIT_OF[card] == trick.trump:
        alone = len(of_suit(cards, trick.trump)) == 1
        return won(
            "won_only_trump" if alone else "won_trump", trick.winner, code(card), suit=colour
        )
    # A joker has no colour: the first card after it said which one was followed.
    said = "won_after_joker" if cards[0] == JOKER else "won_colour_led"
    return won(said, trick.winner, code(card), suit=colour)
