"""View of a server's settings, for whoever manages it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.tables.servers import Changed as Changed
from bot.tables.servers import ServerSettings, fitting
from bot.tables.servers import Setting as Setting
from bot.tables.servers import Usual as Usual
from engine.game import AnyGame
from engine.options import worth_saying

LINES: Final = 10
"""Changes on a page of the log."""


class Subject(StrEnum):
    """Pages of the panel, in order."""

    LOOK = "look"
    WHERE = "where"
    CALLS = "calls"
    USUAL = "usual"
    LEADERBOARD = "leaderboard"
    LOG = "log"


@dataclass(frozen=True, slots=True)
class SettingsView:
    """What holds on a server."""

    settings: ServerSettings
    usual: tuple[tuple[str, Usual], ...] = ()
    """All games, and their usual tables as far as the games still know them."""
    there: frozenset[int] = frozenset()
    """The chosen channels and roles that are not deleted."""
    changes: tuple[Changed, ...] = ()
    """The changes of `page`, newest first."""
    page: int = 0
    pages: int = 1
    rings: bool = True
    """Whether calling the chosen role reaches its people."""
    posts: bool = True
    """Whether the program may write in the channel for results."""


def usual_view(game: AnyGame, usual: Usual) -> Usual:
    """A usual table as people are told of it: what the game still knows, and is worth saying."""
    known = fitting(game, usual)
    seats = known.seats or game.info.seats[-1]
    given = game.complete_options(seats, known.given)
    return replace(known, seats=seats, given=worth_saying(game.info, seats, given))
