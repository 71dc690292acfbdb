"""Clocks: a pace, who is away, who acted, credited time, tables that cannot be shown."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

# Their defaults stay in the schema: without them SQLite would build every log anew.
_COLUMNS = {
    "tables": (
        sa.Column("pace", sa.String(16), nullable=False, server_default="none"),
        sa.Column("warned", sa.Integer(), nullable=True),
        sa.Column("credited", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("stalled_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stalled_missing", sa.JSON(), nullable=True),
    ),
    "places": (
        sa.Column("misses", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("away", sa.Boolean(), nullable=False, server_default=sa.false()),
    ),
    "entries": (sa.Column("by", sa.String(16), nullable=False, server_default="person"),),
    "surfaces": (sa.Column("drawn", sa.Integer(), nullable=True),),
}


def upgrade() -> None:
    for table, columns in _COLUMNS.items():
        for column in columns:
            op.add_column(table, column)
    op.create_index(
        "ix_tables_open_guild",
        "tables",
        ["guild_id", "host_id"],
        sqlite_where=sa.text("status IN ('lobby', 'running')"),
        postgresql_where=sa.text("status IN ('lobby', 'running')"),
    )
