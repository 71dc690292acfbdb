"""Everything that is kept from the first release on."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "blocked_id", name=op.f("pk_blocks")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("question", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "kind", name=op.f("pk_lessons")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_meta")),
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("tips", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("deck", sa.String(length=16), server_default="standard", nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
    op.create_table(
        "plans",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("weekly", sa.Boolean(), nullable=False),
        sa.Column("again", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("coming", sa.JSON(), nullable=False),
        sa.Column("cannot", sa.JSON(), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("event_id", sa.BigInteger(), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plans")),
    )
    op.create_index("ix_plans_guild", "plans", ["guild_id", "user_id"])
    op.create_index("ix_plans_state", "plans", ["state", "again"])
    op.create_table(
        "players",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_players")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("deck", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_servers")),
    )
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.String(length=10), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.BigInteger(), nullable=False),
        sa.Column("by_wins", sa.Integer(), nullable=False),
        sa.Column("by_rate", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "period", "game", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_standings_order",
        "standings",
        ["guild_id", "game", "period", "by_wins", "by_rate", "matches", "user_id"],
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
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("standing", sa.JSON(), nullable=False),
        sa.Column("pace", sa.String(length=16), server_default="none", nullable=False),
        sa.Column("warned", sa.Integer(), nullable=True),
        sa.Column("credited", sa.Integer(), server_default="0", nullable=False),
        sa.Column("stalled_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("stalled_missing", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("locale", sa.String(length=16), server_default="en", nullable=False),
        sa.Column("conceded", sa.JSON(), nullable=False),
        sa.Column("away_votes", sa.JSON(), nullable=False),
        sa.Column("chain_tip", sa.String(length=64), nullable=False),
        sa.Column("trimmed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("customs", sa.JSON(), nullable=False),
        sa.Column("kept", sa.JSON(), nullable=False),
        sa.Column("called", sa.JSON(), nullable=False),
        sa.Column("rest_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("rest_votes", sa.JSON(), nullable=False),
        sa.Column("ahead", sa.JSON(), nullable=False),
        sa.Column("sought", sa.JSON(), nullable=False),
        sa.Column("paces", sa.JSON(), nullable=False),
        sa.Column("pace_coming", sa.Text(), nullable=True),
        sa.Column("computer_time", sa.Integer(), server_default="1", nullable=False),
        sa.Column("hinted", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_index("ix_tables_channel", "tables", ["channel_id", "created"])
    op.create_index("ix_tables_ended", "tables", ["trimmed", "ended"])
    op.create_index(
        "ix_tables_open_guild",
        "tables",
        ["guild_id", "host_id"],
        sqlite_where=sa.text("status IN ('lobby', 'running')"),
        postgresql_where=sa.text("status IN ('lobby', 'running')"),
    )
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
        "zones",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_zones")),
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
        sa.Column("by", sa.String(length=16), server_default="person", nullable=False),
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
        sa.Column("computers", sa.JSON(none_as_null=True), nullable=True),
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
        sa.Column("misses", sa.Integer(), server_default="0", nullable=False),
        sa.Column("away", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("level", sa.String(length=16), nullable=True),
        sa.CheckConstraint("(user_id IS NULL) = (name IS NULL)", name=op.f("ck_places_person")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_places_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "place", name=op.f("pk_places")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_places_user", "places", ["user_id"])
    op.create_table(
        "shuffles",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("post", sa.String(length=20), nullable=True),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_shuffles_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "round", name=op.f("pk_shuffles")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "surfaces",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("posted", sa.DateTime(timezone=True), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("question", sa.Integer(), nullable=True),
        sa.Column("warned", sa.Boolean(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=True),
        sa.Column("nonce", sa.String(length=25), server_default=sa.text("''"), nullable=False),
        sa.Column("of_kind", sa.String(length=16), server_default=sa.text("''"), nullable=False),
        sa.Column("of_key", sa.BigInteger(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_surfaces_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "kind", "key", name=op.f("pk_surfaces")),
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
