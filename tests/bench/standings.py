"""`python -m tests.bench.standings`: leaderboards of a big server, as one JSON line.

One server with 20,000 people and 200,000 matches of four in a real SQLite file.  `rate_s` are the
seconds in which all ratings are counted, `recount_s` those in which everything is counted again.
`page_ms_worst` is the slowest page together with the place of whoever looks: every tenth and the
last one of all leaderboards (each game and all of them, each period, each order), `pages` of them,
after the first press since the start, which makes statements and words ready (`first_press_ms`).
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
from collections.abc import Awaitable, Iterable
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
from bot.render.leaderboard import leaderboard_page
from bot.storage import Database, SqlResults, SqlTableStore, ratings, upgrade
from bot.storage import rows as stored_rows
from bot.storage.schema import matches, results, tables
from bot.storage.standings import recount
from bot.tables.model import Table
from bot.tables.plans import Wish
from bot.tables.ports import Order, Period, orders_of
from bot.tables.service import TableService
from bot.tables.shuffling import Shuffling
from bot.tables.stored import Person, Place, Seating, Status, StoredTable
from bot.views.values import LeaderboardView
from engine.deal import Chain
from engine.registry import games
from tests.bench._figures import percentile
from tests.tables.fakes import Recorder, SeededChance

HERE: Final = GuildId(1)
PAGE: Final = 8
BATCH: Final = 5000
PRESSING: Final = 50
NOW: Final = datetime(2026, 3, 25, 12, tzinfo=UTC)
GAMES: Final = tuple(games())

Which: TypeAlias = tuple[str | None, Period, Order]
"""A leaderboard."""

BOARDS: Final[tuple[Which, ...]] = tuple(
    (game, period, order)
    for game in (None, *GAMES)
    for period in Period
    for order in orders_of(game, period)
)


def _fill(connection: Connection, people: int, first: int, last: int, rng: random.Random) -> None:
    """Matches with these numbers; most are old, some of this month and week."""
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
            | {"number": number}
        )
        for seat, user in enumerate(rng.sample(range(1, people + 1), 4)):
            scored = {"place": seat + 1, "points": rng.randrange(-9, 40)}
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
        for first in range(0, played, BATCH):
            last = min(first + BATCH, played)
            await database.write(partial(_fill, people=people, first=first, last=last, rng=rng))
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
