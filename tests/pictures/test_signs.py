"""The page *In the pictures*: it names what a game's pictures show, all of it and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from bot.i18n import rules_pages
from bot.pictures import board, hand
from bot.pictures.around_table import OPEN, OPEN_BESIDE, Before, Tag
from bot.pictures.felt import Card
from bot.pictures.marks import Crowned, Mode, Role, SuitSign, Trail, Unwanted, Value, Won
from bot.pictures.pieces import Chip, Count, Mood, Order, Out, Plate, Slot
from bot.pictures.scene import board_of, hand_of
from bot.pictures.tiles import Look
from engine.registry import games
from tests.render.matches import NAMES, positions, tables

STEP: Final = 3
"""Every so many positions of a table are looked at."""


def of(kind: type, **wanted: object) -> Callable[[Any], bool]:
    return lambda one: (
        isinstance(one, kind) and all(getattr(one, name) == value for name, value in wanted.items())
    )


def mood(wanted: Mood) -> Callable[[Any], bool]:
    return lambda one: isinstance(one, Plate | Chip) and one.mood is wanted


def marked(*marks: str) -> Callable[[Any], bool]:
    return lambda one: isinstance(one, Card) and not one.face.marks.isdisjoint(marks)


SIGNS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "and ▶": mood(Mood.TURN),
    "A speech bubble": mood(Mood.ASKED),
    r"golden \*\*\?\*\*": of(Slot, mood=Mood.TURN),
    "on gold with ✓": mood(Mood.WON),
    "✕ before a name": mood(Mood.OUT),
    "✕ above or below cards": of(Out),
    "Numbers in circles": lambda one: of(Tag)(one) or (of(Order)(one) and one.number > 0),
    "An eye": of(Order, number=0),
    "The back of a card": lambda one: of(Chip)(one) or of(Count, icon="cards")(one),
    "Two cards with ✓": lambda one: of(Won)(one) or of(Count, icon="tricks")(one),
    r"A coin\*\*": lambda one: (
        (of(Chip)(one) and bool(one.points)) or of(Count, icon="points")(one)
    ),
    "A coin with": of(Value),
    "An arrow back": of(Before),
    "letters tell": of(Tag),
    "Dim cards": of(Card, look=Look.SHADED),
    "Two arrowheads": of(SuitSign, trump=True),
    "A double edge": marked("special"),
    r"1\|2": marked("double"),
    "×2": marked("twice"),
    "a change card": marked("change"),
    "The small arrow": lambda one: of(Mode)(one) and bool(one.coming),
    "Backs in the trail": lambda one: of(Trail)(one) and None in one.tally.terms,
    r"A small card with \*\*−": of(Unwanted),
    "has your unwanted colour": marked("unwanted"),
    "same coloured strip": lambda one: of(Plate)(one) and one.team is not None,
    "A star": of(Role, role="speaks"),
    "mark the dealer": of(Role, role="deals"),
    "One crown": lambda one: of(Crowned)(one) and bool(one.codes),
    "two above one suit": lambda one: of(Crowned)(one) and bool(one.highest),
    "was dealt open, and nobody": lambda one: of(Card)(one) and one.width in (OPEN, OPEN_BESIDE),
}


def drawn(game: str) -> Iterator[Any]:
    """Everything on boards and hands of it, at all tables."""
    for table in tables():
        if table.game.info.id != game:
            continue
        for position in positions(str(table), 11)[::STEP]:
            for seat in (None, *range(table.seats)):
                layout = table.game.layout(table.game.observe(position.state, seat))
                if seat is None:
                    scene = board_of(game, layout, NAMES)
                    plan = None if scene is None else board.plan(game, scene)
                else:
                    shown = hand_of(game, layout)
                    plan = hand.plan(game, shown, hand.above(game, layout, NAMES, shown))
                yield from () if plan is None else (put.what for put in plan.put)


@pytest.mark.parametrize("game", games())
def test_the_rules_tell_of_the_signs_in_a_game_s_pictures_and_of_no_other(game: str) -> None:
    page, missing = rules_pages(game, "en")[1], dict(SIGNS)
    for one in drawn(game):
        for sign in [sign for sign, shows in missing.items() if shows(one)]:
            del missing[sign]
    told = {sign for sign in SIGNS if re.search(sign, page)}
    assert told == SIGNS.keys() - missing.keys()
