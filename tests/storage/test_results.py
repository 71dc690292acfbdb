"""Leaderboards: sums, order, shared places, periods and names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from operator import methodcaller

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.engine import Connection

from bot.ids import GuildId, UserId
from bot.seated import Computer
from bot.storage.database import Database
from bot.storage.lane import WAITING
from bot.storage.results import SqlResults
from bot.storage.schema import matches
from bot.storage.schema import results as played_rows
from bot.storage.standings import recount
from bot.storage.tables import SqlTableStore
from bot.tables.model import TableError
from bot.tables.ports import LeaderLine, LeaderPage, LeaderPlace, Period
from bot.tables.stored import ComputerRow, Person, Result, Status
from engine.players.levels import Level
from tests.storage.conftest import Blank
from tests.storage.values import ANNA, BEN, CARLA, NOW, change, result, stored

HERE, THERE = GuildId(1), GuildId(2)
DORA = Person(UserId(14), "Dora")
DAY = timedelta(days=1)
GAMES = ("aufundab", None)


@pytest.fixture
def results(database: Database) -> SqlResults:
    return SqlResults(database)


async def _play(database: Database, *played: Result) -> None:
    store = SqlTableStore(database)
    for one in played:
        ended = stored(one.table, status=Status.FINISHED)
        await store.commit(change(ended, result=one))


async def board_of(
    results: SqlResults,
    game: str | None,
    period: Period = Period.ALL,
    guild: GuildId = HERE,
    now: datetime = NOW,
) -> list[LeaderLine]:
    """The whole leaderboard, which is the same on pages of any size."""
    whole = await results.page(guild, game, period, now, 0, 1000)
    assert (whole.number, whole.pages) == (0, 1)
    for size in (1, 2, 3):
        first = await results.page(guild, game, period, now, 0, size)
        pages = [
            await results.page(guild, game, period, now, number, size)
            for number in range(first.pages)
        ]
        assert [line for page in pages for line in page.lines] == list(whole.lines)
        assert [page.number for page in pages] == list(range(max(1, -(-len(whole.lines) // size))))
    for above, line in enumerate(whole.lines):
        place = await results.place(guild, game, period, now, line.user)
        assert place == LeaderPlace(line.place, above)
    return list(whole.lines)


async def test_nobody_has_played(results: SqlResults) -> None:
    assert await board_of(results, "aufundab") == []
    assert await board_of(results, None) == []
    assert await results.player(HERE, ANNA.id) == []
    assert await results.place(HERE, None, Period.ALL, NOW, ANNA.id) is None
    assert await results.page(HERE, None, Period.ALL, NOW, 7, 8) == LeaderPage((), 0, 1)


async def test_sums_over_the_matches(database: Database, results: SqlResults) -> None:
    await _play(
        database,
        result("T1", (ANNA, 1, 30), (BEN, 2, 10), rounds=4),
        result("T2", (BEN, 1, 12), (ANNA, 2, -5), rounds=6),
        result("T3", (ANNA, 1, 8), (BEN, 1, 8), rounds=1),
    )
    assert await board_of(results, "aufundab") == [
        LeaderLine(1, ANNA.id, "Anna", matches=3, wins=2, points=33, rounds=11),
        LeaderLine(2, BEN.id, "Ben", matches=3, wins=2, points=30, rounds=11),
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
    board = await board_of(results, "aufundab")
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
    board = await board_of(results, "aufundab")
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
    board = await board_of(results, "aufundab")
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
    board = await board_of(results, None)
    assert [(line.place, line.name, line.matches) for line in board] == [
        (1, "Anna", 1),
        (1, "Carla", 1),
        (1, "Dora", 1),
        (4, "Ben", 2),
    ]
    assert board[3] == LeaderLine(4, BEN.id, "Ben", matches=2, wins=1, points=500, rounds=8)


async def test_each_game_and_each_server_for_itself(
    database: Database, results: SqlResults
) -> None:
    await _play(
        database,
        result("T1", (ANNA, 1, 1)),
        result("T2", (BEN, 1, 1), game="sticheln"),
        result("T3", (CARLA, 1, 1), guild=2),
    )
    assert [line.name for line in await board_of(results, "aufundab")] == ["Anna"]
    assert [line.name for line in await board_of(results, None)] == [
        "Anna",
        "Ben",
    ]
    assert [line.name for line in await board_of(results, None, guild=THERE)] == ["Carla"]
    assert await results.player(THERE, ANNA.id) == []


@pytest.mark.parametrize("hours", [0, 12, 24])
async def test_a_period_begins_with_the_very_moment(
    database: Database, results: SqlResults, hours: int
) -> None:
    """In UTC, whatever the zone in which the end of a match was written."""
    zone = timezone(timedelta(hours=hours - 12))
    monday = datetime(2025, 3, 3, tzinfo=UTC)
    month = datetime(2025, 3, 1, tzinfo=UTC)
    instant = timedelta(microseconds=1)
    await _play(
        database,
        result("T0", (DORA, 1, 5), ended=(month - instant).astimezone(zone)),
        result("T1", (ANNA, 1, 5), (BEN, 2, 1), ended=(monday - instant).astimezone(zone)),
        result("T2", (BEN, 1, 6), (CARLA, 2, 3), ended=monday.astimezone(zone)),
        result("T3", (CARLA, 1, 9), ended=(monday + 7 * DAY - instant).astimezone(zone)),
        result("T4", (ANNA, 1, 9), ended=(monday + 7 * DAY).astimezone(zone)),
    )
    for now in (monday, monday + 7 * DAY - instant):
        assert await board_of(results, "aufundab", Period.WEEK, now=now) == [
            LeaderLine(1, BEN.id, "Ben", matches=1, wins=1, points=6, rounds=4),
            LeaderLine(2, CARLA.id, "Carla", matches=2, wins=1, points=12, rounds=8),
        ]
    names = [line.name for line in await board_of(results, None, Period.MONTH, now=monday)]
    assert names == ["Anna", "Ben", "Carla"]
    names = [line.name for line in await board_of(results, None, Period.WEEK, now=month)]
    assert names == ["Anna", "Dora", "Ben"]
    assert await board_of(results, None, Period.WEEK, now=monday + 14 * DAY) == []
    assert len(await board_of(results, None)) == 4


async def test_the_latest_name_at_the_server(database: Database, results: SqlResults) -> None:
    await _play(
        database,
        result("T1", (Person(UserId(11), "Anna B."), 1, 5), game="sticheln", ended=NOW),
        result("T2", (Person(UserId(11), "Anna"), 1, 5), ended=NOW - DAY),
        result("T3", (Person(UserId(11), "Elsewhere"), 1, 5), guild=2, ended=NOW + DAY),
    )
    assert [line.name for line in await board_of(results, "aufundab")] == ["Anna B."]
    assert [line.name for line in await board_of(results, None, guild=THERE)] == ["Elsewhere"]
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
        ("aufundab", LeaderLine(1, ANNA.id, "Anna", matches=1, wins=1, points=9, rounds=3)),
        ("sticheln", LeaderLine(2, ANNA.id, "Anna", matches=1, wins=0, points=3, rounds=4)),
    ]
    assert [(game, line.place) for game, line in await results.player(HERE, CARLA.id)] == [
        ("aufundab", 1),
        ("kaiserspiel", 1),
    ]
    assert await results.player(HERE, UserId(999)) == []


async def test_a_match_with_computer_players_is_kept_and_counts_nowhere(
    database: Database, results: SqlResults
) -> None:
    apart = result("T1", (ANNA, 1, 30), (BEN, 3, 10))
    easy, strong = Computer(1, Level.EASY), Computer(2, Level.STRONG)
    rows = (ComputerRow(easy, 2, 2, 12), ComputerRow(strong, 3, 4, -1))
    await _play(database, apart._replace(computers=rows), result("T2", (BEN, 1, 5), (ANNA, 2, 1)))
    for game in GAMES:
        assert [(line.name, line.matches) for line in await board_of(results, game)] == [
            ("Ben", 1),
            ("Anna", 1),
        ]
    assert await database.write(recount) == 0
    kept = await database.read(
        lambda reading: reading.execute(
            select(matches.c.table_id, matches.c.computers).order_by(matches.c.table_id)
        ).all()
    )
    assert [tuple(row) for row in kept] == [
        ("T1", [[2, 1, "easy", 2, 12], [3, 2, "strong", 4, -1]]),
        ("T2", None),
    ]
    people = await database.read(
        lambda reading: reading.execute(select(played_rows.c.name).order_by("seat")).all()
    )
    assert sorted(row.name for row in people) == ["Anna", "Anna", "Ben", "Ben"]


async def test_counting_anew_finds_what_is_not_right_and_mends_it(
    database: Database, results: SqlResults
) -> None:
    await _play(
        database,
        result("T1", (ANNA, 2, 3), (BEN, 1, 8), game="sticheln", ended=NOW - 30 * DAY),
        result("T2", (ANNA, 1, 9), (BEN, 2, 1), rounds=3),
        result("T3", (CARLA, 1, -9), rounds=0, guild=2),
    )
    assert await database.write(recount) == 0
    before = [await board_of(results, game, period) for game in GAMES for period in Period]
    for spoilt in (
        "UPDATE standings SET points = points + 1 WHERE user_id = 11",
        "UPDATE players SET name = 'Nobody' WHERE user_id = 12",
        "DELETE FROM standings WHERE period = 'all'",
        "INSERT INTO standings VALUES (1, 99, 'all', 'sticheln', 1, 1, 1, 0, 0.0)",
    ):
        await database.write(methodcaller("execute", text(spoilt)))
        assert await database.write(recount) > 0
        assert await database.write(recount) == 0
        after = [await board_of(results, game, period) for game in GAMES for period in Period]
        assert after == before


async def test_what_is_asked_at_once_is_read_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _play(database, result("T1", (ANNA, 1, 5)))
    looked = 0
    look = Database.look

    async def counted(self: Database, work: Callable[[Connection], object]) -> object:
        nonlocal looked
        looked += 1
        return await look(self, work)

    monkeypatch.setattr(Database, "look", counted)
    results = SqlResults(database)

    async def first_page(number: int = 0) -> LeaderPage:
        return await results.page(HERE, None, Period.ALL, NOW, number, 8)

    first = asyncio.create_task(first_page())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert looked == 1
    pages = await asyncio.gather(*(first_page() for _ in range(50)))
    assert {await first, *pages} == {await first_page()}
    # The second of them could not share what had begun: a result may have come between.
    assert looked == 3
    asked = await asyncio.gather(
        *(first_page(number) for number in range(WAITING + 5)), return_exceptions=True
    )
    assert sum(isinstance(one, TableError) and one.code == "crowded" for one in asked) in (4, 5)
    assert isinstance(await first_page(), LeaderPage)


async def test_nobody_who_goes_takes_the_answer_from_the_others(database: Database) -> None:
    results = SqlResults(database)
    asked = [asyncio.create_task(results.page(HERE, None, Period.ALL, NOW, 0, 8)) for _ in range(3)]
    await asyncio.sleep(0)
    asked[0].cancel()
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert isinstance(done[0], asyncio.CancelledError)
    assert done[1:] == [LeaderPage((), 0, 1)] * 2


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
        st.integers(-40, 0),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
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
        for period in Period:
            board = await board_of(results, game, period)
            assert board == _by_hand(all_played, game, period)
    assert await database.write(recount) == 0


def _begin(period: Period) -> datetime:
    midnight = NOW.replace(hour=0, minute=0, second=0, microsecond=0)
    match period:
        case Period.ALL:
            return midnight - 999 * DAY
        case Period.MONTH:
            return midnight.replace(day=1)
        case Period.WEEK:
            return midnight - DAY * midnight.weekday()


def _by_hand(played: list[Result], game: str | None, period: Period) -> list[LeaderLine]:
    lines = []
    for person in (ANNA, BEN, CARLA, DORA):
        mine = [
            (one, row)
            for one in played
            for row in one.rows
            if row.user == person.id and game in (one.game, None) and one.ended >= _begin(period)
        ]
        if mine:
            lines.append(
                LeaderLine(
                    0,
                    person.id,
                    person.name,
                    len(mine),
                    sum(row.place == 1 for _, row in mine),
                    sum(row.points for _, row in mine),
                    sum(one.rounds for one, _ in mine),
                )
            )

    def better(a: LeaderLine, b: LeaderLine) -> bool:
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
