"""*Play now* on the start page: from there to the visitor's first card."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.registry import games
from tests.browser.alone import TITLES, next_round, play_now, until_asked
from tests.browser.driver import Demo, Discord, Now, most_cards
from tests.browser.evening import liking
from tests.nightly import by_day

pytestmark = pytest.mark.browser

PICTURES: Final = os.environ.get("PLAY_PICTURES")
"""A folder to put what is seen into, to be looked at."""
WIDTHS: Final = (1280, 390)
ALL_DRAWN: Final = """() => [...document.querySelectorAll("img.custom-emoji")].every(
    (image) => image.complete && image.naturalWidth > 0)"""
"""Whether every emoji on the page has its picture."""


def test_every_game_can_be_played_now() -> None:
    assert TITLES.keys() == games().keys()


WORDS: Final = ("Pass", "End series", "Accept", "Resign", "Kaiser", "Three up", "Raise", "Leave it")
"""What is said before cards are played."""


@pytest.mark.nightly
@pytest.mark.parametrize("game", by_day(TITLES, 2))
def test_play_now_leads_to_the_first_card(browser: Browser, running: Demo, game: str) -> None:
    discord = Discord(browser, running.address)
    try:
        start = discord.page
        start.goto(running.address)
        look(start, f"{game}-start")
        play_now(discord, game)
        expect(discord.message("My hand")).to_contain_text("Computer 1")
        look(discord.page, f"{game}-board")
        while (said := turn(discord, game)).startswith(WORDS) or " and " in said:
            pass
        look(discord.page, f"{game}-played")
        expect(discord.page.locator(".custom-emoji").first).to_be_visible()
        discord.page.wait_for_function(ALL_DRAWN)
    finally:
        discord.close()


def turn(discord: Discord, game: str) -> str:
    """What the visitor plays or says once it is their turn."""
    while isinstance(panel := until_asked(discord), Now):
        assert panel.pause, panel
        next_round(discord)  # a team has resigned before anybody played a card
    look(discord.page, f"{game}-hand")
    return discord.play(panel, liking("Pass") if game == "kaiserspiel" else most_cards)


def look(page: Page, picture: str) -> None:
    """Keeps pictures, if somebody wants to see them."""
    if PICTURES is None:
        return
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1000 if width > 1000 else 844})
        page.screenshot(path=str(Path(PICTURES) / f"{picture}-{width}.png"))
    page.set_viewport_size({"width": WIDTHS[0], "height": 1000})
