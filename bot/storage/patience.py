"""Timeouts for a database that is reached over a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Patience:
    """All in seconds."""

    connect: float = 4.0
    """How long the server may take to let us in."""

    ping: float = 1.0
    """How long a connection that lay idle may take to say that it still stands."""

    statement: float = 4.0
    """How long the server works at one statement."""

    idle: float = 3.0
    """How long the server holds a transaction open in which nothing is asked of it.

    With this and `statement` it gives up what we have given up, and with it what it had locked: so
    late a COMMIT can still arrive of which we do not know, and no later.
    """

    transaction: float = 5.0
    """How long a transaction may take in all, its COMMIT included; then its connection is cut."""

    migration: float = 600.0
    """How long a migration may take in all, waiting for another program's included."""


AT_THE_TABLE: Final = Patience()
"""A player is to have an answer within three seconds, and one more try within ten."""
