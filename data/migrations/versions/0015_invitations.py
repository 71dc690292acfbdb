"""Invitations: who was sent one to a table, and from whom people get none any more."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("called", sa.JSON(), nullable=False, server_default="[]"))
    # The default was for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("called", server_default=None)
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name=op.f("pk_blocks")),
        sqlite_with_rowid=False,
    )
