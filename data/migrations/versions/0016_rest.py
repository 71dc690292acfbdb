"""Rest: since when a match rests by vote, and who has voted for that or for its end."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("rest_since", sa.DateTime(timezone=True)))
        batch.add_column(sa.Column("rest_votes", sa.JSON(), nullable=False, server_default="[]"))
    # The default was for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("rest_votes", server_default=None)
