"""Paces: who wants which other pace, and the one that holds from the next question on."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("paces", sa.JSON(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("pace_coming", sa.Text()))
    # The default was for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("paces", server_default=None)
