"""What tests of the publisher begin with."""

from __future__ import annotations

import pytest

from tests.publish.stage import Stage


@pytest.fixture
async def stage() -> Stage:
    """A publisher between fakes; what it remembers is stored at once.  Its tasks need a loop."""
    return Stage()
