"""Concessions: who has left a match for good, and votes about people who are away."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        for name in ("conceded", "away_votes"):
            batch.add_column(sa.Column(name, sa.JSON(), nullable=False, server_default="[]"))
    # The defaults were for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        for name in ("conceded", "away_votes"):
            batch.alter_column(name, server_default=None)
