"""Whole matches of every game through Discord, by every way of playing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.render.custom_ids import Verb
from bot.tables.deals import match_record
from bot.tables.stored import Status
from engine.record import to_text
from engine.registry import games
from engine.verify import verify_text
from tests.discord.ways import (
    Way,
    act_by_command,
    act_by_command_in_dm,
    act_in_channel,
    act_in_dm,
    open_table,
    play_on,
)
from tests.discord.world import World
from tests.lengths import shortest_asked
from tests.nightly import by_day
from tests.tables.outcomes import outcome_of

# The first of each game is played before a change lands: every game once, every way once.
WAYS: dict[str, list[tuple[Way, int, dict[str, Any]]]] = {
    "aufundab": [
        (act_in_channel, 3, {}),
        (act_in_channel, 4, {}),
        (act_by_command, 3, {}),
        (act_in_dm, 3, {}),
        (act_by_command_in_dm, 4, {}),
    ],
    "auffalscherfaehrte": [
        (act_in_dm, 3, {}),
        (act_in_channel, 4, {}),
        (act_in_channel, 3, {"jokers": True}),
        (act_by_command, 3, {"jokers": True}),
    ],
    "kaiserspiel": [
        (act_by_command_in_dm, 4, {"length": 9}),
        (act_by_command_in_dm, 4, {}),
        (act_in_channel, 4, {"length": 9}),
        (act_in_dm, 4, {"length": 9}),
    ],
    "sticheln": [
        (act_by_command, 3, {"length": 2}),
        (act_in_channel, 5, {}),
        (act_in_dm, 3, {}),
    ],
}


def _ways(game: str) -> list[tuple[Way, int, dict[str, Any]]]:
    """Those above; of another game one way, with as few people as can be."""
    return WAYS.get(game, [(act_in_channel, games()[game].info.seats[0], {})])


@pytest.mark.parametrize(
    ("game", "way", "people", "options"),
    [
        case
        for game in games()
        for case in by_day(
            [
                pytest.param(game, way, people, options, id=f"{game}-{way.__name__}-{people}")
                for way, people, options in _ways(game)
            ],
            len(_ways(game)),
        )
    ],
)
@pytest.mark.every_case
async def test_a_whole_match(
    game: str, way: Way, people: int, options: dict[str, Any], w: World
) -> None:
    await open_table(w, people, game, **shortest_asked(game) | options)
    await play_on(w, way, random.Random(people))
    table = await w.table()
    assert table.stored.status is Status.FINISHED
    result = w.board()
    assert result.presses(Verb.REMATCH)
    outcome = outcome_of(table)
    winner = table.stored.seating.beginners[outcome.ranking.index(1)]
    assert winner.name in result.text
    board = await w.ann.slash("leaderboard", game=game)
    assert winner.name in board
    record = match_record(table)
    assert verify_text(to_text(record), 1) == []
    # The message of each round is there still, and the deal depends on it.
    posts = [shuffle.post for shuffle in table.stored.shuffling.shuffles[: table.round]]
    shown = [str(message.id) for message in w.messages(w.channel.id)]
    assert [message for message in shown if message in posts] == posts


def test_every_game_is_played() -> None:
    assert set(WAYS) == set(games())
