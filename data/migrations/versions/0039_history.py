"""Finished matches by their end, where others may look them up, and more figures of each."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_PLACES = """
UPDATE matches SET channel_id = (
    SELECT tables.channel_id FROM tables WHERE tables.id = matches.table_id
    AND NOT COALESCE(CAST(CAST(document AS json) -> 'seating' ->> 'private' AS boolean), true)
)
"""
_PLACES_LITE = """
UPDATE matches SET channel_id = (
    SELECT tables.channel_id FROM tables WHERE tables.id = matches.table_id
    AND NOT COALESCE(json_extract(document, '$.seating.private'), 1)
)
"""


def upgrade() -> None:
    with op.batch_alter_table("matches") as batch:
        batch.add_column(sa.Column("channel_id", sa.BigInteger(), nullable=True))
        batch.add_column(sa.Column("plays", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("records", sa.JSON(none_as_null=True), nullable=True))
    with op.batch_alter_table("results") as batch:
        for name in ("best_round", "worst_round", "deficit", "hints", "asked", "in_time"):
            batch.add_column(sa.Column(name, sa.Integer(), nullable=True))
    # Matches of private tables stay where their people find them.
    lite = op.get_bind().dialect.name == "sqlite"
    op.execute(_PLACES_LITE if lite else _PLACES)
    op.create_index("ix_matches_ended", "matches", ["guild_id", "ended", "table_id", "channel_id"])
    op.create_table(
        "bests",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("by", sa.Integer(), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", "kind", name=op.f("pk_bests")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_bests_order", "bests", ["guild_id", "game", "kind", "by", "ended", "user_id"]
    )
