"""Invitations that are over, as such."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

tables = sa.table("tables", *map(sa.column, ("id", "status", "created", "document")))
surfaces = sa.table(
    "surfaces",
    *map(sa.column, ("table_id", "kind", "key", "channel_id", "message_id", "posted", "round")),
    sa.column("warned", sa.Boolean),
)


def upgrade() -> None:
    """Whoever was invited to an open table and has no line there counts as called by one."""
    connection = op.get_bind()
    lines = sa.select(surfaces.c.table_id, surfaces.c.key).where(surfaces.c.kind == "invitation")
    standing = {tuple(row) for row in connection.execute(lines)}
    rows = [
        {
            "table_id": row.id, "kind": "invitation", "key": user, "channel_id": 0, "message_id": 0,
            "posted": row.created, "round": -3, "warned": False,
        }
        for row in connection.execute(
            sa.select(tables).where(tables.c.status.in_(("lobby", "running")))
        )
        for user in called(row.document)
        if (row.id, user) not in standing
    ]  # fmt: skip
    if rows:
        connection.execute(surfaces.insert(), rows)


def called(document: str) -> set[int]:
    try:
        return {int(user) for user in json.loads(document)["seating"].get("called", ())}
    except (AttributeError, KeyError, TypeError, ValueError):
        return set()  # a record that nothing can read
