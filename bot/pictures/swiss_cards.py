"""The cards of Kaiserspiel: Swiss suits, with King, Ober, Unter and Banner as figures.

An Ober carries its suit above, an Unter below, as on the printed cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.pictures.card import HEIGHT, WIDTH, Face, sheet
from bot.pictures.decks import Deck
from bot.pictures.figures import banner, crown, king, ober, unter
from bot.pictures.german_french_suits import TRADITIONS
from bot.pictures.mixing import mix
from bot.pictures.pen import Pen, Point

_PIPS: Final[Mapping[str, Sequence[Point]]] = {
    "2": ((64, 46), (36, 104)),
    "3": ((72, 36), (50, 74), (28, 112)),
    "4": ((29, 66), (71, 66), (29, 112), (71, 112)),
    "5": ((29, 60), (71, 60), (50, 87), (29, 114), (71, 114)),
    "6": ((29, 61), (71, 61), (29, 90), (71, 90), (29, 119), (71, 119)),
    "7": ((71, 31), (29, 61), (71, 61), (29, 90), (71, 90), (29, 119), (71, 119)),
}
"""Where the suit stands on the numbers, as often as they say."""
_SIZES: Final = {"2": 20, "3": 18, "4": 17, "5": 15.5, "6": 13.5, "7": 13.5}


def swiss_card(pen: Pen, face: Face, deck: Deck) -> None:
    suit, rank = face.code[0], face.code[1:]
    emblem, own = TRADITIONS[deck.tradition][suit], deck.swiss[suit]
    special = "special" in face.marks
    if special:
        # Two thin lines on a cool ground: gold is for who wins.
        line = mix(own, deck.ink, 0.35)
        sheet(pen, deck.swiss_special, line, 2.2)
        pen.box(4, 4, WIDTH - 4, HEIGHT - 4, line, 6)
        pen.box(5.8, 5.8, WIDTH - 5.8, HEIGHT - 5.8, deck.swiss_special, 4.5)
    else:
        sheet(pen, deck.ground, mix(deck.ground, deck.ink, 0.3), 1.6)
    if deck.large:
        pen.text(30, 33, rank, 40, own, 40)
        emblem(pen.at(74, 32, 17), own)
    else:
        pen.text(22, 27, rank, 29, own, 30)
    match rank:
        case "K":
            king(pen.at(50, 93, 13.5) if deck.large else pen.at(50, 85, 16.5), own)
            if not deck.large:
                emblem(pen.at(79, 25, 14), own)
        case "O":
            if not deck.large:
                emblem(pen.at(66, 30, 22), own)
            ober(pen.at(50, 91, 14.5), own)
        case "U":
            unter(pen.at(50, 90, 15) if deck.large else pen.at(60, 47, 14.5), own)
            if not deck.large:
                emblem(pen.at(50, 110, 23), own)
        case "B":
            banner(pen.at(54, 95, 31) if deck.large else pen.at(52, 88, 38), own, emblem)
        case _ if deck.large:
            emblem(pen.at(50, 98, 30), own)
        case _:
            for x, y in _PIPS[rank]:
                emblem(pen.at(x, y, _SIZES[rank]), own)
    if "kaiser" in face.marks:
        ribbon(pen, deck, crowns=2 if "mugg" in face.marks else 1)


def ribbon(pen: Pen, deck: Deck, crowns: int) -> None:
    """Across the foot of a declared Kaiser: a crown, and two for the highest."""
    pen.box(0, HEIGHT - 26, WIDTH, HEIGHT, deck.gold, 9, (False, False, True, True))
    pen.box(0, HEIGHT - 28, WIDTH, HEIGHT - 25, deck.ink)
    for number in range(crowns):
        x = 50 + 26 * (number - (crowns - 1) / 2)
        crown(pen.at(x, HEIGHT - 12.5, 9.5), deck.ink)
