"""Documents: the record of a table is one JSON text, beside columns for what is searched for."""

import json
from collections import defaultdict
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

AT_ONCE = 500
"""Tables that are rewritten in one go."""

SIMPLE = (
    *("game", "rules_version", "stop", "host_id", "private", "pace", "warned", "credited"),
    *("locale", "chain_tip", "pace_coming", "computer_time", "closed"),
)
TIMES = ("started", "stalled_since", "rest_since")
LISTS = (
    *("given", "options", "invited", "kicked", "starters", "ready", "end_votes", "seen", "words"),
    *("standing", "stalled_missing", "conceded", "away_votes", "customs", "kept", "called"),
    *("rest_votes", "ahead", "sought", "paces", "hinted", "voted_out"),
)
GONE = (*SIMPLE, *TIMES, *LISTS)

tables = sa.table(
    "tables",
    *map(sa.column, ("id", "guild_id", "channel_id", "status", "rematch_of", "opener_id")),
    *(sa.column(name, sa.DateTime(timezone=True)) for name in ("created", "ended", *TIMES)),
    *map(sa.column, (*SIMPLE, "document")),
    *(sa.column(name, sa.JSON) for name in LISTS),
)
PLACE = ("table_id", "place", "user_id", "name", "reachable", "misses", "away", "level")
places = sa.table("places", *map(sa.column, PLACE))
shuffles = sa.table(
    "shuffles",
    *map(sa.column, ("table_id", "round", "seed", "post")),
    sa.column("words", sa.JSON),
)
matches = sa.table("matches", sa.column("table_id"), sa.column("computers", sa.JSON))
results = sa.table("results", *map(sa.column, ("table_id", "seat", "place", "points")))


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("document", sa.Text(), nullable=True))
    connection = op.get_bind()
    ids = connection.scalars(sa.select(tables.c.id)).all()
    for first in range(0, len(ids), AT_ONCE):
        write_documents(connection, ids[first : first + AT_ONCE])
    op.create_table(
        "sitters",
        sa.Column("table_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_sitters_tables"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "user_id", name=op.f("pk_sitters")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sitters_user", "sitters", ["user_id"])
    op.execute(
        "INSERT INTO sitters (table_id, user_id)"
        " SELECT DISTINCT table_id, user_id FROM places WHERE user_id IS NOT NULL"
    )
    op.drop_table("places")
    op.drop_table("shuffles")
    with op.batch_alter_table("tables") as batch:
        batch.alter_column("document", nullable=False)
        for name in GONE:
            batch.drop_column(name)


def write_documents(connection: sa.Connection, ids: Any) -> None:
    def of(table: Any, order: str) -> dict[str, list[Any]]:
        """Their rows, by table."""
        query = sa.select(table).where(table.c.table_id.in_(ids)).order_by(table.c[order])
        found = defaultdict(list)
        for row in connection.execute(query):
            found[row.table_id].append(row)
        return found

    seated, dealt = of(places, "place"), of(shuffles, "round")
    counted, computers = of(results, "seat"), of(matches, "table_id")
    written = [
        {
            "at_id": row.id,
            "text": json.dumps(
                {
                    **record(row, seated[row.id], dealt[row.id]),
                    "outcome": outcome(counted[row.id], computers[row.id]),
                },
                separators=(",", ":"),
            ),
        }
        for row in connection.execute(sa.select(tables).where(tables.c.id.in_(ids)))
    ]
    swap = sa.update(tables).where(tables.c.id == sa.bindparam("at_id"))
    connection.execute(swap.values(document=sa.bindparam("text")), written)


def record(row: Any, seated: list[Any], dealt: list[Any]) -> dict[str, Any]:
    return {
        "id": row.id,
        "guild": row.guild_id,
        "channel": row.channel_id,
        "game": row.game,
        "rules_version": row.rules_version,
        "given": row.given,
        "created": moment(row.created),
        "opener": row.opener_id,
        "seating": {
            "places": [
                {
                    "person": None if one.user_id is None else [one.user_id, one.name],
                    "reachable": None if one.reachable is None else bool(one.reachable),
                    "misses": one.misses,
                    "away": bool(one.away),
                    "computer": one.level,
                }
                for one in seated
            ],
            "host": row.host_id,
            "private": bool(row.private),
            "invited": row.invited,
            "kicked": row.kicked,
            "seen": dict(row.seen),
            "starters": list(map(starter, row.starters)),
            "conceded": row.conceded,
            "voted_out": row.voted_out,
            "called": row.called,
            "sought": dict(row.sought),
            "kept": {place: former for place, *former in row.kept},
        },
        "shuffling": {
            "chain": {"tip": row.chain_tip, "links": 4096},
            "shuffles": [{"seed": one.seed, "post": one.post, "words": one.words} for one in dealt],
            "words": dict(row.words),
            "closed": bool(row.closed),
        },
        "timing": {
            "pace": row.pace,
            "coming": row.pace_coming,
            "warned": row.warned,
            "credited": row.credited,
            "stalled": None
            if row.stalled_since is None
            else {"since": moment(row.stalled_since), "missing": row.stalled_missing},
            "rest": moment(row.rest_since),
            "computers": row.computer_time,
        },
        "votes": {
            "ready": row.ready,
            "end_votes": row.end_votes,
            "standing": row.standing,
            "rest_votes": row.rest_votes,
            "paces": dict(row.paces),
            "away_votes": dict(row.away_votes),
            "ahead": {user: chosen for user, *chosen in row.ahead},
        },
        "status": row.status,
        "stop": row.stop,
        "options": row.options,
        "customs": row.customs,
        "hinted": {user: hinted for user, *hinted in row.hinted},
        "locale": row.locale,
        "rematch_of": row.rematch_of,
        "started": moment(row.started),
        "ended": moment(row.ended),
    }


def starter(one: list[Any]) -> Any:
    """A person is written as before; a computer player had no id, but a number and a level."""
    user, *called = one
    return one if user is not None else {"number": called[0], "level": called[1]}


def outcome(people: list[Any], of_match: list[Any]) -> list[list[int]] | None:
    """What a match counted for, in which computer players stand apart from people."""
    seats = [(one.seat, one.points, one.place) for one in people]
    for match in of_match:
        seats += [(seat, points, place) for seat, _, _, place, points in match.computers or ()]
    if not seats:
        return None
    seats.sort()
    return [[points for _, points, _ in seats], [place for _, _, place in seats]]


def moment(at: datetime | None) -> str | None:
    """In UTC, which SQLite does not say of its own."""
    if at is None:
        return None
    return (at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)).isoformat()
