"""The evenings of the album, played to their end at the width of a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from bot.i18n import ENGLISH
from tests.browser.album import EVENINGS, Album, evening

pytestmark = [pytest.mark.browser, pytest.mark.nightly]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        *((name, ENGLISH) for name in EVENINGS),
        ("alone-aufundab", "fr"),
        ("alone-kaiserspiel", "fr"),
        ("alone-sticheln", "de"),
    ],
)
def test_an_evening_of_newcomers_is_played_to_its_end(
    name: str, language: str, browser: Browser, tmp_path: Path
) -> None:
    with evening(browser, "390", language) as discord:
        album = Album(discord, tmp_path, name)
        EVENINGS[name](discord, album)
    assert album.pictures == len(list(tmp_path.glob("*.png"))) > 3
