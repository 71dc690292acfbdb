"""Kept: places of a rematch that wait for the people of the match before."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("kept", sa.JSON(), nullable=False, server_default="[]"))
    # The default was for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("kept", server_default=None)
