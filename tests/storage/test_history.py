"""Finished matches to look through: pages without gaps, of one server, for one reader."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.storage.database import Database
from bot.storage.forgetting import forget_person
from bot.storage.history import SqlHistory
from bot.storage.people import SqlPeople
from bot.storage.standings import recount
from bot.storage.tables import SqlTableStore
from bot.tables.ports import PastPage
from bot.tables.preferences import Board
from bot.tables.stored import Person, Status
from tests.storage.values import ANNA, BEN, CARLA, NOW, change, result, stored

HERE, THERE = GuildId(1), GuildId(2)
ROOM, OTHER_ROOM = ChannelId(500), ChannelId(501)
MATCHES: Final = 200
SIZE: Final = 7

Read = Callable[[int], Awaitable[PastPage]]


async def _store(
    database: Database,
    number: int,
    *people: Person,
    guild: GuildId = HERE,
    channel: ChannelId = ROOM,
    private: bool = False,
) -> TableId:
    """Match `number`; three end at the same moment."""
    rows = [(person, place, 9 - place) for place, person in enumerate(people, start=1)]
    ended = NOW + timedelta(minutes=number // 3)
    one = result(f"T{number:03}", *rows, guild=guild, ended=ended)
    table = stored(one.table, channel=channel, status=Status.FINISHED)
    table = replace(table, seating=replace(table.seating, private=private))
    await SqlTableStore(database).commit(change(table, result=one))
    return one.table


async def _listed(read: Read) -> list[TableId]:
    """All matches of a list, page after page, of which all but the last are full."""
    first = await read(0)
    pages = [first, *[await read(number) for number in range(1, first.pages)]]
    assert [page.number for page in pages] == list(range(first.pages))
    assert {len(page.lines) for page in pages[:-1]} <= {SIZE}
    assert (await read(first.pages + 5)).lines == pages[-1].lines, "beyond the end is the last"
    return [line.table for page in pages for line in page.lines]


@pytest.fixture
def history(database: Database) -> SqlHistory:
    return SqlHistory(database)


async def test_where_nobody_has_played_there_is_one_empty_page(history: SqlHistory) -> None:
    for page in (
        await history.own(ANNA.id, HERE, None, 0, SIZE),
        await history.own(ANNA.id, HERE, BEN.id, 3, SIZE),
        await history.shown(ANNA.id, HERE, [ROOM], 0, SIZE),
        await history.shown(ANNA.id, HERE, [], 0, SIZE),
    ):
        assert page == PastPage((), 0, 1)
    assert await history.match(ANNA.id, TableId("T000")) is None
    assert await history.tables_of(ANNA.id) == []


async def test_two_hundred_matches_come_once_each_whatever_the_list(
    database: Database, history: SqlHistory
) -> None:
    """Of two servers and two channels, with private tables, the latest first."""
    own, together, shown, everywhere = [], [], [], []
    for number in range(MATCHES):
        people = (ANNA, CARLA) if number % 5 == 0 else (BEN, ANNA) if number % 2 else (BEN, CARLA)
        guild = THERE if number % 7 == 0 else HERE
        channel, private = (OTHER_ROOM if number % 11 == 0 else ROOM), number % 13 == 0
        table = await _store(
            database, number, *people, guild=guild, channel=channel, private=private
        )
        if ANNA in people:
            everywhere.append(table)
            own += [table] if guild == HERE else []
            together += [table] if guild == HERE and BEN in people else []
        shown += [table] if guild == HERE and channel == ROOM and not private else []

    def mine(other: UserId | None) -> Read:
        return lambda number: history.own(ANNA.id, HERE, other, number, SIZE)

    assert len(own) > 10 * SIZE
    assert await _listed(mine(None)) == own[::-1]
    assert await _listed(mine(BEN.id)) == together[::-1]
    assert await _listed(mine(UserId(99))) == []
    in_room = await _listed(lambda number: history.shown(CARLA.id, HERE, [ROOM], number, SIZE))
    assert in_room == shown[::-1]
    assert await history.tables_of(ANNA.id) == everywhere[::-1]


async def test_a_list_ends_with_the_latest_and_says_that_there_are_more(
    database: Database, history: SqlHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [await _store(database, number, ANNA, BEN) for number in range(4)]
    monkeypatch.setattr("bot.storage.history.MOST_LISTED", 3)
    page = await history.own(ANNA.id, HERE, None, 1, 2)
    assert ([line.table for line in page.lines], page.pages, page.more) == ([made[1]], 2, True)
    monkeypatch.setattr("bot.storage.history.MOST_LISTED", 4)
    page = await history.own(ANNA.id, HERE, None, 1, 2)
    assert ([line.table for line in page.lines], page.more) == ([made[1], made[0]], False)


async def test_who_is_off_the_leaderboards_or_forgotten_is_a_place_to_others(
    database: Database, history: SqlHistory
) -> None:
    table = await _store(database, 1, ANNA, BEN, CARLA)
    off = SqlPeople(database, lambda: NOW)
    await off.change(BEN.id, "en", lambda now: replace(now, board=Board.OFF))
    await database.write(lambda writing: forget_person(writing, CARLA.id))

    async def read(reader: UserId) -> list[tuple[UserId | None, object]]:
        found = await history.match(reader, table)
        assert found is not None
        (line,) = (await history.shown(reader, HERE, [ROOM], 0, SIZE)).lines
        assert line == found
        assert [one.place for one in found.people] == [1, 2, 3]
        return [(one.user, one.name) for one in found.people]

    anna, nobody = (ANNA.id, "Anna"), (None, "")
    assert await read(ANNA.id) == [anna, nobody, nobody]
    assert await read(BEN.id) == [anna, (BEN.id, "Ben"), nobody], "to themselves they are who"
    assert await read(CARLA.id) == [anna, nobody, nobody]
    assert (await history.own(CARLA.id, HERE, None, 0, SIZE)).lines == ()
    assert (await history.own(ANNA.id, HERE, CARLA.id, 0, SIZE)).lines == ()
    assert await history.tables_of(CARLA.id) == []
    assert await database.write(recount) == 0
