"""Trimmed: whether what is of no use any more was forgotten of a table that ended long ago."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "tables", sa.Column("trimmed", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("ix_tables_ended", "tables", ["trimmed", "ended"])
