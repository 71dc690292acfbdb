"""Leaderboards: sums, order, shared places, periods and names."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from itertools import product
from operator import methodcaller

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text

from bot.ids import Computer, GuildId, UserId
from bot.storage.database import Database
from bot.storage.people import SqlPeople
from bot.storage.results import SqlResults
from bot.storage.schema import matches
from bot.storage.schema import results as played_rows
from bot.storage.standings import recount
from bot.storage.tables import SqlTableStore
from bot.tables.ports import LeaderLine, LeaderPage, LeaderPlace, Order, Period, orders_of
from bot.tables.preferences import Board
from bot.tables.ratings import NEWCOMER, Rating, rated
from bot.tables.stored import ComputerRow, Person, Result, ResultRow, Status
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
    order: Order = Order.WINS,
) -> list[LeaderLine]:
    """The whole leaderboard, which is the same on pages of any size."""
    whole = await results.page(guild, game, period, now, 0, 1000, order)
    assert (whole.number, whole.pages) == (0, 1)
    for size in (1, 2, 3):
        first = await results.page(guild, game, period, now, 0, size, order)
        pages = [
            await results.page(guild, game, period, now, number, size, order)
            for number in range(first.pages)
        ]
        assert [line for page in pages for line in page.lines] == list(whole.lines)
        assert [page.number for page in pages] == list(range(max(1, -(-len(whole.lines) // size))))
    for above, line in enumerate(whole.lines):
        place = await results.place(guild, game, period, now, line.user, order)
        near = whole.lines[max(above - 1, 0) : above + 2]
        assert place == LeaderPlace(line.place, above, near)
    return list(whole.lines)


async def test_nobody_has_played(results: SqlResults) -> None:
    assert await board_of(results, "aufundab") == []
    assert await board_of(results, None) == []
    assert await results.player(HERE, ANNA.id) == []
    assert await results.place(HERE, None, Period.ALL, NOW, ANNA.id) is None
    assert await results.page(HERE, None, Period.ALL, NOW, 7, 8) == LeaderPage((), 0, 1)


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


async def test_whoever_wants_to_stand_on_none_does_not_and_the_others_move_up(
    database: Database, results: SqlResults
) -> None:
    await _play(database, result("T1", (ANNA, 1, 9), (BEN, 2, 5), (CARLA, 3, 1), rounds=1))
    people = SqlPeople(database, lambda: NOW)

    async def choose(board: Board) -> None:
        await people.change(BEN.id, "da", lambda now: replace(now, board=board))

    await choose(Board.OFF)
    board = await board_of(results, "aufundab")
    assert [(line.place, line.name) for line in board] == [(1, "Anna"), (2, "Carla")]
    assert await results.place(HERE, "aufundab", Period.ALL, NOW, BEN.id) is None
    ((_, line),) = await results.player(HERE, BEN.id)
    assert (line.matches, line.points) == (1, 5), "counted all the same"
    assert await database.write(recount) == 0
    await choose(Board.ON)
    assert [line.name for line in await board_of(results, None)] == ["Anna", "Ben", "Carla"]


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
    found = await results.player(HERE, ANNA.id)
    assert [(game, line._replace(rating=None)) for game, line in found] == [
        ("aufundab", LeaderLine(1, ANNA.id, "Anna", matches=1, wins=1, points=9, rounds=3)),
        ("sticheln", LeaderLine(2, ANNA.id, "Anna", matches=1, wins=0, points=3, rounds=4)),
    ]
    assert [(game, line.place) for game, line in await results.player(HERE, CARLA.id)] == [
        ("aufundab", 1),
        ("kaiserspiel", 1),
    ]
    assert await results.player(HERE, UserId(999)) == []


def _uncounted(one: Result, *people: Person) -> tuple[ResultRow, ...]:
    """Its rows, of which those of `people` do not count."""
    them = {person.id for person in people}
    return tuple(row._replace(counts=row.user not in them) for row in one.rows)


async def test_a_match_counts_for_those_for_whom_it_is_said_to(
    database: Database, results: SqlResults
) -> None:
    """Where hints and computer players count, and where hints keep whoever took one off it."""
    easy = (ComputerRow(Computer(1, Level.EASY), 2, 3, 0),)
    first = result("T1", (ANNA, 1, 30), (BEN, 2, 10))._replace(computers=easy)
    second = result("T2", (ANNA, 1, 30), (BEN, 2, 10))
    await _play(database, first, second._replace(rows=_uncounted(second, ANNA)))
    for game in (None, "aufundab"):
        found = await board_of(results, game)
        assert [(line.name, line.matches, line.wins) for line in found] == [
            ("Anna", 1, 1),
            ("Ben", 2, 0),
        ]
    assert await results.with_computers(HERE, ANNA.id) == []
    assert await database.write(recount) == 0


async def test_a_match_with_computer_players_is_kept_and_counts_nowhere(
    database: Database, results: SqlResults
) -> None:
    apart = result("T1", (ANNA, 1, 30), (BEN, 3, 10))
    easy, strong = Computer(1, Level.EASY), Computer(2, Level.STRONG)
    rows = (ComputerRow(easy, 2, 2, 12), ComputerRow(strong, 3, 4, -1))
    apart = apart._replace(computers=rows, rows=_uncounted(apart, ANNA, BEN))
    await _play(database, apart, result("T2", (BEN, 1, 5), (ANNA, 2, 1)))
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
    assert await results.with_computers(HERE, ANNA.id) == [("aufundab", Level.STRONG, 1, 1)]
    assert await results.with_computers(HERE, BEN.id) == [("aufundab", Level.STRONG, 1, 0)]
    assert await results.with_computers(THERE, ANNA.id) == []
    people = await database.read(
        lambda reading: reading.execute(select(played_rows.c.name).order_by("seat")).all()
    )
    assert sorted(row.name for row in people) == ["Anna", "Anna", "Ben", "Ben"]


async def test_a_match_for_fun_is_kept_and_counts_nowhere(
    database: Database, results: SqlResults
) -> None:
    fun = result("T1", (ANNA, 1, 30), (BEN, 2, 10))
    fun = fun._replace(rows=_uncounted(fun, ANNA, BEN))
    await _play(database, fun, result("T2", (BEN, 1, 5), (ANNA, 2, 1)))
    for game in GAMES:
        assert [(line.name, line.matches) for line in await board_of(results, game)] == [
            ("Ben", 1),
            ("Anna", 1),
        ]
    assert await database.write(recount) == 0
    assert await results.with_computers(HERE, ANNA.id) == []
    kept = await database.read(
        lambda reading: reading.execute(select(played_rows.c.table_id).order_by("table_id")).all()
    )
    assert [row.table_id for row in kept] == ["T1", "T1", "T2", "T2"]


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
        "INSERT INTO standings VALUES (1, 99, 'all', 'sticheln', 1, 1, 1, 0, 0.0, 0.0)",
        "UPDATE standings SET by_rating = 1 WHERE user_id = 11",
        "UPDATE ratings SET mu = mu + 1 WHERE user_id = 11",
        "INSERT INTO ratings VALUES (3, 'sticheln', 99, 25.0, 8.0, 1)",
        "UPDATE results SET sigma = NULL WHERE user_id = 12",
    ):
        await database.write(methodcaller("execute", text(spoilt)))
        assert await database.write(recount) > 0
        assert await database.write(recount) == 0
        after = [await board_of(results, game, period) for game in GAMES for period in Period]
        assert after == before


users = st.sampled_from((ANNA, BEN, CARLA, DORA))
played = st.lists(
    st.tuples(
        st.lists(
            st.tuples(users, st.integers(1, 2), st.integers(-4, 4)),
            min_size=1,
            max_size=4,
            unique_by=lambda row: row[0],
        ),
        st.integers(0, 3),
        st.sampled_from(["aufundab", "sticheln"]),
        st.sampled_from([HERE, THERE]),
        st.integers(-40, 0),
    ),
    max_size=8,
)


@pytest.mark.slow
@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(matches=played)
async def test_the_database_ranks_as_one_would_by_hand(
    blank: Blank, matches: list[tuple[list[tuple[Person, int, int]], int, str, GuildId, int]]
) -> None:
    all_played = [
        result(f"T{number}", *rows, rounds=rounds, game=game, guild=guild, ended=NOW + days * DAY)
        for number, (rows, rounds, game, guild, days) in enumerate(matches)
    ]
    database = await blank()
    await _play(database, *all_played)
    results = SqlResults(database)
    for guild, game, period in product((HERE, THERE), GAMES, Period):
        there = [one for one in all_played if one.guild == guild]
        for order in orders_of(game, period):
            board = await board_of(results, game, period, guild, order=order)
            assert board == _by_hand(there, game, period, order)
    assert await database.write(recount) == 0


def _begin(period: Period) -> datetime:
    midnight = NOW.replace(hour=0, minute=0, second=0, microsecond=0)
    match period:
        case Period.ALL:
            return midnight - 999 * DAY
        case Period.SEASON:
            return midnight.replace(month=1, day=1)
        case Period.MONTH:
            return midnight.replace(day=1)
        case Period.WEEK:
            return midnight - DAY * midnight.weekday()


def _by_hand(
    played: list[Result], game: str | None, period: Period, order: Order
) -> list[LeaderLine]:
    lines = []
    known: dict[UserId, Rating] = {}
    for one in played:
        if one.game == game:
            known |= rated(one.rows, (), known)
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
                    known.get(person.id, NEWCOMER) if game and period is Period.ALL else None,
                )
            )

    def merit(line: LeaderLine) -> tuple[float | Fraction, ...]:
        rate = Fraction(line.points, line.rounds) if game and line.rounds else Fraction(0)
        match order:
            case Order.RATING:
                assert line.rating is not None
                return (-line.rating.shown,)
            case Order.WINS:
                return -line.wins, -rate, line.matches
            case Order.RATE:
                return -rate, -line.wins, line.matches

    ranked = [
        line._replace(place=1 + sum(merit(other) < merit(line) for other in lines))
        for line in lines
    ]
    return sorted(ranked, key=lambda line: (line.place, line.user))
