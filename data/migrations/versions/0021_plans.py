"""Tables that open at a time, and by whose clock people plan."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "zones",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_zones")),
    )
    op.create_table(
        "plans",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("drawn", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("wish", sa.JSON(), nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("weekly", sa.Boolean(), nullable=False),
        sa.Column("again", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("coming", sa.JSON(), nullable=False),
        sa.Column("cannot", sa.JSON(), nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("event_id", sa.BigInteger()),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plans")),
    )
    op.create_index("ix_plans_state", "plans", ["state", "again"])
    op.create_index("ix_plans_guild", "plans", ["guild_id", "user_id"])
