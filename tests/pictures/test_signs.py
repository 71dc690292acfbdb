"""The page *In the pictures*, and the line below one: each names what is there, and no more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from bot.i18n import rules_pages, texts
from bot.pictures import board, hand
from bot.pictures.around_table import OPEN, OPEN_BESIDE, Before, Tag
from bot.pictures.felt import Card, Plan
from bot.pictures.marks import Crowned, Mode, Role, Rung, SuitSign, Trail, Unwanted, Value, Won
from bot.pictures.pieces import Chip, Count, Mood, Order, Out, Plate, Slot
from bot.pictures.scene import board_of, hand_of
from bot.pictures.signs import Sign, signs_on
from bot.pictures.tiles import Look
from bot.render.coaching import key
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


def crowned(rung: Rung) -> frozenset[str]:
    """What crowns in a row of trumps stand for."""
    return rung.faces[0].marks & {"kaiser", "mugg"}


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
    "One crown": lambda one: (
        (of(Crowned)(one) and bool(one.codes)) or (of(Rung)(one) and crowned(one) == {"kaiser"})
    ),
    "two above one suit": lambda one: (
        (of(Crowned)(one) and bool(one.highest)) or (of(Rung)(one) and "mugg" in crowned(one))
    ),
    "The row of trumps": of(Rung),
    "Faded ones": lambda one: of(Rung)(one) and any("gone" in face.marks for face in one.faces),
    "was dealt open, and nobody": lambda one: of(Card)(one) and one.width in (OPEN, OPEN_BESIDE),
}


KEY: Final[Mapping[Sign, str]] = {
    "winning": "on gold with ✓",
    "passed": "✕ before a name",
    "trump": "Two arrowheads",
    "special": "A double edge",
    "unwanted": r"A small card with \*\*−",
    "trail": "Backs in the trail",
    "kaiser": "One crown",
    "mugg": "two above one suit",
    "open": "An eye",
    "order": "Numbers in circles",
    "speaks": "A star",
    "deals": "mark the dealer",
    "tricks": "Two cards with ✓",
    "out": "✕ above or below cards",
    "before": "An arrow back",
    "ladder": "The row of trumps",
    "gone": "Faded ones",
    "held": "was dealt open, and nobody",
    "asked": "A speech bubble",
    "value": "A coin with",
    "coming": "The small arrow",
}
"""Signs that a line below the picture explains, as the page names them."""

ON_CARDS: Final[Mapping[Sign, str]] = {
    "unwanted": "unwanted", "kaiser": "kaiser", "mugg": "mugg"
}  # fmt: skip
"""Marks of cards that say the same as a sign beside a seat."""


def plans(game: str) -> Iterator[Plan]:
    """All boards and hands of it, at all tables."""
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
                if plan is not None:
                    yield plan


@pytest.mark.parametrize("game", games())
def test_the_rules_tell_of_the_signs_in_a_game_s_pictures_and_of_no_other(game: str) -> None:
    page, missing = rules_pages(game, "en")[1], dict(SIGNS)
    for one in (put.what for plan in plans(game) for put in plan.put):
        for sign in [sign for sign, shows in missing.items() if shows(one)]:
            del missing[sign]
    told = {sign for sign in SIGNS if re.search(sign, page)}
    assert told == SIGNS.keys() - missing.keys()


@pytest.mark.parametrize("game", games())
def test_whoever_is_new_is_told_the_signs_that_are_in_the_picture_and_no_others(game: str) -> None:
    seen = set[Sign]()
    for plan in plans(game):
        what = [put.what for put in plan.put]
        wanted = {
            sign
            for sign, named in KEY.items()
            # Both teams' tricks stand once, as two numbers, and seats have numbers.
            if any(
                (SIGNS[named](one) and not isinstance(one, Won | Tag))
                or (sign in ON_CARDS and marked(ON_CARDS[sign])(one))
                for one in what
            )
        }
        assert signs_on(plan) == wanted
        seen |= wanted
    assert "before" in seen
    for language in ("en", "de", "fr"):
        said = [key({sign}, game, texts(language)) for sign in seen]
        assert all(said)
        assert not key((), game, texts(language))
