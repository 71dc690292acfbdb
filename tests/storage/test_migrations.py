"""The schema in code and the schema that the migrations build are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Integer, MetaData, insert, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.ids import ChannelId, Computer, GuildId, MessageId, PlanId, QuestionId, TableId, UserId
from bot.storage.database import Database, StorageError
from bot.storage.meta import SqlMeta
from bot.storage.migrations import config, revision, upgrade, upgrade_open
from bot.storage.people import SqlPeople
from bot.storage.plans import SqlPlans
from bot.storage.plans import _row as row_of
from bot.storage.results import SqlResults
from bot.storage.retention import KEPT, Retention
from bot.storage.rows import columns
from bot.storage.schema import metadata, plan_surfaces, plans
from bot.storage.servers import SqlServers
from bot.storage.standings import recount
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.tables.customs import Customs
from bot.tables.plans import Wish, answer, new_plan, next_week
from bot.tables.ports import Habits, Period
from bot.tables.preferences import Preferences
from bot.tables.servers import ServerSettings
from bot.tables.stored import (
    Ahead,
    Deadline,
    DeadlineKind,
    Entry,
    Hinted,
    Pace,
    Person,
    Place,
    Seating,
    Shuffle,
    Shuffling,
    Stall,
    Status,
    Stop,
    StoredTable,
    Timing,
    Votes,
)
from bot.tables.when import WEEK, When
from engine.deal import Chain
from engine.game import Outcome
from engine.players.levels import Level
from tests.storage.conftest import CALM
from tests.storage.test_deadlines import loaded
from tests.storage.values import ANNA, BEN, CARLA, NOW, TABLE, change, following, stored

OLD: Final = plans.to_metadata(MetaData())
"""Plans of before their messages stood in a ledger."""
LATER: Final = ("times", "ticks", "regulars", "lines", "seats", "enough")
"""Their columns since they ask for a time."""

for _column in (Column("drawn", Integer), Column("message_id", Integer)):
    OLD.append_column(_column)


def _statements(connection: Connection) -> dict[str, str]:
    """What SQLite remembers of every table and index, whatever the white space."""
    rows = connection.execute(
        text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name != :version"),
        {"version": "alembic_version"},
    )
    return {name: "".join(sql.split()).replace('"', "") for name, sql in rows}


async def test_the_migrations_build_the_metadata(database: Database) -> None:
    def differences(connection: Connection) -> Sequence[Any]:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        found: Sequence[Any] = compare_metadata(context, metadata)
        return found

    assert await database.migrate(differences) == []


@pytest.mark.sqlite
async def test_the_migrations_build_it_to_the_letter(database: Database, tmp_path: Path) -> None:
    """Partial indexes and checks too, which Alembic does not compare."""
    plain = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/plain.sqlite3")
    await plain.migrate(metadata.create_all)
    migrated, created = await database.migrate(_statements), await plain.migrate(_statements)
    await plain.close()
    assert migrated == created


async def test_upgrading_again_changes_nothing(url: str, database: Database) -> None:
    await SqlMeta(database).put("a", "1")
    await database.close()
    await upgrade(url)
    await upgrade(url)
    reopened = await Database.open(url, CALM)
    assert await SqlMeta(reopened).get("a") == "1"
    await reopened.close()


@pytest.mark.own_database
@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("9999", "was written by a newer version of this program .schema 9999.: install that"),
        (
            "0025",
            "is older than the first release .schema 0025.*: move it away, and the bot starts",
        ),
    ],
)
async def test_a_database_of_another_program_is_refused_and_left_alone(
    schema: str, said: str, url: str, database: Database
) -> None:
    def mark(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": schema})

    await database.write(mark)
    before = await database.migrate(_statements) if "sqlite" in url else {}
    await database.close()
    with pytest.raises(StorageError, match=said) as refused:
        await upgrade(url)
    assert "\n" not in str(refused.value)
    assert str(refused.value).count(". ") == 0
    reopened = await Database.open(url, CALM)
    assert await reopened.read(revision) == schema
    assert not before or await reopened.migrate(_statements) == before
    await reopened.close()


@pytest.mark.sqlite
async def test_somebody_elses_database_is_refused_and_left_alone(url: str) -> None:
    database = await Database.open(url, CALM)

    def other(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE tables (legs INTEGER)"))

    await database.write(other)
    with pytest.raises(StorageError, match="cannot be brought up to date: table tables already"):
        await upgrade_open(database)
    assert set(await database.migrate(_statements)) == {"tables"}
    await database.close()


@pytest.mark.sqlite
async def test_a_weekly_plan_of_before_comes_again_if_somebody_stood_on_it(url: str) -> None:
    database = await Database.open(url, CALM)
    await database.migrate(lambda connection: command.upgrade(config(connection), "0026"))
    later = {"local", "pressed", "invited", "lapse", "called", *LATER}
    made = new_plan(
        PlanId("P1"), GuildId(1), ChannelId(2), ANNA, Wish("aufundab", 3, {}),
        When(NOW, "Europe/Zurich", weekly=True), NOW,
    )  # fmt: skip
    made = answer(answer(made, BEN, comes=True), CARLA, comes=False)
    row = {key: value for key, value in row_of(made).items() if key not in later}
    await database.write(lambda connection: connection.execute(insert(OLD).values(drawn=1, **row)))
    await upgrade_open(database)
    found = await SqlPlans(database).find(PlanId("P1"))
    assert found is not None
    assert found.pressed == {ANNA.id, BEN.id, CARLA.id}
    assert (found.invited, found.lapse, found.when.local) == (frozenset(), None, None)
    after = next_week(found, PlanId("P2"), NOW)
    assert after is not None
    assert after.when.due - NOW == WEEK
    await database.close()


@pytest.mark.sqlite
async def test_a_plan_of_before_keeps_its_message(url: str) -> None:
    database = await Database.open(url, CALM)
    await database.migrate(lambda connection: command.upgrade(config(connection), "0030"))
    rows = []
    for name, shown in (("P1", 77), ("P2", None)):
        made = new_plan(
            PlanId(name), GuildId(1), ChannelId(2), ANNA, Wish("aufundab", 3, {}),
            When(NOW, "UTC"), NOW,
        )  # fmt: skip
        row = {key: value for key, value in row_of(made).items() if key not in {"called", *LATER}}
        rows.append({"drawn": 1, "message_id": shown, **row})
    await database.write(lambda connection: connection.execute(insert(OLD), rows))
    await upgrade_open(database)
    store, messages = SqlPlans(database), SqlSurfaces(database, plan_surfaces)
    (board,) = await messages.all_of(PlanId("P1"))
    assert board[:5] == ("board", 0, ChannelId(2), MessageId(77), NOW)
    assert await messages.all_of(PlanId("P2")) == []
    assert await store.undrawn() == ["P2"]
    found = await store.find(PlanId("P1"))
    assert found is not None
    assert found.called == frozenset()
    assert (found.times, found.ticks, found.lines, found.room) == ((), (), (), None)
    await database.close()


async def upgraded(url: str, revision: str, *rows: tuple[str, dict[str, Any]]) -> Database:
    """A database of that revision with these rows, brought up to date."""
    database = await Database.open(url, CALM)
    await database.migrate(lambda connection: command.upgrade(config(connection), revision))

    def add(connection: Connection) -> None:
        there = MetaData()
        there.reflect(connection)
        for name, row in rows:
            connection.execute(insert(there.tables[name]).values(row))

    await database.write(add)
    await upgrade_open(database)
    return database


def _row(**fields: Any) -> dict[str, Any]:
    """The row of a table before 0032, of which nothing is known yet but who opened it."""
    no_one = ("invited", "kicked", "starters", "ready", "end_votes", "seen", "words", "standing")
    none = ("conceded", "away_votes", "kept", "called", "rest_votes", "ahead", "sought", "paces")
    row = {
        "id": TABLE,
        "version": 1,
        "guild_id": 1,
        "channel_id": 500,
        "game": "aufundab",
        "rules_version": 1,
        "status": "lobby",
        "host_id": ANNA.id,
        "private": False,
        "given": {"rounds": 3},
        "options": {},
        "customs": {"hints": True, "passes": False, "forced": False},
        "created": NOW,
        "closed": False,
        "chain_tip": bytes(32).hex(),
        **{name: [] for name in (*no_one, *none, "hinted")},
    }
    return {**row, **fields}


def _place(place: int, person: Person | None, **fields: Any) -> tuple[str, dict[str, Any]]:
    user, name = person or (None, None)
    row = {"table_id": TABLE, "place": place, "user_id": user, "name": name}
    return "places", {**row, "misses": 0, "away": False, **fields}


async def test_a_table_of_before_is_its_hosts_and_nobody_was_voted_out(url: str) -> None:
    places = (_place(0, ANNA), _place(1, None))
    database = await upgraded(url, "0026", ("tables", _row()), *places)
    assert await SqlTableStore(database).load(TABLE) == (stored(), ())
    assert await SqlTableStore(database).open_count(GuildId(1), ANNA.id) == (1, 1)
    await database.close()


async def test_what_people_chose_before_there_were_documents_is_kept(url: str) -> None:
    rows = [
        ("people", {"user_id": user, "locale": "da", "tips": tips, "deck": deck})
        for user, tips, deck in ((1, True, "standard"), (2, False, "large"), (3, False, "standard"))
    ]
    database = await upgraded(url, "0032", *rows)
    people = SqlPeople(database, lambda: NOW)
    expected = (Preferences(), Preferences("large", tips=False), Preferences(tips=False))
    found = await people.habits([UserId(1), UserId(2), UserId(3)])
    assert found == {UserId(n): Habits("da", chosen) for n, chosen in enumerate(expected, 1)}
    await database.close()


async def test_nothing_of_a_table_of_before_is_lost(url: str) -> None:
    """With something in every column, as 0031 had it."""
    later, due = NOW + timedelta(hours=1), NOW + timedelta(minutes=1)
    row = _row(
        version=7, opener_id=BEN.id, status="running", private=True, rematch_of="T0", started=later,
        given={"z": 1, "a": True, "m": "x"}, options={"rounds": 3, "b": False}, stop="vote",
        customs={"hints": False, "passes": True, "forced": True}, locale="es-419", closed=True,
        invited=[5, 6], kicked=[7], ready=[11], end_votes=[12], seen=[[11, 0]], standing=[13],
        starters=[[11, "Anna"], [None, 1, "strong"], [12, "normal"]], words=[[11, "cut"]],
        pace="daily", pace_coming="live60", warned=4, credited=90, stalled_since=later,
        stalled_missing=["send_messages"], conceded=[14], voted_out=[15], computer_time=3,
        away_votes=[[12, [11, 13]]], chain_tip="ab" * 32, kept=[[1, 13, "Carla"]], called=[16],
        rest_since=later, rest_votes=[17], ahead=[[11, 9, "7"]], sought=[[2, 6]],
        paces=[[12, "none"]], hinted=[[11, "Anna", 2, 8]],
    )  # fmt: skip
    shuffles = [
        {"table_id": TABLE, "round": 2, "seed": "2" * 64, "post": None, "words": []},
        {"table_id": TABLE, "round": 1, "seed": "1" * 64, "post": "77", "words": ["a", ""]},
    ]
    database = await upgraded(
        url,
        "0031",
        ("tables", row),
        _place(1, None, level="strong"),
        _place(0, ANNA, reachable=True, misses=1),
        _place(2, BEN, away=True, reachable=False),
        *(("shuffles", each) for each in shuffles),
        (
            "deadlines",
            {"table_id": TABLE, "position": 0, "kind": "turn", "question": 4, "due": due},
        ),
        ("entries", {"table_id": TABLE, "ply": 0, "seat": -1, "text": "{}", "at": NOW}),
    )
    store = SqlTableStore(database)
    one, two, computer = Person(UserId(11), "Anna"), Person(UserId(12), "normal"), Level.STRONG
    assert await store.load(TABLE) == (
        StoredTable(
            id=TABLE,
            version=7,
            guild=GuildId(1),
            channel=ChannelId(500),
            game="aufundab",
            rules_version=1,
            given={"z": 1, "a": True, "m": "x"},
            created=NOW,
            opener=BEN.id,
            seating=Seating(
                places=(
                    Place(ANNA, True, 1),
                    Place(computer=computer),
                    Place(BEN, False, away=True),
                ),
                host=ANNA.id,
                private=True,
                invited=_users(5, 6),
                kicked=_users(7),
                seen={UserId(11): 0},
                starters=(one, Computer(1, computer), two),
                conceded=_users(14),
                voted_out=_users(15),
                called=_users(16),
                sought={2: 6},
                kept={1: CARLA},
            ),
            shuffling=Shuffling(
                Chain(bytes.fromhex("ab" * 32)),
                (Shuffle("1" * 64, "77", ("a", "")), Shuffle("2" * 64)),
                {UserId(11): "cut"},
                closed=True,
            ),
            timing=Timing(
                Pace.DAILY,
                Pace.LIVE60,
                QuestionId(4),
                timedelta(seconds=90),
                Stall(later, ("send_messages",)),
                later,
                timedelta(seconds=3),
                (Deadline(DeadlineKind.TURN, QuestionId(4), due),),
            ),
            votes=Votes(
                ready=_users(11),
                end_votes=_users(12),
                standing=_users(13),
                rest_votes=_users(17),
                paces={UserId(12): Pace.NONE},
                away_votes={UserId(12): _users(11, 13)},
                ahead={UserId(11): Ahead(QuestionId(9), "7")},
            ),
            status=Status.RUNNING,
            stop=Stop.VOTE,
            options={"rounds": 3, "b": False},
            customs=Customs(hints=False, passes=True, forced=True),
            hinted={UserId(11): Hinted("Anna", 2, QuestionId(8))},
            locale="es-419",
            rematch_of=TableId("T0"),
            started=later,
        ),
        (Entry(0, -1, "{}", NOW),),
    )
    assert await store.open_of(BEN.id) == await store.open_of(ANNA.id) == [TABLE]
    assert await store.open_of(CARLA.id) == []
    await store.commit(change(following((await loaded(store)), locale="de")))
    await database.close()


async def test_a_match_of_before_has_its_outcome_and_a_trimmed_one_is_not_trimmed_again(
    url: str,
) -> None:
    over = {"status": "finished", "ended": NOW, "opener_id": ANNA.id, "voted_out": []}
    match = {"table_id": TABLE, "guild_id": 1, "game": "aufundab", "rounds": 3, "ended": NOW}
    computers = [[1, 1, "easy", 1, 30]]
    won = {"table_id": TABLE, "seat": 0, "user_id": 11, "name": "Anna", "place": 2, "points": -4}
    database = await upgraded(
        url,
        "0031",
        ("tables", _row(**over, trimmed=True, rest_since=None)),
        _place(0, ANNA),
        ("matches", {**match, "computers": computers}),
        ("results", won),
    )
    found = await loaded(SqlTableStore(database))
    assert (found.status, found.ended) == (Status.FINISHED, NOW)
    assert found.outcome == Outcome((-4, 30), (2, 1))
    assert not await Retention(database, lambda: NOW + 2 * KEPT).step()
    await database.close()


async def test_many_tables_of_before_come_each_with_its_own(url: str) -> None:
    """More than are rewritten in one go."""
    ids = [f"T{number:04}" for number in range(1100)]
    later = {"opener_id": ANNA.id, "voted_out": []}
    people = [Person(UserId(number + 1), f"P{number}") for number in range(len(ids))]
    pairs = [*zip(ids, people, strict=True)]
    rows = [("tables", _row(id=name, channel_id=n, **later)) for n, name in enumerate(ids)]
    sitting = [("places", {**_place(0, who)[1], "table_id": name}) for name, who in pairs]
    database = await upgraded(url, "0031", *rows, *sitting)
    for name, who in pairs[::99]:
        found = await loaded(SqlTableStore(database), TableId(name))
        assert found.seating.places == (Place(who),)
        assert await SqlTableStore(database).open_of(who.id) == [name]
    await database.close()


async def test_who_was_invited_before_is_not_called_by_a_second_line(url: str) -> None:
    seating = replace(stored().seating, called=frozenset({BEN.id, CARLA.id}))
    tables = [
        replace(stored(TableId(name), channel=n), seating=seating, status=status)
        for n, (name, status) in enumerate((("T1", Status.LOBBY), ("T2", Status.EXPIRED)))
    ]
    line = {
        "table_id": "T1", "kind": "invitation", "key": BEN.id, "channel_id": 500, "message_id": 77,
        "posted": NOW, "round": 0, "warned": False,
    }  # fmt: skip
    rows = [("tables", columns(one) | {"trimmed": False}) for one in tables]
    database = await upgraded(url, "0044", *rows, ("surfaces", line))
    found = await SqlSurfaces(database).all_of(TableId("T1"))
    assert [(row[1], row[3]) for row in found] == [(BEN.id, 77), (CARLA.id, 0)], "hers is over"
    assert await SqlSurfaces(database).all_of(TableId("T2")) == []
    await database.close()


async def test_a_line_that_was_over_before_is_one_without_a_message(url: str) -> None:
    def line(kind: str, number: int) -> tuple[str, dict[str, Any]]:
        return "surfaces", {
            "table_id": "T1", "kind": kind, "key": BEN.id, "channel_id": 500, "message_id": 77,
            "posted": NOW, "round": number, "warned": False,
        }  # fmt: skip

    table = stored(TableId("T1"))
    rows = [("tables", columns(table) | {"trimmed": False})]
    lines = [line("invitation", -3), line("offer", 0), line("hand", -3)]
    database = await upgraded(url, "0046", *rows, *lines)
    found = await SqlSurfaces(database).all_of(TableId("T1"))
    assert {row[0]: (row[3], row[5]) for row in found} == {
        "invitation": (0, 0), "offer": (77, 0), "hand": (77, -3),
    }  # fmt: skip
    await database.close()


async def test_the_deck_of_a_server_of_before_is_its_only_setting(url: str) -> None:
    decks = [("servers", {"guild_id": n, "deck": deck}) for n, deck in ((7, "large"), (8, "text"))]
    database = await upgraded(url, "0032", *decks)
    stored = SqlServers(database)
    assert await stored.settings(GuildId(7)) == ServerSettings("large")
    assert await stored.settings(GuildId(8)) == ServerSettings("text")
    assert await stored.settings(GuildId(9)) is None
    assert await stored.changes(GuildId(7)) == []
    await database.close()


async def test_matches_of_before_count_as_they_did(url: str) -> None:
    """Hints changed nothing, and one computer player kept a match off all leaderboards."""
    over = {"status": "finished", "ended": NOW, "version": 1, "guild_id": 1, "created": NOW}
    people = (ANNA, BEN)
    rows: list[tuple[str, dict[str, Any]]] = []
    for number, computers in ((1, None), (2, [[2, 1, "easy", 3, 30]])):
        name = f"T{number}"
        opened = {"id": name, "channel_id": number, "opener_id": 1, "document": "{}"}
        match = {"table_id": name, "guild_id": 1, "game": "aufundab", "rounds": 3, "ended": NOW}
        played = {} if computers is None else {"computers": computers}
        rows += [("tables", {**over, **opened}), ("matches", {**match, **played})]
        rows += [
            ("results", {"table_id": name, "seat": seat, "user_id": one.id, "name": one.name}
             | {"place": seat + 1, "points": 5})
            for seat, one in enumerate(people)
        ]  # fmt: skip
    database = await upgraded(url, "0032", *rows)
    assert await database.write(recount) == 0  # what older programs had not counted is
    results = SqlResults(database)
    page = await results.page(GuildId(1), None, Period.ALL, NOW, 0, 10)
    assert [(line.name, line.matches) for line in page.lines] == [("Anna", 1), ("Ben", 1)]
    assert await results.with_computers(GuildId(1), ANNA.id) == [("aufundab", Level.EASY, 1, 1)]
    await database.close()


def _users(*ids: int) -> frozenset[UserId]:
    return frozenset(map(UserId, ids))


@pytest.mark.sqlite  # PostgreSQL checks at every statement
async def test_a_migration_that_breaks_a_reference_is_undone(database: Database) -> None:
    def breaking(connection: Connection) -> None:
        connection.execute(
            text("INSERT INTO entries (table_id, ply, seat, text, at) VALUES ('X', 0, 0, '', '')")
        )

    with pytest.raises(StorageError, match="refers to rows that do not exist"):
        await database.migrate(breaking)
    count = await database.migrate(
        lambda connection: connection.execute(text("SELECT count(*) FROM entries")).scalar_one()
    )
    assert count == 0


@pytest.mark.sqlite
async def test_references_are_enforced_after_a_migration(database: Database) -> None:
    def pragma(connection: Connection) -> object:
        return connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one()

    assert await database.write(pragma) == 1


async def test_revisions_form_one_line(database: Database) -> None:
    def revisions(connection: Connection) -> list[str]:
        script = ScriptDirectory.from_config(config(connection))
        assert len(script.get_heads()) == 1
        return [found.revision for found in script.walk_revisions()]

    found = await database.migrate(revisions)
    # By number too: the highest is the newest (gaps are of work that has not landed).
    assert found == sorted(set(found), reverse=True)


async def test_the_working_directory_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "var").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    await upgrade("sqlite+aiosqlite:///data/var/stammtisch.sqlite3")
    assert (tmp_path / "data" / "var" / "stammtisch.sqlite3").is_file()


def test_postgresql_gets_the_same_partial_indexes() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call] # as SQLAlchemy has it
    said = [
        str(CreateIndex(index).compile(dialect=dialect))
        for table in metadata.sorted_tables
        for index in table.indexes
    ]
    assert (
        "CREATE UNIQUE INDEX uq_tables_open_channel ON tables (channel_id) "
        "WHERE status IN ('lobby', 'running')"
    ) in said
    assert (
        "CREATE UNIQUE INDEX uq_entries_interaction ON entries (interaction_id) "
        "WHERE interaction_id IS NOT NULL"
    ) in said
    for table in metadata.sorted_tables:
        assert "WITHOUT ROWID" not in str(CreateTable(table).compile(dialect=dialect))
