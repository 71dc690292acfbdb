"""Auf und Ab: what people see and are told: the set to beat; buttons are in `controls`.

Everything here is made from a `View` or, for events, from what an action makes public.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine import layout as ui
from engine.cards import cards_in
from engine.game import Event, Seat, dealt_told, winners_told
from engine.games.aufundab.coach import barred, tip
from engine.games.aufundab.controls import controls, hints
from engine.games.aufundab.lately import down_to_one
from engine.games.aufundab.notation import set_codes
from engine.games.aufundab.reasons import out_reason, reason
from engine.games.aufundab.sets import (
    CHANGES,
    DOUBLES,
    PACK,
    PAIRS,
    PASS,
    SYMBOLS,
    UP,
    Move,
    counted_two,
)
from engine.games.aufundab.state import OVER, UNKNOWN, Action, Deal, Past, State, View
from engine.layout import phrase
from engine.tricks import ANSWERED

_MODE_CODES: Final = ("mode_up", "mode_down")
_TURNED_CODES: Final = ("turned_up", "turned_down")
_HAND_TURNED_CODES: Final = ("hand_turned_up", "hand_turned_down")


def layout(view: View) -> ui.Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    sets = [move for move in view.legal_actions if move != PASS]
    blocks, shown = tuple(_blocks(view, sets)), tuple(controls(view, sets))
    why, what_for = barred(view, sets), tip(view, sets)
    return ui.Layout(
        blocks, shown, asks=_asks(view, sets), tip=what_for, barred=why,
        goal=phrase("goal"), words=(_changes(view),), more=tuple(_series_before(view)),
    )  # fmt: skip


def _changes(view: View) -> ui.Phrase:
    """What change cards do, and how many this series has seen: some may be covered by now."""
    if not view.changes:
        return phrase("changes_none")
    code = "changes_odd" if view.changes & 1 else "changes_even"
    return phrase(code, number=view.changes, symbol=SYMBOLS[view.next_mode])


def _series_before(view: View) -> Iterator[ui.LastSet]:
    """How the series before ended, to whoever is asked for the first time since."""
    last = view.series.last
    if last is not None and _asked_first(view) and not _lead_is_new(view):
        yield _last_set(last, reason(last))


def _lead_is_new(view: View) -> bool:
    return view.applied - view.series.start < ANSWERED


def _asks(view: View, sets: Sequence[Move]) -> ui.Phrase | None:
    if not view.round.number or view.round.points is not None:
        return None
    nothing = view.asked and not sets
    if not view.following:
        if view.owner != UNKNOWN:
            return phrase("asks_lead")
        opening = view.round.opening
        if opening == UNKNOWN:  # only whoever holds it knows which double that is
            return phrase("asks_begin")
        return phrase("asks_open", cards=ui.Cards((f"{opening}-{opening}",)))
    if view.alone:
        return phrase("asks_end_series" if nothing else "asks_alone")
    if nothing:
        return phrase("asks_pass")
    # A code for each quantity: it is said in words.
    return phrase(f"asks_beat_{view.quantity}", number=view.number)


# Blocks.


def _blocks(view: View, sets: Sequence[Move]) -> Iterator[ui.Block]:
    if not view.round.number:
        yield ui.Headline(phrase("not_dealt"))
    elif view.round.points is not None:
        yield from _round_over(view)
    else:
        yield from _situation(view, sets)
        last = view.series.last
        if last is not None and _lead_is_new(view):
            yield _last_set(last, reason(last))
        if view.top:
            yield from _to_beat(view)
    yield ui.SeatRow(tuple(_seat_view(view, seat) for seat in range(len(view.counts))))
    if view.hand:
        playable = 0
        for move in sets:
            playable |= move.cards
        yield ui.CardRow("hand", _card_views(view.hand, view.mode, playable, choice=True))
        yield from _behind_the_hand(view)
        yield from hints(sets)
    if view.round.number:
        yield ui.Line(_round_line(view), "foot")


def _situation(view: View, sets: Sequence[Move]) -> Iterator[ui.Block]:
    """Mode, what is to be done, and what the change cards will do."""
    mode = view.mode
    yield ui.Headline(phrase(_MODE_CODES[mode]), SYMBOLS[mode])
    if view.alone:
        yield ui.Line(_alone(view, sets))
    # Above a picture there is room for two lines, and how the series before ended is one of them:
    # what explains the question goes first.
    if view.asked and view.following and not sets and not view.alone:
        yield ui.Line(phrase(f"nothing_beats_{view.quantity}", number=view.number))
    if one_left := down_to_one(view):
        yield ui.Line(_one_left(one_left))
    else:
        yield from _turned(view)
    if view.changes:
        yield ui.Line(_changes(view), seen=True)


def _one_left(seats: Sequence[Seat]) -> ui.Phrase:
    named = dict(zip(("seat", "other", "third"), map(ui.SeatName, seats), strict=False))
    return phrase(f"one_left_{len(seats)}", **named)


def _turned(view: View) -> Iterator[ui.Line]:
    """That the hand lies the other way round, to whoever is asked for the first time since."""
    if view.series.turned and _asked_first(view):
        yield ui.Line(phrase(_HAND_TURNED_CODES[view.mode]))


def _behind_the_hand(view: View) -> Iterator[ui.Line]:
    if down_to_one(view):
        yield from _turned(view)


def _to_beat(view: View) -> Iterator[ui.Block]:
    """The set on the table and whose it is; with fewer cards than it counts, which counts two."""
    if view.following:
        yield ui.Line(phrase("lies", seat=ui.SeatName(view.owner)), "strong", seen=True)
    doubled = counted_two(view.top, view.quantity)
    yield ui.CardRow("table", _card_views(view.top, view.mode, doubled=doubled))
    if doubled:
        yield ui.Line(phrase("counts_two", card=ui.Cards(PACK.codes(doubled))), seen=True)


def _alone(view: View, sets: Sequence[Move]) -> ui.Phrase:
    if not view.asked:
        return phrase("alone", seat=ui.SeatName(view.actor))
    return phrase("you_alone" if sets else "you_alone_nothing")


def _asked_first(view: View) -> bool:
    """Whether the owner is asked, and has not acted in this series: in its first lap nobody is
    left out."""
    place = (view.actor - view.series.leader) % len(view.counts)
    return view.asked and view.applied - view.series.start <= place


def _round_over(view: View) -> Iterator[ui.Block]:
    points = view.round.points or ()
    winner = view.owner
    yield ui.Headline(phrase("round_over", seat=ui.SeatName(winner), count=points[winner]))
    last = Past(winner, view.top, view.mode, counted_two(view.top, view.quantity))
    yield _last_set(last, out_reason(last))


def story(view: View) -> ui.Story | None:
    """The cards that are left with the others, which the winner scores."""
    points = view.round.points
    if points is None:
        return None
    left = tuple(
        ui.Term(count, phrase("story_left", seat=ui.SeatName(seat)))
        for seat, count in enumerate(view.counts)
        if count
    )
    aside = phrase("was_aside", cards=ui.Cards(PACK.codes(view.round.aside)))
    return ui.Story(tuple(left if scored else () for scored in points), (aside,))


def _last_set(past: Past, why: ui.Phrase) -> ui.LastSet:
    return ui.LastSet(past.winner, _card_views(past.cards, past.mode, doubled=past.doubled), why)


def _round_line(view: View) -> ui.Phrase:
    if view.match.target:
        return phrase("round_to_target", number=view.round.number, count=view.match.target)
    return phrase("round_of", number=view.round.number, rounds=view.match.hands)


def _seat_view(view: View, seat: Seat) -> ui.SeatView:
    running = view.actor >= 0
    marks = ui.holding(
        to_act=seat == view.actor,
        out=running and bool(view.out >> seat & 1),
        leads=running and not view.following and seat == view.actor,
        lies=running and view.following and seat == view.owner,
        self=seat == view.seat,
    )
    return ui.SeatView(seat, view.counts[seat], view.round.scores[seat], marks)


def _card_views(
    cards: int, mode: int, playable: int = 0, *, doubled: int = 0, choice: bool = False
) -> tuple[ui.CardView, ...]:
    """Cards by their active number; `turned` ones count by their higher one.

    Doubles are marked where that is still a `choice`; elsewhere only those that count as two.
    """
    found = sorted(cards_in(cards), key=lambda card: (PAIRS[card][mode], card))
    doubles = DOUBLES if choice else doubled
    marks = {"double": doubles, "twice": doubled, "change": CHANGES, ui.PLAYABLE: playable}
    return tuple(_card_view(card, mode, marks) for card in found)


def _card_view(card: int, mode: int, marks: Mapping[str, int]) -> ui.CardView:
    shown = [mark for mark, cards in marks.items() if cards >> card & 1]
    if mode:
        shown.append(ui.TURNED)
    return ui.CardView(PACK.names[card], str(PAIRS[card][mode]), tuple(shown))


# Events.


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal():
            yield from _dealt(action, after)
        case Move(cards=0):
            # Whoever is alone takes the series by it, which is told below.
            if before.out.bit_count() < len(before.hands) - 1:
                yield Event(phrase("passed", seat=ui.SeatName(seat)))
            if not after.quantity:
                if after.series.last is not None:
                    yield Event(reason(after.series.last))
                if after.series.turned:
                    yield Event(phrase(_TURNED_CODES[after.mode]))
        case Move():
            yield Event(_played(seat, action, before.mode))
            if after.round.points is not None:
                yield from _completed(seat, after)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    yield from dealt_told(after.round.number, [PACK.codes(hand) for hand in deal.hands])
    yield Event(phrase("starts", seat=ui.SeatName(after.round.start)))


def _played(seat: Seat, move: Move, mode: int) -> ui.Phrase:
    cards = ui.Cards(set_codes(move), turned=mode != UP)
    if not move.doubled:
        return phrase("played", seat=ui.SeatName(seat), cards=cards)
    double = ui.Cards(PACK.codes(move.doubled))
    return phrase("played_double", seat=ui.SeatName(seat), cards=cards, double=double)


def _completed(winner: Seat, after: State) -> Iterator[Event]:
    points = after.round.points or ()
    yield Event(phrase("round_won", seat=ui.SeatName(winner), count=points[winner]))
    yield Event(phrase("was_aside", cards=ui.Cards(PACK.codes(after.round.aside))))
    if after.actor == OVER:
        yield from winners_told(after.round.scores)
