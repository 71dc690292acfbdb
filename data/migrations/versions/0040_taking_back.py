"""Lines of a match log that take another back: an older program cannot read them."""

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is changed: the new version keeps an older program away."""
