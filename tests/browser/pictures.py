"""Makes the README's pictures: `python -m tests.browser.pictures` writes `data/docs/`.

With names of pictures only those: `python -m tests.browser.pictures hand`.  Some
marks are emoji, so a colour emoji font is needed (Debian: fonts-noto-color-emoji).  Where Pillow is
installed the pictures are kept in a palette, which makes them a third as large.
"""

from __future__ import annotations

import importlib
import itertools
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from tests.browser.driver import ONLY_YOU, ROOT, Discord, chromium, demo
from tests.browser.evening import (
    begin,
    open_the_hand,
    play_in_the_channel,
)

FOLDER: Final = ROOT / "data" / "docs"
COLOURS: Final = 128
DESKTOP: Final = 1280
PHONE: Final = 390
"""How wide the windows are, in pixels."""
HEIGHT: Final = 1800


def main(names: Sequence[str]) -> None:
    """Play to where there is something to see, and take it."""
    with chromium() as browser:
        for name in names or PICTURES:
            PICTURES[name](browser)


def hand(browser: Browser) -> None:
    """On a phone, the hand of somebody in Auf und Ab who has several ways to beat a set."""
    with tempfile.TemporaryDirectory() as folder, demo(Path(folder)) as running:
        discord = Discord(browser, running.address, width=PHONE, scale=2)
        begin(discord, "aufundab", length="1")
        for _ in range(40):
            name = discord.to_act()
            assert name is not None, "the match was over too soon: try again"
            discord.messages_of(name)
            offered = discord.offered(discord.page.locator("[data-message-id]").last)
            if offered.passes and 3 <= len(offered.acts) <= 8:
                break
            discord.table(name)
            play_in_the_channel(discord, name)
        else:
            raise AssertionError("there was never anything to see")
        take(discord, "hand", PHONE)
        discord.close()


def board(browser: Browser) -> None:
    """On a desktop, the board of Sticheln with three cards in a trick that is not the first."""
    with tempfile.TemporaryDirectory() as folder, demo(Path(folder)) as running:
        discord = Discord(browser, running.address, width=DESKTOP, scale=1.5)
        begin(discord, "sticheln", seats=4)
        # Now this card, now that one: all first cards would be of one colour.
        steps, lying = itertools.count(0, 5), 0
        for _ in range(60):
            now = discord.now()
            text = discord.board().inner_text()
            lying += "trick 4" in text
            if lying == 4:  # looked at before each card of that trick
                break
            assert now.to_act, "the round was over too soon: try again"
            panel = open_the_hand(discord, now.to_act[0])
            discord.play(panel, lambda labels: labels[next(steps) % len(labels)])
        else:
            raise AssertionError("there was never anything to see")
        discord.table("Ann")
        take(discord, "board", DESKTOP)
        discord.close()


PICTURES: Final[Mapping[str, Callable[[Browser], None]]] = {"board": board, "hand": hand}


def take(discord: Discord, name: str, width: int) -> None:
    """The box of the newest message that all see, as `<name>.png`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
    # In a window so high that nothing lies below where the message is written.
    discord.page.set_viewport_size({"width": width, "height": HEIGHT})
    discord.rest()
    messages = discord.page.locator("[data-message-id]").filter(has_not_text=ONLY_YOU)
    messages.last.locator(".component-container").last.screenshot(path=path)
    try:
        image = importlib.import_module("PIL.Image")
    except ImportError:
        return
    with image.open(path) as picture:
        picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
