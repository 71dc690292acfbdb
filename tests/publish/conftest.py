"""What tests of the publisher begin with."""

from __future__ import annotations

import pytest

from tests.publish.stage import Stage


@pytest.fixture
def stage() -> Stage:
    """A publisher between fakes; what it remembers is stored at once."""
    return Stage()
