"""A database that an earlier version of the program left behind is opened, and played on.

`before/0436d5d.sql` was written by commit 0436d5d, before rooms and schema were rearranged; the
script that did it stands at its head, and which table is in what situation.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Connection

from bot.ids import GuildId, MessageId, TableId
from bot.storage.credit import last_seen
from bot.storage.database import Database
from bot.storage.migrations import upgrade_open
from bot.storage.people import SqlPeople
from bot.storage.results import SqlResults
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.tables.model import ByPerson, Table
from bot.tables.phase import Closing, Pause
from bot.tables.ports import Due, Habits, Period, Standing
from bot.tables.published import match_record, public_deals
from bot.tables.service import TableService
from bot.tables.stored import Actor, DeadlineKind, Pace, Status
from engine.record import to_text
from engine.registry import games
from engine.verify import verify_text
from tests.tables.fakes import ANN, BEN, CAT, DAN, FakeClock, Recorder, SeededChance
from tests.tables.outcomes import outcome_of

DUMP: Final = Path(__file__).with_name("before") / "0436d5d.sql"
SCRIPT: Final = DUMP.read_text(encoding="utf-8")
IDS: Final = {
    line.split(": ")[1]: TableId(line.split(": ")[0].removeprefix("-- "))
    for line in SCRIPT.split("\n\n", 1)[1].split("BEGIN TRANSACTION;")[0].splitlines()
}
"""The table of each situation."""
IN_A_MATCH: Final = (
    "round", "secret", "later", "passes", "raises", "away", "left", "stalled", "pause", "closed",
    "closed again",
)  # fmt: skip


class Opened:
    """A copy of that database in this program, at the moment it was left."""

    def __init__(self, database: Database, now: datetime) -> None:
        self.database = database
        self.store = SqlTableStore(database)
        self.clock = FakeClock()
        self.clock.now = now
        self.service = TableService(
            self.store,
            clock=self.clock,
            chance=SeededChance(99),
            announcer=Recorder(),
            games=games(),
        )

    async def table(self, situation: str) -> Table:
        return await self.service.table(IDS[situation])


@pytest.fixture
async def before(tmp_path: Path) -> AsyncIterator[Opened]:
    file = tmp_path / "before.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SCRIPT)
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    await upgrade_open(database)
    now = await database.read(last_seen)
    assert now is not None
    yield Opened(database, now)
    await database.close()


async def step(before: Opened, table: Table, numbers: Random) -> Table:
    """What comes next at a running table: a message, a pause, an answer by itself, or a press."""
    tables, stored = before.service, table.stored
    if isinstance(table.phase, Closing):
        return await tables.posted(table.id, table.round + 1, MessageId(60_000 + table.round))
    if isinstance(table.phase, Pause):
        for person in stored.seating.people:
            table = await tables.ready(table.id, person.id, None)
        return table
    seat = numbers.choice(table.actors)
    if table.answers_itself(seat):
        (due,) = (d for d in stored.timing.deadlines if d.kind is DeadlineKind.STANDING)
        before.clock.now = max(before.clock.now, due.due)
        await tables.fire(Due(table.id, due))
        return await tables.table(table.id)
    player = stored.seating.places[seat].person
    assert player is not None
    said = numbers.choice(list(table.legal_texts(seat)))
    by, interaction = ByPerson(player.id), 70_000 + table.ply
    return await tables.act(table.id, table.questions[seat], by, said, interaction)


@pytest.mark.parametrize("situation", IN_A_MATCH)
async def test_a_match_that_was_running_is_played_to_its_end(
    before: Opened, situation: str
) -> None:
    table, numbers = await before.table(situation), Random(1)
    had = [(entry.seat, entry.text) for entry in table.log]
    bound = [deal.commitment for deal in public_deals(table)]
    assert table.stored.status is Status.RUNNING
    if table.stored.timing.stalled is not None:
        table = await before.service.shown(table.id)
    while table.stored.status is Status.RUNNING:
        table = await step(before, table, numbers)
    assert table.stored.status is Status.FINISHED
    assert outcome_of(table)
    table = await before.service.whole(table)
    assert [(entry.seat, entry.text) for entry in table.log][: len(had)] == had
    assert verify_text(to_text(match_record(table)), 1) == []
    assert [deal.commitment for deal in public_deals(table)][: len(bound)] == bound
    listed = await listing(before, table.stored.game)
    assert {standing.user for standing in listed} >= {
        p.id for p in table.stored.seating.beginners.values()
    }


async def listing(before: Opened, game: str | None) -> tuple[Standing, ...]:
    """The leaderboard, which a match that ended in the year of the copy stands in."""
    results, now = SqlResults(before.database), datetime.now(UTC)
    return (await results.page(GuildId(900), game, Period.ALL, now, 0, 99)).lines


async def test_each_table_is_in_the_situation_it_was_left_in(before: Opened) -> None:
    found = {name: await before.service.find(IDS[name]) for name in IDS}
    for name in IN_A_MATCH:
        assert found[name].played is not None
    asked = {name for name, table in found.items() if table.actors}
    assert asked == set(IN_A_MATCH) - {"pause", "closed", "closed again"}
    closed = [name for name, table in found.items() if isinstance(table.phase, Closing)]
    assert closed == ["closed", "closed again"]
    assert [name for name in found if isinstance(found[name].phase, Pause)] == ["pause"]
    assert {found[name].stored.status for name in ("lobby", "held", "rematch")} == {Status.LOBBY}
    assert found["stopped"].stored.status is Status.STOPPED
    assert found["expired"].stored.status is Status.EXPIRED
    assert found["finished"].stored.status is Status.FINISHED
    assert (found["later"].round, found["closed again"].round, found["closed"].round) == (2, 1, 0)


async def test_nothing_of_what_was_known_about_a_table_is_lost(before: Opened) -> None:
    lobby = (await before.table("lobby")).stored
    assert (lobby.seating.private, lobby.timing.pace, lobby.seating.host) == (
        True,
        Pace.DAILY,
        ANN.id,
    )
    assert [place.person for place in lobby.seating.places] == [ANN, BEN, None, None, None]
    assert (set(lobby.seating.kicked), dict(lobby.shuffling.words)) == ({CAT.id}, {BEN.id: "x1"})
    assert DAN.id in lobby.seating.invited
    held = (await before.table("held")).stored
    assert (held.status, held.seating.free_places) == (Status.LOBBY, ())
    pause = (await before.table("pause")).stored
    assert (set(pause.votes.ready), dict(pause.shuffling.words)) == ({BEN.id}, {ANN.id: "Abend7"})
    assert pause.shuffling.shuffles[0].words == ("", "kuckuck", "")
    assert pause.seating.places[1].reachable is False
    secret = await before.table("secret")
    assert secret.stored.timing.warned in {secret.questions[seat] for seat in secret.actors}
    assert secret.stored.options == {"jokers": True, "rounds": 2}
    assert (await before.table("passes")).stored.votes.standing
    away = await before.table("away")
    assert [place.misses for place in away.stored.seating.places if place.away] == [2]
    assert {entry.by for entry in away.log} == {Actor.PERSON, Actor.CLOCK, Actor.CLOCK_AWAY}
    left = (await before.table("left")).stored
    assert len(left.seating.free_places) == len(left.seating.seen) == 1
    stalled = (await before.table("stalled")).stored.timing.stalled
    assert stalled is not None
    assert tuple(stalled.missing) == ("send_messages",)
    rematch = (await before.table("rematch")).stored
    assert rematch.rematch_of == IDS["finished"]


async def test_languages_are_learnt_from_now_on(before: Opened) -> None:
    people = SqlPeople(before.database)
    assert {(await before.service.find(IDS[name])).stored.locale for name in IDS} == {"en"}
    assert await people.habits([ANN.id]) == {}
    await people.learn({ANN.id: "de"})
    assert await people.habits([ANN.id]) == {ANN.id: Habits("de")}


async def test_time_goes_on_where_it_stood(before: Opened) -> None:
    kinds = {
        name: {d.kind for d in (await before.service.find(IDS[name])).stored.timing.deadlines}
        for name in IDS
    }
    assert kinds["lobby"] == kinds["held"] == kinds["rematch"] == {DeadlineKind.LOBBY}
    assert kinds["pause"] == {DeadlineKind.NEXT_ROUND}
    assert kinds["closed"] == kinds["closed again"] == {DeadlineKind.POST}
    assert kinds["secret"] == {DeadlineKind.TURN}
    assert kinds["away"] == {DeadlineKind.WARN, DeadlineKind.TURN}
    assert DeadlineKind.STANDING in kinds["left"]
    assert kinds["stalled"] == {DeadlineKind.STALL}
    assert set().union(*kinds.values()) == set(DeadlineKind) - {
        DeadlineKind.AUTO_START,
        DeadlineKind.HOST,
        DeadlineKind.REST,
        DeadlineKind.KEPT,
        DeadlineKind.VOTED,
        DeadlineKind.COMPUTER,
        DeadlineKind.IDLE,
    }
    before.clock.forward(30 * 24 * 3600)
    await before.service.deadlines.fire_due()
    assert (await before.service.find(IDS["stalled"])).stored.status is Status.STOPPED
    assert (await before.service.find(IDS["lobby"])).stored.status is not Status.LOBBY


Kept: TypeAlias = tuple[str, tuple[int, int, int], tuple[int, int | None, bool]]
"""Kind; key, channel and message; round, question, and whether it warns."""


def said(viewer: int, channel: int, message: int, mark: int) -> Kept:
    """What a row of before says, by the comments of the program that wrote it."""
    if viewer == 0:  # the board: a round's number, 0 in the lobby, -1 for the result
        kind, number = ("result", 0) if mark == -1 else ("board", mark)
        return kind, (0, channel, message), (number, None, False)
    if viewer < -1:  # to be deleted
        return "retired", (message, channel, message), (0, None, False)
    kind, key = ("notice", 0) if viewer == -1 else ("hand", viewer)
    # Of what calls somebody: twice the question, one more for a warning, -1 if there is none.
    question, warned = (None, False) if mark == -1 else (mark // 2, mark % 2 == 1)
    return kind, (key, channel, message), (0, question, warned)


async def test_every_message_is_still_known(before: Opened) -> None:
    surfaces = SqlSurfaces(before.database)
    written = [
        (table, said(int(viewer), int(channel), int(message), int(mark)))
        for line in SCRIPT.splitlines()
        if line.startswith('INSERT INTO "surfaces"')
        for table, viewer, channel, message, _, mark, _ in [line[30:-2].replace("'", "").split(",")]
    ]
    assert len(written) == 72
    for table in IDS.values():
        known = [(row[0], row[1:4], row[5:8]) for row in await surfaces.all_of(TableId(table))]
        assert sorted(known) == sorted(row for of, row in written if of == table)
    assert {row[4].isoformat() for row in await surfaces.all_of(IDS["round"])} == {
        "2026-03-01T12:26:57+00:00"
    }
    # Only what changed after it was drawn is drawn anew, or has messages to delete.
    assert set(await surfaces.stale()) == {IDS["round"], IDS["away"]}
    assert await surfaces.behind() == [IDS["stopped"]]


async def test_results_stand_in_the_leaderboard(before: Opened) -> None:
    listed = await listing(before, None)
    won = {standing.user: (standing.matches, standing.wins) for standing in listed}
    assert won == {ANN.id: (2, 1), BEN.id: (2, 1), CAT.id: (2, 0)}


async def test_no_reference_leads_nowhere(before: Opened) -> None:
    def broken(connection: Connection) -> int:
        return len(connection.execute(text("PRAGMA foreign_key_check")).all())

    assert await before.database.read(broken) == 0
