"""Alembic's entry: works on the connection that `bot.storage.migrations` hands it."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext

from bot.storage.schema import UtcDateTime, metadata


def render(kind: str, item: Any, _: AutogenContext) -> str | Literal[False]:
    """How a draft writes our own type: migrations stand for themselves, whatever becomes of it."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_item=render,
    # SQLite changes a column by building the table anew.
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
