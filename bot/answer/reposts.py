"""A limit for boards that people ask to be posted again."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final

from bot.ids import TableId

MOST: Final = 3
"""So often a board is posted again within the window, whoever asks."""

WINDOW: Final = timedelta(minutes=1)


class Reposts:
    """What was posted again lately."""

    def __init__(self) -> None:
        self._lately: deque[tuple[datetime, TableId]] = deque()

    def allow(self, table: TableId, now: datetime) -> bool:
        """Whether the board of `table` may be posted again now; counts it if so."""
        while self._lately and self._lately[0][0] <= now - WINDOW:
            self._lately.popleft()
        if sum(moved == table for _, moved in self._lately) >= MOST:
            return False
        self._lately.append((now, table))
        return True
