"""Locales: in which language people use Discord, and that of a table's server."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("locale", sa.String(16), nullable=False, server_default="en"))
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
