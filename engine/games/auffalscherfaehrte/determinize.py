"""Auf falscher Fährte: random full states that agree with what one seat knows."""

from __future__ import annotations

from random import Random

from engine.game import Seat
from engine.games.auffalscherfaehrte.cards import (
    A_JOKER,
    COLOURS,
    JOKER,
    SUIT_OF,
    Card,
    Suit,
    pack_of,
)
from engine.games.auffalscherfaehrte.state import NOBODY, CompleteTrick, State
from engine.games.auffalscherfaehrte.view import View
from engine.tricks import in_order


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
        round=view.round,
        stage=view.stage,
        actors=view.actors,
        hands=hands,
        hidden=hidden,
        reveal=reveal,
        trick=view.trick,
        tricks=view.tricks,
    )


def closed_to(view: View) -> tuple[bytes, ...]:
    """By seat: the coloured cards that everybody knows its hand not to hold."""
    seats = len(view.counts)
    closed: list[set[int]] = [set() for _ in range(seats)]
    for trick in _tricks(view):
        led: Suit | None = None
        joker = False
        for step, card in enumerate(trick.cards):
            seat = (trick.leader + step) % seats
            if card == JOKER:
                if joker:
                    closed[seat].update(COLOURS)
                joker = True
            elif led is None:
                led = SUIT_OF[card]
            elif SUIT_OF[card] != led:
                closed[seat].update(each for each in COLOURS if SUIT_OF[each] == led)
    return tuple([in_order(cards) for cards in closed])


def _tricks(view: View) -> tuple[CompleteTrick, ...]:
    """All tricks of the round, the present one last."""
    return (*view.tricks, CompleteTrick(view.leader, view.trick, NOBODY, view.round.trump))


def _guess(
    view: View, rng: Random
) -> tuple[tuple[bytes, ...], tuple[Card | None, ...], tuple[Seat, ...]]:
    """Hands, hidden cards by seat, and the order in which these are turned."""
    seats = len(view.counts)
    hands = [b""] * seats
    if not view.round.number:
        return tuple(hands), (None,) * seats, ()
    reveal = _guess_reveal(view, rng)
    hidden: list[Card | None] = [None] * seats
    for seat, card in zip(reveal, view.turned, strict=False):
        hidden[seat] = card
    if view.seat is not None:
        hidden[view.seat] = view.own
    covered = [seat for seat in range(seats) if view.chosen[seat] and hidden[seat] is None]
    closed = closed_to(view)
    others = [seat for seat in range(seats) if seat != view.seat]
    # One bin for every other hand, and one for all hidden cards.
    bins = [_Bin(view.counts[seat], closed[seat]) for seat in others]
    bins.append(_Bin(len(covered), A_JOKER))
    _fill(bins, _unseen(view, hidden), rng)
    for seat, card in zip(covered, bins[-1].cards, strict=True):
        hidden[seat] = card
    for seat, each in zip(others, bins, strict=False):
        hands[seat] = in_order(each.cards)
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
    if view.own is not None and view.own in view.turned:
        place = view.turned.index(view.own)
    else:
        place = turned + int(rng.random() * (seats - turned))
    order.insert(place, view.seat)
    return tuple(order)


def _unseen(view: View, hidden: list[Card | None]) -> list[Card]:
    """Every card of which the view does not say where it is."""
    played = b"".join([trick.cards for trick in _tricks(view)])
    known = bytes([card for card in hidden if card is not None])
    seen = b"".join((view.hand, view.round.aside, played, known))
    pack = pack_of(len(view.counts), jokers=view.round.match.jokers)
    jokers = pack.count(JOKER) - seen.count(JOKER)
    return [*pack.translate(None, seen + A_JOKER), *[JOKER] * jokers]


class _Bin:
    """A place for unseen cards."""

    __slots__ = ("cards", "closed", "room")

    def __init__(self, room: int, closed: bytes) -> None:
        self.room = room
        """How many more cards it takes."""
        self.closed = closed
        """Cards that cannot be here."""
        self.cards: list[int] = []

    def takes(self, card: int) -> bool:
        return card not in self.closed


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
