"""Timeouts for a database that is reached over a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Patience:
    """Time limits for PostgreSQL, in seconds."""

    connect: float = 4.0
    """How long the server may take to let us in."""

    ping: float = 1.0
    """For an idle connection to answer that it is still up."""

    statement: float = 4.0
    """How long the server works at one statement."""

    idle: float = 3.0
    """For the server to hold a transaction open without a statement.

    With this and `statement` it gives up transactions that we have given up, and their locks: a
    COMMIT of which we do not know cannot arrive later than that.
    """

    transaction: float = 5.0
    """How long a transaction may take in all, its COMMIT included; then its connection is cut."""

    migration: float = 600.0
    """How long a migration may take in all, waiting for another program's included."""


AT_THE_TABLE: Final = Patience()
"""A player is to have an answer within three seconds, and one more try within ten."""
