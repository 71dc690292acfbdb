"""Ratings as people read them: a number with a mark, and what a curve shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.i18n import Texts
from bot.pictures.chart import Curve
from bot.render.components import DESCRIPTION, cut
from bot.views.values import Rating

MARK: Final = "?"
"""Behind a provisional rating."""


def rating_of(rating: Rating | None, texts: Texts) -> str:
    """The number, with a mark while it is provisional; empty without one."""
    if rating is None:
        return ""
    return texts.number(rating.shown, 1) + MARK * rating.provisional


def drawn_curves(courses: Mapping[str, Sequence[float]], texts: Texts) -> tuple[Curve, ...]:
    """What a picture shows of a person's ratings."""
    return tuple(
        Curve(texts.game_name(game), tuple(values), texts.number(values[-1], 1))
        for game, values in courses.items()
    )


def curves_in_words(courses: Mapping[str, Sequence[float]], texts: Texts) -> str:
    """The same in words."""
    said = [
        texts.get(
            "picture.curve",
            game=texts.game_name(game),
            first=texts.number(values[0], 1),
            last=texts.number(values[-1], 1),
            low=texts.number(min(values), 1),
            high=texts.number(max(values), 1),
        )
        for game, values in courses.items()
    ]
    return cut(" ".join(said), DESCRIPTION)
