"""Cards to be drawn, read from a layout: marks (double, trump, Kaiser …) and order.

A layout is all that is known here, so a picture shows nothing that its owner may not see.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from bot.pictures.card import Face
from bot.pictures.tiles import Look
from engine.layout import PLAYABLE, TURNED, Layout

_DRAWN: Final = frozenset({"double", "twice", "change", "special", "unwanted", "kaiser", "mugg"})
"""Marks of cards that are seen on them."""


class Shown(NamedTuple):
    """A card to draw, and how it lies."""

    face: Face
    look: Look


def hand_of(game: str, layout: Layout) -> tuple[Shown, ...]:
    """The owner's hand: what may be played is lifted where the rest may not, which is shaded.

    A declared Kaiser is never shaded: that it cannot be chosen now does not make it weak.  Where no
    card can be, the others are not either: it would look like the one that can.
    """
    faces = [face_of(game, card.code, card.marks) for card in layout.hand]
    playable = [PLAYABLE in card.marks for card in layout.hand]
    none = not any(playable) and any("kaiser" in face.marks for face in faces)
    if not layout.chooses or all(playable) or none:
        return tuple(Shown(face, Look.FLAT) for face in faces)
    return tuple(
        Shown(face, Look.LIFTED if may else Look.FLAT if "kaiser" in face.marks else Look.SHADED)
        for face, may in zip(faces, playable, strict=True)
    )


def face_of(game: str, code: str, marks: Iterable[str]) -> Face:
    """What is to be seen of a card that a layout shows; without a code its back."""
    shown = frozenset(marks)
    return Face(game, code, TURNED in shown, _DRAWN & shown)
