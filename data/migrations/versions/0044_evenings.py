"""Plans that ask for a time, the lines that they post, and their seats."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

LISTS = ("times", "ticks", "regulars", "lines")


def upgrade() -> None:
    with op.batch_alter_table("plans") as batch:
        for name in LISTS:
            batch.add_column(sa.Column(name, sa.JSON(), nullable=False, server_default="[]"))
        # Of a plan of before nobody has counted the seats.
        batch.add_column(sa.Column("seats", sa.Integer(), nullable=True))
        batch.add_column(sa.Column("enough", sa.Integer(), nullable=True))
    # The defaults were for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("plans") as batch:
        for name in LISTS:
            batch.alter_column(name, server_default=None)
