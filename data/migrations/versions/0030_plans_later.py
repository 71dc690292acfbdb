"""Plans: who pressed, who is invited, why one does not come again."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

plans = sa.table(
    "plans",
    sa.column("id", sa.String),
    sa.column("coming", sa.JSON),
    sa.column("cannot", sa.JSON),
    sa.column("pressed", sa.JSON),
)


def upgrade() -> None:
    with op.batch_alter_table("plans") as batch:
        batch.add_column(sa.Column("pressed", sa.JSON(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("invited", sa.JSON(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("lapse", sa.String(length=16), nullable=True))
    # The defaults were for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("plans") as batch:
        batch.alter_column("pressed", server_default=None)
        batch.alter_column("invited", server_default=None)
    connection = op.get_bind()
    for row in connection.execute(sa.select(plans)).all():
        # Nobody was asked for more than to stand in these lists.
        people = sorted({user for user, _ in [*row.coming, *row.cannot]})
        change = sa.update(plans).where(plans.c.id == row.id)
        connection.execute(change.values(pressed=people))
