"""View of a server's settings, for whoever manages it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bot.tables.servers import Changed as Changed
from bot.tables.servers import ServerSettings
from bot.tables.servers import Setting as Setting

LINES = 10
"""Changes on a page of the log."""


class Subject(StrEnum):
    """Pages of the panel, in order."""

    LOOK = "look"
    WHERE = "where"
    LEADERBOARD = "leaderboard"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class SettingsView:
    """What holds on a server."""

    settings: ServerSettings
    there: frozenset[int] = frozenset()
    """The chosen channels and roles that are not deleted."""
    changes: tuple[Changed, ...] = ()
    """The changes of `page`, newest first."""
    page: int = 0
    pages: int = 1
