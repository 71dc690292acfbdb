"""Kaiserspiel: who knows what of a state."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cards import Lying, cards_in
from engine.game import Located, Seat
from engine.games.kaiserspiel.cards import DOWN, HIDDEN, HIDDEN_KAISER, PACK, mask
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.questions import ALL_SEATS
from engine.games.kaiserspiel.state import State, View


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
    return PACK.located(SEATS, _lying(state)) if state.round.number else ()


def _lying(state: State) -> Iterator[Lying]:
    cards = state.cards
    yield (state.round.cut,), "cut", None
    yield cards.stock, "stock", ()
    for seat in ALL_SEATS:
        traced = _traced(state, seat)
        if not cards.discards[seat]:  # an open card may be discarded
            traced |= mask(state.round.opens)
        laid = mask(state.laid[place] for place in state.tricks.places_of(seat))
        held = {"hand": state.hands[seat], "discard": cards.discards[seat], "played": laid}
        for where, some in held.items():
            yield cards_in(some & traced), f"{where} {seat}", None
            yield cards_in(some & ~traced), f"{where} {seat}", (seat,)


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
