"""Auf falscher Fährte: a full state that agrees with what one seat knows."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.cards import cards_in
from engine.game import Seat
from engine.games._auffalscherfaehrte_cards import COLOURS, JOKER, LED
from engine.games._auffalscherfaehrte_state import UNKNOWN, Done, Round, State, View


def determinize(view: View, rng: Random) -> State:
    """A state, drawn at random, that agrees with the view and could have come to it.

    A seat that did not follow a colour is given none of it, and one that had to play the second
    joker of a trick nothing but jokers.  What is hidden is never a joker and may be of any
    colour, since it was hidden before the first trick.  Each card falls to every place open to
    it with the same chance; where seats are void the result is therefore random, but not
    exactly uniform.
    """
    hands, hidden, reveal = _guess(view, rng)
    return State(
        actors=view.actors,
        stage=view.stage,
        hands=hands,
        led=view.led,
        best=view.best,
        trick=view.trick,
        leader=view.leader,
        trump=view.trump,
        applied=view.applied,
        done=Done(view.taken, view.history, len(view.turned), view.jokers, view.offers),
        round=Round(
            number=view.number,
            dealer=view.dealer,
            start=view.start,
            trump=view.opening_trump,
            aside=view.aside,
            hidden=hidden,
            reveal=reveal,
            dealt=view.dealt,
            scores=view.scores,
            points=view.points,
        ),
        match=view.match,
    )


def closed_to(view: View) -> tuple[int, ...]:
    """By seat: the coloured cards, as a mask, that everybody knows its hand not to hold."""
    seats = len(view.counts)
    closed = [0] * seats
    for leader, trick in (*view.history, (view.leader, view.trick)):
        led, jokers = 0, 0
        for step, card in enumerate(trick):
            seat = (leader + step) % seats
            if card == JOKER:
                if jokers:
                    closed[seat] = COLOURS
                jokers += 1
            elif not led:
                led = LED[card]
            elif LED[card] != led:
                closed[seat] |= led
    return tuple(closed)


def _guess(view: View, rng: Random) -> tuple[tuple[int, ...], tuple[int, ...], tuple[Seat, ...]]:
    """Hands, hidden cards by seat, and the order in which these are turned."""
    seats = len(view.counts)
    if not view.number:
        return (0,) * seats, (UNKNOWN,) * seats, ()
    reveal = _guess_reveal(view, rng)
    hidden = [UNKNOWN] * seats
    for seat, card in zip(reveal, view.turned, strict=False):
        hidden[seat] = card
    if view.seat is not None:
        hidden[view.seat] = view.own
    covered = [seat for seat in range(seats) if view.chosen[seat] and hidden[seat] == UNKNOWN]
    closed = closed_to(view)
    others = [seat for seat in range(seats) if seat != view.seat]
    # One bin for every other hand, and one for all hidden cards.
    bins = [_Bin(view.counts[seat], closed[seat]) for seat in others]
    bins.append(_Bin(len(covered), 1 << JOKER))
    _fill(bins, _unseen(view, hidden), rng)
    for seat, card in zip(covered, bins[-1].cards, strict=True):
        hidden[seat] = card
    hands = [0] * seats
    for seat, each in zip(others, bins, strict=False):
        hands[seat] = sum([1 << card for card in each.cards])
    if view.seat is not None:
        hands[view.seat] = view.hand
    return tuple(hands), tuple(hidden), reveal


def _guess_reveal(view: View, rng: Random) -> tuple[Seat, ...]:
    """A random order in which the observer's own card has been turned when it was."""
    seats, turned = len(view.counts), len(view.turned)
    order = list(range(seats))
    rng.shuffle(order)
    if view.seat is None:
        return tuple(order)
    order.remove(view.seat)
    if view.own in view.turned:
        place = view.turned.index(view.own)
    else:
        place = turned + int(rng.random() * (seats - turned))
    order.insert(place, view.seat)
    return tuple(order)


_PACK: Final = {3: sum([0x3FF << suit * 13 for suit in range(4)]), 4: COLOURS}


def _unseen(view: View, hidden: list[int]) -> list[int]:
    """Every card of which the view does not say where it is."""
    seen = view.hand + view.aside
    for _, trick in (*view.history, (view.leader, view.trick)):
        seen += sum([1 << card for card in trick])
    seen += sum([1 << card for card in hidden if card != UNKNOWN])
    pool = list(cards_in(_PACK[len(view.counts)] & ~seen))
    jokers = len(view.counts) if view.match.jokers else 0
    return pool + [JOKER] * (jokers - (seen >> JOKER))


class _Bin:
    """A place for unseen cards."""

    __slots__ = ("cards", "closed", "room")

    def __init__(self, room: int, closed: int) -> None:
        self.room = room
        """How many more cards it takes."""
        self.closed = closed
        """Cards that cannot be here, as a mask."""
        self.cards: list[int] = []

    def takes(self, card: int) -> bool:
        return not self.closed >> card & 1


def _fill(bins: list[_Bin], pool: list[int], rng: Random) -> None:
    """Put every card of the pool into a bin that takes it; there is a way to do so.

    The cards with the least choice go first.
    """
    rng.shuffle(pool)
    pool.sort(key=lambda card: sum([each.takes(card) for each in bins]))
    for card in pool:
        fitting = [each for each in bins if each.room and each.takes(card)]
        if fitting:
            chosen = rng.choices(fitting, [each.room for each in fitting])[0]
        else:
            chosen = _make_room(bins, card)
        chosen.cards.append(card)
        chosen.room -= 1


def _make_room(bins: list[_Bin], card: int) -> _Bin:
    """A bin that takes `card` and has room, after moving cards on from full bins.

    Breadth first over "this bin could give that card to that one", as in any matching: if the
    cards can be placed at all, a chain of moves ends in a bin with room.
    """
    came_from: dict[int, tuple[int, int]] = {}
    queue = [at for at, each in enumerate(bins) if each.takes(card)]
    reached = set(queue)
    for at in queue:
        if bins[at].room:
            end = at
            while end in came_from:
                giver, moved = came_from[end]
                bins[giver].cards.remove(moved)
                bins[giver].room += 1
                bins[end].cards.append(moved)
                bins[end].room -= 1
                end = giver
            return bins[end]
        for other, each in enumerate(bins):
            movable = [moved for moved in bins[at].cards if each.takes(moved)]
            if other not in reached and movable:
                reached.add(other)
                came_from[other] = at, movable[0]
                queue.append(other)
    raise ValueError("no state agrees with this observation")
