"""Ahead: who has chosen a card to be played when it is their turn, and which."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("ahead", sa.JSON(), nullable=False, server_default="[]"))
    # The default was for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("ahead", server_default=None)
