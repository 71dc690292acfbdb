"""Followers of games on servers, of which tables they were told, and when a role was called."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage.database import Repository
from bot.storage.schema import follows, servers, tellings
from bot.storage.upsert import add
from bot.tables.ports import MOST_TOLD_A_DAY, ROLE_PAUSE, TELLING_WINDOW, Followed


class SqlFollowers(Repository):
    """Port `Followers`."""

    async def followed(self, user: UserId, guild: GuildId | None) -> Followed:
        query = select(follows.c.guild_id, follows.c.game).where(follows.c.user_id == user)
        rows = await self._database.rows(query)
        here = frozenset(row.game for row in rows if row.guild_id == guild)
        return Followed(here, len({row.guild_id for row in rows} - {guild}))

    async def follow(self, user: UserId, guild: GuildId, games: Collection[str]) -> None:
        theirs = (follows.c.user_id == user, follows.c.guild_id == guild)
        rows = [{"user_id": user, "guild_id": guild, "game": game} for game in sorted(games)]

        def work(writing: Connection) -> None:
            writing.execute(delete(follows).where(*theirs, follows.c.game.not_in(games)))
            add(writing, follows, rows)

        await self._database.write(work)

    async def stop(
        self, user: UserId, guild: GuildId | None = None, game: str | None = None
    ) -> None:
        which = [follows.c.user_id == user]
        which += [] if guild is None else [follows.c.guild_id == guild]
        which += [] if game is None else [follows.c.game == game]
        gone = delete(follows).where(*which)
        await self._database.execute(gone)

    async def to_tell(self, guild: GuildId, game: str, now: datetime) -> Sequence[UserId]:
        told = select(func.count()).select_from(tellings)
        told = told.where(tellings.c.user_id == follows.c.user_id, _lately(now))
        query = (
            select(follows.c.user_id)
            .where(follows.c.guild_id == guild, follows.c.game == game)
            .where(told.scalar_subquery() < MOST_TOLD_A_DAY)
            .order_by(follows.c.user_id)
        )
        found = await self._database.scalars(query, slow=True)
        return [UserId(user) for user in found]

    async def tell(self, user: UserId, table: TableId, now: datetime) -> bool:
        query = select(tellings.c.table_id).where(tellings.c.user_id == user, _lately(now))
        row = {"user_id": user, "table_id": table, "at": now}

        def work(writing: Connection) -> bool:
            known = writing.execute(query).scalars().all()
            if table in known or len(known) >= MOST_TOLD_A_DAY:
                return False
            writing.execute(insert(tellings).values(row))
            return True

        return await self._database.write(work)

    async def call_role(self, guild: GuildId, now: datetime) -> bool:
        here = servers.c.guild_id == guild

        def work(writing: Connection) -> bool:
            row = writing.execute(select(servers.c.called_at).where(here).with_for_update()).first()
            # A clock may be set back.
            if row is None or (row.called_at and abs(now - row.called_at) < ROLE_PAUSE):
                return False
            writing.execute(update(servers).where(here).values(called_at=now))
            return True

        return await self._database.write(work)


def forget_tellings(writing: Connection, now: datetime) -> None:
    """Forget of which tables people were told, once that limits nothing any more."""
    writing.execute(delete(tellings).where(~_lately(now)))


def _lately(now: datetime) -> ColumnElement[bool]:
    """Whether somebody was told less than a day ago.  A clock may be set back."""
    return tellings.c.at.between(now - TELLING_WINDOW, now + TELLING_WINDOW)
