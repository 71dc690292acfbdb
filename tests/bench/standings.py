"""`python -m tests.bench.standings`: what a big server remembers, as one JSON line.

One server with 20,000 people and 200,000 matches of four in a real SQLite file.  `rate_s` are the
seconds in which all ratings are counted, `recount_s` those in which everything is counted again.
`page_ms_worst` is the slowest page together with the place of whoever looks: every tenth and the
last one of all leaderboards (each game and all of them, each period, each order), `pages` of them,
after the first press since the start, which makes statements and words ready (`first_press_ms`).
Two people have begun 5,000 of the matches together.  `history_ms`, `together_ms`, `server_ms` (own
matches, those with somebody, the server's), `stats_ms`, `against_ms`, `records_ms` and
`course_ms` are the slowest such page, read and drawn, of a hundred people; with `eager` before it,
that of those two.  `result_ms` is the median of storing a result of theirs (a durable commit).
Then people play at some tables, as fast as these can, undisturbed and while 50 others press the
leaderboard at once, wait for their answer, look at it for a second and press again; a press is read
and drawn as a message.
`ratio` is the p99 of a play (rules and durable commit) with them over that without, the median of
some turns of both.  Targets: 20 ms, and 2 ×.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, TypeAlias

import typer
from sqlalchemy import insert
from sqlalchemy.engine import Connection

from bot.i18n import texts
from bot.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.render.history import LINES, history_page
from bot.render.leaderboard import leaderboard_page
from bot.render.stats import records_page, rivals_page, stats_page
from bot.storage import Database, SqlResults, SqlTableStore, ratings, upgrade
from bot.storage import rows as stored_rows
from bot.storage.bests import SqlMemories
from bot.storage.history import SqlHistory
from bot.storage.schema import matches, results, tables
from bot.storage.standings import recount
from bot.tables.model import Table
from bot.tables.plans import Wish
from bot.tables.ports import Order, Period, orders_of
from bot.tables.service import TableService
from bot.tables.stored import Person, Place, Seating, Shuffling, Status, StoredTable
from bot.views.listing import HistoryView, Whose
from bot.views.values import LeaderboardView, RivalsView, StatsView
from engine.deal import Chain
from engine.registry import games
from tests.bench._figures import percentile
from tests.storage.values import change, result, stored
from tests.tables.fakes import Recorder, SeededChance

HERE: Final = GuildId(1)
PAGE: Final = 8
BATCH: Final = 5000
PRESSING: Final = 50
NOW: Final = datetime(2026, 3, 25, 12, tzinfo=UTC)
GAMES: Final = tuple(games())
CHANNELS: Final = tuple(map(ChannelId, range(1, 21)))
EAGER: Final = Person(UserId(10**8), "Eager")
RIVAL: Final = Person(UserId(10**8 + 1), "Rival")
TOGETHER: Final = 5000
"""Matches that these two have begun together."""

Which: TypeAlias = tuple[str | None, Period, Order]
"""A leaderboard."""

BOARDS: Final[tuple[Which, ...]] = tuple(
    (game, period, order)
    for game in (None, *GAMES)
    for period in Period
    for order in orders_of(game, period)
)


def _fill(
    connection: Connection,
    people: int,
    first: int,
    last: int,
    rng: random.Random,
    every: int,
) -> None:
    """Matches with these numbers; most are old, some of this month and week.

    At `every` so many of them those two play.
    """
    made: dict[str, list[dict[str, Any]]] = {"tables": [], "matches": [], "results": []}
    for number in range(first, last):
        table = TableId(f"M{number}")
        ended = NOW - timedelta(minutes=rng.randrange(60 * 24 * 200))
        game = rng.choice(GAMES)
        host = UserId(1)
        blank = StoredTable(
            table,
            HERE,
            ChannelId(number),
            game,
            1,
            {},
            ended,
            host,
            Seating((Place(),), host),
            Shuffling(Chain(bytes(32))),
        )
        made["tables"].append({**stored_rows.columns(blank), "status": Status.FINISHED.value})
        made["matches"].append(
            {"table_id": table, "guild_id": HERE, "game": game, "rounds": 4, "ended": ended}
            | {"number": number, "plays": 100, "channel_id": rng.choice(CHANNELS)}
        )
        users = rng.sample(range(1, people + 1), 4)
        if number % every == 0:
            users[:2] = rng.sample((EAGER.id, RIVAL.id), 2)
        for seat, user in enumerate(users):
            scored = {"place": seat + 1, "points": rng.randrange(-9, 40)}
            scored |= {"best_round": rng.randrange(30), "worst_round": -3, "deficit": 2}
            scored |= {"hints": 1, "asked": 9, "in_time": 8}
            named = {"user_id": user, "name": f"Person {user}"}
            made["results"].append({"table_id": table, "seat": seat, **named, **scored})
    for sql_table in (tables, matches, results):
        connection.execute(insert(sql_table), made[sql_table.name])


async def _press(board: SqlResults, which: Which, page: int, user: int) -> int:
    """What a press costs without Discord: the page, the place of whoever looks, the message."""
    game, period, order = which
    mine = await board.place(HERE, game, period, NOW, UserId(user), order)
    found = await board.page(HERE, game, period, NOW, page, PAGE, order)
    view = LeaderboardView(
        period,
        game,
        GAMES,
        found.number,
        found.pages,
        found.lines,
        None if mine is None else mine.place,
        order=order,
        near=() if mine is None else mine.near,
    )
    leaderboard_page(view, texts("en"))
    return found.pages


async def _pages(board: SqlResults, people: int, rng: random.Random) -> list[float]:
    """Milliseconds of every page there is."""
    took = []
    for which in BOARDS:
        pages, number = 1, 0
        while number < pages:
            begun = perf_counter()
            pages = await _press(board, which, number, rng.randrange(people) + 1)
            took.append((perf_counter() - begun) * 1000)
            number = number + 10 if number >= pages - 1 else min(number + 10, pages - 1)
    return took


Look: TypeAlias = Callable[[UserId, UserId], Awaitable[object]]
"""A person looks at a page, perhaps at one about somebody else too."""


def _looks(database: Database) -> Mapping[str, Look]:
    """All other pages, read and drawn."""
    history, memories, board = SqlHistory(database), SqlMemories(database), SqlResults(database)
    english = texts("en")

    async def own(user: UserId, _: UserId) -> None:
        page = await history.own(user, HERE, None, 0, LINES)
        history_page(HistoryView(Whose.MINE, page, on_server=True), english)

    async def together(user: UserId, other: UserId) -> None:
        page = await history.own(user, HERE, other, 0, LINES)
        history_page(HistoryView(Whose.MINE, page, True, other, "Somebody"), english)

    async def server(user: UserId, _: UserId) -> None:
        page = await history.shown(user, HERE, CHANNELS, 0, LINES)
        history_page(HistoryView(Whose.HERE, page, on_server=True), english)

    async def stats(user: UserId, _: UserId) -> None:
        lines = await board.player(HERE, user)
        computers = await board.with_computers(HERE, user)
        courses = await board.courses(HERE, user)
        more = await memories.stats(HERE, user)
        view = StatsView("Somebody", tuple(lines), tuple(computers), courses, tuple(more))
        stats_page(view, english)

    async def against(user: UserId, other: UserId) -> None:
        rivalry = await memories.rivalry(HERE, user, other)
        rivals_page(RivalsView(("One", "Other"), rivalry), english)

    async def records(_: UserId, __: UserId) -> None:
        records_page(await memories.records(HERE, GAMES), english)

    async def course(user: UserId, _: UserId) -> None:
        await board.courses(HERE, user)

    every = (own, together, server, stats, against, records, course)
    return {"history" if look is own else look.__name__: look for look in every}


async def _memories(database: Database, people: int, rng: random.Random) -> dict[str, float]:
    """The slowest of every other page, and how long a result takes."""
    found = {}
    some = [rng.sample(range(1, people + 1), 2) for _ in range(100)]
    two = [(EAGER.id, RIVAL.id), (RIVAL.id, EAGER.id)]
    for name, look in _looks(database).items():
        await look(*two[0])  # makes statements and words ready
        for whose, users in ((name, some), (f"eager_{name}", two)):
            took = []
            for one, other in users:
                begun = perf_counter()
                await look(UserId(one), UserId(other))
                took.append((perf_counter() - begun) * 1000)
            found[f"{whose}_ms"] = round(max(took), 2)
    store, took = SqlTableStore(database), []
    for number in range(20):
        ended = NOW + timedelta(minutes=number)
        new = result(f"R{number}", (EAGER, 1, 9), (RIVAL, 2, 1), game=GAMES[0], ended=ended)
        begun = perf_counter()
        await store.commit(change(stored(new.table, status=Status.FINISHED), result=new))
        took.append((perf_counter() - begun) * 1000)
    return found | {"result_ms": round(statistics.median(took), 2)}


async def _opened(service: TableService, number: int) -> Table:
    """The long match of three in this channel; a new one if none is being played."""
    for open_table in await service.tables_in(channel=ChannelId(10**9 + number)):
        return await service.table(open_table)
    sitting = [Person(UserId(10**9 + 10 * number + seat), f"P{seat}") for seat in range(3)]
    table = await service.open(
        Wish("aufundab", 3, {"hands": 12}),
        GuildId(1000 + number),
        ChannelId(10**9 + number),
        sitting[0],
    )
    for person in sitting[1:]:
        table = await service.sit(table.id, person)
    return await service.start(table.id, sitting[0].id)


async def _play(service: TableService, channel: int, end: float, rng: random.Random) -> list[float]:
    """Plays until `end` (by the loop's clock), match after match; seconds of each play."""
    took = []
    table = await _opened(service, channel)
    while asyncio.get_running_loop().time() < end:
        if not table.stored.status.is_open:
            table = await _opened(service, channel)
        elif not table.actors:
            if not table.stored.shuffling.closed:
                for person in table.stored.seating.people:
                    table = await service.ready(table.id, person.id, None)
            table = await service.posted(
                table.id, len(table.stored.shuffling.shuffles) - 1, MessageId(1)
            )
        else:
            seat = table.actors[0]
            asked = table.stored.seating.places[seat].person
            assert asked is not None
            text = rng.choice(list(table.legal_texts(seat)))
            begun = perf_counter()
            table = await service.act(table.id, None, asked.id, text, None)
            took.append(perf_counter() - begun)
            await asyncio.sleep(rng.random() * 0.1)
    return took


async def _look(board: SqlResults, end: float, people: int, rng: random.Random) -> list[float]:
    """Presses until `end`; seconds of each press."""
    took = []
    while asyncio.get_running_loop().time() < end:
        begun = perf_counter()
        await _press(board, rng.choice(BOARDS), rng.randrange(300), rng.randrange(people) + 1)
        took.append(perf_counter() - begun)
        await asyncio.sleep(1)
    return took


async def _turn(
    service: TableService,
    looking: Iterable[Awaitable[list[float]]],
    playing: list[Awaitable[list[float]]],
) -> tuple[list[float], list[float]]:
    """Times of plays and of presses."""
    presses = asyncio.gather(*looking)
    plays = await asyncio.gather(*playing)
    return [one for some in plays for one in some], [x for some in await presses for x in some]


async def measure(
    people: int, played: int, at_once: int, seconds: float, turns: int, seed: int
) -> dict[str, float]:
    rng = random.Random(seed)
    with TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{Path(folder) / 'bench.sqlite3'}"
        await upgrade(url)
        database = await Database.open(url)
        fill = partial(_fill, people=people, rng=rng, every=max(1, played // TOGETHER))
        for first in range(0, played, BATCH):
            last = min(first + BATCH, played)
            await database.write(partial(fill, first=first, last=last))
        begun = perf_counter()
        await database.write(ratings.recount)
        rated = perf_counter() - begun
        begun = perf_counter()
        await database.write(recount)
        counted = perf_counter() - begun
        board = SqlResults(database)
        begun = perf_counter()
        await _press(board, BOARDS[0], 0, 1)
        first_press = perf_counter() - begun
        took = await _pages(board, people, rng)
        remembered = await _memories(database, people, rng)
        service = TableService(
            SqlTableStore(database),
            clock=lambda: datetime.now(UTC),
            chance=SeededChance(seed),
            announcer=Recorder(),
            games=games(),
        )
        alone: list[float] = []
        among: list[float] = []
        presses: list[float] = []
        for _ in range(turns):
            for looking in (0, PRESSING):
                end = asyncio.get_running_loop().time() + seconds
                plays, pressed = await _turn(
                    service,
                    [_look(board, end, people, rng) for _ in range(looking)],
                    [_play(service, number, end, rng) for number in range(at_once)],
                )
                (among if looking else alone).append(percentile(plays, 99) * 1000)
                presses += pressed
        await service.aclose()
        await database.close()
    return {
        "rate_s": round(rated, 1),
        "recount_s": round(counted, 1),
        "first_press_ms": round(first_press * 1000, 2),
        "page_ms_p50": round(statistics.median(took), 2),
        "page_ms_worst": round(max(took), 2),
        "pages": len(took),
        **remembered,
        "play_p99_ms": round(statistics.median(alone), 2),
        "play_p99_ms_pressed": round(statistics.median(among), 2),
        "ratio": round(statistics.median(among) / statistics.median(alone), 2),
        "press_ms_p50": round(statistics.median(presses) * 1000, 2),
        "presses": len(presses),
    }


def main(
    people: int = 20_000,
    matches: int = 200_000,
    tables: int = 20,
    seconds: float = 10,
    turns: int = 3,
    seed: int = 1,
) -> None:
    found = asyncio.run(measure(people, matches, tables, seconds, turns, seed))
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    typer.run(main)
