"""Where tables, logs and results are kept: SQLAlchemy Core behind small repositories.

SQLite by default, PostgreSQL by URL.  Knows the tables' values and ports, and no discord.
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
