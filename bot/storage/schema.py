"""Schema of the database as SQLAlchemy metadata; `data/migrations` builds the same.

Ids from Discord are 64-bit.  What is only ever read with its table is in the table's JSON document;
whatever is searched for has a column of its own.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sa

from bot.tables.stored import Status

OPEN: Final = tuple(status.value for status in Status if status.is_open)
"""The statuses of a table that occupies its channel."""

_IS_OPEN: Final = sa.text("status IN ('" + "', '".join(OPEN) + "')")


class UtcDateTime(sa.TypeDecorator[datetime]):
    """A moment: aware when written, aware in UTC when read, and stored as UTC everywhere."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive time cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        # SQLite has no time zones: what comes back is the UTC that went in.
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata: Final = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _table_id(owner: str = "tables") -> sa.Column[str]:
    of = sa.ForeignKey(f"{owner}.id", ondelete="CASCADE")
    return sa.Column("table_id", sa.String(16), of, primary_key=True)


def _partial(
    name: str,
    *columns: sa.ColumnElement[object],
    where: sa.ColumnElement[bool] | sa.TextClause,
    unique: bool = False,
) -> None:
    """An index of the rows for which that holds."""
    sa.Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


tables: Final = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("rematch_of", sa.String(16)),
    sa.Column("created", UtcDateTime, nullable=False),
    sa.Column("ended", UtcDateTime),
    sa.Column("trimmed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("opener_id", sa.BigInteger, nullable=False),
    sa.Column("document", sa.Text, nullable=False),
)
"""A `StoredTable`.  `document` is its record as JSON, as `bot.storage.rows` writes and reads it:
as secret as the seeds in it.  The version is not in it; other columns repeat what is searched for.
`trimmed` is `bot.storage.retention`'s: whether it has forgotten what it forgets."""

_partial("uq_tables_open_channel", tables.c.channel_id, where=_IS_OPEN, unique=True)
_partial("ix_tables_open_guild", tables.c.guild_id, tables.c.opener_id, where=_IS_OPEN)
sa.Index("ix_tables_ended", tables.c.trimmed, tables.c.ended)
sa.Index("ix_tables_guild", tables.c.guild_id)
sa.Index("ix_tables_channel", tables.c.channel_id, tables.c.created)
_partial("ix_tables_rematch_of", tables.c.rematch_of, where=tables.c.rematch_of.is_not(None))

sitters: Final = sa.Table(
    "sitters",
    metadata,
    _table_id(),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
"""Who sits at a table, to be searched for; at which place is in its record."""

sa.Index("ix_sitters_user", sitters.c.user_id)

named: Final = sa.Table(
    "named",
    metadata,
    _table_id(),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
"""Whom else the record of a table names, to be searched for: who was invited, say, or has left."""

sa.Index("ix_named_user", named.c.user_id)

entries: Final = sa.Table(
    "entries",
    metadata,
    _table_id(),
    sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Column("interaction_id", sa.BigInteger),
    sa.Column("by", sa.String(16), nullable=False, server_default="person"),
    sqlite_with_rowid=False,
)
"""The append-only log.  Its primary key makes an append a compare-and-set."""

_partial(
    "uq_entries_interaction",
    entries.c.interaction_id,
    where=entries.c.interaction_id.is_not(None),
    unique=True,
)

deadlines: Final = sa.Table(
    "deadlines",
    metadata,
    _table_id(),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("question", sa.Integer, nullable=False),
    sa.Column("due", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)
"""What time will do to a table; `position` keeps their order."""

sa.Index("ix_deadlines_due", deadlines.c.due)

matches: Final = sa.Table(
    "matches",
    metadata,
    sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("game", sa.String(32), nullable=False),
    sa.Column("rounds", sa.Integer, nullable=False),
    sa.Column("ended", UtcDateTime, nullable=False),
    sa.Column("computers", sa.JSON(none_as_null=True)),
    sa.Column("number", sa.Integer, nullable=False, server_default="0"),
    sa.Column("channel_id", sa.BigInteger),
    sa.Column("plays", sa.Integer),
    sa.Column("records", sa.JSON(none_as_null=True)),
)
"""Finished matches.  A table cannot be deleted from under the leaderboards.

Matches of a game on a server have a `number`, from 1, in the order in which they were stored.
`computers` are the computer players that took part: of each its seat, number, level, place and
points.  `channel_id` is where it was played; null for a private table, whose match stands in the
history of its people alone.  `plays` counts its actions without deals; null of older matches.
`records` are those that it has set on its server: kind, seats, value, and what it was before.
"""

sa.Index("ix_matches_guild", matches.c.guild_id, matches.c.game, matches.c.ended)
sa.Index("ix_matches_number", matches.c.guild_id, matches.c.game, matches.c.number)
sa.Index(
    "ix_matches_ended",
    matches.c.guild_id,
    matches.c.ended,
    matches.c.table_id,
    matches.c.channel_id,
)


def of_server(guild: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    """That a match, which is found by its people, is of this server.

    A sum has no index: with one SQLite would go through all matches of the server instead.
    """
    return matches.c.guild_id + 0 == guild


results: Final = sa.Table(
    "results",
    metadata,
    sa.Column(
        "table_id",
        sa.String(16),
        sa.ForeignKey("matches.table_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("points", sa.Integer, nullable=False),
    sa.Column("counts", sa.Boolean, nullable=False, server_default=sa.true()),
    sa.Column("mu", sa.Double),
    sa.Column("sigma", sa.Double),
    sa.Column("best_round", sa.Integer),
    sa.Column("worst_round", sa.Integer),
    sa.Column("deficit", sa.Integer),
    sa.Column("hints", sa.Integer),
    sa.Column("asked", sa.Integer),
    sa.Column("in_time", sa.Integer),
    sqlite_with_rowid=False,
)
"""One row for each person of a finished match; whether it `counts` on leaderboards for them.  `mu`
and `sigma` are their rating after it; nothing if it was not rated.

What follows that is as `bot.tables.stories` has it; null of older matches, and of those that the
person did not play to the end."""

sa.Index("ix_results_user", results.c.user_id)

standings: Final = sa.Table(
    "standings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("period", sa.String(10), primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("points", sa.BigInteger, nullable=False),
    sa.Column("rounds", sa.BigInteger, nullable=False),
    sa.Column("by_wins", sa.Integer, nullable=False),
    sa.Column("by_rate", sa.Double, nullable=False),
    sa.Column("by_rating", sa.Double, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
"""Sums over `results`, as `bot.storage.standings` keeps them: one line of one leaderboard each.

`game` is empty for all games together.  `by_wins` and `by_rate` are wins and points per round
(nothing for all games together), negative, so that the order of a leaderboard is that of an index;
so is `by_rating`, the rating as it is shown (of one game and all time; nothing elsewhere).
"""


def _ordered(name: str, *by: sa.Column[Any]) -> None:
    """An index that has the lines of a leaderboard in this order."""
    board = (standings.c.guild_id, standings.c.game, standings.c.period)
    sa.Index(name, *board, *by, standings.c.user_id)


_ordered("ix_standings_order", standings.c.by_wins, standings.c.by_rate, standings.c.matches)
_ordered("ix_standings_rate", standings.c.by_rate, standings.c.by_wins, standings.c.matches)
_ordered("ix_standings_rating", standings.c.by_rating)

ratings: Final = sa.Table(
    "ratings",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("mu", sa.Double, nullable=False),
    sa.Column("sigma", sa.Double, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""How strong people are at a game on a server, as `bot.tables.ratings.Rating` has it."""

sa.Index("ix_ratings_user", ratings.c.user_id)

players: Final = sa.Table(
    "players",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("ended", UtcDateTime, nullable=False),
    sa.Column("table_id", sa.String(16), nullable=False),
    sqlite_with_rowid=False,
)
"""What people were called in their latest match on a server: when it ended, and at which table."""


bests: Final = sa.Table(
    "bests",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("kind", sa.String(10), primary_key=True),
    sa.Column("by", sa.Integer, nullable=False),
    sa.Column("ended", UtcDateTime, nullable=False),
    sa.Column("table_id", sa.String(16), nullable=False),
    sqlite_with_rowid=False,
)
"""The best that people have reached on a server in a game, as `bot.storage.bests` counts it from
`results`, and in which match.  `by` is its negative value: the first of an index is the record.
The row of kind `present` has the present row of wins, and the latest match."""

sa.Index(
    "ix_bests_order",
    bests.c.guild_id,
    bests.c.game,
    bests.c.kind,
    bests.c.by,
    bests.c.ended,
    bests.c.user_id,
)


def _messages(name: str, owner: str) -> sa.Table:
    return sa.Table(
        name,
        metadata,
        _table_id(owner),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("key", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("message_id", sa.BigInteger, nullable=False),
        sa.Column("posted", UtcDateTime, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("question", sa.Integer),
        sa.Column("warned", sa.Boolean, nullable=False),
        sa.Column("drawn", sa.Integer),
        sa.Column("nonce", sa.String(25), nullable=False, server_default=sa.text("''")),
        sa.Column("of_kind", sa.String(16), nullable=False, server_default=sa.text("''")),
        sa.Column("of_key", sa.BigInteger, nullable=False, server_default="0"),
        sqlite_with_rowid=False,
    )


surfaces: Final = _messages("surfaces", "tables")
"""The messages of a table on Discord, as `bot.publish.messages.Surface` has them.

`drawn` is the version of the table that was drawn completely last; it stands with the board.
"""

plan_surfaces: Final = _messages("plan_surfaces", "plans")
"""The same of a plan, before its table opens under the same id."""

people: Final = sa.Table(
    "people",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("locale", sa.String(16), nullable=False),
    sa.Column("document", sa.Text, nullable=False, server_default="{}"),
    sa.Column("off_boards", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("heard", UtcDateTime),
)
"""In which language people use Discord, and their `Preferences` as JSON, without those that are as
by default; whether they stand on no leaderboard, which is searched for.  `heard` is the latest day
on which they did something, at some time of it."""

_partial("ix_people_off_boards", people.c.user_id, where=people.c.off_boards.is_(sa.true()))

servers: Final = sa.Table(
    "servers",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("called_at", UtcDateTime),
)
"""`ServerSettings` as JSON, as `bot.storage.servers` writes and reads them, and when a role of the
server was called to a table last."""

server_changes: Final = sa.Table(
    "server_changes",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", UtcDateTime, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("setting", sa.String(16), nullable=False),
    sa.Column("value", sa.JSON, nullable=False),
    sqlite_with_rowid=False,
)
"""The latest changes of a server's settings: who chose what, and when."""

departures: Final = sa.Table(
    "departures",
    metadata,
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", UtcDateTime, nullable=False),
)
"""Servers that the program was removed from, and when that was noticed."""

lessons: Final = sa.Table(
    "lessons",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("kind", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(16), nullable=False),
    sa.Column("question", sa.Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""At which question people were told what a kind of decision is for, until they know the game."""

blocks: Final = sa.Table(
    "blocks",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("blocked_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)
"""With whom people want neither invitations nor a table."""

sa.Index("ix_blocks_blocked", blocks.c.blocked_id)

follows: Final = sa.Table(
    "follows",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("game", sa.String(32), primary_key=True),
    sqlite_with_rowid=False,
)
"""People who want to be told when a table of a game opens on a server."""

sa.Index("ix_follows_game", follows.c.guild_id, follows.c.game)

tellings: Final = sa.Table(
    "tellings",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.String(16), primary_key=True),
    sa.Column("at", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)
"""Of which tables they were told lately."""

zones: Final = sa.Table(
    "zones",
    metadata,
    sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("zone", sa.String(64), nullable=False),
)
"""The time zones that people named last when they planned a table."""

plans: Final = sa.Table(
    "plans",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("guild_id", sa.BigInteger, nullable=False),
    sa.Column("channel_id", sa.BigInteger, nullable=False),
    sa.Column("user_id", sa.BigInteger, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("wish", sa.JSON, nullable=False),
    sa.Column("due", UtcDateTime, nullable=False),
    sa.Column("zone", sa.String(64), nullable=False),
    sa.Column("weekly", sa.Boolean, nullable=False),
    sa.Column("again", UtcDateTime, nullable=False),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("coming", sa.JSON, nullable=False),
    sa.Column("cannot", sa.JSON, nullable=False),
    sa.Column("table_id", sa.String(16)),
    sa.Column("event_id", sa.BigInteger),
    sa.Column("created", UtcDateTime, nullable=False),
    sa.Column("ended", UtcDateTime),
    sa.Column("local", sa.DateTime),
    sa.Column("pressed", sa.JSON, nullable=False),
    sa.Column("invited", sa.JSON, nullable=False),
    sa.Column("lapse", sa.String(16)),
    sa.Column("called", sa.JSON, nullable=False),
    sa.Column("times", sa.JSON, nullable=False),
    sa.Column("ticks", sa.JSON, nullable=False),
    sa.Column("regulars", sa.JSON, nullable=False),
    sa.Column("lines", sa.JSON, nullable=False),
    sa.Column("seats", sa.Integer),
    sa.Column("enough", sa.Integer),
)
"""Tables that are to open at a time, as `bot.tables.plans.Plan` has them."""

sa.Index("ix_plans_state", plans.c.state, plans.c.again)
sa.Index("ix_plans_guild", plans.c.guild_id, plans.c.user_id)

meta: Final = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
"""What the program remembers about itself."""
