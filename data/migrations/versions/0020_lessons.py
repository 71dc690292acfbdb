"""Lessons: who was told what a kind of decision is for, and who wants no tips any more."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("people") as batch:
        batch.add_column(sa.Column("tips", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "kind", name=op.f("pk_lessons")),
        sqlite_with_rowid=False,
    )
