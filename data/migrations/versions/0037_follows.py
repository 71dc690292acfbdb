"""Who is told when tables open, of which they were told, and when a server's role was called."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "follows",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "guild_id", "game", name=op.f("pk_follows")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_follows_game", "follows", ["guild_id", "game"])
    op.create_table(
        "tellings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", name=op.f("pk_tellings")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("servers") as batch:
        batch.add_column(sa.Column("called_at", sa.DateTime(timezone=True), nullable=True))
