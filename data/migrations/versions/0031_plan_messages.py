"""Messages of plans stand as those of tables do; who is called is stored as a table opens."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

plans = sa.table(
    "plans",
    sa.column("id", sa.String),
    sa.column("channel_id", sa.BigInteger),
    sa.column("message_id", sa.BigInteger),
    sa.column("created", sa.DateTime(timezone=True)),
    sa.column("drawn", sa.Integer),
)


def upgrade() -> None:
    found = sa.select(plans).where(plans.c.message_id.is_not(None))
    rows = op.get_bind().execute(found).all()
    with op.batch_alter_table("plans") as batch:
        batch.add_column(sa.Column("called", sa.JSON(), nullable=False, server_default="[]"))
        batch.drop_column("message_id")
        batch.drop_column("drawn")
    with op.batch_alter_table("plans") as batch:
        batch.alter_column("called", server_default=None)
    messages = op.create_table(
        "plan_surfaces",
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
            ["table_id"], ["plans.id"], name=op.f("fk_plan_surfaces_plans"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "kind", "key", name=op.f("pk_plan_surfaces")),
        sqlite_with_rowid=False,
    )
    shown = [
        {
            "table_id": row.id,
            "kind": "board",
            "key": 0,
            "channel_id": row.channel_id,
            "message_id": row.message_id,
            "posted": row.created,
            "round": 0,
            "warned": False,
            "drawn": row.drawn,
        }
        for row in rows
    ]
    op.bulk_insert(messages, shown)
