"""Ports for programs that must be told one before they listen."""

from __future__ import annotations

import socket
from contextlib import suppress
from random import SystemRandom
from typing import Final

NAMED: Final = range(20_000, 32_000)
"""Ports that are only had by name: whoever takes any, for each connection that is made, is given a
higher one, and would have got the one that a test has just found free."""


def free_port() -> int:
    """One that nobody has."""
    for port in SystemRandom().sample(NAMED, 100):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("all ports are taken")
