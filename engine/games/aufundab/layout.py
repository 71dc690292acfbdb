"""Auf und Ab: what people see, may press and are told.

Everything here is made from a `View` or, for events, from what an action makes public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine import layout as ui
from engine.cards import cards_in
from engine.game import Event, Seat, winners_told
from engine.games.aufundab.notation import format_move
from engine.games.aufundab.sets import (
    CARDS,
    CHANGES,
    DOUBLES,
    NUMBERS,
    PACK,
    PAIRS,
    PASS,
    SETS,
    SYMBOLS,
    Move,
)
from engine.games.aufundab.state import OVER, UNKNOWN, Action, Deal, State, View
from engine.layout import phrase

_MODE_CODES: Final = ("mode_up", "mode_down")
_NOTHING_CODES: Final = ("nothing_beats_up", "nothing_beats_down")
_TURNED_CODES: Final = ("turned_up", "turned_down")
_HAND_TURNED_CODES: Final = ("hand_turned_up", "hand_turned_down")

FLAT: Final = 10
"""Up to so many sets in all are offered at once, one press each."""
LISTED: Final = 25
"""Up to so many sets of one number are listed; beyond, the cards are chosen one by one."""


def layout(view: View) -> ui.Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    sets = [move for move in view.legal_actions if move != PASS]
    return ui.Layout(tuple(_blocks(view, sets)), tuple(_controls(view, sets)))


# Blocks.


def _blocks(view: View, sets: Sequence[Move]) -> Iterator[ui.Block]:
    if not view.round.number:
        yield ui.Headline(phrase("not_dealt"))
    elif view.round.points is not None:
        yield from _round_over(view)
    else:
        yield from _situation(view, sets)
        if view.top:
            yield ui.CardRow("table", _card_views(view.top, view.mode, 0))
    yield ui.SeatRow(tuple(_seat_view(view, seat) for seat in range(len(view.counts))))
    if view.hand:
        playable = 0
        for move in sets:
            playable |= move.cards
        yield ui.CardRow("hand", _card_views(view.hand, view.mode, playable))
    if view.round.number:
        yield ui.Line(_round_line(view), "small")


def _situation(view: View, sets: Sequence[Move]) -> Iterator[ui.Block]:
    """Mode, what is to do or to beat, and what the change cards will do."""
    mode, symbol = view.mode, SYMBOLS[view.mode]
    asked = view.seat == view.actor
    beat: dict[str, ui.Param] = {"quantity": view.quantity, "number": view.number}
    if asked and view.following and not sets:
        yield ui.Headline(ui.Phrase(_NOTHING_CODES[mode], beat), symbol)
    else:
        yield ui.Headline(phrase(_MODE_CODES[mode]), symbol)
        if view.following:
            yield ui.Line(_to_beat(view, sets, beat), "strong")
        else:
            yield ui.Line(_to_lead(view), "strong")
    if view.alone:
        yield ui.Line(_alone(view, sets))
    elif not asked and view.following:
        yield ui.Line(phrase("turn", seat=ui.SeatName(view.actor)))
    if view.changes:
        next_symbol = SYMBOLS[view.next_mode]
        yield ui.Line(phrase("next_mode", symbol=next_symbol, count=view.changes))
    if asked and view.series.turned and not _has_acted(view, view.actor):
        yield ui.Line(phrase(_HAND_TURNED_CODES[mode]))


def _to_beat(view: View, sets: Sequence[Move], beat: dict[str, ui.Param]) -> ui.Phrase:
    if view.seat == view.actor:
        return ui.Phrase("to_beat_ways", beat | {"count": len(sets)})
    return ui.Phrase("to_beat", beat | {"seat": ui.SeatName(view.owner)})


def _alone(view: View, sets: Sequence[Move]) -> ui.Phrase:
    if view.seat != view.actor:
        return phrase("alone", seat=ui.SeatName(view.actor))
    return phrase("you_alone" if sets else "you_alone_nothing")


def _to_lead(view: View) -> ui.Phrase:
    if view.seat != view.actor:
        return phrase("leads", seat=ui.SeatName(view.actor))
    if view.owner == UNKNOWN:
        return phrase("you_open", cards=ui.Cards((f"{view.round.opening}-{view.round.opening}",)))
    return phrase("you_lead")


def _has_acted(view: View, seat: Seat) -> bool:
    """Whether `seat` has acted in this series.  In its first lap nobody is left out."""
    return view.applied - view.series.start > (seat - view.series.leader) % len(view.counts)


def _round_over(view: View) -> Iterator[ui.Block]:
    points = view.round.points or ()
    winner = view.owner
    yield ui.Headline(phrase("round_over", seat=ui.SeatName(winner), count=points[winner]))
    yield ui.CardRow("table", _card_views(view.top, view.mode, 0))
    yield ui.Line(phrase("aside"), "small")
    yield ui.CardRow("aside", _card_views(view.round.aside, view.mode, 0))


def _round_line(view: View) -> ui.Phrase:
    if view.match.target:
        return phrase("round_to_target", number=view.round.number, target=view.match.target)
    return phrase("round_of", number=view.round.number, rounds=view.match.hands)


def _seat_view(view: View, seat: Seat) -> ui.SeatView:
    running = view.actor >= 0
    marks = ui.holding(
        to_act=seat == view.actor,
        out=running and bool(view.out >> seat & 1),
        leads=running and not view.following and seat == view.actor,
        self=seat == view.seat,
    )
    return ui.SeatView(seat, view.counts[seat], view.round.scores[seat], marks)


def _card_views(cards: int, mode: int, playable: int) -> tuple[ui.CardView, ...]:
    """Cards by their active number."""
    found = sorted(cards_in(cards), key=lambda card: (PAIRS[card][mode], card))
    return tuple(_card_view(card, mode, playable) for card in found)


def _card_view(card: int, mode: int, playable: int) -> ui.CardView:
    marks = {"double": DOUBLES, "change": CHANGES, "playable": playable}
    return ui.CardView(
        PACK.names[card],
        str(PAIRS[card][mode]),
        tuple(mark for mark, cards in marks.items() if cards >> card & 1),
    )


# Controls.


def _controls(view: View, sets: Sequence[Move]) -> Iterator[ui.Control]:
    if len(sets) <= FLAT:
        for move in sets:
            yield _act(view, move)
    else:
        for number in NUMBERS:
            moves = [move for move in sets if SETS[view.mode][move].number == number]
            if moves:
                yield _act(view, moves[0]) if len(moves) == 1 else _choice(view, number, moves)
    if view.following and view.seat in (view.actor, None):
        label = phrase("end_series") if view.alone else phrase("pass")
        yield ui.Act(format_move(PASS), label, style="danger")


def _act(view: View, move: Move) -> ui.Act:
    found = SETS[view.mode][move]
    notes = []
    if not view.following and move.cards & DOUBLES:
        notes.append(phrase("note_counts", count=found.quantity))
    if found.changes & 1:
        notes.append(phrase("note_next", symbol=SYMBOLS[view.next_mode ^ 1]))
    return ui.Act(format_move(move), cards=PACK.codes(move.cards), notes=tuple(notes))


def _choice(view: View, number: int, moves: Sequence[Move]) -> ui.Choice:
    label = phrase("number_choice", number=number)
    if len(moves) <= LISTED:
        acts = tuple(_act(view, move) for move in moves)
        return ui.Choice(str(number), label, len(moves), acts)
    cards = view.hand & CARDS[view.mode][number]
    size = cards.bit_count()
    double = bool(cards & DOUBLES)
    if view.following:
        # With the double counted two a set has one card less than the quantity.
        combine = ui.Combine(PACK.codes(cards), view.quantity - double, min(view.quantity, size))
    else:
        flags = ("double_counts_two",) if double else ()
        combine = ui.Combine(PACK.codes(cards), 1, size, flags)
    return ui.Choice(str(number), label, len(moves), combine=combine)


# Events.


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal():
            yield from _dealt(action, after)
        case Move(cards=0):
            yield Event(phrase("passed", seat=ui.SeatName(seat)))
            if not after.quantity:
                yield Event(phrase("series_won", seat=ui.SeatName(seat)))
                if after.series.turned:
                    yield Event(phrase(_TURNED_CODES[after.mode]))
        case Move():
            yield Event(_played(before.mode, seat, action))
            if after.round.points is not None:
                yield from _completed(seat, after)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    count = deal.hands[0].bit_count()
    yield Event(phrase("dealt", number=after.round.number, count=count))
    for seat, hand in enumerate(deal.hands):
        yield Event(phrase("dealt_hand", cards=ui.Cards(PACK.codes(hand))), (seat,))
    yield Event(phrase("starts", seat=ui.SeatName(after.round.start)))


def _played(mode: int, seat: Seat, move: Move) -> ui.Phrase:
    cards = ui.Cards(PACK.codes(move.cards))
    if not move.doubled:
        return phrase("played", seat=ui.SeatName(seat), cards=cards)
    quantity = SETS[mode][move].quantity
    return phrase("played_double", seat=ui.SeatName(seat), cards=cards, quantity=quantity)


def _completed(winner: Seat, after: State) -> Iterator[Event]:
    points = after.round.points or ()
    yield Event(phrase("round_won", seat=ui.SeatName(winner), count=points[winner]))
    yield Event(phrase("was_aside", cards=ui.Cards(PACK.codes(after.round.aside))))
    if after.actor == OVER:
        yield from winners_told(after.round.scores)
