"""The database: SQLAlchemy Core behind small repositories.

SQLite by default, PostgreSQL by URL.  Knows the tables' values and ports, and no discord.

`database` runs transactions (`transaction`, `sqlite_connection`, `postgres`), `schema` says what is
stored in which column, `rows` writes a table as a JSON document and reads it, `upsert` writes rows
that may be there already, `migrations` bring a database up to date.  Repositories: `tables`,
`surfaces` (messages), `results` and `standings` (leaderboards), `bests` (records), `people`,
`servers`, `plans`, `meta`, `personal_data`.  `backup` copies and restores, `retention` deletes what
is no longer needed, `forgetting` one person or server, `remnants` what that leaves in files;
`renaming` knows where people are in documents.
"""

from bot.storage.database import Database, StorageAway, StorageError
from bot.storage.meta import SqlMeta
from bot.storage.migrations import upgrade
from bot.storage.results import SqlResults
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore

__all__ = [
    "Database",
    "SqlMeta",
    "SqlResults",
    "SqlSurfaces",
    "SqlTableStore",
    "StorageAway",
    "StorageError",
    "upgrade",
]
