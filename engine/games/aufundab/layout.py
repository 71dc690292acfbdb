"""Auf und Ab: what people see, may press and are told.

Everything here is made from a `View` or, for events, from what an action makes public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

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
from engine.layout import (
    Act,
    Block,
    CardRow,
    Cards,
    CardView,
    Choice,
    Combine,
    Control,
    Headline,
    Layout,
    Line,
    Param,
    Phrase,
    SeatName,
    SeatRow,
    SeatView,
)

_MODE_CODES: Final = ("mode_up", "mode_down")
_NOTHING_CODES: Final = ("nothing_beats_up", "nothing_beats_down")
_TURNED_CODES: Final = ("turned_up", "turned_down")
_HAND_TURNED_CODES: Final = ("hand_turned_up", "hand_turned_down")

FLAT: Final = 10
"""Up to so many sets in all are offered at once, one press each."""
LISTED: Final = 25
"""Up to so many sets of one number are listed; beyond, the cards are chosen one by one."""


def _phrase(code: str, **params: Param) -> Phrase:
    return Phrase(code, params)


def layout(view: View) -> Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    sets = [move for move in view.legal_actions if move != PASS]
    return Layout(tuple(_blocks(view, sets)), tuple(_controls(view, sets)))


# Blocks.


def _blocks(view: View, sets: Sequence[Move]) -> Iterator[Block]:
    if not view.round.number:
        yield Headline(_phrase("not_dealt"))
    elif view.round.points is not None:
        yield from _round_over(view)
    else:
        yield from _situation(view, sets)
        if view.top:
            yield CardRow("table", _card_views(view.top, view.mode, 0))
    yield SeatRow(tuple(_seat_view(view, seat) for seat in range(len(view.counts))))
    if view.hand:
        playable = 0
        for move in sets:
            playable |= move.cards
        yield CardRow("hand", _card_views(view.hand, view.mode, playable))
    if view.round.number:
        yield Line(_round_line(view), "small")


def _situation(view: View, sets: Sequence[Move]) -> Iterator[Block]:
    """Mode, what is to do or to beat, and what the change cards will do."""
    mode, symbol = view.mode, SYMBOLS[view.mode]
    asked = view.seat == view.actor
    beat: dict[str, Param] = {"quantity": view.quantity, "number": view.number}
    if asked and view.following and not sets:
        yield Headline(Phrase(_NOTHING_CODES[mode], beat), symbol)
    else:
        yield Headline(_phrase(_MODE_CODES[mode]), symbol)
        if view.following:
            yield Line(_to_beat(view, sets, beat), "strong")
        else:
            yield Line(_to_lead(view), "strong")
    if view.alone:
        yield Line(_alone(view, sets))
    elif not asked and view.following:
        yield Line(_phrase("turn", seat=SeatName(view.actor)))
    if view.changes:
        next_symbol = SYMBOLS[view.next_mode]
        yield Line(_phrase("next_mode", symbol=next_symbol, count=view.changes))
    if asked and view.series.turned and not _has_acted(view, view.actor):
        yield Line(_phrase(_HAND_TURNED_CODES[mode]))


def _to_beat(view: View, sets: Sequence[Move], beat: dict[str, Param]) -> Phrase:
    if view.seat == view.actor:
        return Phrase("to_beat_ways", beat | {"count": len(sets)})
    return Phrase("to_beat", beat | {"seat": SeatName(view.owner)})


def _alone(view: View, sets: Sequence[Move]) -> Phrase:
    if view.seat != view.actor:
        return _phrase("alone", seat=SeatName(view.actor))
    return _phrase("you_alone" if sets else "you_alone_nothing")


def _to_lead(view: View) -> Phrase:
    if view.seat != view.actor:
        return _phrase("leads", seat=SeatName(view.actor))
    if view.owner == UNKNOWN:
        return _phrase("you_open", cards=Cards((f"{view.round.opening}-{view.round.opening}",)))
    return _phrase("you_lead")


def _has_acted(view: View, seat: Seat) -> bool:
    """Whether `seat` has acted in this series.  In its first lap nobody is left out."""
    return view.applied - view.series.start > (seat - view.series.leader) % len(view.counts)


def _round_over(view: View) -> Iterator[Block]:
    points = view.round.points or ()
    winner = view.owner
    yield Headline(_phrase("round_over", seat=SeatName(winner), count=points[winner]))
    yield CardRow("table", _card_views(view.top, view.mode, 0))
    yield Line(_phrase("aside"), "small")
    yield CardRow("aside", _card_views(view.round.aside, view.mode, 0))


def _round_line(view: View) -> Phrase:
    if view.match.target:
        return _phrase("round_to_target", number=view.round.number, target=view.match.target)
    return _phrase("round_of", number=view.round.number, rounds=view.match.hands)


def _seat_view(view: View, seat: Seat) -> SeatView:
    running = view.actor >= 0
    marks = {
        "to_act": seat == view.actor,
        "out": running and bool(view.out >> seat & 1),
        "leads": running and not view.following and seat == view.actor,
        "self": seat == view.seat,
    }
    return SeatView(
        seat,
        view.counts[seat],
        view.round.scores[seat],
        tuple(mark for mark, holds in marks.items() if holds),
    )


def _card_views(cards: int, mode: int, playable: int) -> tuple[CardView, ...]:
    """Cards by their active number."""
    found = sorted(cards_in(cards), key=lambda card: (PAIRS[card][mode], card))
    return tuple(_card_view(card, mode, playable) for card in found)


def _card_view(card: int, mode: int, playable: int) -> CardView:
    marks = {"double": DOUBLES, "change": CHANGES, "playable": playable}
    return CardView(
        PACK.names[card],
        str(PAIRS[card][mode]),
        tuple(mark for mark, cards in marks.items() if cards >> card & 1),
    )


# Controls.


def _controls(view: View, sets: Sequence[Move]) -> Iterator[Control]:
    if len(sets) <= FLAT:
        for move in sets:
            yield _act(view, move)
    else:
        for number in NUMBERS:
            moves = [move for move in sets if SETS[view.mode][move].number == number]
            if moves:
                yield _act(view, moves[0]) if len(moves) == 1 else _choice(view, number, moves)
    if view.following and view.seat in (view.actor, None):
        label = _phrase("end_series") if view.alone else _phrase("pass")
        yield Act(format_move(PASS), label, style="danger")


def _act(view: View, move: Move) -> Act:
    found = SETS[view.mode][move]
    notes = []
    if not view.following and move.cards & DOUBLES:
        notes.append(_phrase("note_counts", count=found.quantity))
    if found.changes & 1:
        notes.append(_phrase("note_next", symbol=SYMBOLS[view.next_mode ^ 1]))
    return Act(format_move(move), cards=PACK.codes(move.cards), notes=tuple(notes))


def _choice(view: View, number: int, moves: Sequence[Move]) -> Choice:
    label = _phrase("number_choice", number=number)
    if len(moves) <= LISTED:
        acts = tuple(_act(view, move) for move in moves)
        return Choice(str(number), label, len(moves), acts)
    cards = view.hand & CARDS[view.mode][number]
    size = cards.bit_count()
    double = bool(cards & DOUBLES)
    if view.following:
        # With the double counted two a set has one card less than the quantity.
        combine = Combine(PACK.codes(cards), view.quantity - double, min(view.quantity, size))
    else:
        flags = ("double_counts_two",) if double else ()
        combine = Combine(PACK.codes(cards), 1, size, flags)
    return Choice(str(number), label, len(moves), combine=combine)


# Events.


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal():
            yield from _dealt(action, after)
        case Move(cards=0):
            yield Event(_phrase("passed", seat=SeatName(seat)))
            if not after.quantity:
                yield Event(_phrase("series_won", seat=SeatName(seat)))
                if after.series.turned:
                    yield Event(_phrase(_TURNED_CODES[after.mode]))
        case Move():
            yield Event(_played(before.mode, seat, action))
            if after.round.points is not None:
                yield from _completed(seat, after)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    count = deal.hands[0].bit_count()
    yield Event(_phrase("dealt", number=after.round.number, count=count))
    for seat, hand in enumerate(deal.hands):
        yield Event(_phrase("dealt_hand", cards=Cards(PACK.codes(hand))), (seat,))
    yield Event(_phrase("starts", seat=SeatName(after.round.start)))


def _played(mode: int, seat: Seat, move: Move) -> Phrase:
    cards = Cards(PACK.codes(move.cards))
    if not move.doubled:
        return _phrase("played", seat=SeatName(seat), cards=cards)
    quantity = SETS[mode][move].quantity
    return _phrase("played_double", seat=SeatName(seat), cards=cards, quantity=quantity)


def _completed(winner: Seat, after: State) -> Iterator[Event]:
    points = after.round.points or ()
    yield Event(_phrase("round_won", seat=SeatName(winner), count=points[winner]))
    yield Event(_phrase("was_aside", cards=Cards(PACK.codes(after.round.aside))))
    if after.actor == OVER:
        yield from winners_told(after.round.scores)
