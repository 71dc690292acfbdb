"""Thousands of forged interactions: all are answered, and none does or tells what it may not."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Final

import pytest

from engine.registry import games
from tests.discord.forging import Found, forge, planted, scene
from tests.discord.world import world

BY_DAY: Final = 300
AT_NIGHT: Final = 30_000

SEED: Final = int(os.environ.get("STAMMTISCH_FORGED", "1"))
"""`STAMMTISCH_FORGED=7 pytest -m nightly tests/discord/test_forging.py` forges others."""


async def fuzz(folder: Path, count: int, seed: int) -> Found:
    """So many, in worlds of each game in turn."""
    rng, found, number = random.Random(seed), Found(), 0
    while (left := count - sum(found.sent.values())) > 0:
        game = list(games())[number % len(games())]
        place = folder / str(number)
        place.mkdir()
        async with world(place, seed=rng.randrange(10**6)) as w:
            share = min(left, max(60, count // len(games())))
            await forge(await scene(w, game, rng, found), share)
        number += 1
    return found


@pytest.mark.behaviour("Somebody presses what is not theirs")
async def test_some_forged_interactions(tmp_path: Path) -> None:
    found = await fuzz(tmp_path, BY_DAY, SEED)
    assert sum(found.sent.values()) >= BY_DAY
    assert found.read > BY_DAY
    assert found.faults == {}


@pytest.mark.slow
@pytest.mark.nightly
async def test_thirty_thousand_forged_interactions(tmp_path: Path) -> None:
    found = await fuzz(tmp_path, AT_NIGHT, SEED)
    assert sum(found.sent.values()) >= AT_NIGHT
    assert found.faults == {}


async def test_the_watchman_sees_what_would_be_told(tmp_path: Path) -> None:
    async with world(tmp_path, seed=SEED) as w:
        made = await scene(w, "aufundab", random.Random(SEED), Found())
        assert planted(made)
        made.watch.knowledge.close()
