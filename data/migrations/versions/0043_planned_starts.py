"""Planned tables that begin by themselves: an older program cannot read their deadlines."""

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is changed: the new version keeps an older program away."""
