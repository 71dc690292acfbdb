"""`stammtisch demo` in headless Chromium: a newcomer's whole evening."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driver import Demo, Discord, chromium, demo

pytestmark = pytest.mark.browser

SEATED = ("Ann", "Ben", "Cat")
IN_THE_CHANNEL = 6
"""So many plies are played with the hand in the channel, all later ones from direct messages."""
MOST_PLIES = 400


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Demo]:
    with demo(tmp_path_factory.mktemp("demo")) as started:
        yield started


@pytest.mark.parametrize("width", [1280, 390])
def test_start_page_tells_a_newcomer_what_to_do(
    browser: Browser, running: Demo, width: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    try:
        page.goto(running.address)
        expect(page.get_by_text("/newgame")).to_be_visible()
        for name in ("Ann", "Ben", "Cat", "Dan"):
            expect(page.get_by_text(name, exact=True).first).to_be_visible()
        assert page.get_by_role("link", name="At the table").count() == 4
        assert page.get_by_role("link", name="Direct messages").count() == 4
        expect(page.get_by_role("button", name="Restart the bot")).to_be_visible()
        overflow = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not overflow, "the page is wider than the screen"
    finally:
        page.close()


def test_a_whole_match_from_newgame_to_the_result(browser: Browser, running: Demo) -> None:
    discord = Discord(browser, running.address)
    try:
        open_a_table(discord)
        plies = 0
        while plies < IN_THE_CHANNEL:
            name = discord.to_act()
            assert name in SEATED, f"nobody is marked as to act: {name}"
            play_in_the_channel(discord, name)
            plies += 1
        restart(browser, running)
        while (name := discord.to_act()) is not None:
            assert name in SEATED
            plies += 1
            assert plies < MOST_PLIES, "the round does not end"
            play_by_direct_message(discord, name)
        discord.table("Dan")
        result = discord.message("Rematch")
        for seated in SEATED:
            expect(result).to_contain_text(seated)
        expect(result).to_contain_text("🥇")
        discord.slash("leaderboard", game="aufundab")
        winner = discord.message("Leaderboard")
        expect(winner).to_contain_text(re.compile("Ann|Ben|Cat"))
    finally:
        discord.close()


def open_a_table(discord: Discord) -> None:
    discord.table("Ann")
    discord.slash("newgame", game="aufundab", seats="3", length="1")
    for name in ("Ben", "Cat"):
        discord.view_as(name)
        discord.press("Join", discord.message("Auf und Ab"))
    discord.view_as("Dan")
    expect(discord.message("Auf und Ab")).to_contain_text("Cat")
    discord.view_as("Ann")
    # A full table shows Hold and starts by itself; the host need not wait.
    discord.slash("start")
    expect(discord.message("My hand")).to_contain_text("▸")


def play_in_the_channel(discord: Discord, name: str) -> None:
    discord.view_as(name)
    discord.press("My hand", discord.message("My hand"))
    panel = discord.message("Only you can see this")
    expect(panel).to_be_visible()
    discord.play(panel)


def play_by_direct_message(discord: Discord, name: str) -> None:
    discord.messages_of(name)
    panel = discord.page.locator("[data-message-id]").last
    discord.play(panel)
    if discord.to_act() is None:
        # Whoever plays the last card has nothing more to read here: look at the table.
        discord.table(name)


def restart(browser: Browser, running: Demo) -> None:
    page = browser.new_page()
    try:
        page.goto(running.address)
        page.get_by_role("button", name="Restart the bot").click()
        expect(page.get_by_role("status")).to_contain_text("started again")
    finally:
        page.close()
