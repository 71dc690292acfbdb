"""Ratings: stored with every result, and counted again to the last bit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.engine import Connection

from bot.ids import GuildId, UserId
from bot.storage.database import Database
from bot.storage.forgetting import forget_person
from bot.storage.results import MOST_OF_A_COURSE, SqlResults
from bot.storage.schema import matches, ratings
from bot.storage.schema import results as played_rows
from bot.storage.standings import recount
from bot.storage.tables import SqlTableStore
from bot.tables.ports import Order, Period
from bot.tables.ratings import NEWCOMER, Rating
from bot.tables.stored import Person, Result, Status
from tests.storage.conftest import Blank
from tests.storage.values import ANNA, BEN, CARLA, NOW, change, result, stored

HERE, THERE = GuildId(1), GuildId(2)
DORA = Person(UserId(14), "Dora")
DAY = timedelta(days=1)


async def _play(database: Database, *played: Result) -> None:
    store = SqlTableStore(database)
    for one in played:
        ended = stored(one.table, status=Status.FINISHED)
        await store.commit(change(ended, result=one))


def _everything(reading: Connection) -> list[Sequence[object]]:
    """All that is stored of ratings."""
    rows = select(played_rows.c.table_id, played_rows.c.seat, played_rows.c.mu, played_rows.c.sigma)
    return [
        *reading.execute(rows.order_by("table_id", "seat")),
        *reading.execute(select(ratings).order_by("guild_id", "game", "user_id")),
    ]


def _erase(connection: Connection) -> None:
    """Leave nothing of ratings."""
    for statement in (
        "DELETE FROM ratings",
        "UPDATE results SET mu = NULL, sigma = NULL",
        "UPDATE standings SET by_rating = 0",
    ):
        connection.execute(text(statement))


async def _counted_anew_it_is_the_same(database: Database) -> None:
    before = await database.read(_everything)
    assert await database.write(recount) == 0
    assert await database.read(_everything) == before
    await database.write(_erase)
    await database.write(recount)
    assert await database.read(_everything) == before


async def _board(database: Database, guild: GuildId = HERE) -> list[tuple[str, Rating | None]]:
    page = await SqlResults(database).page(
        guild, "aufundab", Period.ALL, NOW, 0, 1000, Order.RATING
    )
    return [(line.name, line.rating) for line in page.lines]


async def test_without_a_match_there_is_no_rating(database: Database) -> None:
    assert await _board(database) == []
    assert await SqlResults(database).courses(HERE, ANNA.id) == {}
    await _counted_anew_it_is_the_same(database)


async def test_one_match_rates_everybody_in_it_once(database: Database) -> None:
    await _play(database, result("T1", (ANNA, 2, 3), (BEN, 1, 8), (CARLA, 3, 0)))
    board = await _board(database)
    assert [name for name, _ in board] == ["Ben", "Anna", "Carla"]
    for name, rating in board:
        assert rating is not None, name
        assert (rating.matches, rating.provisional) == (1, True)
        assert rating.sigma < NEWCOMER.sigma
    courses = await SqlResults(database).courses(HERE, BEN.id)
    best = board[0][1]
    assert best is not None
    assert courses == {"aufundab": [0.0, best.shown]}
    await _counted_anew_it_is_the_same(database)


async def test_two_servers_and_two_games_do_not_mix(database: Database) -> None:
    await _play(
        database,
        result("T1", (ANNA, 1, 3), (BEN, 2, 1)),
        result("T2", (ANNA, 2, 3), (BEN, 1, 8), guild=2),
        result("T3", (BEN, 1, 8), (ANNA, 2, 1), game="sticheln"),
    )
    assert [name for name, _ in await _board(database)] == ["Anna", "Ben"]
    assert [name for name, _ in await _board(database, THERE)] == ["Ben", "Anna"]
    assert {rating.matches for _, rating in await _board(database) if rating} == {1}
    await _counted_anew_it_is_the_same(database)


async def test_a_match_that_ended_earlier_and_is_stored_later_is_rated_later(
    database: Database,
) -> None:
    first = result("T2", (ANNA, 1, 3), (BEN, 2, 1), (CARLA, 3, 0))
    late = result("T1", (CARLA, 1, 3), (ANNA, 2, 1), ended=NOW - DAY)
    await _play(database, first, late)
    numbers = await database.read(
        lambda reading: reading.execute(
            select(matches.c.table_id, matches.c.number).order_by(matches.c.number)
        ).all()
    )
    assert [tuple(row) for row in numbers] == [("T2", 1), ("T1", 2)]
    await _counted_anew_it_is_the_same(database)


async def test_whoever_is_forgotten_leaves_the_ratings_of_others_as_they_are(
    database: Database,
) -> None:
    await _play(
        database,
        result("T1", (ANNA, 1, 3), (BEN, 2, 1), (CARLA, 3, 0)),
        result("T2", (BEN, 1, 3), (ANNA, 2, 1)),
    )
    board = await _board(database)
    alias = await database.write(lambda writing: forget_person(writing, ANNA.id))
    assert alias < 0
    assert await _board(database) == [line for line in board if line[0] != "Anna"]
    # At a match that they left before, they are somebody now.
    somebody = Person(alias, "somebody")
    await _play(database, result("T3", (somebody, 1, 3), (BEN, 2, 1)))
    assert [name for name, _ in await _board(database)] == ["Ben", "Carla"]
    await _counted_anew_it_is_the_same(database)
    # Who comes back begins anew.
    await _play(database, result("T4", (ANNA, 1, 3), (BEN, 2, 1)))
    assert {name: rating.matches for name, rating in await _board(database) if rating} == {
        "Anna": 1, "Ben": 4, "Carla": 1,
    }  # fmt: skip
    await _counted_anew_it_is_the_same(database)


async def test_of_a_long_course_the_latest_part_is_shown(database: Database) -> None:
    played = [
        result(f"T{number}", (ANNA, 1, 3), (BEN, 2, 1)) for number in range(MOST_OF_A_COURSE + 3)
    ]
    await _play(database, *played)
    courses = await SqlResults(database).courses(HERE, ANNA.id)
    ((_, latest),) = await _board_of_anna(database)
    assert len(courses["aufundab"]) == MOST_OF_A_COURSE
    assert courses["aufundab"][-1] == latest


async def _board_of_anna(database: Database) -> list[tuple[str, float]]:
    return [(name, one.shown) for name, one in await _board(database) if one and name == "Anna"]


people = st.sampled_from((ANNA, BEN, CARLA, DORA))
rows = st.lists(
    st.tuples(people, st.integers(1, 4), st.booleans()),
    min_size=1,
    max_size=4,
    unique_by=lambda row: row[0],
)
played_matches = st.lists(
    st.tuples(
        rows,
        st.sampled_from(["aufundab", "kaiserspiel"]),
        st.sampled_from([HERE, THERE]),
        st.integers(-40, 0),
        st.booleans(),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(played=played_matches)
async def test_counting_anew_agrees_to_the_last_bit(
    blank: Blank,
    played: list[tuple[list[tuple[Person, int, bool]], str, GuildId, int, bool]],
) -> None:
    """With pairs, shared places, people for whom a match does not count, and late results."""
    database = await blank()
    for number, (people, game, guild, days, forgets) in enumerate(played):
        scored = [(person, place, 0) for person, place, _ in people]
        one = result(f"T{number}", *scored, game=game, guild=guild, ended=NOW + days * DAY)
        counts = [counts for *_, counts in people]
        marked = zip(one.rows, counts, strict=True)
        await _play(database, one._replace(rows=tuple(r._replace(counts=c) for r, c in marked)))
        if forgets and number == len(played) // 2:
            await database.write(_forget_anna)
    await _counted_anew_it_is_the_same(database)


def _forget_anna(connection: Connection) -> None:
    forget_person(connection, ANNA.id)
