"""Decks: which cards people have chosen to see."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("people") as batch:
        batch.add_column(
            sa.Column("deck", sa.String(16), nullable=False, server_default="standard")
        )
