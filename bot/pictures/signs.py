"""Signs on a picture that nobody knows before they are told: which of them lie there.

They are read off the plan that is drawn, so that no sign is explained which is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from bot.pictures import board, hand
from bot.pictures.around_table import OPEN, OPEN_BESIDE, Before
from bot.pictures.felt import Card, Plan
from bot.pictures.marks import Crowned, Mode, Role, Rung, SuitSign, Trail, Unwanted, Value
from bot.pictures.pieces import Chip, Count, Mood, Order, Out, Piece, Plate
from bot.pictures.scene import board_of, hand_of
from engine.layout import Layout

Sign: TypeAlias = Literal[
    "winning", "passed", "trump", "special", "unwanted", "kaiser", "mugg", "open", "order",
    "speaks", "deals", "tricks", "out", "before", "ladder", "held", "asked", "value", "coming",
    "gone", "trail",
]  # fmt: skip
"""What a sign says: of all cards of a suit, of a card, of a seat, of what is over."""

_ON_CARDS: Final[tuple[Sign, ...]] = ("special", "unwanted", "kaiser", "mugg")
"""Signs that are marks of cards."""


def board_signs(game: str, layout: Layout, short_names: Sequence[str]) -> frozenset[Sign]:
    """The signs on the picture of a board."""
    scene = board_of(game, layout, short_names)
    return frozenset() if scene is None else signs_on(board.plan(game, scene))


def hand_signs(game: str, layout: Layout, short_names: Sequence[str]) -> frozenset[Sign]:
    """The signs on the picture of a hand, and of the table above it."""
    shown = hand_of(game, layout)
    return signs_on(hand.plan(game, shown, hand.above(game, layout, short_names, shown)))


def signs_on(plan: Plan) -> frozenset[Sign]:
    """The signs on a picture."""
    return frozenset(sign for put in plan.put for sign in _signs(put.what))


def _signs(what: Card | Piece) -> Iterator[Sign]:
    match what:
        case Plate(mood=Mood.WON) | Chip(mood=Mood.WON):
            yield "winning"
        case Plate(mood=Mood.OUT) | Chip(mood=Mood.OUT):
            yield "passed"
        case Plate(mood=Mood.ASKED) | Chip(mood=Mood.ASKED):
            yield "asked"
        case Card(face=face, width=width):
            yield from (sign for sign in _ON_CARDS if sign in face.marks)
            if width in (OPEN, OPEN_BESIDE):
                yield "held"
        case Crowned(codes=codes, highest=highest):
            if set(codes) - set(highest):
                yield "kaiser"
            if highest:
                yield "mugg"
        case Role(role=role):
            yield role
        case Order(number=number):
            yield "order" if number else "open"
        case Count(icon="tricks"):
            yield "tricks"
        case SuitSign(trump=True):
            yield "trump"
        case Unwanted():
            yield "unwanted"
        case Out():
            yield "out"
        case Before():
            yield "before"
        case Rung(faces=faces):
            yield "ladder"
            if "kaiser" in faces[0].marks:
                yield "mugg" if "mugg" in faces[0].marks else "kaiser"
            if any("gone" in face.marks for face in faces):
                yield "gone"
        case Value():
            yield "value"
        case Trail(tally=tally) if None in tally.terms:
            yield "trail"
        case Mode(coming=coming) if coming:
            yield "coming"
        case _:
            pass
