"""Auf und Ab: what a seat can press.

Few sets are buttons of their own.  A leader with many is asked how many cards of which number, and
then which of them: the rules ask for nothing else but whether a double counts two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from engine import layout as ui
from engine.games.aufundab.notation import format_move, set_codes
from engine.games.aufundab.sets import (
    CARDS,
    DOUBLE,
    DOUBLES,
    NUMBERS,
    PACK,
    PASS,
    SYMBOLS,
    Move,
    changes_in,
    number_of,
)
from engine.games.aufundab.state import UNKNOWN, View
from engine.layout import phrase

FLAT: Final = 10
"""Up to so many sets, of all numbers or behind one choice, are offered one press each; of more the
cards are ticked."""


def controls(view: View, sets: Sequence[Move]) -> Iterator[ui.Control]:
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
        label = phrase("end_series") if view.alone else phrase("pass")
        yield ui.Act(format_move(PASS), label)
    if view.hand and view.actor >= 0:
        # Beside a choice it would look like an answer.
        yield ui.Standing(phrase("standing"), phrase("standing_undo"), not chooses)


def hints(sets: Sequence[Move]) -> Iterator[ui.Line]:
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
