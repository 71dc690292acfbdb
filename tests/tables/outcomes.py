"""The outcome of a match that was played to its end, and the shuffle of its last deal."""

from __future__ import annotations

from bot.tables.model import Table
from bot.tables.phase import Over
from bot.tables.stored import Shuffle
from engine.game import Outcome


def outcome_of(table: Table) -> Outcome:
    """Outcome of a match that its rules ended; any other fails the test."""
    assert isinstance(table.phase, Over)
    assert table.phase.outcome is not None
    return table.phase.outcome


def shuffled(table: Table) -> Shuffle:
    """The shuffle of the round dealt last; a table without one fails the test."""
    assert table.dealt is not None
    return table.dealt
