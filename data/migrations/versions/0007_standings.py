"""Standings: the sums that leaderboards are read from, and what people were called last."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "standings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("period", sa.String(length=10), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.BigInteger(), nullable=False),
        sa.Column("by_wins", sa.Integer(), nullable=False),
        sa.Column("by_rate", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "period", "game", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "players",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "user_id", name=op.f("pk_players")),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        month = "to_char(ended AT TIME ZONE 'UTC', 'YYYY-MM')"
        week = "to_char(date_trunc('week', ended AT TIME ZONE 'UTC'), 'YYYY-MM-DD')"
    else:
        month = "strftime('%Y-%m', ended)"
        week = "date(ended, 'weekday 0', '-6 days')"
    for game in ("''", "matches.game"):
        for period in ("'all'", month, week):
            # Not by a text with parameters: a colon or a per cent sign would be taken for one.
            op.get_bind().exec_driver_sql(_filling(game, period))
    op.execute(
        """
        INSERT INTO players
        SELECT guild_id, user_id, name, ended, table_id
        FROM (SELECT matches.guild_id, results.user_id, results.name, matches.ended,
                     matches.table_id,
                     row_number() OVER (PARTITION BY matches.guild_id, results.user_id
                                        ORDER BY matches.ended DESC, matches.table_id DESC) AS age
              FROM results JOIN matches ON matches.table_id = results.table_id) AS every_name
        WHERE age = 1
        """
    )
    # Last: an index is made faster than it is kept.
    op.create_index(
        "ix_standings_order",
        "standings",
        ["guild_id", "game", "period", "by_wins", "by_rate", "matches", "user_id"],
    )


def _filling(game: str, period: str) -> str:
    return f"""
        INSERT INTO standings
        SELECT guild_id, user_id, period, game, matches, points, rounds, by_wins,
               CASE WHEN game = '' OR rounds = 0 THEN 0.0
                    ELSE CAST(-points AS DOUBLE PRECISION) / CAST(rounds AS DOUBLE PRECISION) END
        FROM (SELECT matches.guild_id, {game} AS game, {period} AS period, results.user_id,
                     count(*) AS matches, sum(results.points) AS points,
                     sum(matches.rounds) AS rounds,
                     sum(CASE WHEN results.place = 1 THEN -1 ELSE 0 END) AS by_wins
              FROM results JOIN matches ON matches.table_id = results.table_id
              GROUP BY matches.guild_id, 2, 3, results.user_id) AS sums
    """  # noqa: S608 - its parts stand above
