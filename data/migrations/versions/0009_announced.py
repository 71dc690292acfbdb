"""Messages on their way: written down before they are sent, with the nonce they are sent by."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for column in (
        sa.Column("nonce", sa.String(25), nullable=False, server_default=sa.text("''")),
        sa.Column("of_kind", sa.String(8), nullable=False, server_default=sa.text("''")),
        sa.Column("of_key", sa.BigInteger(), nullable=False, server_default="0"),
    ):
        op.add_column("surfaces", column)
