"""Finished matches by their end, and where others may look them up."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

_PLACES = """
UPDATE matches SET channel_id = (
    SELECT tables.channel_id FROM tables WHERE tables.id = matches.table_id
    AND NOT COALESCE(CAST(CAST(document AS json) -> 'seating' ->> 'private' AS boolean), true)
)
"""
_PLACES_LITE = """
UPDATE matches SET channel_id = (
    SELECT tables.channel_id FROM tables WHERE tables.id = matches.table_id
    AND NOT COALESCE(json_extract(document, '$.seating.private'), 1)
)
"""


def upgrade() -> None:
    with op.batch_alter_table("matches") as batch:
        batch.add_column(sa.Column("channel_id", sa.BigInteger(), nullable=True))
    # Matches of private tables stay where their people find them.
    lite = op.get_bind().dialect.name == "sqlite"
    op.execute(_PLACES_LITE if lite else _PLACES)
    op.create_index("ix_matches_ended", "matches", ["guild_id", "ended", "table_id", "channel_id"])
