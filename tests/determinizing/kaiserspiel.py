"""Kaiserspiel: states that agree with a view."""

from __future__ import annotations

from random import Random

from engine.cards import cards_in
from engine.game import Seat
from engine.games.kaiserspiel.cards import DOWN, HIDDEN_KAISER, PACK, mask
from engine.games.kaiserspiel.questions import ALL_SEATS
from engine.games.kaiserspiel.state import NOTHING, RoundCards, State, View


def determinize(view: View, rng: Random) -> State:
    """A state drawn uniformly from those that agree with the view."""
    stock: list[int] = []
    hands, discards, laid = list(NOTHING), list(NOTHING), list(view.tricks.laid)
    if view.round.number:
        shown = [_shown(view, seat) for seat in ALL_SEATS]
        known = 1 << view.round.cut | sum(shown)
        stock = [card for card in range(len(PACK)) if not known >> card & 1]
        rng.shuffle(stock)
        for seat in ALL_SEATS:
            if seat == view.seat:
                hands[seat], discards[seat] = view.hand, view.discards
                continue
            played = len(view.tricks.places_of(seat))
            got = view.counts[seat] + 2 * view.done[seat] + played
            missing = got - shown[seat].bit_count()
            cards = shown[seat] | mask(stock[:missing])
            del stock[:missing]
            hands[seat], discards[seat] = _sorted_out(view, seat, cards, laid, rng)
    return State(
        question=view.question,
        applied=view.applied,
        value=view.value,
        round=view.round,
        cards=RoundCards(
            stock=bytes(stock),
            kaisers=view.kaisers,
            discards=tuple(discards),
            leaders=view.tricks.leaders,
        ),
        hands=tuple(hands),
        laid=bytes(laid),
    )


def _shown(view: View, seat: Seat) -> int:
    """The cards that are known to have been dealt to a seat."""
    played = [view.tricks.laid[place] for place in view.tricks.places_of(seat)]
    if seat == view.seat:
        return view.hand | view.discards | mask(played)
    opens = [card for at, card in enumerate(view.round.opens) if view.round.owner(at) == seat]
    return view.kaisers[seat] | mask(opens) | mask(card for card in played if card < DOWN)


def _sorted_out(
    view: View, seat: Seat, cards: int, laid: list[int], rng: Random
) -> tuple[int, int]:
    """Another seat's hand and discards, of the cards it got; fills its hidden cards in `laid`."""
    places = view.tricks.places_of(seat)
    cards &= ~mask(laid[place] for place in places if laid[place] < DOWN)
    kaisers = list(cards_in(cards & view.kaisers[seat]))
    plain = list(cards_in(cards & ~view.kaisers[seat]))
    rng.shuffle(kaisers)
    rng.shuffle(plain)
    discards = mask([plain.pop(), plain.pop()]) if view.done[seat] else 0
    for place in places:
        if laid[place] >= DOWN:
            laid[place] = DOWN + (kaisers if laid[place] == HIDDEN_KAISER else plain).pop()
    return mask(kaisers + plain), discards
