"""What the panel of a person's preferences shows; and what is stored of a person."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from bot.ids import UserId
from bot.paging import paged
from bot.tables.ports import NOTHING_FOLLOWED, PersonalCounts
from bot.tables.ports import Followed as Followed
from bot.tables.preferences import CHOICES, Preferences
from bot.tables.preferences import Quiet as Quiet
from bot.views.planned import Clock


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


# What is stored of one person.

Sentence: TypeAlias = tuple[str, Mapping[str, object]]
"""Code of a sentence, and what stands in it."""


def told(counts: PersonalCounts) -> Sequence[Sentence]:
    """The sentences about what there is, most important first; none about what there is not."""
    counted: Sequence[tuple[str, int, Mapping[str, object]]] = (
        ("mydata.matches", counts.matches, {"servers": counts.servers}),
        ("mydata.tables", counts.tables, {}),
        ("mydata.open_tables", counts.open_tables, {}),
        ("mydata.plans", counts.plans, {}),
        ("mydata.lessons", counts.lessons, {}),
        ("mydata.blocked", counts.blocked, {}),
        ("mydata.follows", counts.follows, {}),
        ("mydata.changes", counts.changes, {}),
    )
    found: list[Sentence] = [
        (code, {"count": count, **more}) for code, count, more in counted if count
    ]
    if counts.locale is not None:
        found.append(("mydata.locale", {"locale": counts.locale}))
    if counts.zone is not None:
        found.append(("mydata.zone", {"zone": counts.zone}))
    return found
