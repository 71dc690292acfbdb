"""Auf falscher Fährte: what is told about an action, and to whom."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from engine.game import Event, Seat, dealt_told, winners_told
from engine.games.auffalscherfaehrte.cards import Card, codes, sum_of
from engine.games.auffalscherfaehrte.layout import cards_param, suit_param
from engine.games.auffalscherfaehrte.moves import Action, Deal, Hide, NameTrump
from engine.games.auffalscherfaehrte.reasons import reason
from engine.games.auffalscherfaehrte.rules import (
    CHANGE_AFTER,
    GOAL,
    known_plus,
    tricks_taken,
    turned,
)
from engine.games.auffalscherfaehrte.state import State
from engine.layout import SeatName, phrase

_KIND_CODES: Final = {True: "is_plus", False: "is_minus"}


def events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    """What to tell, and to whom, about an action that was applied."""
    match action:
        case Deal():
            yield from _dealt(action, after)
        case Hide(card):
            yield Event(phrase("hid", seat=SeatName(seat)))
            yield Event(phrase("you_hid", cards=cards_param(card)), (seat,))
            if after.stage == "play":
                yield Event(phrase("all_hid", seat=SeatName(after.round.starter)))
        case int(card):
            yield Event(phrase("played", seat=SeatName(seat), cards=cards_param(card)))
            if len(after.tricks) > len(before.tricks):
                yield from _trick_over(after)
                yield from _went_on(before, after)
        case NameTrump():
            trump = after.round.trump
            said = "trump_kept" if trump == before.round.trump else "trump_changed"
            yield Event(phrase(said, seat=SeatName(seat), suit=suit_param(trump)))
            yield from _went_on(before, after)
        case _:
            assert_never(action)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    yield from dealt_told(after.round.number, [codes(hand) for hand in deal.hands])
    if deal.aside:
        yield Event(phrase("was_aside", cards=cards_param(*deal.aside)))
    yield Event(
        phrase("starts", seat=SeatName(after.round.starter), suit=suit_param(after.round.trump))
    )


def _trick_over(after: State) -> Iterator[Event]:
    yield Event(reason(after.tricks[-1]))
    no_offer = len(after.tricks) == CHANGE_AFTER and after.stage != "trump"
    if no_offer and not after.round.match.jokers:
        yield Event(phrase("no_offer"))


def _went_on(before: State, after: State) -> Iterator[Event]:
    """What followed a trick or a decision about the trump."""
    if after.stage == "trump":
        why = "may_change_joker" if after.round.match.jokers else "may_change_last"
        yield Event(phrase(why, seat=SeatName(after.round.offers[0])))
    were_turned, are_turned = turned(before), turned(after)
    if len(are_turned) > len(were_turned):
        yield from _turned(after, are_turned)
        kind = known_plus(after.seats, are_turned)
        if kind is not None and known_plus(after.seats, were_turned) is None:
            yield Event(phrase(_KIND_CODES[kind]))
    if after.round.points is not None:
        yield from _completed(after)


def _turned(after: State, cards: tuple[Card, ...]) -> Iterator[Event]:
    total, goal = sum_of(cards), GOAL[after.seats]
    yield Event(phrase("turned", cards=cards_param(cards[-1]), total=total, goal=goal))
    owner = after.reveal[len(cards) - 1]
    yield Event(phrase("turned_own"), (owner,))


def _completed(after: State) -> Iterator[Event]:
    points = after.round.points or ()
    counts = tricks_taken(after.tricks, after.seats)
    for seat, count in enumerate(points):
        yield Event(phrase("scored", seat=SeatName(seat), tricks=counts[seat], count=count))
    if after.stage == "over":
        yield from winners_told(after.round.scores)
