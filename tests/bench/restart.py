"""`python -m tests.bench.restart --tables 10000`: a start with many open tables, as JSON.

Half of the tables are lobbies, the others matches of all games in the middle of their logs, with
real deals and actions; all are shown in channels of the tests' Discord.  `stammtisch run` is
started on them, a process of its own, and people press *My hand* at once.

* `ready_s`: from the start of the process until it has logged in at the gateway.
* `first_answer_s`: from the start of the process to the answer to the first press, made the
  moment that Discord could deliver it.
* `answer_after_ready_ms`: from that moment, for the first press at each of `--presses` tables,
  made one after the other: none of them was loaded before.
* `drawn`: tables at whose channels something was posted or edited in the first `--watch`
  seconds.  The program saw all of them as they are before it went away: there is nothing to draw.
* `log_plies`: plies of a match's log, on the average.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import typer

from bot.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.publish.messages import BOARD, Surface
from bot.render.custom_ids import Press, Verb
from bot.storage import Database, SqlSurfaces, SqlTableStore, upgrade
from bot.tables.phase import BetweenRounds
from bot.tables.plans import Wish
from bot.tables.ports import Change
from bot.tables.service import TableService
from bot.tables.stored import Entry, Person, Place, StoredTable
from engine.registry import games
from tests.bench._figures import Times, figure
from tests.discord.world import Shown
from tests.operate.conftest import ROOT, clean_environment
from tests.tables.fakes import Recorder, SeededChance
from tests.wire import sim
from tests.wire.front import Front, Request
from tests.wire.people import Wire

GUILD: Final = 400
"""Channels in a server (Discord: 500)."""

START_TIME: Final = timedelta(minutes=2)
"""More than a start takes."""

PLIES: Final = (3, 15, 40)
"""How far the matches are, by turns: about so many plies."""

START: Final = "import sys; from bot.operate.cli import main; sys.argv[0] = 'stammtisch'; main()"


@dataclass(frozen=True)
class Shelf:
    """What was built: the channels, and a person to press at each of some matches."""

    boards: Sequence[tuple[str, int, int]]
    """Match, channel of its board, and somebody who sits there."""
    plies: float


async def build(url: str, wire: Wire, count: int) -> Shelf:
    """Fills the database with so many open tables, all of them drawn, and Discord with channels."""
    await upgrade(url)
    database = await Database.open(url)
    store, surfaces = SqlTableStore(database), SqlSurfaces(database)
    now = datetime.now(UTC)
    patterns = await _patterns(store, surfaces, now)
    lobby = next(stored for stored, log in patterns if not log)
    matches = [(stored, log) for stored, log in patterns if log]
    guild, boards, plies = 0, list[tuple[str, int, int]](), 0
    for number in range(count):
        if number % GUILD == 0:
            guild = wire.guild()
        channel = wire.channel(guild, f"table-{number}")
        stored, log = matches[number // 2 % len(matches)] if number % 2 else (lobby, ())
        people = wire.join(guild, *"ABCD"[: len(stored.seating.people)]) if log else ()
        users = [UserId(p.id) for p in people]
        users = users or [UserId(10**12 + number * 10 + i) for i in range(6)]
        copied = _copy(stored, f"T{number:05d}", guild, channel, users)
        await store.commit(Change(copied, 0, log, None))
        dealt = sum(entry.is_deal for entry in log)
        where = Surface(*BOARD, ChannelId(channel), MessageId(10**15 + number), now, dealt)
        await surfaces.save({(copied.id, *BOARD): where.row}, {})
        await surfaces.save({}, {copied.id: copied.version})
        plies += len(log)
        if log:
            boards.append((copied.id, channel, copied.seating.people[0].id))
    await database.close()
    return Shelf(boards, plies / max(1, len(boards)))


async def _patterns(
    store: SqlTableStore, surfaces: SqlSurfaces, now: datetime
) -> list[tuple[StoredTable, tuple[Entry, ...]]]:
    """A lobby, and matches of every game that have come so far; they leave no table behind."""
    tables = TableService(
        store, clock=lambda: now, chance=SeededChance(4), announcer=Recorder(), games=games()
    )
    rng, found, channel = random.Random(1), [], 0
    for game, rules in games().items():
        for plies in (0, *PLIES):
            channel += 1
            people = [
                Person(UserId(10**6 + channel * 10 + i), name) for i, name in enumerate("ABCD")
            ]
            people = people[: max(n for n in rules.info.seats if n <= len(people))]
            table = await tables.open(
                Wish(game, len(people), {}), GuildId(1), ChannelId(channel), people[0]
            )
            # A full lobby would start by itself, and so change.
            for person in people[1:] if plies else people[1:2]:
                await tables.sit(table.id, person)
            if plies:
                await tables.start(table.id, people[0].id)
                table = await tables.posted(table.id, 1, MessageId(10**14 + channel))
            while table.actors and len(table.log) <= plies:
                seat = rng.choice(table.actors)
                text = rng.choice(list(table.legal_texts(seat)))
                by = people[seat].id
                table = await tables.act(table.id, None, by, text, None)
            loaded = await store.load(table.id)
            assert loaded is not None
            if not isinstance(table.phase, BetweenRounds):  # else it goes on by itself
                found.append(loaded)
            # Whoever plays there has one vote, whatever their rights.
            table = await tables.end(table.id, UserId(1), moderator=True)
            # Else the start would have their ends to draw.
            await surfaces.save({}, {table.id: table.stored.version})
    return found


def _copy(
    stored: StoredTable, table: str, guild: int, channel: int, users: Sequence[UserId]
) -> StoredTable:
    """The same table elsewhere, with other people."""
    people = dict(zip((person.id for person in stored.seating.people), users, strict=False))

    def moved(person: Person) -> Person:
        return Person(people[person.id], person.name)

    places: list[Place] = [
        place if place.person is None else replace(place, person=moved(place.person))
        for place in stored.seating.places
    ]
    return replace(
        stored,
        id=TableId(table),
        guild=GuildId(guild),
        channel=ChannelId(channel),
        seating=replace(
            stored.seating,
            host=people[stored.seating.host],
            places=tuple(places),
            starters=tuple(map(moved, stored.seating.beginners.values())),
            seen={},
        ),
        shuffling=replace(stored.shuffling, words={}),
        version=1,
    )


@asynccontextmanager
async def _started(front: Front, url: str, log: Path) -> AsyncIterator[float]:
    """The program as a process of its own; when it was started."""
    environment = {
        **clean_environment(),
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": front.token,
        "DISCORD_API_URL": front.api_url,
        "DISCORD_GATEWAY_URL": front.gateway_url,
        "DATABASE_URL": url,
        "LOG_LEVEL": "WARNING",
    }
    begun = time.monotonic()
    with log.open("wb") as out:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", START, "run", env=environment, cwd=log.parent,
            stdin=asyncio.subprocess.DEVNULL, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        yield begun
    finally:
        if process.returncode is None:
            os.kill(process.pid, 9)
        await process.wait()


async def measure(count: int, presses: int, watch: float, folder: Path) -> dict[str, Any]:
    """The figures of one start; its files are left in `folder`."""
    url = f"sqlite+aiosqlite:///{folder / 'restart.sqlite3'}"
    async with Front() as front:
        wire = Wire(front, patience=30)
        shelf = await build(url, wire, count)
        rng = random.Random(2)
        chosen = rng.sample(list(shelf.boards), min(presses, len(shelf.boards)))
        shown = []
        for table, channel, user in chosen:
            board = _board(front, table, channel)
            shown.append((user, board, Press(Verb.HAND, TableId(table)).encode()))
        front.requests.clear()
        await _seen_now(url)
        async with _started(front, url, folder / "restart.log") as begun:
            await front.gateway.wait(lambda: front.gateway.connected, 60)
            ready = time.monotonic() - begun
            times: list[float] = []
            first = 0.0
            for user, board, press in shown:
                stored = wire.message(board)
                made = sim.pressed(wire.backend, user, stored, press, 2, (), "en-US")
                answer = await wire.answered(front.ask(*made))
                assert answer.seconds is not None, f"no answer: {answer.text}"
                assert answer.panel is not None, f"no hand: {answer.text}"
                first = first or time.monotonic() - begun
                times.append(answer.seconds)
            await asyncio.sleep(watch)
            drawn = {r.path.split("/")[2] for r in front.requests if _draws(r)}
            log = (folder / "restart.log").read_text(errors="replace")
    return {
        "tables": count,
        "log_plies": round(shelf.plies, 1),
        "ready_s": figure(ready),
        "first_answer_s": figure(first),
        "answer_after_ready_ms": {"first": figure(times[0] * 1000), **Times(times).shown()},
        "drawn": len(drawn),
        "log": log.splitlines()[-5:],
    }


async def _seen_now(url: str) -> None:
    """The program was there until it starts: for time without it tables get time back, and are
    drawn."""
    database = await Database.open(url)
    await SqlTableStore(database).note_reachable(datetime.now(UTC) + START_TIME)
    await database.close()


def _board(front: Front, table: str, channel: int) -> Shown:
    """A message of the program with the one button that is pressed."""
    button = {"type": 2, "style": 1, "label": "My hand"}
    row = {
        "type": 1,
        "components": [{**button, "custom_id": Press(Verb.HAND, TableId(table)).encode()}],
    }
    body = {"flags": 1 << 15, "components": [row]}
    reply = sim.call(front.backend, "POST", f"/channels/{channel}/messages", body=body)
    assert reply.status == 200, reply.body
    return Shown(channel, int(reply.body["id"]), reply.body["components"])


def _draws(request: Request) -> bool:
    parts = request.path.split("/")
    return request.method in ("POST", "PATCH") and parts[1] == "channels"


def main(tables: int = 10_000, presses: int = 20, watch: float = 10.0) -> None:
    with TemporaryDirectory() as folder:
        found = asyncio.run(measure(tables, presses, watch, Path(folder)))
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
