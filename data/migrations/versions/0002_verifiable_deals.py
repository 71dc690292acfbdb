"""Verifiable deals: a seed for every round, words, closed seats; passes for the whole deal."""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    shuffles = op.create_table(
        "shuffles",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("post", sa.String(length=20), nullable=True),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_shuffles_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "round", name=op.f("pk_shuffles")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("tables") as batch:
        batch.add_column(
            sa.Column("closed", sa.Boolean(), nullable=False, server_default=sa.false())
        )
        batch.add_column(sa.Column("words", sa.JSON(), nullable=False, server_default="[]"))
        batch.add_column(sa.Column("standing", sa.JSON(), nullable=False, server_default="[]"))
    # The defaults were for the rows that there are; the program writes every column itself.
    with op.batch_alter_table("tables") as batch:
        for name in ("closed", "words", "standing"):
            batch.alter_column(name, server_default=None)
    op.bulk_insert(shuffles, _seeds(op.get_bind()))


def _seeds(connection: sa.Connection) -> list[dict[str, object]]:
    """For every open table a seed for each round dealt, never used, and one for the next."""
    found = connection.execute(
        sa.text(
            "SELECT tables.id, count(entries.ply) FROM tables LEFT JOIN entries "
            "ON entries.table_id = tables.id AND entries.seat = -1 "
            "WHERE tables.status IN ('lobby', 'running') GROUP BY tables.id"
        )
    )
    return [
        {
            "table_id": table,
            "round": number,
            "seed": secrets.token_hex(32),
            "post": None,
            "words": [],
        }
        for table, dealt in found
        for number in range(1, dealt + 2)
    ]
