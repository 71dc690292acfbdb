"""For fun: whether the leaderboards count a match stands with it."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

matches = sa.table(
    "matches", sa.column("computers", sa.JSON(none_as_null=True)), sa.column("counts")
)


def upgrade() -> None:
    with op.batch_alter_table("matches") as batch:
        batch.add_column(
            sa.Column("counts", sa.Boolean(), nullable=False, server_default=sa.true())
        )
    with_computers = matches.c.computers.is_not(None)
    op.execute(sa.update(matches).where(with_computers).values(counts=sa.false()))
    with op.batch_alter_table("matches") as batch:
        batch.alter_column("counts", server_default=None)
