"""Hints: who has taken how many in a match."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("hinted", sa.JSON(), nullable=False, server_default="[]"))
    # The default was for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("hinted", server_default=None)
