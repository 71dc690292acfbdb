"""Cards of Auf falscher Fährte and Sticheln: a number, and the shape of its colour below."""

from __future__ import annotations

from bot.pictures.card import Face, sheet
from bot.pictures.colour_shapes import SHAPES
from bot.pictures.decks import Deck
from bot.pictures.figures import above, jester
from bot.pictures.mixing import BLACK, WHITE, Colour, mix
from bot.pictures.pen import Pen


def coloured(pen: Pen, face: Face, deck: Deck) -> None:
    if face.code[0] not in SHAPES:
        _joker(pen, deck)
        return
    suit, number = face.code[0], face.code[1:]
    own = deck.suits[suit]
    special = "special" in face.marks
    # Yellow numbers could not be read on a light ground.
    written = deck.ink if deck.solid or suit == "Y" else own
    shown = deck.ink if deck.solid else own
    ground = own if deck.solid else deck.ground
    if special:
        # Two thin lines: gold is for who wins.
        line, inner = (deck.ink, own) if deck.solid else (own, deck.special_ground)
        sheet(pen, inner, line, 3)
        pen.box(5.5, 5.5, 94.5, 134.5, line, 6)
        pen.box(8, 8, 92, 132, inner, 4)
    else:
        sheet(pen, ground, mix(own, BLACK, 0.55) if deck.solid else own, 5)
    if deck.large:
        pen.text(50, 50, number, 66, written, 78 if special else 86)
        SHAPES[suit](pen.at(50, 111, 17), shown)
    else:
        pen.text(50, 41, number, 47, written, 80)
        SHAPES[suit](pen.at(50, 99, 27), shown)
    if deck.letters:
        pen.text(18, 121, suit, 17, deck.ink, 18)
    if special:
        _badge(pen, deck.ink, WHITE)
        above(pen.at(83, 122, 7), WHITE)
    elif "unwanted" in face.marks:
        _badge(pen, deck.ink, WHITE)
        pen.box(76, 119.5, 90, 124.5, WHITE)


def _badge(pen: Pen, fill: Colour, edge: Colour) -> None:
    """Where a mark stands: in the lower right corner."""
    pen.disc(83, 122, 14, edge)
    pen.disc(83, 122, 12, fill)


def _joker(pen: Pen, deck: Deck) -> None:
    sheet(pen, deck.ground, deck.ink, 5)
    jester(pen.at(50, 56, 37), deck.suits["R"], deck.suits["B"])
    pen.text(50, 118, "Joker", 18, deck.ink, 82)
