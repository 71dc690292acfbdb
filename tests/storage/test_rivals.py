"""What is remembered of people on a server: sums, meetings, and records that fall."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from operator import methodcaller

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.engine import Connection

from bot.ids import GuildId
from bot.storage import bests
from bot.storage.bests import SqlMemories
from bot.storage.database import Database
from bot.storage.forgetting import forget_person
from bot.storage.history import SqlHistory
from bot.storage.people import SqlPeople
from bot.storage.schema import bests as best_rows
from bot.storage.standings import recount
from bot.storage.tables import SqlTableStore
from bot.tables.preferences import Board
from bot.tables.rivals import LAST, Fallen, GameStats, RecordKind
from bot.tables.stored import Person, Result, Status
from tests.storage.conftest import Blank
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


async def test_sums_of_two_hundred_matches_and_the_latest_of_them(
    database: Database, memories: SqlMemories
) -> None:
    """Ben wins every third of the first 150, and every seventh is elsewhere."""
    made = [
        played(
            number,
            *((BEN, 1, 9) if number % 3 == 0 and number < 150 else (ANNA, 1, number),),
            (CARLA, 2, 0) if number >= 150 else (ANNA if number % 3 == 0 else BEN, 2, 1),
            best=number,
            guild=2 if number % 7 == 0 else 1,
        )
        for number in range(200)
    ]
    await store(database, *made)
    here = [one for one in made if one.guild == HERE]
    both = [one for one in here if {row.user for row in one.rows} == {ANNA.id, BEN.id}]
    rivalry = await memories.rivalry(HERE, BEN.id, ANNA.id)
    won = sum(one.rows[0].user == BEN.id for one in both)
    assert (rivalry.matches, rivalry.ahead, rivalry.behind) == (len(both), won, len(both) - won)
    assert [met.ended for met in rivalry.last] == [one.ended for one in both[: -LAST - 1 : -1]]
    (stats,) = await memories.stats(HERE, ANNA.id)
    won_in_a_row = groupby(one.rows[0].user for one in here)
    row = max(len(list(same)) for user, same in won_in_a_row if user == ANNA.id)
    assert stats == GameStats(
        "aufundab", 199, -1, row, len(here), 4 * len(here), 3 * len(here), len(here)
    )
    found = {one.kind: one for one in await memories.records(HERE, ["aufundab"])}
    assert (found[RecordKind.ROUND].value, found[RecordKind.ROUND].names) == (199, ("Anna",))
    assert (found[RecordKind.ROW].value, found[RecordKind.ROW].names) == (row, ("Anna",))
    assert await database.write(recount) == 0


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
    people = SqlPeople(database, lambda: NOW)
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


def _all_bests(reading: Connection) -> list[tuple[object, ...]]:
    order = [column.name for column in best_rows.primary_key]
    return [tuple(row) for row in reading.execute(select(best_rows).order_by(*order))]


PEOPLE = (ANNA, BEN, CARLA)

played_matches = st.lists(
    st.tuples(
        st.lists(
            st.tuples(
                st.sampled_from(PEOPLE),
                st.integers(1, 2),
                st.one_of(st.none(), st.integers(-2, 2)),
                st.sampled_from([True, True, True, False]),
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda row: row[0],
        ),
        st.sampled_from(["aufundab", "sticheln"]),
        st.sampled_from([HERE, HERE, HERE, THERE]),
        # Mostly one after the other; some are stored late, or end when another does.
        st.sampled_from([0, 0, -1, -3]),
        st.one_of(st.none(), st.integers(1, 3)),
        st.sampled_from(["", "", "", "", "off", "forget"]),
    ),
    min_size=2,
    max_size=12,
)


@pytest.mark.slow
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(played=played_matches)
async def test_counted_match_by_match_the_bests_are_those_of_a_recount(
    blank: Blank,
    played: list[
        tuple[list[tuple[Person, int, int | None, bool]], str, GuildId, int, int | None, str]
    ],
) -> None:
    """With late ends, and people for whom a match does not count, who are off, or forgotten."""
    database = await blank()
    for number, (rows, game, guild, late, plays, then) in enumerate(played):
        made = result(
            f"T{number:02}",
            *((person, place, 0) for person, place, *_ in rows),
            game=game,
            guild=guild,
            ended=NOW + timedelta(minutes=number + late),
        )
        filled = tuple(
            row._replace(best_round=best, deficit=best and abs(best), counts=counts)
            for row, (*_, best, counts) in zip(made.rows, rows, strict=True)
        )
        await store(database, made._replace(rows=filled, plays=plays))
        if then == "forget":
            await database.write(_forget_anna)
        elif then == "off":
            await SqlPeople(database, lambda: NOW).change(
                BEN.id, "en", lambda now: replace(now, board=Board.OFF)
            )
    before = await database.read(_all_bests)
    assert await database.write(bests.recount) == 0
    await database.write(methodcaller("execute", best_rows.delete()))
    await database.write(bests.recount)
    assert await database.read(_all_bests) == before


def _forget_anna(connection: Connection) -> None:
    forget_person(connection, ANNA.id)
