"""What the panel of a person's preferences shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from bot.tables.preferences import CHOICES, Preferences


class Subject(StrEnum):
    """A page of the panel."""

    CARDS = "cards"
    PLAYING = "playing"


MENUS: Final[Mapping[Subject, tuple[str, ...]]] = {
    Subject.CARDS: (),
    Subject.PLAYING: ("hand", "confirm"),
}
"""The choices on each page, by name."""


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
    tips: bool
    menus: tuple[Menu, ...]


def preferences_view(subject: Subject, chosen: Preferences) -> PreferencesView:
    menus = (Menu(name, getattr(chosen, name), CHOICES[name]) for name in MENUS[subject])
    return PreferencesView(subject, chosen.deck, chosen.tips, tuple(menus))


def subject_of(name: str) -> Subject:
    """The page where that preference is chosen."""
    return next(subject for subject, names in MENUS.items() if name in names)
