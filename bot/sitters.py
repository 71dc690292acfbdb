"""Names of those who sit at a table: a person, or a numbered computer player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.players.levels import Level


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer player at a table; it has no name but what each language calls it."""

    number: int
    """From 1, in the order of the seats: what tells it from the others at its table."""
    level: Level


Called: TypeAlias = str | Computer
"""A person's own name, or a computer player."""
