"""Emoji of cards in the simulated Discord, which keeps no pictures of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from bot.emojis import know_emojis
from bot.operate.emojis import pictures

ADDRESS: Final = "https://cdn.simcord.invalid/emojis/{}.png"
"""Where a page would look for an emoji; it is served by the page's own server instead."""

Assets: TypeAlias = Mapping[str, tuple[str, bytes]]
"""Name and content of files, by the address that stands for them."""


class Emojis:
    """All emoji of ours, drawn while the demo starts; the first page waits for them.

    To be made before SimCord runs, so that it does not wait for the drawing.
    """

    def __init__(self) -> None:
        self._drawing = asyncio.create_task(pictures())
        self._ids: Mapping[str, int] = {}
        self._assets: Assets = {}

    async def assets(self, create: Callable[[str], int]) -> Assets:
        """The pictures for a page.  `create` makes an emoji of that name, and returns its id."""
        drawn = await self._drawing
        if not self._ids:
            self._ids = ids = {name: create(name) for name in drawn}
            know_emojis(ids)
            self._assets = {
                ADDRESS.format(ids[name]): (f"{name}.png", png) for name, png in drawn.items()
            }
        return self._assets

    def forget(self) -> None:
        """The demo is over."""
        self._drawing.cancel()
