"""What the panel of a person's preferences shows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from bot.ids import UserId
from bot.paging import paged
from bot.tables.following import NOTHING_FOLLOWED
from bot.tables.following import Followed as Followed
from bot.tables.preferences import CHOICES, Preferences
from bot.tables.quiet import Quiet as Quiet
from bot.views.zones import Clock


class Subject(StrEnum):
    """A page of the panel."""

    CARDS = "cards"
    PLAYING = "playing"
    CALLS = "called"
    PEOPLE = "people"


MENUS: Final[Mapping[Subject, tuple[str, ...]]] = {
    Subject.CARDS: (),
    Subject.PLAYING: ("confirm",),
    Subject.CALLS: ("hand", "calls"),
    Subject.PEOPLE: ("board",),
}
"""The choices on each page, by name."""


LISTED: Final = 6
"""People on a page of a list."""


class Menu(NamedTuple):
    """One preference, and all that may be chosen for it."""

    name: str
    chosen: str
    offered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PreferencesView:
    """One page of the panel."""

    subject: Subject
    deck: str
    language: str
    """Empty: that of their Discord."""
    tips: bool
    quiet: Quiet | None
    menus: tuple[Menu, ...]
    never: tuple[UserId, ...] = ()
    """One page of the people with whom they never want to play."""
    number: int = 0
    """Number of that page, from 0."""
    pages: int = 1
    games: tuple[str, ...] = ()
    """All games of whose tables they can be told on this server; none in a direct message."""
    followed: Followed = NOTHING_FOLLOWED
    zone: str | None = None
    """Their time zone, and those that they can choose."""
    clocks: tuple[Clock, ...] = ()
    typed: tuple[str, ...] = ()
    """What they typed in the form for quiet hours, if it was refused."""


def preferences_view(
    subject: Subject,
    chosen: Preferences,
    never: Collection[UserId] = (),
    number: int = 0,
    games: Collection[str] = (),
    followed: Followed = NOTHING_FOLLOWED,
) -> PreferencesView:
    """`never`: with whom the person never wants to play, of which page `number` is shown, or the
    nearest that there is."""
    menus = (Menu(name, getattr(chosen, name), CHOICES[name]) for name in MENUS[subject])
    shown, number, pages = paged(sorted(never), number, LISTED)
    return PreferencesView(
        subject,
        chosen.deck,
        chosen.language,
        chosen.tips,
        chosen.quiet,
        tuple(menus),
        tuple(shown),
        number,
        pages,
        tuple(games),
        followed,
    )


def subject_of(name: str) -> Subject:
    """The page where that preference is chosen."""
    return next(subject for subject, names in MENUS.items() if name in names)
