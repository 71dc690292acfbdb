"""Voted out: who lost a seat by the votes of others after half of a match."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("voted_out", sa.JSON(), nullable=False, server_default="[]"))
    # The default was for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("voted_out", server_default=None)
