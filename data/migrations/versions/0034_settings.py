"""Settings: those of a server are one JSON text with a log; results say whether they count."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

servers = sa.table("servers", *map(sa.column, ("guild_id", "deck", "document")))


def upgrade() -> None:
    with op.batch_alter_table("servers") as batch:
        batch.add_column(sa.Column("document", sa.Text(), nullable=True))
    connection = op.get_bind()
    for guild, deck in connection.execute(sa.select(servers.c.guild_id, servers.c.deck)).all():
        document = json.dumps({"deck": deck}, separators=(",", ":"))
        row = sa.update(servers).where(servers.c.guild_id == guild)
        connection.execute(row.values(document=document))
    with op.batch_alter_table("servers") as batch:
        batch.alter_column("document", nullable=False)
        batch.drop_column("deck")
    op.create_table(
        "server_changes",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("setting", sa.String(length=16), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name=op.f("pk_server_changes")),
        sqlite_with_rowid=False,
    )
    op.add_column(
        "results", sa.Column("counts", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.execute(
        "UPDATE results SET counts = FALSE WHERE table_id IN"
        " (SELECT table_id FROM matches WHERE NOT counts)"
    )
    with op.batch_alter_table("matches") as batch:
        batch.drop_column("counts")
