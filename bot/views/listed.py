"""View of one line in a list of tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.views.values import TableHead


class Waits(StrEnum):
    """What an open table waits for."""

    YOU = "you"
    """For whoever reads the list."""
    OTHERS = "others"
    PEOPLE = "people"
    """To sit down."""
    READY = "ready"
    """A full table: for everybody to say that they are ready."""
    CARDS = "cards"
    """They are being shuffled."""
    ROUND = "round"
    """For the next round."""
    REST = "rest"
    """It rests because people voted for that."""
    NOBODY = "nobody"
    """Its log cannot be read."""


class Whose(StrEnum):
    """Which tables are listed."""

    MINE = "mine"
    """Where the reader sits, on all servers."""
    HERE = "here"
    """Those of this server that the reader may see."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One table of a list."""

    head: TableHead
    waits: Waits
    seats: tuple[int, ...] = ()
    """Who is asked, if it waits for somebody."""
    until: datetime | None = None
    """How long it waits."""
    seated: bool = False
    """Whether the reader sits there."""
    joins: bool = False
    """Whether they may sit down in the lobby."""
    takes: int | None = None
    """A seat of the running match that they may take."""
    place: str = ""
    """Where it is, as people read it: server and channel, or only the channel; not escaped."""
    url: str = ""
    """The way there."""


@dataclass(frozen=True, slots=True)
class TablesView:
    """One page of a list of tables."""

    whose: Whose
    lines: tuple[Listed, ...]
    page: int = 0
    """From 0."""
    pages: int = 1
    on_server: bool = False
    """Whether the reader is on a server, and so has both lists."""
