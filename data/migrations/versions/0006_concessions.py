"""Concessions: who has left a match for good, and votes about people who are away."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in ("conceded", "away_votes"):
        op.add_column("tables", sa.Column(column, sa.JSON(), nullable=False, server_default="[]"))
