"""Kinds: what a message is to its table is a word, and what it shows has columns of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("CREATE TEMPORARY TABLE surfaces_before AS SELECT * FROM surfaces")
    op.drop_table("surfaces")
    op.create_table(
        "surfaces",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("posted", sa.DateTime(timezone=True), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=True),
        sa.Column("warned", sa.Boolean(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_surfaces_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "kind", "key", name=op.f("pk_surfaces")),
        sqlite_with_rowid=False,
    )
    # `mark` was a round's number with viewer 0 (-1: the result); else twice the number of a
    # question, plus one for a warning (-1: none yet).  Below -1 the viewer was -2 - message.
    op.execute(
        """
        INSERT INTO surfaces
        SELECT table_id,
               CASE WHEN viewer_id > 0 THEN 'hand'
                    WHEN viewer_id = -1 THEN 'notice'
                    WHEN viewer_id < -1 THEN 'retired'
                    WHEN mark < 0 THEN 'result'
                    ELSE 'board' END,
               CASE WHEN viewer_id > 0 THEN viewer_id
                    WHEN viewer_id < -1 THEN message_id
                    ELSE 0 END,
               channel_id, message_id, posted,
               CASE WHEN viewer_id = 0 AND mark > 0 THEN mark ELSE 0 END,
               CASE WHEN (viewer_id > 0 OR viewer_id = -1) AND mark >= 0 THEN mark / 2 END,
               (viewer_id > 0 OR viewer_id = -1) AND mark > 0 AND mark % 2 = 1,
               drawn
        FROM surfaces_before
        """
    )
    op.execute("DROP TABLE surfaces_before")
