"""Makes the README's pictures: `python -m tests.browser.pictures` writes `data/docs/`.

With names of games only theirs: `python -m tests.browser.pictures sticheln`.  The marks of cards
are emoji, so a colour emoji font is needed (Debian: fonts-noto-color-emoji).  Where Pillow is
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

from tests.browser.driver import ONLY_YOU, ROOT, Discord, Prefer, chromium, demo
from tests.browser.evening import (
    join,
    liking,
    open_a_table,
    open_the_hand,
    play_in_the_channel,
    start,
)

FOLDER: Final = ROOT / "data" / "docs"
COLOURS: Final = 128


def main(games: Sequence[str]) -> None:
    """Play each game to where there is something to see, and take it."""
    with chromium() as browser:
        for game in games or PICTURES:
            PICTURES[game](browser)


def auf_und_ab(browser: Browser) -> None:
    """Board and hand of somebody who has several ways to beat a set."""
    with tempfile.TemporaryDirectory() as folder, demo(Path(folder)) as running:
        discord = Discord(browser, running.address, width=700, scale=2)
        open_a_table(discord, "aufundab", "Auf und Ab", 3, length="1")
        join(discord, "Cat", "Auf und Ab")
        start(discord)
        for _ in range(40):
            name = discord.to_act()
            assert name is not None, "the match was over too soon: try again"
            discord.messages_of(name)
            offered = discord.offered(discord.page.locator("[data-message-id]").last)
            if offered.passes and 3 <= len(offered.acts) <= 8:
                break
            discord.table(name)
            play_in_the_channel(discord, name)
        take(discord, "hand")
        discord.table("Dan")
        take(discord, "board")
        discord.close()


def tricks(browser: Browser, game: str, title: str, seats: int, lying: int, **options: str) -> None:
    """The board with `lying` cards in a trick, once there is something behind it to see."""
    with tempfile.TemporaryDirectory() as folder, demo(Path(folder)) as running:
        discord = Discord(browser, running.address, width=700, scale=2)
        open_a_table(discord, game, title, seats, **options)
        join(discord, ("Cat", "Dan")[seats - 3], title)
        start(discord)
        bold = liking("Accept", "Kaiser", "Three up: play for 7", "Raise by 1", "Leave it")
        prefer = bold if game == "kaiserspiel" else here_and_there()
        discord.view_as("Ann")
        for _ in range(120):
            text = discord.message("My hand").inner_text()
            if READY[game] in text and text.count("\N{HORIZONTAL ELLIPSIS}\N{NO-BREAK SPACE}") == (
                seats - lying
            ):
                break
            now = discord.now()
            assert now.to_act, "the round was over too soon: try again"
            panel = open_the_hand(discord, now.to_act[0])
            discord.play(panel, prefer)
        else:
            raise AssertionError("there was never anything to see")
        # Seen by somebody who has no own messages below the board.
        discord.table("Dan" if seats == 3 else "Ann")
        take(discord, game)
        discord.close()


def here_and_there() -> Prefer:
    """Now this card, now that one: all first cards would be of one colour."""
    steps = itertools.count(0, 5)
    return lambda labels: labels[next(steps) % len(labels)]


READY: Final[Mapping[str, str]] = {
    "auffalscherfaehrte": "trick 5",
    "sticheln": "trick 5",
    "kaiserspiel": "1 trick",
}
"""What stands on a board that has something to show."""

PICTURES: Final[Mapping[str, Callable[[Browser], None]]] = {
    "aufundab": auf_und_ab,
    "auffalscherfaehrte": lambda browser: tricks(
        browser, "auffalscherfaehrte", "Auf falscher Fährte", 4, 2
    ),
    "sticheln": lambda browser: tricks(browser, "sticheln", "Sticheln", 4, 3),
    "kaiserspiel": lambda browser: tricks(browser, "kaiserspiel", "Kaiserspiel", 4, 2),
}


def take(discord: Discord, name: str) -> None:
    """The box of the newest message that all see, as `<name>.png`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
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
