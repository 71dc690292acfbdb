"""The small Discord of a test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.discord.watch import Watchman
from tests.discord.world import World, world


@pytest.fixture
async def w(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """Ann, Ben and Cat on a server with our bot; others come when they are named.

    `@pytest.mark.deals(seed)` fixes what is dealt, and with `@pytest.mark.pictures` hands and
    boards are pictures.
    """
    deals = request.node.get_closest_marker("deals")
    pictures = request.node.get_closest_marker("pictures") is not None
    seed = None if deals is None else deals.args[0]
    async with world(tmp_path, seed=seed, pictures=pictures) as made:
        yield made


@pytest.fixture
def watch(w: World) -> Iterator[Watchman]:
    """Reads all that the program sends from now on."""
    made = Watchman(w)
    yield made
    made.knowledge.close()
