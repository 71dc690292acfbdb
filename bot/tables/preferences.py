"""`Preferences`: what a person has chosen for all servers; what they have not is as by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias, assert_never


class HandBy(StrEnum):
    """The way to one's hand."""

    LETTER = "letter"
    """By direct message."""
    BUTTON = "button"
    """Only behind *My hand*: a line in the channel calls them."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Choices of a person."""

    deck: str = "standard"
    """Which cards they see."""
    tips: bool = True
    """Whether they want tips at games that are new to them."""
    hand: HandBy = HandBy.LETTER


Choice: TypeAlias = HandBy

CHOICES: Final[Mapping[str, type[Choice]]] = {"hand": HandBy}
"""What is chosen from a menu, by field of `Preferences`."""


def with_choice(before: Preferences, choice: Choice) -> Preferences:
    """`before`, but for this choice."""
    match choice:
        case HandBy():
            return replace(before, hand=choice)
        case _:
            assert_never(choice)
