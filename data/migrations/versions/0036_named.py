"""Whom records name, to be found by their id; who was heard when; which servers are gone."""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

AT_ONCE = 500
"""Tables that are read in one go."""

tables = sa.table("tables", *map(sa.column, ("id", "document")))


def upgrade() -> None:
    named = op.create_table(
        "named",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_named_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_named")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_named_user", "named", ["user_id"])
    op.create_index("ix_tables_guild", "tables", ["guild_id"])
    op.create_table(
        "departures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departures")),
    )
    with op.batch_alter_table("people") as batch:
        batch.add_column(sa.Column("heard", sa.DateTime(timezone=True), nullable=True))
    op.execute("UPDATE people SET heard = CURRENT_TIMESTAMP")
    connection = op.get_bind()
    ids = connection.scalars(sa.select(tables.c.id)).all()
    for first in range(0, len(ids), AT_ONCE):
        some = sa.select(tables).where(tables.c.id.in_(ids[first : first + AT_ONCE]))
        rows = [
            {"table_id": row.id, "user_id": user}
            for row in connection.execute(some).all()
            for user in sorted(others(row.document))
        ]
        if rows:
            connection.execute(named.insert(), rows)


def others(document: str) -> set[int]:
    try:
        record = json.loads(document)
        sit = {one["person"][0] for one in record["seating"]["places"] if one["person"]}
        return {int(user) for user in people(record)} - sit
    except (AttributeError, KeyError, TypeError, ValueError):
        return set()  # a record that nothing can read


def people(record: dict[str, Any]) -> Iterator[Any]:
    seating, votes = record["seating"], record.get("votes", {})
    yield from (record["opener"], seating["host"])
    for name in ("invited", "kicked", "seen", "conceded", "voted_out", "called"):
        yield from seating.get(name, ())
    # A computer player is no list.
    began = (one for one in seating.get("starters", ()) if isinstance(one, list))
    for known in (*began, *seating.get("kept", {}).values()):
        yield known[0]
    yield from record.get("shuffling", {}).get("words", ())
    yield from record.get("hinted", ())
    for name in ("ready", "end_votes", "standing", "rest_votes", "paces", "ahead"):
        yield from votes.get(name, ())
    for whom, users in votes.get("away_votes", {}).items():
        yield from (whom, *users)
