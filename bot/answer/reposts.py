"""A limit for boards that people ask to be posted again."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.ids import ChannelId, UserId

MOST: Final = 3
"""So often within the window one person has boards posted again, and boards are in one channel."""

WINDOW: Final = timedelta(minutes=1)


class _Repost(NamedTuple):
    at: datetime
    channel: ChannelId
    user: UserId


class Reposts:
    """What was posted again lately."""

    def __init__(self) -> None:
        self._lately: deque[_Repost] = deque()

    def allow(self, channel: ChannelId, user: UserId, now: datetime) -> bool:
        """Whether `user` may have a board posted again there now; counts it if so."""
        while self._lately and self._lately[0].at <= now - WINDOW:
            self._lately.popleft()
        there = sum(one.channel == channel for one in self._lately)
        theirs = sum(one.user == user for one in self._lately)
        if max(there, theirs) >= MOST:
            return False
        self._lately.append(_Repost(now, channel, user))
        return True
