"""Auf falscher Fährte: what is told about an action, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.game import Event, Seat, winners_told
from engine.games.auffalscherfaehrte.cards import (
    NUMBER_OF,
    card_of,
    code,
    codes,
    is_hide,
    is_play,
)
from engine.games.auffalscherfaehrte.layout import phrase, suit_param
from engine.games.auffalscherfaehrte.state import (
    GOAL,
    OFFER_AFTER,
    Action,
    Deal,
    Parts,
    State,
    is_plus,
    parts,
    taken,
)
from engine.games.auffalscherfaehrte.turns import NOBODY, OFFER, OVER, PLAYING
from engine.layout import Cards, SeatName

_KIND_CODES: Final = {True: "is_plus", False: "is_minus"}


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(parts(before), seat, action, parts(after)))


def _events(before: Parts, seat: Seat, action: Action, after: Parts) -> Iterator[Event]:
    if isinstance(action, Deal):
        yield from _dealt(action, after)
    elif is_hide(action):
        yield Event(phrase("hid", seat=SeatName(seat)))
        yield Event(phrase("you_hid", cards=_cards(card_of(action))), (seat,))
        if after.turn.stage == PLAYING:
            yield Event(phrase("all_hid", seat=SeatName(after.round.start)))
    elif is_play(action):
        yield Event(phrase("played", seat=SeatName(seat), cards=_cards(action)))
        if len(after.history) > len(before.history):
            yield from _trick_over(after)
            yield from _went_on(before, after)
    else:
        trump = after.round.trump
        said = "trump_kept" if trump == before.round.trump else "trump_changed"
        yield Event(phrase(said, seat=SeatName(seat), suit=suit_param(trump)))
        yield from _went_on(before, after)


def _dealt(deal: Deal, after: Parts) -> Iterator[Event]:
    yield Event(phrase("dealt", number=after.round.number, count=len(deal.hands[0])))
    for seat, hand in enumerate(deal.hands):
        yield Event(phrase("dealt_hand", cards=Cards(codes(hand))), (seat,))
    if deal.aside:
        yield Event(phrase("was_aside", cards=Cards(codes(deal.aside))))
    yield Event(
        phrase("starts", seat=SeatName(after.round.start), suit=suit_param(after.round.trump))
    )


def _trick_over(after: Parts) -> Iterator[Event]:
    winner = after.history[-1][2]
    if winner == NOBODY:
        yield Event(phrase("trick_nobodys"))
    else:
        yield Event(phrase("trick_won", seat=SeatName(winner)))
    no_offer = len(after.history) == OFFER_AFTER and after.turn.stage != OFFER
    if no_offer and not after.round.match.jokers:
        yield Event(phrase("no_offer"))


def _went_on(before: Parts, after: Parts) -> Iterator[Event]:
    """What followed a trick or a decision about the trump."""
    if after.turn.stage == OFFER:
        yield Event(phrase("may_change", seat=SeatName(after.turn.actors[0])))
    was, turned = before.turned, after.turned
    if len(turned) > len(was):
        yield from _turned(after, turned)
        seats = len(after.hands)
        kind = is_plus(seats, turned)
        if kind is not None and is_plus(seats, was) is None:
            yield Event(phrase(_KIND_CODES[kind]))
    if after.round.points is not None:
        yield from _completed(after)


def _turned(after: Parts, turned: tuple[int, ...]) -> Iterator[Event]:
    total = sum([NUMBER_OF[card] for card in turned])
    goal = GOAL[len(after.hands)]
    yield Event(phrase("turned", cards=_cards(turned[-1]), total=total, goal=goal))
    owner = after.round.reveal[len(turned) - 1]
    yield Event(phrase("turned_own"), (owner,))


def _completed(after: Parts) -> Iterator[Event]:
    points = after.round.points or ()
    counts = taken(after.history, len(after.hands))
    for seat, count in enumerate(points):
        yield Event(phrase("scored", seat=SeatName(seat), tricks=counts[seat], count=count))
    if after.turn.stage == OVER:
        yield from winners_told(after.round.scores)


def _cards(*cards: int) -> Cards:
    return Cards(tuple([code(card) for card in cards]))
