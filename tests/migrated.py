"""Databases that are up to date without a migration each: copies of one that was migrated.

Migrating takes a good part of the time of a test of the bot as a user sees it.  The migrations have
tests of their own (`tests/storage/test_migrations.py`), and whoever starts the program as a
process starts it on a database that is not there yet.
"""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from bot.storage.migrations import upgrade


def put(file: Path) -> None:
    """Put an empty SQLite database that is up to date there, unless there is one already."""
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_empty())


@cache
def _empty() -> bytes:
    """What the file of such a database holds; made once in a process."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as outside:
        file = Path(folder) / "empty.sqlite3"
        # In a thread, as whoever asks may have a loop that runs already.
        outside.submit(asyncio.run, upgrade(f"sqlite+aiosqlite:///{file}")).result()
        return file.read_bytes()
