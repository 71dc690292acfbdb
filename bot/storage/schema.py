"""The schema as SQLAlchemy metadata; `data/migrations` builds the same, and a test compares.

Ids from Discord are 64-bit.  Sets and mappings that are only ever read with their table are JSON;
whatever is searched for has a column of its own.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    false,
    text,
)

from bot.tables.model import Status

OPEN: Final = tuple(status.value for status in Status if status.is_open)
"""The statuses of a table that occupies its channel."""

_IS_OPEN: Final = text("status IN ('" + "', '".join(OPEN) + "')")


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware when written, aware in UTC when read, and stored as UTC everywhere."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive time cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        # SQLite has no time zones: what comes back is the UTC that went in.
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


metadata: Final = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


def _table_id() -> Column[str]:
    return Column(
        "table_id", String(16), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True
    )


tables: Final = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("stop", String(16)),
    Column("host_id", BigInteger, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("held", Boolean, nullable=False),
    Column("given", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("invited", JSON, nullable=False),
    Column("kicked", JSON, nullable=False),
    Column("starters", JSON, nullable=False),
    Column("ready", JSON, nullable=False),
    Column("end_votes", JSON, nullable=False),
    Column("seen", JSON, nullable=False),
    Column("rematch_of", String(16)),
    Column("created", UtcDateTime, nullable=False),
    Column("started", UtcDateTime),
    Column("ended", UtcDateTime),
    Column("closed", Boolean, nullable=False),
    Column("words", JSON, nullable=False),
    Column("standing", JSON, nullable=False),
    Column("pace", String(16), nullable=False, server_default="none"),
    Column("warned", Integer),
    Column("credited", Integer, nullable=False, server_default="0"),
    Column("stalled_since", UtcDateTime),
    Column("stalled_missing", JSON(none_as_null=True)),
    Column("locale", String(16), nullable=False, server_default="en"),
)
"""A `StoredTable` without its places, deadlines and shuffles; `credited` is in seconds."""

Index(
    "uq_tables_open_channel",
    tables.c.channel_id,
    unique=True,
    sqlite_where=_IS_OPEN,
    postgresql_where=_IS_OPEN,
)
Index(
    "ix_tables_open_guild",
    tables.c.guild_id,
    tables.c.host_id,
    sqlite_where=_IS_OPEN,
    postgresql_where=_IS_OPEN,
)
Index("ix_tables_channel", tables.c.channel_id, tables.c.created)
Index(
    "ix_tables_rematch_of",
    tables.c.rematch_of,
    sqlite_where=tables.c.rematch_of.is_not(None),
    postgresql_where=tables.c.rematch_of.is_not(None),
)

places: Final = Table(
    "places",
    metadata,
    _table_id(),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger),
    Column("name", Text),
    Column("reachable", Boolean),
    Column("misses", Integer, nullable=False, server_default="0"),
    Column("away", Boolean, nullable=False, server_default=false()),
    CheckConstraint("(user_id IS NULL) = (name IS NULL)", name="person"),
    sqlite_with_rowid=False,
)
"""The places of a table; a free one has no user."""

Index("ix_places_user", places.c.user_id)

shuffles: Final = Table(
    "shuffles",
    metadata,
    _table_id(),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("seed", String(64), nullable=False),
    Column("post", String(20)),
    Column("words", JSON, nullable=False),
    sqlite_with_rowid=False,
)
"""What each round of a table is dealt from; a seed is secret until its round or match is over."""

entries: Final = Table(
    "entries",
    metadata,
    _table_id(),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("interaction_id", BigInteger),
    Column("by", String(16), nullable=False, server_default="person"),
    sqlite_with_rowid=False,
)
"""The append-only log.  Its primary key makes an append a compare-and-set."""

Index(
    "uq_entries_interaction",
    entries.c.interaction_id,
    unique=True,
    sqlite_where=entries.c.interaction_id.is_not(None),
    postgresql_where=entries.c.interaction_id.is_not(None),
)

deadlines: Final = Table(
    "deadlines",
    metadata,
    _table_id(),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("question", Integer, nullable=False),
    Column("due", UtcDateTime, nullable=False),
    sqlite_with_rowid=False,
)
"""What time will do to a table; `position` keeps their order."""

Index("ix_deadlines_due", deadlines.c.due)

matches: Final = Table(
    "matches",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("game", String(32), nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("ended", UtcDateTime, nullable=False),
)
"""Finished matches.  A table cannot be deleted from under the leaderboards."""

Index("ix_matches_guild", matches.c.guild_id, matches.c.game, matches.c.ended)

results: Final = Table(
    "results",
    metadata,
    Column(
        "table_id",
        String(16),
        ForeignKey("matches.table_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("place", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""One row for each person of a finished match."""

Index("ix_results_user", results.c.user_id)

surfaces: Final = Table(
    "surfaces",
    metadata,
    _table_id(),
    Column("kind", String(8), primary_key=True),
    Column("key", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("posted", UtcDateTime, nullable=False),
    Column("round", Integer, nullable=False),
    Column("question", Integer),
    Column("warned", Boolean, nullable=False),
    Column("drawn", Integer),
    sqlite_with_rowid=False,
)
"""The messages of a table on Discord, as `bot.publish.surfaces.Surface` has them.

`drawn` is the version of the table that was drawn completely last; it stands with the board.
"""

people: Final = Table(
    "people",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("locale", String(16), nullable=False),
)
"""In which language people use Discord."""

meta: Final = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the program remembers about itself."""
