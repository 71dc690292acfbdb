"""Auf falscher Fährte: what people see and may press, made from a `View` only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, assert_never

from engine import layout as ui
from engine.game import Seat
from engine.games.auffalscherfaehrte.cards import (
    JOKER,
    NUMBER_OF,
    SUIT_OF,
    SUITS,
    Card,
    code,
    of_suit,
)
from engine.games.auffalscherfaehrte.cards import Suit as SuitIndex
from engine.games.auffalscherfaehrte.moves import TEXTS, Hide, Move, NameTrump
from engine.games.auffalscherfaehrte.rules import suit_led, winning_place
from engine.games.auffalscherfaehrte.state import NOBODY
from engine.games.auffalscherfaehrte.view import View
from engine.layout import phrase
from engine.tricks import JOKER as JOKER_CODE
from engine.tricks import seats_from

SYMBOLS: Final = {True: "+", False: "−", None: "±"}
"""By the kind of a round: Plus, Minus, still open."""
_KIND_CODES: Final = {True: "kind_plus", False: "kind_minus", None: "kind_open"}
_OVER_CODES: Final = {True: "round_over_plus", False: "round_over_minus"}

FEW: Final = 5
"""Up to so many cards are offered as the one thing to do."""


def suit_param(suit: SuitIndex) -> ui.Suit:
    return ui.Suit(SUITS[suit])


def layout(view: View) -> ui.Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    legal = view.legal_actions
    more = () if view.stage == "trump" else tuple(_last_trick(view))
    return ui.Layout(tuple(_blocks(view, legal)), tuple(_controls(view, legal)), more)


# Blocks.


def _blocks(view: View, legal: Sequence[Move]) -> Iterator[ui.Block]:
    if not view.number:
        yield ui.Headline(phrase("not_dealt"))
        yield _seat_row(view)
        return
    if view.stage == "hide":
        yield ui.Headline(phrase("hide_one" if view.seat in view.actors else "hiding"))
        yield _chips(view)
    elif view.points is not None:
        yield from _round_over(view)
    else:
        yield ui.Headline(phrase(_KIND_CODES[view.plus]), SYMBOLS[view.plus])
        yield _chips(view)
        yield ui.Line(_situation(view, legal), "strong")
        if view.stage == "trump":
            yield from _last_trick(view)
        else:
            yield _current_trick(view)
    if view.stage != "hide":
        if view.points is None:
            yield ui.Line(phrase("trail", goal=view.goal), "small")
        yield _tally(view)
    yield _seat_row(view)
    if view.hand:
        yield ui.CardRow("hand", tuple(_hand(view, legal)))
    if view.own is not None:
        gone = "own_turned" if view.own in view.turned else "own_hidden"
        yield ui.Line(phrase(gone, cards=_cards(view.own)))
    if view.aside:
        yield ui.Line(phrase("aside"), "small")
        yield ui.CardRow("aside", tuple([_card_view(card, playable=False) for card in view.aside]))


def _situation(view: View, legal: Sequence[Move]) -> ui.Phrase:
    """Who is to do what; to the seat itself also why."""
    actor = view.actors[0]
    if view.stage == "trump":
        if view.seat == actor:
            return phrase("you_may_change", suit=suit_param(view.trump))
        return phrase("may_change", seat=ui.SeatName(actor))
    if view.seat != actor:
        return phrase("turn" if view.trick else "leads", seat=ui.SeatName(actor))
    if not view.trick:
        return phrase("you_lead")
    led = suit_led(view.trick)
    if led is None:
        colours = any(move != JOKER for move in legal)
        return phrase("you_set_colour" if colours else "you_pass_on")
    follows = of_suit(view.hand, led)
    return phrase("you_follow" if follows else "you_are_void", suit=suit_param(led))


def _chips(view: View) -> ui.Chips:
    round_ = phrase("chip_round", number=view.number, rounds=view.match.rounds)
    trump = phrase("chip_trump", suit=suit_param(view.trump))
    if view.stage == "hide":
        return ui.Chips((trump, round_))
    done = len(view.tricks)
    number = done if view.stage == "trump" else done + 1
    trick = phrase("chip_trick", number=number, tricks=view.match.tricks)
    if not view.jokers:
        return ui.Chips((trump, trick, round_))
    return ui.Chips((trump, trick, phrase("chip_jokers", count=view.jokers), round_))


def _current_trick(view: View) -> ui.Trick:
    order = seats_from(view.leader, len(view.counts))
    trick = view.trick
    best = winning_place(trick, view.trump)
    winner = NOBODY if best is None else order[best]
    return ui.Trick("current", _laid(order, trick, winner), order[len(trick) :])


def _last_trick(view: View) -> Iterator[ui.Trick]:
    """The last complete trick of the round, if there is one."""
    if view.tricks:
        last = view.tricks[-1]
        order = seats_from(last.leader, len(view.counts))
        yield ui.Trick("last", _laid(order, last.cards, last.winner))


def _laid(order: Sequence[Seat], cards: bytes, winner: Seat) -> tuple[ui.Laid, ...]:
    """The cards of a trick; the winner's is marked."""
    return tuple(
        ui.Laid(seat, code(card), ("winning",) if seat == winner else ())
        for seat, card in zip(order, cards, strict=False)
    )


def _tally(view: View) -> ui.Tally:
    numbers = [NUMBER_OF[card] for card in view.turned]
    covered = [None] * (len(view.counts) - len(numbers))
    return ui.Tally((*numbers, *covered), view.total, view.goal)


def _round_over(view: View) -> Iterator[ui.Block]:
    points = view.points or ()
    kind = view.plus is True
    yield ui.Headline(phrase(_OVER_CODES[kind], total=view.total), SYMBOLS[kind])
    trump = phrase("chip_trump", suit=suit_param(view.trump))
    yield ui.Chips((trump, phrase("chip_round", number=view.number, rounds=view.match.rounds)))
    for seat, taken in enumerate(view.taken):
        yield ui.Line(phrase("took", seat=ui.SeatName(seat), count=taken, points=points[seat]))


def _seat_row(view: View) -> ui.SeatRow:
    return ui.SeatRow(tuple(_seat_view(view, seat) for seat in range(len(view.counts))))


def _seat_view(view: View, seat: Seat) -> ui.SeatView:
    hiding = view.stage == "hide"
    acts = seat in view.actors
    marks = ui.holding(
        to_act=acts,
        leads=view.stage == "play" and not view.trick and acts,
        self=seat == view.seat,
        chosen=hiding and view.chosen[seat],
        choosing=hiding and not view.chosen[seat],
    )
    facts = (phrase("tricks", count=view.taken[seat]),) if view.number and not hiding else ()
    return ui.SeatView(seat, view.counts[seat], view.scores[seat], marks, facts)


def _hand(view: View, legal: Sequence[Move]) -> Iterator[ui.CardView]:
    playable = {move.card if isinstance(move, Hide) else move for move in legal}
    for card in view.hand:
        yield _card_view(card, playable=card in playable)


def _card_view(card: Card, *, playable: bool) -> ui.CardView:
    return ui.CardView(code(card), _group(card), ("playable",) if playable else ())


def _group(card: Card) -> str:
    return JOKER_CODE if card == JOKER else SUITS[SUIT_OF[card]]


def _cards(*cards: Card) -> ui.Cards:
    return ui.Cards(tuple([code(card) for card in cards]))


# Controls.


def _controls(view: View, legal: Sequence[Move]) -> Iterator[ui.Act]:
    style: Literal["primary", "secondary"] = "primary" if len(legal) <= FEW else "secondary"
    for move in legal:
        match move:
            case Hide(card) | int(card):
                notes = (phrase("note_only"),) if len(legal) == 1 else ()
                yield ui.Act(TEXTS[move], None, (code(card),), style, notes, _group(card))
            case NameTrump(suit):
                yield _trump_act(view, move, suit)
            case _:
                assert_never(move)


def _trump_act(view: View, move: Move, suit: SuitIndex | None) -> ui.Act:
    if suit is None:
        return ui.Act(TEXTS[move], phrase("trump_keep", suit=suit_param(view.trump)))
    return ui.Act(TEXTS[move], phrase("trump_to", suit=suit_param(suit)), style="primary")
