"""The outcome of a match that was played to its end."""

from __future__ import annotations

from bot.tables.model import Table
from bot.tables.phase import Over
from engine.game import Outcome


def outcome_of(table: Table) -> Outcome:
    """Outcome of a match that its rules ended; any other fails the test."""
    assert isinstance(table.phase, Over)
    assert table.phase.outcome is not None
    return table.phase.outcome
