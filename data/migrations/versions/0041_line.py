"""The line of a table, and a deadline of its own: an older program would lose who waits."""

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is changed: the new version keeps an older program away."""
