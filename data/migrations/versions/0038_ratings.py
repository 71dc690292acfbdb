"""Ratings, the order in which matches go into them, seasons, and other orders of leaderboards.

What is counted from results is counted afterwards (`bot.storage.migrations`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

BOARD = ["guild_id", "game", "period"]

matches = sa.table("matches", *map(sa.column, ("table_id", "guild_id", "game", "ended", "number")))


def upgrade() -> None:
    with op.batch_alter_table("matches") as batch:
        batch.add_column(sa.Column("number", sa.Integer(), nullable=False, server_default="0"))
    order = sa.select(
        matches.c.table_id,
        sa.func.row_number()
        .over(
            partition_by=(matches.c.guild_id, matches.c.game),
            order_by=(matches.c.ended, matches.c.table_id),
        )
        .label("number"),
    )
    connection = op.get_bind()
    numbered = [{"at": row.table_id, "new": row.number} for row in connection.execute(order)]
    if numbered:
        swap = sa.update(matches).where(matches.c.table_id == sa.bindparam("at"))
        connection.execute(swap.values(number=sa.bindparam("new")), numbered)
    op.create_index("ix_matches_number", "matches", ["guild_id", "game", "number"])
    with op.batch_alter_table("results") as batch:
        batch.add_column(sa.Column("mu", sa.Double(), nullable=True))
        batch.add_column(sa.Column("sigma", sa.Double(), nullable=True))
    with op.batch_alter_table("standings") as batch:
        batch.add_column(sa.Column("by_rating", sa.Double(), nullable=False, server_default="0"))
    order_of = {
        "ix_standings_rate": ["by_rate", "by_wins", "matches"],
        "ix_standings_rating": ["by_rating"],
    }
    for name, by in order_of.items():
        op.create_index(name, "standings", [*BOARD, *by, "user_id"])
    op.create_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name=op.f("pk_ratings")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_ratings_user", "ratings", ["user_id"])
