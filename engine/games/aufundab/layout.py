"""Auf und Ab: what people see, press and are told: the set to beat.

Everything here is made from a `View` or, for events, from what an action makes public.

Few sets are buttons of their own.  A leader with many is asked how many cards of which number, and
then which of them: the rules ask for nothing else but whether a double counts two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final

from engine import layout as ui
from engine.cards import cards_in
from engine.game import Event, News, Seat, dealt_told, winners_told
from engine.games.aufundab.cards import (
    CARDS,
    CHANGES,
    DOUBLE,
    DOUBLES,
    NUMBERS,
    PACK,
    PAIRS,
    PASS,
    SYMBOLS,
    UP,
    Move,
    beats,
    changes_in,
    counted,
    counted_two,
    format_move,
    number_of,
    set_codes,
)
from engine.games.aufundab.coach import barred, tip
from engine.games.aufundab.state import OVER, UNKNOWN, Action, Deal, Past, State, View
from engine.layout import phrase
from engine.tricks import ANSWERED

_MODE_CODES: Final = ("mode_up", "mode_down")
_TURNED_CODES: Final = ("turned_up", "turned_down")
_HAND_TURNED_CODES: Final = ("hand_turned_up", "hand_turned_down")


def layout(view: View) -> ui.Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    sets = [move for move in view.legal_actions if move != PASS]
    blocks, shown = tuple(_blocks(view, sets)), tuple(_controls(view, sets))
    why, what_for = barred(view, sets), tip(view, sets)
    return ui.Layout(
        blocks, shown, asks=_asks(view, sets), tip=what_for, barred=why,
        goal=phrase("goal"), words=tuple(_words(view, sets)), more=tuple(_series_before(view)),
    )  # fmt: skip


def _words(view: View, sets: Sequence[Move]) -> Iterator[ui.Phrase]:
    yield _changes(view)
    doubles = any(view.hand & double for double in DOUBLE)
    if doubles and not any(move.doubled for move in sets):  # `_twice` says it of those
        yield phrase("words_double")
    if view.series.last is None:  # later ones say who took the one before, and that they lead
        yield phrase("words_series")


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
            last = view.actor >= 0 and view.counts[view.actor] == 1
            return phrase("asks_lead_last" if last else "asks_lead")
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
        yield from _behind_the_hand(view, sets)
        yield from _notes_below(sets)
    if view.round.number:
        yield ui.Line(_round_line(view), "foot")
        yield ui.Line(phrase("undealt", count=len(PAIRS) % len(view.counts)), "foot")


def _situation(view: View, sets: Sequence[Move]) -> Iterator[ui.Block]:
    """Mode, what is to be done, and what the change cards will do."""
    mode = view.mode
    yield ui.Headline(phrase(_MODE_CODES[mode]), SYMBOLS[mode])
    if view.alone:
        yield ui.Line(_alone(view, sets))
    # Above a picture there is room for two lines, and how the series before ended is one of them:
    # what turns a whole hand goes first, then what explains the question.
    yield from [*_turned(view)] or _warnings(view, sets)
    if view.changes:
        yield ui.Line(_changes(view), seen=True)


def _turned(view: View) -> Iterator[ui.Line]:
    """That the hand lies the other way round, to whoever is asked for the first time since."""
    if view.series.turned and _asked_first(view):
        yield ui.Line(phrase(_HAND_TURNED_CODES[view.mode]))


def _warnings(view: View, sets: Sequence[Move]) -> Iterator[ui.Line]:
    """To whoever is asked: that they hold nothing that beats what lies there, and which others have
    one card left."""
    if not view.asked:
        return
    if view.following and not sets and not view.alone:
        yield ui.Line(phrase(f"nothing_beats_{view.quantity}", number=view.number))
    seats = [seat for seat, count in enumerate(view.counts) if count == 1 and seat != view.seat]
    if seats:
        named = dict(zip(("seat", "other", "third"), map(ui.SeatName, seats), strict=False))
        yield ui.Line(phrase(f"one_left_{len(seats)}", **named))


def _behind_the_hand(view: View, sets: Sequence[Move]) -> Iterator[ui.Line]:
    """What has no room above the picture."""
    if any(_turned(view)):
        yield from _warnings(view, sets)


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

NEWS: Final[Mapping[str, News]] = MappingProxyType(
    {
        "dealt": News.SEEN,
        "played": News.SEEN | News.LIES | News.SET,
        "played_double": News.SEEN | News.SET,  # it also says what the double counts as
        "passed": News.SEEN,
        "won_passed": News.TAKEN,
        "won_highest": News.TAKEN,
        "won_lowest": News.TAKEN,
        "turned_up": News.TURNED,
        "turned_down": News.TURNED,
        "begins": News.BEGINS,
    }
)
"""What events are about."""


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
                elif before.changes:
                    mode = SYMBOLS[after.mode]
                    yield Event(phrase("stayed", number=before.changes, symbol=mode))
        case Move():
            yield Event(_played(seat, action, before.mode))
            if after.round.points is not None:
                yield from _completed(seat, after)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    yield from dealt_told(after.round.number, [PACK.codes(hand) for hand in deal.hands])
    yield Event(phrase("begins", seat=ui.SeatName(after.round.start)))


def _played(seat: Seat, move: Move, mode: int) -> ui.Phrase:
    cards = _written(move, mode)
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


# Why somebody won.

_BEST: Final = tuple(max(NUMBERS) if mode == UP else min(NUMBERS) for mode in (0, 1))
"""By mode: the number that nothing beats."""


def reason(past: Past) -> ui.Phrase:
    """Why the last player in takes a series: everybody has passed, and perhaps had to."""
    number = number_of(past.mode, past.cards)
    code = "won_passed"
    if number == _BEST[past.mode]:
        code = "won_highest" if past.mode == UP else "won_lowest"
    return phrase(code, seat=ui.SeatName(past.winner), cards=_won_with(past), number=number)


def out_reason(past: Past) -> ui.Phrase:
    """Why the round is over: somebody has played these cards and has no others."""
    return phrase("won_out", seat=ui.SeatName(past.winner), cards=_won_with(past))


def _won_with(past: Past) -> ui.Cards:
    return _written(Move(past.cards, past.doubled), past.mode)


def _written(move: Move, mode: int) -> ui.Cards:
    return ui.Cards(set_codes(move), turned=mode != UP)


# What has happened lately.


# What a seat can press.

FLAT: Final = 10
"""Up to so many sets, of all numbers or behind one choice, are offered one press each; of more the
cards are ticked."""


def _controls(view: View, sets: Sequence[Move]) -> Iterator[ui.Control]:
    """What empties the hand goes before all else; `sets` are what can be played."""
    flat, chooses = len(sets) <= FLAT, bool(sets) and view.asked
    out = next((move for move in sets if move.cards == view.hand), None)
    if out is not None:
        label = phrase("go_out", count=out.cards.bit_count())
        yield ui.Act(format_move(out), label, PACK.codes(out.cards), style="primary")
        sets = [move for move in sets if move != out]
    if flat:
        yield from (_act(view, move) for move in _largest_first(view, sets))
    else:
        for number in NUMBERS:
            moves = [move for move in sets if number_of(view.mode, move.cards) == number]
            if moves and view.following:
                yield _answers(view, number, moves)
            elif moves:
                yield from _leads(view, number, moves)
    if view.following and view.seat in (view.actor, None):
        public = view.asked and _is_highest(view)
        if view.alone:  # as bright as the cards: ending it is as often the better choice
            formal = view.asked and not sets
            end = phrase("end_series")
            yield ui.Act(format_move(PASS), end, style="primary", formal=formal, public=public)
        else:
            yield ui.Act(format_move(PASS), phrase("pass"), public=public)
    if view.hand and view.actor >= 0:
        # Beside a choice it would look like an answer.
        means = phrase("standing_means")
        yield ui.Standing(phrase("standing"), phrase("standing_undo"), means, not chooses)


def _is_highest(view: View) -> bool:
    """Whether no cards of the game beat the set on the table."""
    better = (number for number in NUMBERS if beats(view.mode, number, view.number))
    return not any(counted(PACK.all, view.mode, number) >= view.quantity for number in better)


def _notes_below(sets: Sequence[Move]) -> Iterator[ui.Line]:
    """What stands below the hand: what `7-7×2` on a button means."""
    if len(sets) <= FLAT:
        yield from (ui.Line(note, "small") for note in _twice(sets))


def _largest_first(view: View, moves: Sequence[Move]) -> list[Move]:
    """The sets of each number by how many cards they are."""

    def place(move: Move) -> tuple[int, int]:
        return number_of(view.mode, move.cards), -move.cards.bit_count()

    return sorted(moves, key=place)


def _act(view: View, move: Move) -> ui.Act:
    return ui.Act(format_move(move), cards=PACK.codes(move.cards), notes=_notes(view, move))


def _notes(view: View, move: Move) -> tuple[ui.Phrase, ...]:
    """What a set counts where that is not said by its cards, and what it does to the mode."""
    notes = []
    if move.doubled:
        notes.append(phrase("counts_two", card=ui.Cards(PACK.codes(move.doubled))))
    if changes_in(move.cards) & 1:
        notes.append(phrase("note_next", symbol=SYMBOLS[view.next_mode ^ 1]))
    return tuple(notes)


# Leading: how many of a number, then which.


def _leads(view: View, number: int, moves: Sequence[Move]) -> Iterator[ui.Act | ui.Choice]:
    held, group = (view.hand & CARDS[view.mode][number]).bit_count(), str(number)
    for size, some in groupby(_largest_first(view, moves), key=lambda move: move.cards.bit_count()):
        found = list(some)
        label = _so_many(number, size, whole=size == held, either=len(found) > 1)
        if len(found) == 1:
            (move,) = found
            yield ui.Act(
                format_move(move),
                label,
                PACK.codes(move.cards),
                notes=_notes(view, move),
                group=group,
            )
        else:
            yield _choice(view, number, found, f"{number}.{size}", label, group)


def _so_many(number: int, size: int, *, whole: bool, either: bool) -> ui.Phrase:
    """How a button says so many cards of a number.

    Of the whole number it is clear which: only what the double counts is asked.  Buttons for one
    and two have no room for that.
    """
    if size <= 2:
        return phrase("lead_one" if size == 1 else "lead_pair", number=number)
    if whole and either:
        return _sized("lead_all_either", size, number=number, fewest=size, most=size + 1)
    return _sized("lead_all" if whole else "lead_some", size, number=number)


def _sized(code: str, size: int, **params: ui.Param) -> ui.Phrase:
    return phrase(code, size=ui.InWords(size), **params)


# Which of them.


def _answers(view: View, number: int, moves: Sequence[Move]) -> ui.Act | ui.Choice:
    if len(moves) == 1:
        return _act(view, moves[0])
    held = (view.hand & CARDS[view.mode][number]).bit_count()
    label = phrase("number_choice", number=number, count=held)
    return _choice(view, number, moves, str(number), label)


def _choice(
    view: View, number: int, moves: Sequence[Move], key: str, label: ui.Phrase, group: str = ""
) -> ui.Choice:
    """The sets themselves, or the cards to tick where they are too many."""
    acts: tuple[ui.Act, ...] = ()
    combine = None
    if len(moves) <= FLAT:
        acts = tuple(_act(view, move) for move in _largest_first(view, moves))
    else:
        combine = _combine(view, number, moves)
    return ui.Choice(
        key, label, len(moves), acts, combine,
        group=group, title=_title(number, moves), notes=_twice(moves),
    )  # fmt: skip


def _combine(view: View, number: int, moves: Sequence[Move]) -> ui.Combine:
    cards = view.hand & CARDS[view.mode][number]
    sizes = [move.cards.bit_count() for move in moves]
    # Who follows never says what a double counts: the cards and the quantity do.
    asked = not view.following and cards & DOUBLES
    required = cards & DOUBLE[number] if view.owner == UNKNOWN else 0
    return ui.Combine(
        PACK.codes(cards),
        min(sizes),
        max(sizes),
        ("double_counts_two",) if asked else (),
        PACK.codes(required),
    )


def _title(number: int, moves: Sequence[Move]) -> ui.Phrase:
    """`Play three 7s`; `Play two or three 7s` where a double may count two."""
    sizes = sorted({move.cards.bit_count() for move in moves})
    if len(sizes) > 1:
        fewest, most = ui.InWords(sizes[0]), ui.InWords(sizes[-1])
        return phrase("play_either", fewest=fewest, size=most, number=number)
    (size,) = sizes
    code = {1: "play_one", 2: "play_pair"}.get(size)
    return phrase(code, number=number) if code else _sized("play_some", size, number=number)


def _twice(moves: Sequence[Move]) -> tuple[ui.Phrase, ...]:
    """What `7-7×2` means, where it is offered."""
    doubled = next((move for move in moves if move.doubled), None)
    if doubled is None:
        return ()
    written = next(code for code in set_codes(doubled) if code.endswith("x2"))
    return (phrase("double_note", double=ui.Cards((written,))),)
