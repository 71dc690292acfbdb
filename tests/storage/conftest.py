"""A database of its own for every test, in a file as in real life."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.storage.database import Database
from bot.storage.migrations import upgrade_open


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'var' / 'test.sqlite3'}"


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    opened = await Database.open(url)
    await upgrade_open(opened)
    yield opened
    await opened.close()
