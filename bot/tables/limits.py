"""Limits on open tables and invitations per person and server; in memory only."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.ids import ALONE, GuildId, UserId
from bot.tables.model import TableError


@dataclass(frozen=True, slots=True)
class Limits:
    hosted: int = 3
    """Open tables that one person leads on one server."""
    opened: int = 5
    """Tables that one person opens on one server within the window."""
    server_hosted: int = 100
    """Open tables of one server."""
    server_opened: int = 30
    """Tables opened on one server within the window: nobody opens a second one then."""
    window: timedelta = timedelta(minutes=10)


INVITATIONS: Final = 5
"""Invitations that one person sends within the hour."""

HOUR: Final = timedelta(hours=1)


class Invitations:
    """The invitations that were sent lately."""

    def __init__(self) -> None:
        self._lately: dict[UserId, list[datetime]] = {}

    def require(self, user: UserId, now: datetime) -> None:
        """`user` may send one.  Raises TableError `too_many_invitations` (seconds, limit)."""
        self._forget(now)
        lately = self._lately.get(user, [])
        if len(lately) >= INVITATIONS:
            wait = lately[-INVITATIONS] + HOUR - now
            raise TableError(
                "too_many_invitations", seconds=math.ceil(wait.total_seconds()), limit=INVITATIONS
            )

    def count(self, user: UserId, now: datetime) -> None:
        """`user` sent one."""
        self._lately.setdefault(user, []).append(now)

    def _forget(self, now: datetime) -> None:
        recent = {u: [at for at in sent if at > now - HOUR] for u, sent in self._lately.items()}
        self._lately = {user: sent for user, sent in recent.items() if sent}


class _Opening(NamedTuple):
    at: datetime
    guild: GuildId
    user: UserId


class Openings:
    """The tables that were opened lately."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lately: deque[_Opening] = deque()

    def count(self, guild: GuildId, user: UserId, now: datetime) -> None:
        """`user` opened a table."""
        self._lately.append(_Opening(now, guild, user))

    def require(
        self, guild: GuildId, user: UserId, hosted: int, server_hosted: int, now: datetime
    ) -> None:
        """`user`, who leads `hosted` of the server's `server_hosted` open tables, may open one.

        What all open together is not counted for those who play alone, and keeps nobody from
        opening their first: else a handful of people could close a server to all others.

        Raises TableError `too_many_tables` (limit), `server_full` (limit), `too_fast` (seconds
        until it is allowed), `server_too_fast` (seconds).
        """
        limits = self._limits
        while self._lately and self._lately[0].at <= now - limits.window:
            self._lately.popleft()
        if hosted >= limits.hosted:
            raise TableError("too_many_tables", limit=limits.hosted)
        if server_hosted >= limits.server_hosted and guild != ALONE:
            raise TableError("server_full", limit=limits.server_hosted)
        server = [opening for opening in self._lately if opening.guild == guild]
        own = [opening for opening in server if opening.user == user]
        self._require_slow("too_fast", own, limits.opened, now)
        if guild == ALONE or not own:
            return
        self._require_slow("server_too_fast", server, limits.server_opened, now)

    def _require_slow(self, code: str, lately: list[_Opening], most: int, now: datetime) -> None:
        if len(lately) < most:
            return
        wait = lately[-most].at + self._limits.window - now
        raise TableError(code, seconds=math.ceil(wait.total_seconds()))
