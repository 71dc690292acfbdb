"""A leaderboard as a picture: bars of matches, the part that was won in gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.pictures.decks import Deck, mix
from bot.pictures.felt import MARGIN, WIDTH, Picture, Plan, Put, Spot
from bot.pictures.marks import MEDALS
from bot.pictures.pen import Pen, cut_to, known, width_of
from bot.pictures.pieces import LETTERS, Piece, shade_of

LINES: Final = 11
"""Maximum number of people in one picture."""
_MANY: Final = 9
"""From more on, lines are lower: a picture is no higher than a phone shows whole."""
_HIGH: Final = 52
_LOW: Final = 40
_GAP: Final = 6
_APART: Final = 14
"""Pixels between a page and lines of another one."""
_NAME: Final = 70
"""Where the name begins."""
_BAR: Final = 286
_COUNT: Final = 132
"""Pixels of the numbers behind the bar."""


class Leader(NamedTuple):
    """One person of a leaderboard."""

    place: int
    name: str
    wins: int
    matches: int
    figure: str
    """What the order is by."""


def written(name: str) -> str:
    """A name as far as our font has its letters and there is room."""
    return cut_to(name, LETTERS, _BAR - _NAME - 12) if all(map(known, name)) else ""


@dataclass(frozen=True, slots=True)
class Row(Piece):
    """A person's place, name, matches and wins; `most` is the largest number of matches."""

    leader: Leader
    most: int

    @property
    def shown(self) -> str:
        """The name, as far as it can be written."""
        return written(self.leader.name.strip())

    def paint(self, pen: Pen, deck: Deck) -> None:
        middle, shade = self.height / 2, shade_of(deck)
        pen.box(0, 0, self.width, self.height, shade, 10)
        medal = MEDALS.get(self.leader.place)
        if medal is not None:
            pen.disc(36, middle, min(22, middle - 2), medal)
        ink = deck.ground if medal is None else deck.ink
        pen.text(36, middle, str(self.leader.place), LETTERS, ink, 56)
        pen.left_text(_NAME, middle, self.shown, LETTERS, deck.ground)
        right = self.width - _COUNT
        full = right - _BAR
        for number, fill in (
            (self.leader.matches, mix(shade, deck.ground, 0.45)),
            (self.leader.wins, deck.gold),
        ):
            if number and self.most:
                reach = max(14.0, full * number / self.most)
                pen.box(_BAR, middle - 13, _BAR + reach, middle + 13, fill, 7)
        figure = self.leader.figure
        wide = min(width_of(figure, LETTERS), _COUNT - 18)
        pen.text(self.width - 10 - wide / 2, middle, figure, LETTERS, deck.ground, _COUNT - 18)


def leaders_picture(
    deck: Deck, leaders: Sequence[Leader], near: Sequence[Leader] = ()
) -> Picture | None:
    """The best first, as they are handed in, and some of another page below them; None of nobody,
    or of more than fit."""
    if not leaders or len(leaders) + len(near) > LINES:
        return None
    return leaders_plan(leaders, near).picture("", deck)


def leaders_plan(leaders: Sequence[Leader], near: Sequence[Leader] = ()) -> Plan:
    """Where everything lies."""
    every = (*leaders, *near)
    most = max(leader.matches for leader in every)
    high = _HIGH if len(every) <= _MANY else _LOW
    tops = [
        MARGIN + number * (high + _GAP) + _APART * (number >= len(leaders))
        for number in range(len(every))
    ]
    put = tuple(
        Put(Spot(MARGIN, top), Row(WIDTH - 2 * MARGIN, high, leader, most))
        for leader, top in zip(every, tops, strict=True)
    )
    return Plan(put, tops[-1] + high + MARGIN)
