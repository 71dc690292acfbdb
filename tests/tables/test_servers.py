"""Settings of servers in memory: asked for once, changed one after another, forgotten in doubt."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bot.ids import GuildId
from bot.tables.customs import Counting
from bot.tables.ports import Unavailable
from bot.tables.servers import (
    Changed,
    Servers,
    ServerSettings,
    Setting,
    Usual,
    Value,
    shut,
    with_setting,
)
from tests.tables.fakes import ANN, GUILD, FakeClock

THERE = GuildId(GUILD + 1)


class Store:
    """Settings in a dictionary; `broken`: they are stored, and the answer is lost."""

    def __init__(self) -> None:
        self.kept: dict[GuildId, ServerSettings] = {}
        self.log: list[Changed] = []
        self.asked = 0
        self.broken = False

    async def settings(self, guild: GuildId) -> ServerSettings | None:
        self.asked += 1
        await asyncio.sleep(0)
        return self.kept.get(guild)

    async def put(self, guild: GuildId, settings: ServerSettings, change: Changed) -> None:
        await asyncio.sleep(0)
        self.kept[guild] = settings
        self.log.append(change)
        if self.broken:
            raise Unavailable

    async def changes(self, guild: GuildId) -> Sequence[Changed]:
        return self.log[::-1]


async def test_of_a_server_that_is_forgotten_nothing_is_known_not_even_what_is_being_read() -> None:
    store = Store()
    servers = Servers(store, FakeClock())
    await servers.change(GUILD, ANN, Setting.DECK, "large")
    store.kept.clear()
    servers.drop({GUILD})
    assert await servers.settings(GUILD) == ServerSettings()
    store.kept[THERE] = ServerSettings("large")
    reading = asyncio.create_task(servers.settings(THERE))
    await asyncio.sleep(0)
    found = await store.settings(THERE)
    assert found is not None
    del store.kept[THERE]
    servers.drop({THERE})
    await reading
    assert await servers.settings(THERE) == ServerSettings()


async def test_a_server_is_asked_for_once() -> None:
    store = Store()
    servers = Servers(store, FakeClock())
    assert [await servers.settings(GUILD) for _ in range(3)] == [ServerSettings()] * 3
    await servers.change(GUILD, ANN, Setting.DECK, "large")
    assert await servers.settings(GUILD) == ServerSettings("large")
    assert store.asked == 1
    assert await servers.settings(THERE) == ServerSettings()
    assert store.asked == 2


async def test_of_two_changes_at_once_none_is_lost() -> None:
    servers = Servers(Store(), FakeClock())
    await asyncio.gather(
        servers.change(GUILD, ANN, Setting.HINTS, False),
        servers.change(GUILD, ANN, Setting.COMPUTERS, True),
        servers.change(GUILD, ANN, Setting.DECK, "large"),
    )
    assert await servers.settings(GUILD) == ServerSettings(
        "large", Counting(hints=False, computers=True)
    )


async def test_what_holds_already_is_no_change() -> None:
    store = Store()
    servers = Servers(store, FakeClock())
    await servers.change(GUILD, ANN, Setting.BOARD, True)
    assert (store.kept, store.log) == ({}, [])


async def test_a_change_of_which_nobody_knows_whether_it_is_stored_is_looked_up() -> None:
    store = Store()
    servers = Servers(store, FakeClock())
    store.broken = True
    with pytest.raises(Unavailable):
        await servers.change(GUILD, ANN, Setting.DECK, "large")
    assert await servers.settings(GUILD) == ServerSettings("large")
    assert store.asked == 2


def test_each_setting_changes_itself_alone() -> None:
    values: dict[Setting, Value] = {Setting.DECK: "large", Setting.BOARD: False}
    values |= {Setting.HINTS: False, Setting.COMPUTERS: True}
    values |= {Setting.PLACES: (1, 2), Setting.OPENERS: (3,), Setting.SITTERS: (4,)}
    values |= {Setting.CALLED: (5,), Setting.RESULTS: (6,), Setting.LANGUAGE: "de"}
    values |= {Setting.NO_USUAL: "stub"}
    assert {*values, Setting.USUAL} == set(Setting)
    saved = ServerSettings(usual={"stub": Usual(3), "other": Usual(4)})
    changed = [with_setting(saved, one, value) for one, value in values.items()]
    assert all(one not in [saved, *changed[:place]] for place, one in enumerate(changed))
    assert with_setting(changed[0], Setting.DECK, "standard") == saved
    assert changed[-1].usual == {"other": Usual(4)}


async def test_the_usual_table_of_a_game_takes_the_place_of_the_one_before() -> None:
    store = Store()
    servers = Servers(store, FakeClock())
    for seats in (3, 3, 4):
        await servers.save_usual(GUILD, ANN, "stub", Usual(seats))
    await servers.save_usual(GUILD, ANN, "other", Usual())
    assert (await servers.settings(GUILD)).usual == {"stub": Usual(4), "other": Usual()}
    assert [one.value for one in store.log] == ["stub", "stub", "other"]
    await servers.change(GUILD, ANN, Setting.NO_USUAL, "stub")
    assert (await servers.settings(GUILD)).usual == {"other": Usual()}


def test_one_role_of_several_is_enough_and_deleted_ones_count_for_nothing() -> None:
    assert shut((1, 2, 3), there={1, 2}, own={2}) == ()
    assert shut((1, 2, 3), there={1, 2}, own={3}) == (1, 2)
    assert shut((1, 2), there=set(), own=set()) == ()
    assert shut((), there={1}, own=set()) == ()
