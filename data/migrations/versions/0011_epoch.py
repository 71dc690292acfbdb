"""The epoch of tables and messages: how often the database was restored when they were made."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("tables", "surfaces"):
        op.add_column(name, sa.Column("epoch", sa.Integer(), nullable=False, server_default="0"))
