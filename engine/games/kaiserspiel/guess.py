"""Kaiserspiel: full states that agree with what one seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

from engine.cards import cards_in
from engine.game import Seat
from engine.games.kaiserspiel.cards import BITS, DOWN, HIDDEN_KAISER, PACK
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.state import (
    ALL_DEALT,
    CUT,
    DEALT,
    TAKERS,
    Parts,
    Round,
    State,
    View,
    owner,
    seat_of,
    state_of,
)
from engine.games.kaiserspiel.talk import ALL_SEATS


def determinize(view: View, rng: Random) -> State:
    """A state drawn uniformly from those that agree with the view."""
    pack, got, gone, thrown, tricks = b"", [0] * SEATS, 0, view.kaisers, view.tricks
    if view.round.number:
        got, thrown, laid, stock = _guess(view, rng)
        gone = sum(thrown) | sum([BITS[card % DOWN] for card in laid])
        tricks = tricks._replace(laid=laid)
        pack = _pack(view.round, got, stock, rng)
    now = Parts(
        at=view.at,
        applied=view.applied,
        value=view.value,
        pack=pack,
        dealer=view.round.dealer,
        number=view.round.number,
        scores=view.round.scores,
        points=view.round.points,
        target=view.target,
        got=tuple(got) if pack and DEALT[view.question.pause] == ALL_DEALT else (),
        gone=gone,
        kaisers=view.kaisers,
        thrown=thrown,
        tricks=tricks,
    )
    return state_of(now)


def _pack(round_: Round, got: Sequence[int], stock: Sequence[int], rng: Random) -> bytes:
    """A pack that gives the seats these cards, the open ones first."""
    opens = sum([BITS[card] for card in round_.opens])
    hidden = [list(cards_in(cards & ~opens)) for cards in got]
    for cards in hidden:
        rng.shuffle(cards)
    pack = list(round_.opens)
    for place in range(len(pack), CUT - len(stock)):
        pack.append(hidden[TAKERS[round_.dealer][place]].pop())
    return bytes([*pack, *stock, round_.cut])


_Guess: TypeAlias = tuple[list[int], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Cards got, discards, cards laid, stock."""


def _guess(view: View, rng: Random) -> _Guess:
    shown = [_shown(view, seat) for seat in ALL_SEATS]
    known = BITS[view.round.cut] | sum(shown)
    unknown = [card for card in range(len(PACK)) if not known >> card & 1]
    rng.shuffle(unknown)
    got, thrown = shown, [0] * SEATS
    laid = list(view.tricks.laid)
    for seat in ALL_SEATS:
        if seat == view.seat:
            thrown[seat] = view.thrown
            continue
        mine = [place for place in range(len(laid)) if seat_of(view.tricks, place) == seat]
        dealt = view.counts[seat] + 2 * view.done[seat] + len(mine)
        missing = dealt - shown[seat].bit_count()
        got[seat] |= sum([BITS[card] for card in unknown[:missing]])
        del unknown[:missing]
        thrown[seat] = _sort_out(view, seat, got[seat], mine, laid, rng)
    return got, tuple(thrown), tuple(laid), tuple(unknown)


def _shown(view: View, seat: Seat) -> int:
    """The cards that are known to have been dealt to a seat."""
    if seat == view.seat:
        own = [
            place for place in range(len(view.tricks.laid)) if seat_of(view.tricks, place) == seat
        ]
        return view.hand | view.thrown | sum([BITS[view.tricks.laid[p] % DOWN] for p in own])
    cards = view.kaisers[seat]
    for place, card in enumerate(view.round.opens):
        if owner(view.round.dealer, place) == seat:
            cards |= BITS[card]
    for place, card in enumerate(view.tricks.laid):
        if card < DOWN and seat_of(view.tricks, place) == seat:
            cards |= BITS[card]
    return cards


def _sort_out(
    view: View, seat: Seat, got: int, mine: Sequence[int], laid: list[int], rng: Random
) -> int:
    """Another seat's discards, of the cards it got; fills its hidden cards in `laid`."""
    for place in mine:
        if laid[place] < DOWN:
            got ^= BITS[laid[place]]
    kaisers = list(cards_in(got & view.kaisers[seat]))
    plain = list(cards_in(got & ~view.kaisers[seat]))
    rng.shuffle(kaisers)
    rng.shuffle(plain)
    thrown = 0
    if view.done[seat]:
        thrown = BITS[plain.pop()] | BITS[plain.pop()]
    for place in mine:
        if laid[place] >= DOWN:
            laid[place] = DOWN + (kaisers if laid[place] == HIDDEN_KAISER else plain).pop()
    return thrown
