"""Auf falscher Fährte: what is told about an action, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.game import Event, Seat
from engine.games._auffalscherfaehrte_cards import (
    HIDE,
    JOKER,
    NUMBER_OF,
    PLAY,
    Move,
    code,
    codes,
    size,
)
from engine.games._auffalscherfaehrte_layout import phrase, suit_param
from engine.games._auffalscherfaehrte_state import (
    GOAL,
    OFFER_AFTER,
    OVER,
    PLAYING,
    Action,
    Deal,
    State,
    is_plus,
    turned_cards,
)
from engine.layout import Cards, SeatName

_KIND_CODES: Final = {True: "is_plus", False: "is_minus"}


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal():
            yield from _dealt(action, after)
        case Move(kind=kind, value=card) if kind == HIDE:
            yield Event(phrase("hid", seat=SeatName(seat)))
            yield Event(phrase("you_hid", cards=_cards(card)), (seat,))
            if after.stage == PLAYING:
                yield Event(phrase("all_hid", seat=SeatName(after.round.start)))
        case Move(kind=kind, value=card) if kind == PLAY:
            yield Event(phrase("played", seat=SeatName(seat), cards=_cards(card)))
            if len(after.done.history) > len(before.done.history):
                yield from _trick_over(after)
                yield from _went_on(before, after)
        case Move():
            changed = after.trump != before.trump
            said = "trump_changed" if changed else "trump_kept"
            yield Event(phrase(said, seat=SeatName(seat), suit=suit_param(after.trump)))
            yield from _went_on(before, after)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    yield Event(phrase("dealt", number=after.round.number, count=size(deal.hands[0])))
    for seat, hand in enumerate(deal.hands):
        yield Event(phrase("dealt_hand", cards=Cards(codes(hand))), (seat,))
    if deal.aside:
        yield Event(phrase("was_aside", cards=Cards(codes(deal.aside))))
    yield Event(phrase("starts", seat=SeatName(after.round.start), suit=suit_param(after.trump)))


def _trick_over(after: State) -> Iterator[Event]:
    _, cards = after.done.history[-1]
    if all(card == JOKER for card in cards):
        yield Event(phrase("trick_nobodys"))
    else:
        yield Event(phrase("trick_won", seat=SeatName(after.leader)))
    no_offer = len(after.done.history) == OFFER_AFTER and not after.done.offers
    if no_offer and not after.match.jokers:
        yield Event(phrase("no_offer"))


def _went_on(before: State, after: State) -> Iterator[Event]:
    """What followed a trick or a decision about the trump."""
    if after.done.offers:
        yield Event(phrase("may_change", seat=SeatName(after.done.offers[0])))
    was, turned = turned_cards(before), turned_cards(after)
    if len(turned) > len(was):
        yield from _turned(after, turned)
        seats = len(after.hands)
        kind = is_plus(seats, turned)
        if kind is not None and is_plus(seats, was) is None:
            yield Event(phrase(_KIND_CODES[kind]))
    if after.round.points is not None:
        yield from _completed(after)


def _turned(after: State, turned: tuple[int, ...]) -> Iterator[Event]:
    total = sum([NUMBER_OF[card] for card in turned])
    goal = GOAL[len(after.hands)]
    yield Event(phrase("turned", cards=_cards(turned[-1]), total=total, goal=goal))
    owner = after.round.reveal[len(turned) - 1]
    yield Event(phrase("turned_own"), (owner,))


def _completed(after: State) -> Iterator[Event]:
    points = after.round.points or ()
    for seat, count in enumerate(points):
        taken = after.done.taken[seat]
        yield Event(phrase("scored", seat=SeatName(seat), tricks=taken, count=count))
    if after.stage == OVER:
        best = max(after.round.scores)
        winners = [seat for seat, score in enumerate(after.round.scores) if score == best]
        said = "match_won" if len(winners) == 1 else "match_shared"
        for seat in winners:
            yield Event(phrase(said, seat=SeatName(seat), count=best))


def _cards(*cards: int) -> Cards:
    return Cards(tuple([code(card) for card in cards]))
