"""The schema in code and the schema that the migrations build are one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.ids import TableId, UserId
from bot.storage.database import Database, StorageError
from bot.storage.meta import SqlMeta
from bot.storage.migrations import config, upgrade, upgrade_open
from bot.storage.schema import metadata
from bot.storage.tables import SqlTableStore
from bot.tables.stored import Actor, DeadlineKind, Pace, Person, Place
from tests.storage.conftest import CALM


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
async def test_the_migrations_build_it_to_the_letter(database: Database) -> None:
    """Partial indexes and checks too, which Alembic does not compare."""
    plain = await Database.open("sqlite+aiosqlite://")
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


async def test_a_newer_database_is_refused_and_left_alone(url: str, database: Database) -> None:
    def from_the_future(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    await database.write(from_the_future)
    await database.close()
    with pytest.raises(StorageError, match=r"newer version of this program \(schema 9999\)") as got:
        await upgrade(url)
    assert "\n" not in str(got.value)


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


async def test_tables_of_the_first_version_are_played_on(url: str) -> None:
    """Open ones get a seed for the next deal; those for rounds dealt without one stay unused."""
    database = await Database.open(url, CALM)

    def first_version(connection: Connection) -> None:
        command.upgrade(config(connection), "0001")
        for name, status, deals in (("T1", "lobby", 0), ("T2", "running", 2), ("T3", "stopped", 1)):
            connection.execute(
                text(
                    "INSERT INTO tables VALUES (:name, 1, 1, :channel, 'aufundab', 1, :status, "
                    "NULL, 11, false, false, '{}', '{}', '[]', '[]', '[]', '[]', '[]', '[]', NULL, "
                    "'2025-03-05 12:30:15.000000', NULL, NULL)"
                ),
                {"name": name, "channel": ord(name[1]), "status": status},
            )
            for ply, seat in enumerate([-1, 0, 1] * deals):
                connection.execute(
                    text(
                        "INSERT INTO entries VALUES "
                        "(:name, :ply, :seat, '', '2025-03-05 12:30:15.000000', NULL)"
                    ),
                    {"name": name, "ply": ply, "seat": seat},
                )

    await database.migrate(first_version)
    await upgrade_open(database)
    store = SqlTableStore(database)
    seeds = set()
    for name, shuffles in (("T1", 1), ("T2", 3), ("T3", 0)):
        found = await store.load(TableId(name))
        assert found is not None
        stored, _ = found
        assert len(stored.shuffling.shuffles) == shuffles
        assert all(s.post is None and s.words == () for s in stored.shuffling.shuffles)
        assert (stored.shuffling.closed, stored.shuffling.words, stored.votes.standing) == (
            False,
            {},
            frozenset(),
        )
        seeds |= {bytes.fromhex(s.seed) for s in stored.shuffling.shuffles}
    assert {len(seed) for seed in seeds} == {32}
    assert len(seeds) == 4
    await database.close()


async def test_tables_of_the_second_version_are_played_on_without_a_clock(url: str) -> None:
    database = await Database.open(url, CALM)

    def second_version(connection: Connection) -> None:
        command.upgrade(config(connection), "0002")
        for statement in (
            "INSERT INTO tables VALUES ('T1', 4, 1, 2, 'aufundab', 1, 'running', NULL, 11, false, "
            "false, '{}', '{\"a\": 1}', '[]', '[]', '[[11, \"Anna\"], [12, \"Ben\"]]', '[]', "
            "'[12]', '[]', NULL, 'AT', 'AT', NULL, false, '[]', '[12]')",
            "INSERT INTO places VALUES ('T1', 0, 11, 'Anna', true)",
            "INSERT INTO places VALUES ('T1', 1, NULL, NULL, NULL)",
            "INSERT INTO entries VALUES ('T1', 0, -1, 'deal', 'AT', NULL)",
            "INSERT INTO entries VALUES ('T1', 1, 0, 'play R5', 'AT', 77)",
            "INSERT INTO deadlines VALUES ('T1', 0, 'standing', 2, 'AT')",
            "INSERT INTO surfaces VALUES ('T1', 0, 2, 3, 'AT', 4)",
        ):
            connection.exec_driver_sql(statement.replace("AT", "2025-03-05 12:30:15"))

    await database.migrate(second_version)
    await upgrade_open(database)
    found = await SqlTableStore(database).load(TableId("T1"))
    assert found is not None
    stored, log = found
    assert (stored.version, stored.options) == (4, {"a": 1})
    assert stored.votes.standing == {12}
    assert stored.seating.places == (Place(Person(UserId(11), "Anna"), True), Place())
    assert (stored.timing.pace, stored.timing.warned, stored.timing.stalled) == (
        Pace.NONE,
        None,
        None,
    )
    assert stored.timing.credited == timedelta()
    assert [d.kind for d in stored.timing.deadlines] == [DeadlineKind.STANDING]
    assert [(e.text, e.interaction, e.by) for e in log] == [
        ("deal", None, Actor.PERSON),
        ("play R5", 77, Actor.PERSON),
    ]

    def shown(connection: Connection) -> Sequence[Any]:
        found = connection.execute(text("SELECT kind, key, message_id, round, drawn FROM surfaces"))
        return found.one()

    assert await database.read(shown) == ("board", 0, 3, 4, None)
    await database.close()
