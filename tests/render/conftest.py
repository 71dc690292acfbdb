"""What every game is looked at with."""

from __future__ import annotations

import pytest

from tests.render import matches

TABLES = {str(table): table for table in matches.tables()}


@pytest.fixture(params=TABLES)
def table(request: pytest.FixtureRequest) -> matches.Table:
    """Every game with every number of seats and every switch."""
    return TABLES[request.param]
