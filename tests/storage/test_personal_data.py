"""What is stored of one person: found, given out, and forgotten without a trace."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import BigInteger, select
from sqlalchemy.engine import Connection

from bot.ids import ChannelId, GuildId, PlanId, QuestionId, TableId, UserId
from bot.storage import remnants, rows
from bot.storage.database import Database
from bot.storage.forgetting import MESSAGES, OWN, forget_person
from bot.storage.people import SqlFollowers, SqlPeople, SqlPupils
from bot.storage.personal_data import SqlPersonalData, described
from bot.storage.plans import SqlPlans
from bot.storage.renaming import DOCUMENTS, Renaming, renamed, share_of
from bot.storage.results import SqlResults
from bot.storage.schema import metadata, standings
from bot.storage.servers import SqlServers
from bot.storage.standings import recount
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.tables import lots
from bot.tables.plans import Wish, answer, asking, invite, look, new_plan, tick
from bot.tables.ports import Conflict, Lesson, Period, TipShownAt
from bot.tables.servers import Changed, ServerSettings, Setting
from bot.tables.stored import SOMEBODY, Hinted, Person, Status, StoredTable
from bot.tables.when import When
from tests.storage.records import tables
from tests.storage.test_retention import over, whole
from tests.storage.test_surfaces import shown
from tests.storage.values import (
    BEN,
    CARLA,
    NOW,
    T1,
    T2,
    T3,
    altered,
    change,
    entry,
    following,
    result,
    stored,
)

ANN = Person(UserId(123456789012345678), "Ann Unforgettable")
ALIAS = UserId(-77)


async def filled(database: Database) -> None:
    """Ann wherever a person can be."""
    store, people, plans = (
        SqlTableStore(database),
        SqlPeople(database, lambda: NOW),
        SqlPlans(database),
    )
    begun = stored(T1, people=(ANN, BEN), status=Status.RUNNING)
    begun = altered(begun, starters=(ANN, BEN))
    begun = replace(begun, hinted={ANN.id: Hinted(ANN.name, 2, QuestionId(5))})
    await store.commit(change(begun, entry(0, 100), entry(1, 101), entry(3, 102)))
    ended = following(begun, conceded=frozenset({ANN.id}))
    ended = replace(ended, status=Status.FINISHED, ended=NOW)
    won = result(T1, (ANN, 1, 9), (BEN, 2, 3), ended=NOW)
    await store.commit(change(ended, result=won))
    away = over(T2, Status.STOPPED, NOW, kicked=frozenset({ANN.id}), invited=frozenset({ANN.id}))
    away = replace(away, seating=replace(away.seating, host=BEN.id), opener=BEN.id)
    away = altered(away, places=stored(T2, people=(BEN,)).seating.places)
    await store.commit(change(away))
    others = replace(stored(T3, people=(BEN, CARLA)), status=Status.FINISHED, ended=NOW)
    await store.commit(change(others, result=result(T3, (BEN, 1, 4), (CARLA, 2, 1), ended=NOW)))
    await SqlSurfaces(database).save(shown((T1, "hand", ANN.id, 1), (T1, "board", 0, 2)), {})
    await people.learn({ANN.id: "da", BEN.id: "de"})
    await people.block(ANN.id, BEN.id, on=True)
    await people.block(BEN.id, ANN.id, on=True)
    await SqlPupils(database).teach(
        {Lesson(ANN.id, "sticheln", "x"): TipShownAt(T1, QuestionId(3))}
    )
    await plans.learn_zone(ANN.id, "Europe/Zurich")
    followers = SqlFollowers(database)
    for person in (ANN, BEN):
        await followers.follow(person.id, GuildId(1), ["aufundab", "sticheln"])
        await followers.tell(person.id, T1, NOW)
    for by in (ANN, BEN):
        changed = Changed(NOW, by, Setting.DECK, "large")
        await SqlServers(database).put(GuildId(1), ServerSettings("large"), changed)
    when = When(NOW, "Europe/Zurich", weekly=False)
    wish = Wish("aufundab", 3, {})
    for name, by in (("P1", ANN), ("P2", BEN)):
        plan = new_plan(PlanId(name), GuildId(1), ChannelId(2), by, wish, when, NOW)
        await plans.add(plan)
        await plans.change(plan.id, lambda p: [answer(p, ANN, comes=True)])
    found, private = When(NOW + timedelta(hours=2), None), replace(wish, private=True)
    evening = asking(
        new_plan(PlanId("P3"), GuildId(1), ChannelId(2), BEN, private, found, NOW), [found.due]
    )
    evening = invite(evening, BEN.id, ANN.id)
    evening = tick(look(evening, evening.again), ANN, evening.times, NOW)
    await plans.add(replace(evening, regulars=frozenset({ANN.id, BEN.id})))


async def test_counts_say_what_there_is(database: Database) -> None:
    await filled(database)
    found = await SqlPersonalData(database).counts(ANN.id)
    assert (found.matches, found.servers, found.tables, found.open_tables) == (1, 1, 2, 0)
    assert (found.plans, found.lessons, found.blocked, found.follows) == (3, 1, 1, 2)
    assert (found.changes, found.locale, found.zone) == (1, "da", "Europe/Zurich")
    nobody = await SqlPersonalData(database).counts(UserId(CARLA.id + 1))
    assert not any(nobody)


async def test_an_export_has_everything_of_the_person_and_nobody_else(database: Database) -> None:
    await filled(database)
    text = await SqlPersonalData(database).export(ANN.id, NOW)
    found = json.loads(text)
    assert found["person"] == str(ANN.id)
    assert [row["table_id"] for row in found["results"]] == [T1]
    assert [row["locale"] for row in found["people"]] == ["da"]
    assert {row["id"] for row in found["tables"]} == {T1, T2}
    records = {row["id"]: row["document"] for row in found["tables"]}
    assert records[T1]["hinted"] == {str(ANN.id): [ANN.name, 2, 5]}
    assert records[T2]["seating"] == {"invited": [ANN.id], "kicked": [ANN.id]}
    (played,) = found["entries"]
    assert [ply for ply, *_ in played["actions"]] == [0, 3], "of the seat that was theirs"
    assert {row["kind"] for row in found["surfaces"]} == {"hand"}
    assert {row["id"] for row in found["plans"]} == {"P1", "P2", "P3"}
    (evening,) = (row for row in found["plans"] if row["id"] == "P3")
    seconds = [int((NOW + timedelta(hours=2)).timestamp())]
    assert evening["ticks"] == [{"person": [ANN.id, ANN.name], "times": seconds}]
    assert (evening["regulars"], evening["lines"]) == ([ANN.id], 2 * [{"people": [ANN.id]}])
    assert [row["name"] for row in found["server_changes"]] == [ANN.name]
    assert [row["game"] for row in found["follows"]] == ["aufundab", "sticheln"]
    assert [row["table_id"] for row in found["tellings"]] == [T1]
    assert BEN.name not in text
    assert "shuffling" not in records[T1]
    assert set(found["fields"]) <= set(described())
    for name in ("results.place", "people.locale", "tables.document.hinted.taken"):
        assert found["fields"][name]


async def test_whoever_blocked_a_person_is_not_in_their_export(database: Database) -> None:
    await filled(database)
    found = json.loads(await SqlPersonalData(database).export(BEN.id, NOW))
    assert found["blocks"] == [{"user_id": str(BEN.id), "blocked_id": str(ANN.id)}]


async def test_forgotten_they_are_somebody_and_others_what_they_were(database: Database) -> None:
    await filled(database)
    page = await SqlResults(database).page(GuildId(1), None, Period.ALL, NOW, 0, 8)
    before = [line for line in page.lines if line.user != ANN.id]
    await SqlPersonalData(database).forget(ANN.id)
    left = json.dumps(await whole(database), default=str)
    assert str(ANN.id) not in left
    assert ANN.name not in left
    page = await SqlResults(database).page(GuildId(1), None, Period.ALL, NOW, 0, 8)
    assert [line._replace(place=0) for line in page.lines] == [
        line._replace(place=0) for line in before
    ]
    assert await database.write(recount) == 0
    found = await SqlTableStore(database).load(T1)
    assert found is not None
    (somebody, ben) = found[0].seating.people
    assert (somebody.name, ben) == (SOMEBODY, BEN)
    assert somebody.id < 0
    assert found[0].seating.conceded == {somebody.id}
    assert found[0].hinted == {somebody.id: Hinted(SOMEBODY, 2, QuestionId(5))}
    assert [entry.ply for entry in found[1]] == [0, 1, 3]
    assert not any(await SqlPersonalData(database).counts(ANN.id))


async def test_to_forget_who_only_typed_something_writes_no_database_anew(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody may stop all plays for a second, as often as they like."""
    anew: list[Database] = []

    async def compact(one: Database) -> None:
        anew.append(one)

    monkeypatch.setattr(Database, "compact", compact)
    await filled(database)
    data = SqlPersonalData(database)
    await data.forget(ANN.id)
    assert len(anew) == 1
    await SqlPeople(database, lambda: NOW).learn({ANN.id: "da"})
    await data.forget(ANN.id)
    assert len(anew) == 1
    assert not any(await data.counts(ANN.id))


async def test_whoever_read_a_table_before_cannot_write_them_back(database: Database) -> None:
    await filled(database)
    store = SqlTableStore(database)
    found = await store.load(T1)
    assert found is not None
    await SqlPersonalData(database).forget(ANN.id)
    with pytest.raises(Conflict):
        await store.commit(change(following(found[0])))


async def test_a_match_that_ends_later_counts_for_the_others(database: Database) -> None:
    store = SqlTableStore(database)
    somebody = Person(ALIAS, SOMEBODY)
    begun = stored(T1, people=(somebody, BEN), status=Status.FINISHED)
    await store.commit(change(begun, result=result(T1, (somebody, 1, 9), (BEN, 2, 3), ended=NOW)))
    users = await database.scalars(select(standings.c.user_id).distinct())
    assert list(users) == [BEN.id]
    assert await database.write(recount) == 0


@pytest.mark.sqlite
async def test_no_byte_of_them_is_left_in_any_file(database: Database, tmp_path: Path) -> None:
    store = SqlTableStore(database)
    for number in range(400):
        one = stored(TableId(f"X{number}"), channel=number + 10, people=(ANN, BEN))
        one = replace(one, status=Status.FINISHED, ended=NOW, given={"x" * (7 * number): 1})
        counted = result(one.id, (ANN, 1, 9), (BEN, 2, 3), ended=NOW)
        await store.commit(change(one, entry(0), result=counted))
    await filled(database)
    assert traces(tmp_path)
    await SqlPersonalData(database).forget(ANN.id)
    assert traces(tmp_path) == []


@pytest.mark.sqlite
async def test_what_a_large_database_keeps_goes_at_the_next_start(
    database: Database, tmp_path: Path
) -> None:
    await filled(database)

    def work(connection: Connection) -> None:
        forget_person(connection, ANN.id)
        remnants.note(connection)

    await database.write(work)
    await remnants.erase(database, most=0)
    assert not (tmp_path / "var" / "test.sqlite3-wal").read_bytes()
    await remnants.erase_noted(database)
    assert traces(tmp_path) == []


def traces(folder: Path) -> list[str]:
    """Where the id or the name of Ann is found, as text or as the bytes of a number."""
    said = (ANN.name.encode(), str(ANN.id).encode(), ANN.id.to_bytes(8, "big"))
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files if any(one in file.read_bytes() for one in said)]


# That nothing new is missed

NO_PERSON = {
    *("guild_id", "channel_id", "message_id", "interaction_id", "event_id", "points", "rounds"),
    *("key", "of_key"),
}
"""Columns of large numbers that are no person's id, but in messages for one person."""


def test_every_column_with_a_person_is_known_to_forgetting() -> None:
    replaced = {"sitters", "results", "plans", "named", "server_changes", "ratings"}
    for table in metadata.sorted_tables:
        ids = {column.name for column in table.c if isinstance(column.type, BigInteger)}
        ids -= NO_PERSON
        assert ids <= {"user_id", "opener_id", "blocked_id"}, table.name
        if "user_id" in ids:
            assert (table in OWN) != (table.name in replaced), table.name
        assert ("key" in table.c and "of_key" in table.c) == (table in MESSAGES), table.name
        names = {column.name for column in table.c} & {"name", "nick", "called_as"}
        assert not names or table.name in {"results", "players", "plans", "server_changes"}


@settings(max_examples=60)
@given(tables, st.data())
def test_of_any_record_nobody_is_left_who_was_forgotten(record: StoredTable, data: Any) -> None:
    named = rows.people_in(record)
    user = data.draw(st.sampled_from(sorted(named)))
    kind, who = DOCUMENTS["tables.document"], Renaming(user, ALIAS)
    whole_text = rows.document(record)
    after = json.loads(renamed(kind, whole_text, who))
    assert share_of(kind, after, user) is None
    assert share_of(kind, json.loads(whole_text), user) is not None
    read = rows._Document.model_validate_json(renamed(kind, whole_text, who)).root
    assert rows.people_in(read) == named - {user} | {ALIAS}


def test_a_draw_of_seats_still_fits_once_somebody_is_forgotten() -> None:
    record = stored(T1, people=(ANN, BEN, CARLA))
    record = altered(
        record, shuffles=record.shuffling.following().shuffles, places=record.seating.places[:3]
    )
    record = lots.draw_seats(record, lots.AT_BEGINNING)
    record = altered(record, starters=record.seating.sitters)
    text = renamed(DOCUMENTS["tables.document"], rows.document(record), Renaming(ANN.id, ALIAS))
    assert ANN.name not in text
    assert str(ANN.id) not in text
    read = rows._Document.model_validate_json(text).root
    assert lots.fits(read)
    assert not lots.fits(altered(read, starters=read.seating.starters[::-1]))


@settings(max_examples=60)
@given(tables, st.integers(1, 2**63 - 1))
def test_whom_a_record_names_is_what_its_types_say(record: StoredTable, stranger: int) -> None:
    whole_record = json.loads(rows.document(record))
    kind = DOCUMENTS["tables.document"]
    named = rows.people_in(record)
    assert all(share_of(kind, whole_record, user) is not None for user in named)
    if stranger not in named:
        assert share_of(kind, whole_record, UserId(stranger)) is None
