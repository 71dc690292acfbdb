"""Preferences: what people have chosen is one JSON text; and who is blocked is searched for."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

people = sa.table(
    "people",
    sa.column("user_id", sa.BigInteger),
    sa.column("tips", sa.Boolean),
    sa.column("deck", sa.String),
    sa.column("document", sa.Text),
)


def upgrade() -> None:
    with op.batch_alter_table("people") as batch:
        batch.add_column(sa.Column("document", sa.Text(), nullable=False, server_default="{}"))
        batch.add_column(
            sa.Column("off_boards", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    connection = op.get_bind()
    chosen = sa.or_(people.c.deck != "standard", people.c.tips.is_(sa.false()))
    written = [
        {
            "whose": row.user_id,
            "text": json.dumps(
                ({} if row.deck == "standard" else {"deck": row.deck})
                | ({} if row.tips else {"tips": False}),
                separators=(",", ":"),
            ),
        }
        for row in connection.execute(sa.select(people).where(chosen))
    ]
    if written:
        swap = sa.update(people).where(people.c.user_id == sa.bindparam("whose"))
        connection.execute(swap.values(document=sa.bindparam("text")), written)
    with op.batch_alter_table("people") as batch:
        batch.drop_column("tips")
        batch.drop_column("deck")
    off = sa.column("off_boards", sa.Boolean).is_(sa.true())
    op.create_index(
        "ix_people_off_boards", "people", ["user_id"], sqlite_where=off, postgresql_where=off
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked_id"])
