"""Somebody alone in the demo: *Play now* on the start page, and playing against computers."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

from playwright.sync_api import Locator, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.driver import ONLY_YOU, PATIENCE, Discord, Now
from tests.browser.evening import TITLES

VISITOR: Final = "Ann"
SOON: Final = 700
"""Milliseconds in which board and hand follow each other."""


def play_now(discord: Discord, game: str, *, short: bool = False) -> None:
    """From the start page to the board of a match of `game` against computers."""
    page = discord.page
    if short:
        page.get_by_label(discord.words.part("Short: one round")).check()
    with page.expect_popup() as popup:
        page.get_by_role("button", name=TITLES[game]).click()
    discord.page = popup.value
    if page.viewport_size is not None:
        discord.page.set_viewport_size(page.viewport_size)
    discord.page.locator("#channel-composer-input:enabled").wait_for()
    expect(discord.board()).to_contain_text(discord.asked.others, timeout=PATIENCE)


def until_asked(discord: Discord) -> Locator | Now:
    """Waits until the visitor is asked; their hand, or how the table stands when nobody is.

    The hand is drawn anew by itself; where none is there it is opened with *My hand*.
    """
    own = discord.page.locator("[data-message-id]").filter(has_text=ONLY_YOU)
    panel = own.filter(has_text=discord.words.part("To the table")).last
    while True:
        now = discord.now()
        if now.pause or now.over:
            return now
        if VISITOR not in now.to_act:
            discord.wait_for_others(now)
        elif not panel.count():
            _open_hand(discord)
        elif discord.asked.you.search(panel.inner_text()):
            return discord.asking(panel)
        elif not discord.changes(SOON):
            # What stands on the board as well is not asked on the hand that is there.
            _open_hand(discord)


def _open_hand(discord: Discord) -> None:
    """Presses *My hand*, unless the match has ended since its board was looked at."""
    board = discord.board()
    if board.count():
        with suppress(PlaywrightTimeout):
            discord.press("My hand", board)


def next_round(discord: Discord) -> None:
    """Presses *Next round*, unless that has begun by itself."""
    with suppress(PlaywrightTimeout):
        discord.press("Next round", discord.message("Next round"))


def question(discord: Discord, panel: Locator) -> str:
    """What a hand asks, as its first line says it, in the letters of a file's name."""
    found = discord.asked.you.search(panel.inner_text())
    assert found is not None
    return re.sub(r"\W+", "-", found[0]).strip("-").lower()


def hinted(discord: Discord, panel: Locator) -> bool:
    """Presses *Hint* and waits for what is said; whether it was a hint.

    A machine that has much else to do says that it has no time to think.
    """
    counted, busy = discord.words.code("hint.taken"), discord.words.code("hint.none")
    said = discord.page.locator("[data-message-id]").filter(
        has_text=re.compile(f"{counted}|{busy}")
    )
    before = said.count()
    discord.press("Hint", panel)
    expect(said).not_to_have_count(before, timeout=PATIENCE)
    return bool(re.search(counted, said.last.inner_text()))
