"""Chains: one commitment for all deals of a match, and which link of it each round is."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("chain_tip", sa.String(64)))
    op.add_column("tables", sa.Column("chain_links", sa.Integer()))
    op.add_column("shuffles", sa.Column("link", sa.Integer()))
    op.add_column("shuffles", sa.Column("renewal", sa.String(16)))
