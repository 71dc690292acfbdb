"""The application's icon and banner: as large as Discord wants them, and made by our own code."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.catalogues import ENGLISH
from bot.i18n import texts
from bot.pictures.artwork import Work, works
from engine.registry import games
from tests.operate.conftest import ROOT

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
