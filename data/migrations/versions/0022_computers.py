"""Computer players: where they sit, when they answer, and which matches they took part in."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("places") as batch:
        batch.add_column(sa.Column("level", sa.String(16)))
    with op.batch_alter_table("tables") as batch:
        batch.add_column(
            sa.Column("computer_time", sa.Integer(), nullable=False, server_default="1")
        )
    with op.batch_alter_table("matches") as batch:
        batch.add_column(sa.Column("computers", sa.JSON()))
