"""Auf falscher Fährte: states that agree with a view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from engine.game import Seat
from engine.games.auffalscherfaehrte.cards import (
    A_JOKER,
    COLOURS,
    JOKER,
    SUIT_OF,
    Card,
    Suit,
    of_suit,
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


def closed_to(
    seats: int, tricks: Iterable[tuple[Seat, Sequence[Card]]]
) -> tuple[frozenset[Card], ...]:
    """By seat: the coloured cards that everybody knows its hand not to hold.

    `tricks` are leaders and cards of this round's tricks.
    """
    closed: list[set[Card]] = [set() for _ in range(seats)]
    for leader, cards in tricks:
        led: Suit | None = None
        joker = False
        for step, card in enumerate(cards):
            seat = (leader + step) % seats
            if card == JOKER:
                if joker:
                    closed[seat].update(COLOURS)
                joker = True
            elif led is None:
                led = SUIT_OF[card]
            elif SUIT_OF[card] != led:
                closed[seat].update(of_suit(COLOURS, led))
    return tuple(map(frozenset, closed))


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
    closed = closed_to(seats, [(trick.leader, trick.cards) for trick in _tricks(view)])
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


@dataclass
class _Bin:
    """A place for unseen cards."""

    size: int
    """How many it takes."""
    closed: Collection[Card]
    """Cards that cannot be here."""
    cards: list[Card] = field(default_factory=list)

    @property
    def room(self) -> int:
        return self.size - len(self.cards)


def _fill(bins: list[_Bin], pool: list[Card], rng: Random) -> None:
    """Put every card of the pool into a bin that takes it.

    The cards with the least choice go first.  Raises ValueError if there is no way to do so.
    """
    rng.shuffle(pool)
    pool.sort(key=lambda card: sum([card not in each.closed for each in bins]))
    for card in pool:
        fitting = [each for each in bins if each.room and card not in each.closed]
        if fitting:
            rng.choices(fitting, [each.room for each in fitting])[0].cards.append(card)
        elif not _squeeze(bins, card, set()):
            raise ValueError("no state agrees with this observation")


def _squeeze(bins: list[_Bin], card: Card, tried: set[int]) -> bool:
    """Put a card where it may lie, if need be by moving others on (an augmenting path)."""
    for at, each in enumerate(bins):
        if at in tried or card in each.closed:
            continue
        tried.add(at)
        if each.room:
            each.cards.append(card)
            return True
        for other in each.cards:
            if _squeeze(bins, other, tried):
                each.cards.remove(other)
                each.cards.append(card)
                return True
    return False
