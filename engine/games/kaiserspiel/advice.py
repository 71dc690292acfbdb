"""Kaiserspiel: reasons why an action is a good one, as codes."""

from __future__ import annotations

from engine.cards import cards_in
from engine.games.kaiserspiel.cards import trump_rank, winner
from engine.games.kaiserspiel.moves import Move, laid
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.questions import team
from engine.games.kaiserspiel.state import View
from engine.layout import Phrase, phrase


def advice(view: View, action: Move) -> Phrase | None:
    """What speaks for an action of whoever is asked, from what they know."""
    match action.verb:
        case "kaiser":
            return phrase("advice_kaiser")
        case "resign":
            return phrase("advice_resign", value=view.value)
        case "discard":
            kept = view.hand & ~action.cards
            keeps = _trumps(view, kept) and not _trumps(view, action.cards)
            return phrase("advice_keep_trumps") if keeps else None
        case "play" | "down":
            return _to_play(view, action)
        case _:
            return None


def _trumps(view: View, cards: int) -> bool:
    """Whether there is a trump among them."""
    special, kaisers = view.round.special, view.all_kaisers
    return any(trump_rank(card, special, kaisers) is not None for card in cards_in(cards))


def _to_play(view: View, action: Move) -> Phrase | None:
    if view.seat is None:
        return None
    before = [view.tricks.laid[place] for place in view.trick]
    special, kaisers = view.round.special, view.all_kaisers
    trick = [*before, laid(action)]
    best = winner(trick, special, kaisers)
    if best == len(before):
        if len(trick) == SEATS:
            return phrase("advice_takes")
        return phrase("advice_wins_so_far" if before else "advice_lead")
    if _trumps(view, action.cards):
        return None
    if team(view.tricks.leaders[-1] + best) == team(view.seat):
        return phrase("advice_partner")
    return phrase("advice_down" if action.verb == "down" else "advice_keep_better")
