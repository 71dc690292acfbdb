"""Whole matches through Discord, by every way of playing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.present.ids import Verb
from bot.tables.model import Status
from tests.discord.ways import (
    Way,
    act_by_command,
    act_by_command_in_dm,
    act_in_channel,
    act_in_dm,
    open_table,
    play_on,
)
from tests.discord.world import world


@pytest.mark.parametrize("people", [3, 4])
@pytest.mark.parametrize("way", [act_in_channel, act_by_command, act_in_dm, act_by_command_in_dm])
async def test_a_whole_match(way: Way, people: int, tmp_path: Path) -> None:
    async with world(tmp_path, people) as w:
        await open_table(w, people, length=1)
        await play_on(w, way, random.Random(people))
        table = await w.table()
        assert table.record.status is Status.FINISHED
        result = w.board()
        assert result.presses(Verb.REMATCH)
        outcome = table.outcome
        assert outcome is not None
        winner = table.record.starters[outcome.ranking.index(1)]
        assert winner.name in result.text
        board = await w.ann.slash("leaderboard", game="aufundab")
        assert winner.name in board
