"""Makes the README's pictures: `python -m tests.browser.pictures` writes `data/docs/`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.browser.driver import ROOT, Discord, chromium, demo
from tests.browser.test_demo import open_a_table, play_in_the_channel

FOLDER = ROOT / "data" / "docs"


def main() -> None:
    """Play until somebody has several ways to beat a set; then take board and hand."""
    with (
        chromium() as browser,
        tempfile.TemporaryDirectory() as folder,
        demo(Path(folder)) as running,
    ):
        discord = Discord(browser, running.address, width=700, scale=2)
        open_a_table(discord)
        for _ in range(40):
            name = discord.to_act()
            assert name is not None, "the match was over too soon: try again"
            discord.messages_of(name)
            panel = discord.page.locator("[data-message-id]").last
            offered = discord.offered(panel)
            if offered.passes and 3 <= len(offered.acts) <= 8:
                break
            discord.table(name)
            play_in_the_channel(discord, name)
        take(discord, "hand")
        discord.table("Dan")
        take(discord, "board")
        discord.close()


def take(discord: Discord, name: str) -> None:
    """The newest message's box, as `<name>.png`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    box = discord.page.locator(".component-container").last
    box.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
