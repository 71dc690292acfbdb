"""Kaiserspiel: who knows what of a state, and random full states that agree with that."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.cards import cards_in
from engine.game import Located, Seat
from engine.games.kaiserspiel.cards import DOWN, HIDDEN, HIDDEN_KAISER, PACK, mask
from engine.games.kaiserspiel.questions import ALL_SEATS
from engine.games.kaiserspiel.state import NOTHING, RoundCards, State, View


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own cards."""
    cards = state.cards
    return View(
        seat=seat,
        question=state.question,
        applied=state.applied,
        value=state.value,
        round=state.round,
        hand=0 if seat is None else state.hands[seat],
        counts=tuple([hand.bit_count() for hand in state.hands]),
        kaisers=cards.kaisers,
        discards=0 if seat is None else cards.discards[seat],
        done=tuple([discards != 0 for discards in cards.discards]),
        tricks=state.tricks._replace(laid=bytes(_laid(state, seat))),
    )


def _laid(state: State, seat: Seat | None) -> Iterator[int]:
    """What was played, as `seat` saw it."""
    kaisers, tricks = state.cards.all_kaisers, state.tricks
    for place, card in enumerate(tricks.laid):
        if card < DOWN or tricks.seat_of(place) == seat:
            yield card
        else:
            yield HIDDEN_KAISER if kaisers >> (card - DOWN) & 1 else HIDDEN


def places(state: State) -> tuple[Located, ...]:
    """Every card of the pack with its place and who knows it; () before the first deal."""
    if not state.round.number:
        return ()
    cards, names, cut = state.cards, PACK.names, state.round.cut
    found = [(cut, Located(names[cut], "cut", ALL_SEATS, public=True))]
    found += [(card, Located(names[card], "stock", (), public=False)) for card in cards.stock]
    for seat in ALL_SEATS:
        traced = _traced(state, seat)
        if not cards.discards[seat]:  # an open card may be discarded
            traced |= mask(state.round.opens)
        laid = mask(state.laid[place] for place in state.tricks.places_of(seat))
        held = {"hand": state.hands[seat], "discard": cards.discards[seat], "played": laid}
        for where, some in held.items():
            for card in cards_in(some):
                public = bool(traced >> card & 1)
                known_to = ALL_SEATS if public else (seat,)
                found.append((card, Located(names[card], f"{where} {seat}", known_to, public)))
    return tuple([located for _, located in sorted(found)])


def _traced(state: State, seat: Seat) -> int:
    """The cards of a seat of which everybody knows where they are whatever it may have hidden.

    Those played face up; and its other declared Kaisers, which cannot be discarded, as long as
    none of them or all of them have been played face down.
    """
    own = [state.laid[place] for place in state.tricks.places_of(seat)]
    shown = mask(card for card in own if card < DOWN)
    kaisers = state.cards.kaisers[seat] & ~shown
    down = (kaisers & mask(card for card in own if card >= DOWN)).bit_count()
    return shown | kaisers if down in (0, kaisers.bit_count()) else shown


# What may be where.


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
