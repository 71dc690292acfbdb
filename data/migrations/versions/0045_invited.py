"""Lines of plans that ask people by name: an older program cannot read them."""

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is changed: the new version keeps an older program away."""
