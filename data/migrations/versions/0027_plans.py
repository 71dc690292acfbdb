"""Plans: what the clock of a weekly one shows at its first time."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("plans") as batch:
        # Empty of a plan of before: counted on from what its clock shows at its next time.
        batch.add_column(sa.Column("local", sa.DateTime(), nullable=True))
