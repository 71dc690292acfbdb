"""Operations on a page of the simulated Discord, one after the other, none lost."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

import simcord

SIZE: Final = "configure_presentation"
"""What a page does when it opens, or its window has another size."""


def take_turns(page: simcord.Preview, lock: asyncio.Lock, changed: asyncio.Event) -> None:
    """Lets what is done on the page wait for whatever is going on.

    `changed` is cleared where what a press has changed is published already.
    """
    act = page._action

    async def in_turn(context: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        async with lock:
            if body.get("kind") == SIZE:
                # Of a page that was redrawn meanwhile it would be refused, and never asked again:
                # that of a phone would stay as wide as a desktop's.
                body = {**body, "published_revision": page._get_page(context).revision}
            # What the page says is "in 9 minutes" is counted from here.
            page._advance_presentation_time()
            before = [shown.revision for shown in page._pages.values()]
            result = await act(context, body)
            if before != [shown.revision for shown in page._pages.values()]:
                # What the press changed is published, but not after one that is refused or
                # that the bot does not end in time.
                changed.clear()
            return result

    setattr(page, "_action", in_turn)  # noqa: B010 - a method for this one page; SimCord has no door
