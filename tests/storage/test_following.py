"""Followers of games: who is told of a table, how often, and when a server's role is called."""

from __future__ import annotations

from datetime import timedelta

from bot.ids import GuildId, TableId, UserId
from bot.storage.database import Database
from bot.storage.people import SqlFollowers
from bot.storage.retention import Retention
from bot.storage.servers import SqlServers
from bot.tables.ports import MOST_TOLD_A_DAY, ROLE_PAUSE, TELLING_WINDOW, Followed
from bot.tables.servers import Changed, ServerSettings, Setting
from tests.storage.values import BEN, CARLA, NOW

HERE, THERE = GuildId(1), GuildId(2)


def table(number: int) -> TableId:
    return TableId(f"T{number}")


async def test_followers_of_a_game_on_a_server_and_no_others(database: Database) -> None:
    followers = SqlFollowers(database)
    await followers.follow(BEN.id, HERE, ["sticheln", "aufundab"])
    await followers.follow(CARLA.id, HERE, ["aufundab"])
    await followers.follow(CARLA.id, THERE, ["sticheln"])
    assert await followers.to_tell(HERE, "sticheln", NOW) == [BEN.id]
    assert await followers.to_tell(HERE, "aufundab", NOW) == sorted([BEN.id, CARLA.id])
    assert await followers.followed(CARLA.id, HERE) == Followed(frozenset({"aufundab"}), 1)
    assert await followers.followed(CARLA.id, None) == Followed(frozenset(), 2)
    await followers.follow(BEN.id, HERE, ["kaiserspiel", "aufundab"])
    assert await followers.followed(BEN.id, HERE) == Followed(
        frozenset({"kaiserspiel", "aufundab"}), 0
    )
    await followers.follow(BEN.id, HERE, [])
    assert await followers.followed(BEN.id, HERE) == Followed(frozenset(), 0)


async def test_stopping_one_game_a_server_or_all(database: Database) -> None:
    followers = SqlFollowers(database)
    for guild in (HERE, THERE):
        await followers.follow(BEN.id, guild, ["sticheln", "aufundab"])
        await followers.follow(CARLA.id, guild, ["sticheln"])
    await followers.stop(BEN.id, HERE, "sticheln")
    assert await followers.followed(BEN.id, HERE) == Followed(frozenset({"aufundab"}), 1)
    await followers.stop(BEN.id, HERE)
    assert await followers.followed(BEN.id, HERE) == Followed(frozenset(), 1)
    await followers.stop(BEN.id)
    assert await followers.followed(BEN.id, HERE) == Followed(frozenset(), 0)
    assert await followers.followed(CARLA.id, HERE) == Followed(frozenset({"sticheln"}), 1)


async def test_nobody_is_told_twice_of_a_table_nor_of_too_many_a_day(database: Database) -> None:
    followers = SqlFollowers(database)
    await followers.follow(BEN.id, HERE, ["sticheln"])
    for number in range(MOST_TOLD_A_DAY):
        assert await followers.to_tell(HERE, "sticheln", NOW) == [BEN.id]
        assert await followers.tell(BEN.id, table(number), NOW)
        assert not await followers.tell(BEN.id, table(number), NOW)
    assert await followers.to_tell(HERE, "sticheln", NOW) == []
    assert not await followers.tell(BEN.id, table(9), NOW)
    assert await followers.tell(CARLA.id, table(9), NOW)
    later = NOW + TELLING_WINDOW + timedelta(seconds=1)
    assert await followers.to_tell(HERE, "sticheln", later) == [BEN.id]
    assert await followers.tell(BEN.id, table(9), later)


async def test_a_clock_that_was_ahead_once_silences_nobody_for_long(database: Database) -> None:
    followers = SqlFollowers(database)
    ahead = NOW + timedelta(days=400)
    await followers.follow(BEN.id, HERE, ["sticheln"])
    for number in range(MOST_TOLD_A_DAY):
        await followers.tell(BEN.id, table(number), ahead)
    await SqlServers(database).put(
        HERE, ServerSettings(), Changed(NOW, BEN, Setting.DECK, "standard")
    )
    assert await followers.call_role(HERE, ahead)
    assert await followers.to_tell(HERE, "sticheln", NOW) == [BEN.id]
    assert await followers.call_role(HERE, NOW)


async def test_what_limits_nothing_any_more_is_forgotten(database: Database) -> None:
    followers = SqlFollowers(database)
    await followers.tell(BEN.id, table(0), NOW)
    await followers.tell(BEN.id, table(1), NOW + TELLING_WINDOW / 2)
    await Retention(database, lambda: NOW + TELLING_WINDOW + timedelta(seconds=1)).step()
    assert await followers.tell(BEN.id, table(0), NOW), "as if they had not been told"
    assert not await followers.tell(BEN.id, table(1), NOW)


async def test_a_role_is_called_once_in_a_while_on_each_server(database: Database) -> None:
    followers, servers = SqlFollowers(database), SqlServers(database)
    assert not await followers.call_role(HERE, NOW), "nothing is set there"
    change = Changed(NOW, BEN, Setting.DECK, "large")
    for guild in (HERE, THERE):
        await servers.put(guild, ServerSettings(), change)
    assert await followers.call_role(HERE, NOW)
    assert not await followers.call_role(HERE, NOW + ROLE_PAUSE - timedelta(seconds=1))
    assert await followers.call_role(THERE, NOW)
    await servers.put(HERE, ServerSettings("large"), change)
    assert not await followers.call_role(HERE, NOW), "another setting brings no call back"
    assert await followers.call_role(HERE, NOW + ROLE_PAUSE)


async def test_many_users_are_found_in_the_order_of_their_ids(database: Database) -> None:
    followers = SqlFollowers(database)
    for number in (3, 1, 2):
        await followers.follow(UserId(number), HERE, ["sticheln"])
    assert await followers.to_tell(HERE, "sticheln", NOW) == [1, 2, 3]
