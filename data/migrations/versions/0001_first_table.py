"""The first table: tables, logs, results, and where they are shown."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("stop", sa.String(length=16), nullable=True),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("held", sa.Boolean(), nullable=False),
        sa.Column("given", sa.JSON(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("invited", sa.JSON(), nullable=False),
        sa.Column("kicked", sa.JSON(), nullable=False),
        sa.Column("starters", sa.JSON(), nullable=False),
        sa.Column("ready", sa.JSON(), nullable=False),
        sa.Column("end_votes", sa.JSON(), nullable=False),
        sa.Column("seen", sa.JSON(), nullable=False),
        sa.Column("rematch_of", sa.String(length=16), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_index("ix_tables_channel", "tables", ["channel_id", "created"])
    op.create_index(
        "ix_tables_rematch_of",
        "tables",
        ["rematch_of"],
        sqlite_where=sa.text("rematch_of IS NOT NULL"),
        postgresql_where=sa.text("rematch_of IS NOT NULL"),
    )
    op.create_index(
        "uq_tables_open_channel",
        "tables",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("status IN ('lobby', 'running')"),
        postgresql_where=sa.text("status IN ('lobby', 'running')"),
    )
    op.create_table(
        "deadlines",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_deadlines_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "position", name=op.f("pk_deadlines")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_deadlines_due", "deadlines", ["due"])
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_entries_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "ply", name=op.f("pk_entries")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "uq_entries_interaction",
        "entries",
        ["interaction_id"],
        unique=True,
        sqlite_where=sa.text("interaction_id IS NOT NULL"),
        postgresql_where=sa.text("interaction_id IS NOT NULL"),
    )
    op.create_table(
        "matches",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_matches_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_matches")),
    )
    op.create_index("ix_matches_guild", "matches", ["guild_id", "game", "ended"])
    op.create_table(
        "places",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("place", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("reachable", sa.Boolean(), nullable=True),
        sa.CheckConstraint("(user_id IS NULL) = (name IS NULL)", name=op.f("ck_places_person")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_places_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "place", name=op.f("pk_places")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_places_user", "places", ["user_id"])
    op.create_table(
        "surfaces",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("viewer_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("posted", sa.DateTime(timezone=True), nullable=False),
        sa.Column("mark", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_surfaces_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "viewer_id", name=op.f("pk_surfaces")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["matches.table_id"], name=op.f("fk_results_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_results")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_results_user", "results", ["user_id"])
