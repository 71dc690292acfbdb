"""Lines that are over, as those that no message shows."""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

OVER = -3
"""The round of a line that was over: its message said so, and nothing was to become of it."""

surfaces = sa.table("surfaces", *map(sa.column, ("kind", "message_id", "round")))


def upgrade() -> None:
    """A line that is over is one without a message."""
    lines = surfaces.c.kind.in_(("invitation", "offer"))
    op.get_bind().execute(
        surfaces.update().where(lines, surfaces.c.round == OVER).values(message_id=0, round=0)
    )
