"""The application's icon and banner: as large as Discord wants them, and made by our own code."""

from __future__ import annotations

from io import BytesIO
from itertools import product

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.i18n import ENGLISH, texts
from bot.operate.gallery import _marked
from bot.pictures.artwork import _SHOWN, FANNED, Work, works
from bot.pictures.faces import Face
from bot.pictures.scene import face_of
from engine.layout import CardRow
from engine.registry import games
from tests.operate.conftest import ROOT
from tests.render.matches import hand, positions, tables

SIZES = {"icon.png": (1024, 1024), "banner.png": (680, 240), "cards.png": (840, 448)}
WORKS = list(works({game: texts(ENGLISH).game_name(game) for game in games()}))


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.name)
def test_what_lies_in_the_docs_is_what_is_drawn_now(work: Work) -> None:
    with Image.open(ROOT / "data" / "docs" / work.name) as kept:
        assert kept.size == SIZES[work.name] == (work.picture.width, work.picture.height)
        before = kept.convert("RGB")
    assert len(work.picture.png) <= 60_000
    now = Image.open(BytesIO(work.picture.png)).convert("RGB")
    difference = ImageStat.Stat(ImageChops.difference(before, now))
    assert max(difference.mean) < 2, f"stammtisch gallery DIR makes {work.name} anew"


def kind(face: Face) -> tuple[str, str, frozenset[str]]:
    """A card as one of its rank, whatever its suit; with two numbers, as a double or none."""
    rank = str(face.code[0] == face.code[2]) if face.code[1:2] == "-" else face.code[1:]
    return face.game, rank, face.marks


def test_cards_have_the_marks_that_they_have_in_play() -> None:
    """On banner and sheets, and in the fans of the start page."""
    marked = {one for game in games() for one in _marked(game)}
    marked |= {one for one in (*_SHOWN, *(f for fan in FANNED.values() for f in fan)) if one.marks}
    wanted = {kind(one): one for one in marked}
    for seed, table in product(range(6), tables()):
        for number, position in enumerate(positions(str(table), seed) if wanted else ()):
            view = hand(table, position.state, number % table.seats)
            for block in view.layout.blocks:
                for card in block.cards if isinstance(block, CardRow) else ():
                    wanted.pop(kind(face_of(table.game.info.id, card.code, card.marks)), None)
    assert not wanted
