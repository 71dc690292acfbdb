"""Tables in memory, and their log lines as the tests read them."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any

import pytest
from structlog.testing import capture_logs

from tests.tables.fakes import House

Logged = Sequence[MutableMapping[str, Any]]
"""Lines with their parameters, in the order in which they were written."""


@pytest.fixture
def logged() -> Iterator[Logged]:
    with capture_logs() as lines:
        yield lines


@pytest.fixture
def house() -> House:
    return House()
