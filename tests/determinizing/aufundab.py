"""Auf und Ab: states that agree with a view."""

from __future__ import annotations

from math import perm
from random import Random

from engine.cards import cards_in
from engine.games.aufundab.cards import DOUBLE, DOUBLES, PACK
from engine.games.aufundab.state import UNKNOWN, State, View


def determinize(view: View, rng: Random) -> State:
    """A state drawn uniformly from those that agree with the view and with its round's start.

    Every double below the opening one lies aside: a hand with it would have begun.
    """
    hands, opening, aside = _guess(view, rng)
    return State(
        hands=hands,
        actor=view.actor,
        mode=view.mode,
        number=view.number,
        quantity=view.quantity,
        top=view.top,
        owner=view.owner,
        out=view.out,
        changes=view.changes,
        pile=view.pile,
        applied=view.applied,
        history=view.history,
        series=view.series,
        round=view.round._replace(opening=opening, aside=aside),
        match=view.match,
    )


def _guess(view: View, rng: Random) -> tuple[tuple[int, ...], int, int]:
    """Hands, the opening double's number and the cards aside."""
    opening, aside = view.round.opening, view.round.aside
    if not view.round.number:
        return (0,) * len(view.counts), opening, aside
    unknown = PACK.all ^ view.hand ^ view.pile ^ view.gone ^ aside
    hands = [0] * len(view.counts)
    if view.seat is not None:
        hands[view.seat] = view.hand
    left = unknown.bit_count() - sum(
        count for seat, count in enumerate(view.counts) if seat != view.seat
    )
    """How many of the unknown cards lie aside."""
    if opening == UNKNOWN:
        opening = _guess_opening(view, unknown, left, rng)
        hands[view.round.start] = DOUBLE[opening]
    lower = unknown & DOUBLES & (DOUBLE[opening] - 1)
    pool = [1 << card for card in cards_in(unknown & ~lower & ~sum(hands))]
    rng.shuffle(pool)
    for seat, count in enumerate(view.counts):
        if seat != view.seat:
            need = count - hands[seat].bit_count()
            hands[seat] |= sum(pool[:need])
            del pool[:need]
    return tuple(hands), opening, aside | lower | sum(pool)


def _guess_opening(view: View, unknown: int, left: int, rng: Random) -> int:
    """The number of the lowest double in a hand, which another seat holds and has not shown.

    If it is the j-th unknown double, the j before it lie aside.  The other cards then make
    (N - j - 1)! / ((left - j)! * what does not depend on j) different deals: that is its weight.
    """
    own = view.hand & DOUBLES
    lowest_own = own & -own or PACK.all + 1
    total = unknown.bit_count()
    candidates = list(cards_in(unknown & DOUBLES & (lowest_own - 1)))[: left + 1]
    # perm(n, n - k) is n! / k!
    weights = [perm(total - j - 1, total - left - 1) for j in range(len(candidates))]
    return DOUBLE.index(1 << rng.choices(candidates, weights)[0])
