"""What was chosen for whole servers, and who changed it."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from bot.ids import ChannelId, GuildId, RoleId
from bot.storage.database import Database
from bot.storage.schema import server_changes, servers
from bot.storage.servers import SqlServers, settings_of
from bot.tables.customs import Counting, Customs
from bot.tables.servers import MAX_CHANGES, Changed, ServerSettings, Setting, Usual
from bot.tables.stored import Pace
from engine.players.levels import Level
from tests.storage.values import ANNA, BEN, NOW

HERE, THERE = GuildId(2**62), GuildId(7)


def deck(name: str, after: int = 0) -> Changed:
    return Changed(NOW + timedelta(minutes=after), ANNA, Setting.DECK, name)


async def test_what_was_chosen_last_is_known_of_each_server(database: Database) -> None:
    stored = SqlServers(database)
    assert await stored.settings(HERE) is None
    for name in ("contrast", "large"):
        await stored.put(HERE, ServerSettings(name), deck(name))
        assert await SqlServers(database).settings(HERE) == ServerSettings(name)
    usual = Usual(
        3, {"n": 4, "on": True, "s": "x"}, Customs(passes=True), Pace.DAILY, (2, Level.STRONG)
    )
    everything = ServerSettings(
        "text",
        Counting(board=False, hints=False, computers=True),
        (ChannelId(2**62), ChannelId(8)),
        (RoleId(2**62),),
        (RoleId(9),),
        {"stub": usual, "other": Usual()},
    )
    await stored.put(THERE, everything, Changed(NOW, BEN, Setting.BOARD, False))
    found = SqlServers(database)
    assert [await found.settings(one) for one in (HERE, THERE)] == [
        ServerSettings("large"),
        everything,
    ]
    assert await found.changes(HERE) == [deck("large"), deck("contrast")]
    assert await found.changes(THERE) == [Changed(NOW, BEN, Setting.BOARD, False)]


async def test_the_last_changes_are_kept(database: Database) -> None:
    stored = SqlServers(database)
    await stored.put(THERE, ServerSettings(), deck("elsewhere"))
    for number in range(MAX_CHANGES + 3):
        await stored.put(HERE, ServerSettings(), deck(str(number), number))
    kept = await stored.changes(HERE)
    assert [one.value for one in kept] == [str(n) for n in range(MAX_CHANGES + 2, 2, -1)]
    assert len(await stored.changes(THERE)) == 1


async def test_a_change_of_a_setting_that_there_is_no_more_is_left_out(database: Database) -> None:
    stored = SqlServers(database)
    await stored.put(HERE, ServerSettings(), deck("large"))
    row = {
        "guild_id": HERE,
        "number": 2,
        "at": NOW,
        "user_id": 1,
        "name": "Ann",
        "setting": "gone",
        "value": "x",
    }
    await database.write(lambda writing: writing.execute(insert(server_changes).values(row)))
    assert await stored.changes(HERE) == [deck("large")]


@pytest.mark.parametrize(
    ("document", "known"),
    [
        ({}, ServerSettings()),
        ({"deck": "large", "of next year": {"a": [1]}}, ServerSettings("large")),
        ({"deck": 7, "counting": {"hints": False}}, ServerSettings(counting=Counting(hints=False))),
        ({"deck": "large", "counting": {"hints": "perhaps"}}, ServerSettings("large")),
        ({"deck": "large", "counting": None}, ServerSettings("large")),
        ({"places": [1, "x"], "openers": [3]}, ServerSettings(openers=(RoleId(3),))),
        (
            {"usual": {"a": {"seats": 3, "pace": "of next year", "given": {"x": [1], "y": 2}}}},
            ServerSettings(usual={"a": Usual(3, {"y": 2})}),
        ),
        (
            {"usual": {"a": {"customs": {"hints": False, "new": 1}, "computers": [2, "divine"]}}},
            ServerSettings(usual={"a": Usual(customs=Customs(hints=False))}),
        ),
        ({"usual": {"a": None, "b": {}}}, ServerSettings(usual={"b": Usual()})),
    ],
)
async def test_what_means_nothing_any_more_has_its_default(
    document: dict[str, object], known: ServerSettings, database: Database
) -> None:
    assert settings_of(json.dumps(document)) == known
    stored = SqlServers(database)
    await stored.put(HERE, ServerSettings("contrast"), deck("contrast"))
    await database.write(
        lambda writing: writing.execute(update(servers).values(document=json.dumps(document)))
    )
    assert await stored.settings(HERE) == known
