"""Opener: whose a table is for the limits, whoever leads it by now."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

OPEN = sa.text("status IN ('lobby', 'running')")


def upgrade() -> None:
    op.drop_index("ix_tables_open_guild", "tables")
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("opener_id", sa.BigInteger(), nullable=True))
    op.execute("UPDATE tables SET opener_id = host_id")
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("opener_id", nullable=False)
    op.create_index(
        "ix_tables_open_guild",
        "tables",
        ["guild_id", "opener_id"],
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )
