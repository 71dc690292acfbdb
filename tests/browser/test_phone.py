"""The widest panels on a phone: what must be seen first is in view without scrolling."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Route

from tests.browser.alone import hinted
from tests.browser.driver import Demo, Discord
from tests.browser.evening import TITLES, begin
from tests.nightly import by_day

pytestmark = pytest.mark.browser

WIDTH: Final = 390
HEIGHT: Final = 844
CHROME: Final = 110
"""Pixels that the browser or the app takes for itself."""
WRITING: Final = 60
"""Pixels of what is typed into, which stands below the messages."""
PICTURES: Final = os.environ.get("PHONE_PICTURES")
"""A folder to put what is seen into, to be looked at."""

ROWS: Final = 2
"""Rows of buttons that must be in view."""
PANELS: Final = 5
"""So many are looked at: in Auf und Ab the last of them leads with seventeen cards."""


@pytest.fixture
def phone(browser: Browser, running: Demo) -> Iterator[Discord]:
    page = Discord(browser, running.address, width=WIDTH)
    page.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    try:
        yield page
    finally:
        page.close()


@pytest.mark.nightly
@pytest.mark.parametrize("game", by_day(TITLES, 4))
def test_headline_picture_and_first_rows_of_the_widest_panels_are_in_view_on_a_phone(
    phone: Discord, game: str
) -> None:
    """The first panels after a deal: that is when hands are largest."""
    begin(phone, game, seats=4 if game == "kaiserspiel" else 3)  # with the largest hands
    for number in range(PANELS):
        phone.table("Ann")
        name = phone.to_act()
        assert name is not None
        phone.messages_of(name)
        panel = phone.asking(phone.page.locator("[data-message-id]").last)
        look(phone, panel, f"{game}-{number}")
        if phone.offers(panel, "Hint"):
            hinted(phone, panel)
            look(phone, panel, f"{game}-{number}-hint")
            assert answered(panel) < first_button(panel), "what answers a press is seen with them"
        phone.play(panel, sparing)


@pytest.mark.nightly
def test_a_picture_that_comes_late_pushes_nothing_about(phone: Discord) -> None:
    begin(phone, "kaiserspiel", seats=4)
    phone.table("Ann")
    page, sizes = phone.page, "[...document.images].map(img => [img.offsetWidth, img.offsetHeight])"
    phone.rest()
    there = page.evaluate(sizes)
    held: list[Route] = []
    page.route(re.compile("asset"), lambda route: late(route, held))
    page.reload()
    page.wait_for_function(f"{sizes}.length == {len(there)}")
    assert held
    for (across, down), (room, high) in zip(there, page.evaluate(sizes), strict=True):
        assert high / room == pytest.approx(down / across, rel=0.05)


def late(route: Route, held: list[Route]) -> None:
    """Pictures never come; all else does."""
    if route.request.resource_type == "fetch":
        held.append(route)
    else:
        route.continue_()


def sparing(labels: Sequence[str]) -> str:
    """Passes, else plays as few cards as can be."""
    passing = [label for label in labels if label in ("Pass", "End series")]
    return passing[0] if passing else min(labels, key=lambda label: (len(label.split()), label))


def answered(panel: Locator) -> float:
    """Where what a person asked for ends."""
    box = panel.locator("blockquote").first.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def first_button(panel: Locator) -> float:
    """Where what can be pressed begins."""
    box = panel.locator("button.component-button, .select-trigger").first.bounding_box()
    assert box is not None
    return box["y"]


def look(phone: Discord, panel: Locator, picture: str) -> None:
    """From the headline, where the app begins to show what is new, to the first rows of buttons."""
    headline = panel.locator("h1, h2, h3").first
    headline.evaluate("line => line.scrollIntoView({block: 'start'})")
    phone.rest()
    if PICTURES is not None:
        phone.page.screenshot(path=str(Path(PICTURES) / f"{picture}.png"))
    above = headline.bounding_box()
    pressed = panel.locator("button.component-button, .select-trigger").all()
    ends = sorted({box["y"] + box["height"] for one in pressed if (box := one.bounding_box())})
    assert above is not None
    reach = ends[:ROWS][-1] - above["y"]
    assert 0 < reach <= HEIGHT - CHROME - WRITING, f"{reach} px: {panel.inner_text()}"
    shown = re.findall(r"\b\d\u2011\d\b", panel.inner_text().split("│", 1)[-1].split("\n\n")[0])
    assert len(shown) == len(set(shown)), f"twice in the hand: {shown}"
