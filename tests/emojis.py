"""All emoji as they are to be, drawn once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.emojis import DECKS
from bot.operate.emojis import drawn, keys


@cache
def pictures() -> Mapping[str, bytes]:
    """The picture of each by its name."""
    return dict([drawn(deck, key) for deck in DECKS for key in keys()])
