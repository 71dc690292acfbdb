"""What is remembered of people on a server: sums, meetings, and records that fall."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from operator import methodcaller

import pytest
from sqlalchemy import text

from bot.ids import GuildId
from bot.storage.database import Database
from bot.storage.forgetting import forget_person
from bot.storage.history import SqlHistory
from bot.storage.people import SqlPeople
from bot.storage.rivals import SqlMemories
from bot.storage.standings import recount
from bot.storage.tables import SqlTableStore
from bot.tables.preferences import Board
from bot.tables.records import Fallen, RecordKind
from bot.tables.rivals import GameStats
from bot.tables.stored import Person, Result, Status
from tests.storage.values import ANNA, BEN, CARLA, NOW, change, result, stored

HERE, THERE = GuildId(1), GuildId(2)


async def store(database: Database, *played: Result) -> None:
    for one in played:
        ended = stored(one.table, status=Status.FINISHED)
        await SqlTableStore(database).commit(change(ended, result=one))


def played(
    number: int, *rows: tuple[Person, int, int], best: int = 5, plays: int = 40, guild: int = 1
) -> Result:
    """Match `number`, a minute after the one before; the first person has that best round."""
    made = result(f"T{number}", *rows, guild=guild, ended=NOW + timedelta(minutes=number))
    rows_ = tuple(
        row._replace(
            best_round=best if seat == 0 else 0,
            worst_round=-1,
            deficit=0,
            hints=1,
            asked=4,
            in_time=3,
        )
        for seat, row in enumerate(made.rows)
    )
    return made._replace(rows=rows_, plays=plays)


@pytest.fixture
def memories(database: Database) -> SqlMemories:
    return SqlMemories(database)


async def test_nothing_is_remembered_where_nobody_has_played(memories: SqlMemories) -> None:
    assert list(await memories.stats(HERE, ANNA.id)) == []
    assert (await memories.rivalry(HERE, ANNA.id, BEN.id)).matches == 0
    assert list(await memories.records(HERE, ["aufundab"])) == []


async def test_sums_and_meetings_of_one_server(database: Database, memories: SqlMemories) -> None:
    old = result("T1", (ANNA, 1, 9), (BEN, 2, 1), ended=NOW)
    await store(
        database,
        old,
        played(2, (ANNA, 1, 9), (BEN, 2, 1)),
        played(3, (BEN, 1, 9), (ANNA, 1, 9), (CARLA, 3, 0), best=7),
        played(4, (BEN, 1, 9), (ANNA, 2, 1)),
        played(5, (ANNA, 1, 9), (BEN, 2, 1), guild=2, best=99),
    )
    (stats,) = await memories.stats(HERE, ANNA.id)
    assert stats == GameStats("aufundab", 5, -1, 3, 3, 12, 9, 3)
    rivalry = await memories.rivalry(HERE, ANNA.id, BEN.id)
    assert (rivalry.matches, rivalry.ahead, rivalry.behind, rivalry.level) == (4, 2, 1, 1)
    assert [met.points for met in rivalry.last] == [(1, 9), (9, 9), (9, 1), (9, 1)]


async def test_a_record_falls_when_there_is_one_and_stands_with_its_match(
    database: Database, memories: SqlMemories
) -> None:
    await store(database, played(1, (ANNA, 1, 9), (BEN, 2, 1)))
    assert await memories.fallen(played(1).table) == (), "a record needs something to beat"
    await store(database, played(2, (BEN, 1, 9), (ANNA, 2, 1)))
    assert await memories.fallen(played(2).table) == (), "as good is not better"
    await store(database, played(3, (BEN, 1, 9), (ANNA, 2, 1), best=8, plays=41))
    assert await memories.fallen(played(3).table) == (
        Fallen(RecordKind.ROUND, (0,), 8, 5),
        Fallen(RecordKind.LENGTH, (0, 1), 41, 40),
    )
    await store(database, played(4, (CARLA, 1, 9), best=50, guild=2))
    found = {one.kind: one for one in await memories.records(HERE, ["aufundab"])}
    assert (found[RecordKind.ROUND].value, found[RecordKind.ROUND].names) == (8, ("Ben",))
    assert found[RecordKind.LENGTH].names == ("Anna", "Ben")
    assert RecordKind.ROW not in found
    assert await database.write(recount) == 0


async def test_who_is_off_the_leaderboards_or_forgotten_holds_none(
    database: Database, memories: SqlMemories
) -> None:
    await store(
        database,
        played(1, (BEN, 1, 9), (CARLA, 2, 1), best=8),
        played(2, (ANNA, 1, 9), (CARLA, 2, 1), best=6),
    )

    async def holder() -> tuple[str, ...]:
        (found,) = [
            one
            for one in await memories.records(HERE, ["aufundab"])
            if one.kind is RecordKind.ROUND
        ]
        return found.names

    assert await holder() == ("Ben",)
    people = SqlPeople(database)
    await people.change(BEN.id, "en", lambda now: replace(now, board=Board.OFF))
    assert await holder() == ("Anna",)
    shown = (await SqlHistory(database).own(CARLA.id, HERE, None, 0, 5)).lines[1]
    assert [one.name for one in shown.people] == ["", "Carla"]
    await store(database, played(3, (CARLA, 1, 9), best=7))
    assert await memories.fallen(played(3).table) == (Fallen(RecordKind.ROUND, (0,), 7, 6),)
    await database.write(lambda writing: forget_person(writing, CARLA.id))
    assert await holder() == ("Anna",)
    assert await database.write(recount) == 0


async def test_counting_anew_mends_the_bests(database: Database, memories: SqlMemories) -> None:
    await store(database, *(played(n, (ANNA, 1, 9), (BEN, 2, 1)) for n in range(1, 5)))
    before = await memories.records(HERE, ["aufundab"])
    assert {one.kind: one.value for one in before}[RecordKind.ROW] == 4
    for spoilt in ('UPDATE bests SET "by" = "by" - 1', "DELETE FROM bests"):
        await database.write(methodcaller("execute", text(spoilt)))
        assert await database.write(recount) > 0
        assert await database.write(recount) == 0
        assert await memories.records(HERE, ["aufundab"]) == before
