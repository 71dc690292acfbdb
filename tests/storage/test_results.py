"""Leaderboards: sums, order, shared places, periods and names."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.ids import GuildId, UserId
from bot.storage.database import Database
from bot.storage.results import SqlResults
from bot.storage.tables import SqlTableStore
from bot.tables.ports import Standing
from bot.tables.stored import Person, Result, Status
from tests.storage.conftest import Blank
from tests.storage.values import ANNA, BEN, CARLA, NOW, change, result, stored

HERE, THERE = GuildId(1), GuildId(2)
DORA = Person(UserId(14), "Dora")


@pytest.fixture
def results(database: Database) -> SqlResults:
    return SqlResults(database)


async def _play(database: Database, *played: Result) -> None:
    store = SqlTableStore(database)
    for one in played:
        ended = stored(one.table, status=Status.FINISHED)
        await store.commit(change(ended, result=one))


async def test_nobody_has_played(results: SqlResults) -> None:
    assert await results.leaderboard(HERE, "aufundab", None) == []
    assert await results.leaderboard(HERE, None, None) == []
    assert await results.player(HERE, ANNA.id) == []


async def test_sums_over_the_matches(database: Database, results: SqlResults) -> None:
    await _play(
        database,
        result("T1", (ANNA, 1, 30), (BEN, 2, 10), rounds=4),
        result("T2", (BEN, 1, 12), (ANNA, 2, -5), rounds=6),
        result("T3", (ANNA, 1, 8), (BEN, 1, 8), rounds=1),
    )
    assert await results.leaderboard(HERE, "aufundab", None) == [
        Standing(1, ANNA.id, "Anna", matches=3, wins=2, points=33, rounds=11),
        Standing(2, BEN.id, "Ben", matches=3, wins=2, points=30, rounds=11),
    ]


async def test_wins_then_points_per_round_then_fewer_matches(
    database: Database, results: SqlResults
) -> None:
    await _play(
        database,
        # Dora wins twice with few points; Anna and Ben once with 2 and 3 points a round.
        result("T1", (DORA, 1, 0), rounds=9),
        result("T2", (DORA, 1, 0), rounds=9),
        result("T3", (ANNA, 1, 8), rounds=4),
        result("T4", (BEN, 1, 3), rounds=1),
        # Carla has Anna's wins and points per round, with one match more.
        result("T5", (CARLA, 1, 4), rounds=2),
        result("T6", (CARLA, 2, 2), rounds=1),
    )
    board = await results.leaderboard(HERE, "aufundab", None)
    assert [(line.place, line.name) for line in board] == [
        (1, "Dora"),
        (2, "Ben"),
        (3, "Anna"),
        (4, "Carla"),
    ]


async def test_equal_in_everything_is_a_shared_place(
    database: Database, results: SqlResults
) -> None:
    await _play(
        database,
        result("T1", (DORA, 1, 9), rounds=1),
        # 2/3 and 4/6 points per round are the same, however they add up.
        result("T2", (CARLA, 1, 2), rounds=3),
        result("T3", (BEN, 1, 4), rounds=6),
        result("T4", (ANNA, 2, 9), rounds=1),
    )
    board = await results.leaderboard(HERE, "aufundab", None)
    assert [(line.place, line.name) for line in board] == [
        (1, "Dora"),
        (2, "Ben"),
        (2, "Carla"),
        (4, "Anna"),
    ]


async def test_negative_and_missing_points(database: Database, results: SqlResults) -> None:
    await _play(
        database,
        result("T1", (ANNA, 2, -3), rounds=2),
        result("T2", (BEN, 2, -1), rounds=2),
        result("T3", (CARLA, 2, 7), rounds=0),
    )
    board = await results.leaderboard(HERE, "aufundab", None)
    assert [line.name for line in board] == ["Carla", "Ben", "Anna"]
    assert [line.points_per_round for line in board] == [0.0, -0.5, -1.5]


async def test_over_all_games_points_do_not_count(database: Database, results: SqlResults) -> None:
    await _play(
        database,
        result("T1", (ANNA, 1, 1), (BEN, 2, 0)),
        result("T2", (BEN, 1, 500), game="sticheln"),
        result("T3", (CARLA, 1, 300), game="sticheln"),
        result("T4", (DORA, 1, 2), game="aufundab"),
    )
    board = await results.leaderboard(HERE, None, None)
    assert [(line.place, line.name, line.matches) for line in board] == [
        (1, "Anna", 1),
        (1, "Carla", 1),
        (1, "Dora", 1),
        (4, "Ben", 2),
    ]
    assert board[3] == Standing(4, BEN.id, "Ben", matches=2, wins=1, points=500, rounds=8)


async def test_each_game_and_each_server_for_itself(
    database: Database, results: SqlResults
) -> None:
    await _play(
        database,
        result("T1", (ANNA, 1, 1)),
        result("T2", (BEN, 1, 1), game="sticheln"),
        result("T3", (CARLA, 1, 1), guild=2),
    )
    assert [line.name for line in await results.leaderboard(HERE, "aufundab", None)] == ["Anna"]
    assert [line.name for line in await results.leaderboard(HERE, None, None)] == [
        "Anna",
        "Ben",
    ]
    assert [line.name for line in await results.leaderboard(THERE, None, None)] == ["Carla"]
    assert await results.player(THERE, ANNA.id) == []


async def test_a_period_begins_with_the_very_moment(
    database: Database, results: SqlResults
) -> None:
    monday = NOW.replace(day=3, hour=0, minute=0, second=0, microsecond=0)
    assert monday.isoweekday() == 1
    instant = timedelta(microseconds=1)
    await _play(
        database,
        result("T1", (ANNA, 1, 5), (BEN, 2, 1), ended=monday - instant),
        result("T2", (BEN, 1, 6), (CARLA, 2, 3), ended=monday),
        result("T3", (CARLA, 1, 9), ended=monday + instant),
    )
    assert await results.leaderboard(HERE, "aufundab", monday) == [
        Standing(1, BEN.id, "Ben", matches=1, wins=1, points=6, rounds=4),
        Standing(2, CARLA.id, "Carla", matches=2, wins=1, points=12, rounds=8),
    ]
    assert [line.name for line in await results.leaderboard(HERE, None, monday + instant)] == [
        "Carla"
    ]
    assert await results.leaderboard(HERE, None, monday + 2 * instant) == []
    assert len(await results.leaderboard(HERE, None, None)) == 3


async def test_the_latest_name_at_the_server(database: Database, results: SqlResults) -> None:
    day = timedelta(days=1)
    await _play(
        database,
        result("T1", (Person(UserId(11), "Anna B."), 1, 5), game="sticheln", ended=NOW),
        result("T2", (Person(UserId(11), "Anna"), 1, 5), ended=NOW - day),
        result("T3", (Person(UserId(11), "Elsewhere"), 1, 5), guild=2, ended=NOW + day),
    )
    assert [line.name for line in await results.leaderboard(HERE, "aufundab", None)] == ["Anna B."]
    assert [line.name for line in await results.leaderboard(THERE, None, None)] == ["Elsewhere"]
    assert [standing.name for _, standing in await results.player(HERE, UserId(11))] == [
        "Anna B."
    ] * 2


async def test_a_player_has_their_place_in_every_game(
    database: Database, results: SqlResults
) -> None:
    await _play(
        database,
        result("T1", (ANNA, 2, 3), (BEN, 1, 8), game="sticheln"),
        result("T2", (ANNA, 1, 9), (BEN, 2, 1), rounds=3),
        result("T3", (CARLA, 1, 9), rounds=3),
        result("T4", (CARLA, 1, 9), game="kaiserspiel"),
    )
    assert await results.player(HERE, ANNA.id) == [
        ("aufundab", Standing(1, ANNA.id, "Anna", matches=1, wins=1, points=9, rounds=3)),
        ("sticheln", Standing(2, ANNA.id, "Anna", matches=1, wins=0, points=3, rounds=4)),
    ]
    assert [(game, line.place) for game, line in await results.player(HERE, CARLA.id)] == [
        ("aufundab", 1),
        ("kaiserspiel", 1),
    ]
    assert await results.player(HERE, UserId(999)) == []


users = st.sampled_from((ANNA, BEN, CARLA, DORA))
played = st.lists(
    st.tuples(
        st.lists(
            st.tuples(users, st.integers(1, 2), st.integers(-4, 4)),
            min_size=1,
            max_size=4,
            unique_by=lambda row: row[0],
        ),
        st.integers(1, 3),
        st.sampled_from(["aufundab", "sticheln"]),
        st.integers(-2, 2),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(matches=played)
async def test_the_database_ranks_as_one_would_by_hand(
    blank: Blank, matches: list[tuple[list[tuple[Person, int, int]], int, str, int]]
) -> None:
    number = count()
    all_played = [
        result(
            f"T{next(number)}", *rows, rounds=rounds, game=game, ended=NOW + timedelta(days=days)
        )
        for rows, rounds, game, days in matches
    ]
    database = await blank()
    await _play(database, *all_played)
    results = SqlResults(database)
    for game in ("aufundab", None):
        for since in (NOW, None):
            board = await results.leaderboard(HERE, game, since)
            assert board == _by_hand(all_played, game, since)


def _by_hand(played: list[Result], game: str | None, since: object) -> list[Standing]:
    lines = []
    for person in (ANNA, BEN, CARLA, DORA):
        mine = [
            (one, row)
            for one in played
            for row in one.rows
            if row.user == person.id
            and game in (one.game, None)
            and (since is None or one.ended >= NOW)
        ]
        if mine:
            lines.append(
                Standing(
                    0,
                    person.id,
                    person.name,
                    len(mine),
                    sum(row.place == 1 for _, row in mine),
                    sum(row.points for _, row in mine),
                    sum(one.rounds for one, _ in mine),
                )
            )

    def better(a: Standing, b: Standing) -> bool:
        if a.wins != b.wins:
            return a.wins > b.wins
        # Fractions compared crosswise: exact, unlike a quotient.
        left, right = a.points * b.rounds, b.points * a.rounds
        if game is not None and left != right:
            return left > right
        return a.matches < b.matches

    ranked = [
        line._replace(place=1 + sum(better(other, line) for other in lines)) for line in lines
    ]
    return sorted(ranked, key=lambda line: (line.place, line.user))
