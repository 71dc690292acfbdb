"""The schema in code and the schema that the migrations build are one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Integer, MetaData, insert, select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.ids import ChannelId, GuildId, MessageId, PlanId
from bot.storage.database import Database, StorageError
from bot.storage.meta import SqlMeta
from bot.storage.migrations import config, revision, upgrade, upgrade_open
from bot.storage.plans import SqlPlans
from bot.storage.plans import _row as row_of
from bot.storage.rows import columns
from bot.storage.schema import metadata, plan_surfaces, plans, tables
from bot.storage.surfaces import SqlSurfaces
from bot.tables.plans import Wish, answer, new_plan, next_week
from bot.tables.when import WEEK, When
from tests.storage.conftest import CALM
from tests.storage.values import ANNA, BEN, CARLA, NOW, stored

OLD: Final = plans.to_metadata(MetaData())
"""Plans of before their messages stood in a ledger."""
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
    later = {"local", "pressed", "invited", "lapse", "called"}
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
        row = {key: value for key, value in row_of(made).items() if key != "called"}
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
    await database.close()


@pytest.mark.sqlite
async def test_a_table_of_before_is_its_hosts_and_nobody_was_voted_out(url: str) -> None:
    database = await Database.open(url, CALM)
    await database.migrate(lambda connection: command.upgrade(config(connection), "0026"))
    later = {"opener_id", "voted_out"}
    row = {key: value for key, value in columns(stored()).items() if key not in later}

    def add(connection: Connection) -> None:
        connection.execute(insert(tables).values(row))

    await database.write(add)
    await upgrade_open(database)
    found = await database.read(lambda connection: connection.execute(select(tables)).one())
    assert (found.opener_id, found.voted_out) == (row["host_id"], [])
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
