"""Views of finished matches that people look through."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ids import UserId
from bot.tables.history import MOST_LISTED as MOST_LISTED
from bot.tables.history import Past as Past
from bot.tables.history import PastPage
from bot.tables.history import Placed as Placed
from bot.views.listing import Whose


@dataclass(frozen=True, slots=True)
class HistoryView:
    """One page of a list of finished matches."""

    whose: Whose
    page: PastPage
    on_server: bool
    """Whether the reader is on a server; else these are their matches alone."""
    other: UserId | None = None
    """With whom the reader played them; None: with anybody."""
    name: str = ""
    """What that person is called."""
