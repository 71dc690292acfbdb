"""`stammtisch demo` in headless Chromium: a newcomer's whole evening with Auf und Ab."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import Browser, Locator, Route, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from engine.registry import games
from tests.browser.alone import hinted, play_now, until_asked
from tests.browser.driver import BEGINNING, Demo, Discord, fewest_cards, read
from tests.browser.evening import TITLES, begin, play_by_direct_message, play_in_the_channel

pytestmark = pytest.mark.browser

SEATED = ("Ann", "Ben", "Cat")
IN_THE_CHANNEL = 2
"""So many plies are played with the hand in the channel."""
BY_DIRECT_MESSAGE = 2
"""So many after them from direct messages."""


def test_every_game_can_be_played_now() -> None:
    assert TITLES.keys() == games().keys()


def test_start_page_tells_a_newcomer_what_to_do(browser: Browser, running: Demo) -> None:
    for width in (1280, 390):
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
            assert not overflow, f"the page is wider than a screen of {width}"
        finally:
            page.close()


def test_a_match_begins_in_the_channel_and_goes_on_by_direct_message_after_a_restart(
    browser: Browser, running: Demo, discord: Discord
) -> None:
    begin(discord, "aufundab", length="1")
    for _ in range(IN_THE_CHANNEL):
        name = discord.to_act()
        assert name in SEATED, f"nobody is marked as to act: {name}"
        play_in_the_channel(discord, name, fewest_cards)
    restart(browser, running)
    for _ in range(BY_DIRECT_MESSAGE):
        now = discord.now()
        name = next(iter(now.to_act), None)
        assert name in SEATED, now
        play_by_direct_message(discord, name, fewest_cards)


def test_a_link_to_a_message_leads_to_it_on_the_page(running: Demo, discord: Discord) -> None:
    """Discord itself cannot be reached, and nothing leaves this computer."""
    discord.page.goto(running.address)
    play_now(discord, "aufundab")
    pages, asked = len(discord.page.context.pages), list[str]()
    discord.page.context.on("request", lambda request: asked.append(request.url))
    discord.page.set_viewport_size({"width": 390, "height": 400})
    link = discord.page.get_by_role("link", name="To the table").first
    link.scroll_into_view_if_needed()
    place = re.search(r"\d+$", link.get_attribute("href") or "")
    assert place is not None
    away = f"""() => {{
        const message = document.querySelector('article[data-message-id="{place[0]}"]');
        const shown = document.querySelector("#channel-message-list").parentElement;
        const [top, from] = [message, shown].map((one) => one.getBoundingClientRect().top);
        return Math.abs(top - from);
    }}"""
    assert discord.page.evaluate(away) > 50
    link.click()
    discord.page.wait_for_function(f"() => ({away})() < 5")
    assert len(discord.page.context.pages) == pages
    assert not [url for url in asked if "discord.com" in url]


def not_taken_up(kept: Locator) -> bool:
    """Whether nothing has come of a press; the driver's own look waits for pictures."""
    try:
        kept.wait_for(state="attached", timeout=BEGINNING)
    except PlaywrightTimeout:
        return True
    return False


def test_a_picture_is_kept_until_the_one_that_takes_its_place_is_there(
    running: Demo, discord: Discord
) -> None:
    discord.page.goto(running.address)
    play_now(discord, "sticheln")  # where each card is a button
    panel = until_asked(discord)
    assert isinstance(panel, Locator)
    picture = panel.locator(".gallery-image.there")
    expect(picture).to_have_count(1)  # what nobody has seen yet is not kept
    before = picture.bounding_box()
    assert before is not None
    discord.page.route(re.compile("asset"), lambda route: None)  # it is held
    offered = discord.offered(panel)
    label = offered.acts[0]
    card = panel.locator("button.component-button").filter(has_text=read(label)).last
    kept = panel.locator(".kept")
    card.click()
    for _ in range(5):  # the page drops a press while it is being drawn, or takes it up late
        if not not_taken_up(kept):
            break
        with suppress(PlaywrightTimeout):
            card.click(timeout=BEGINNING)
    expect(kept).to_have_count(1)
    assert kept.evaluate("picture => picture.complete && picture.naturalWidth > 0")
    now = kept.bounding_box()
    assert now is not None
    assert (now["width"], now["height"]) == pytest.approx(
        (before["width"], before["height"]), abs=1
    )
    discord.page.unroute_all()
    expect(kept).to_have_count(0)
    expect(picture).to_have_count(1)


def test_a_picture_that_is_refused_once_comes_all_the_same(running: Demo, discord: Discord) -> None:
    refused: set[str] = set()

    def refuse(route: Route) -> None:
        if (url := route.request.url) in refused:
            route.continue_()
            return
        refused.add(url)
        if len(refused) % 2:
            route.fulfill(status=404)
        else:
            route.abort()

    discord.page.context.route(re.compile("/api/assets/"), refuse)
    discord.page.goto(running.address)
    play_now(discord, "aufundab")
    panel = until_asked(discord)
    assert isinstance(panel, Locator)
    expect(panel.locator(".gallery-image.there")).to_have_count(1)
    expect(panel.locator(".media-unavailable")).to_have_count(0)
    assert len(refused) > 1


def test_who_has_pressed_something_is_led_to_the_answer(running: Demo, discord: Discord) -> None:
    discord.page.goto(running.address)
    play_now(discord, "aufundab")
    panel = until_asked(discord)
    assert isinstance(panel, Locator)
    discord.page.evaluate("document.querySelector('#channel-timeline').scrollBy(0, -40)")
    discord.press("Rules", panel)
    rules = discord.message("Quick start")
    expect(rules).to_be_in_viewport(ratio=0.5)
    expect(discord.page.locator("#new-messages")).to_be_hidden()


def test_on_a_phone_a_hand_shows_its_beginning_after_a_press_in_it(
    running: Demo, discord: Discord
) -> None:
    """What was pressed stands below the picture, what comes of it in the headline or above it."""
    discord.page.set_viewport_size({"width": 390, "height": 734})
    discord.page.goto(running.address)
    play_now(discord, "sticheln")
    panel = until_asked(discord)
    assert isinstance(panel, Locator)
    headline = panel.locator("h1, h2, h3").first
    panel.evaluate("hand => hand.scrollIntoView({block: 'end'})")
    expect(headline).not_to_be_in_viewport()
    assert hinted(discord, panel)
    expect(headline).to_be_in_viewport()


def test_a_command_was_sent_when_the_bot_has_heard_it(running: Demo, discord: Discord) -> None:
    """The page asks the bot for the lengths there are, which is no sign that it sent anything."""
    discord.table("Ann")
    discord.page.evaluate(
        """document.addEventListener("click", (press) => {
            if (!window.dropped && press.target.closest("#send-message")) {
                window.dropped = true;
                press.stopPropagation();
                press.preventDefault();
            }
        }, true)"""
    )
    discord.slash("newgame", game="aufundab", length="1")
    assert discord.page.evaluate("window.dropped")
    expect(discord.message("Join")).to_be_visible()


def restart(browser: Browser, running: Demo) -> None:
    page = browser.new_page()
    try:
        page.goto(running.address)
        page.get_by_role("button", name="Restart the bot").click()
        expect(page.get_by_role("status")).to_contain_text("started again")
    finally:
        page.close()
