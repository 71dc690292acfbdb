"""The application's icon and banner: as large as Discord wants them, and made by our own code."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat

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


def test_all_that_counts_of_the_icon_is_inside_the_circle_that_discord_shows() -> None:
    (work,) = (work for work in WORKS if work.name == "icon.png")
    icon = Image.open(BytesIO(work.picture.png)).convert("RGB")
    outside = Image.new("L", icon.size, 255)
    ImageDraw.Draw(outside).ellipse((0, 0, icon.width - 1, icon.height - 1), 0)
    assert max(ImageStat.Stat(icon, outside).stddev) < 1


def test_at_forty_pixels_the_king_and_his_cards_are_told_apart() -> None:
    (work,) = (work for work in WORKS if work.name == "icon.png")
    small = Image.open(BytesIO(work.picture.png)).convert("L").resize((40, 40))
    felt, crown, beard, card = (
        float(ImageStat.Stat(small.crop(box)).mean[0])
        for box in ((3, 17, 8, 22), (17, 9, 23, 12), (17, 23, 23, 25), (17, 28, 23, 37))
    )
    assert crown > felt + 60
    assert beard > felt + 40
    assert card > beard + 30
