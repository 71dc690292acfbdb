"""Seats by lot: an older program would forget that they are to be drawn, and what was drawn."""

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is changed: the new version keeps an older program away."""
