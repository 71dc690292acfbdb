"""Long logs a page at a time.

What PostgreSQL sends is made into rows on the event loop, which others need in between: tens of
thousands of lines at once would hold them up for a third of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import RowMapping, Select
from sqlalchemy.engine import Connection

from bot.ids import TableId
from bot.storage.schema import entries

PAGE: Final = 500
"""Lines of a log that one statement reads: a few milliseconds."""


def lines(
    connection: Connection, query: Select[Any], table: TableId, since: int = 0
) -> Iterator[RowMapping]:
    """The rows of `query`, which selects `ply` too, for a table's log from line `since` on."""
    ordered = query.where(entries.c.table_id == table).order_by(entries.c.ply).limit(PAGE)
    while True:
        page = connection.execute(ordered.where(entries.c.ply >= since)).mappings().all()
        yield from page
        if len(page) < PAGE:
            return
        since = page[-1]["ply"] + 1
