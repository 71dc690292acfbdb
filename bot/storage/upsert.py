"""Writing rows that may be there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

Insert: TypeAlias = sqlite.Insert | postgresql.Insert


def insert(dialect: str, table: Table) -> Insert:
    """An insert that can say what becomes of a row that is there: each database has its own."""
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


def put(
    connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], *changed: str
) -> None:
    """Insert rows; if a key exists, overwrite the columns `changed` (by default all).

    Several rows must be in the order of their keys: two transactions that wait for each other's
    rows would fail.
    """
    if rows:
        names = changed or tuple(name for name in rows[0] if not table.c[name].primary_key)
        connection.execute(_put(connection.dialect.name, table, names), rows)


def add(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; where the key is there, leave the row as it is."""
    if rows:
        adding = insert(connection.dialect.name, table).on_conflict_do_nothing()
        connection.execute(adding, rows)


@cache
def _put(dialect: str, table: Table, names: tuple[str, ...]) -> Insert:
    made = insert(dialect, table)
    return made.on_conflict_do_update(
        index_elements=list(table.primary_key), set_={name: made.excluded[name] for name in names}
    )
