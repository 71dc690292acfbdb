"""People: language, deck, tips, and whose invitations they do not want."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select
from sqlalchemy.engine import Connection

from bot.ids import UserId
from bot.storage.database import Database
from bot.storage.schema import blocks, people
from bot.storage.upsert import add, put
from bot.tables.ports import Clock, Habits


class SqlPeople:
    """Ports `People` of the publisher and `Blocks` of the tables."""

    def __init__(self, database: Database, clock: Clock | None = None) -> None:
        """Without a clock it is not known when anybody was heard."""
        self._database, self._clock = database, clock

    async def habits(self, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
        query = select(people.c.user_id, people.c.locale, people.c.deck)
        query = query.where(people.c.user_id.in_(users))
        found = await self._database.read(lambda reading: reading.execute(query).all())
        return {row.user_id: Habits(row.locale, row.deck) for row in found}

    async def choose_deck(self, user: UserId, deck: str, locale: str) -> None:
        row = {"user_id": user, "locale": locale, "deck": deck}
        await self._database.write(lambda writing: put(writing, people, [row], "deck"))

    async def blocks(self, user: UserId, other: UserId) -> bool:
        query = select(blocks.c.user_id).where(
            blocks.c.user_id == user, blocks.c.blocked_id == other
        )
        return await self._database.scalar(query) is not None

    async def block(self, user: UserId, other: UserId, *, on: bool) -> None:
        def work(connection: Connection) -> None:
            if on:
                add(connection, blocks, [{"user_id": user, "blocked_id": other}])
            else:
                mine = (blocks.c.user_id == user) & (blocks.c.blocked_id == other)
                connection.execute(delete(blocks).where(mine))

        await self._database.write(work)

    async def learn(self, heard: Mapping[UserId, str]) -> None:
        now = None if self._clock is None else self._clock()
        rows = [
            {"user_id": user, "locale": locale, "heard": now}
            for user, locale in sorted(heard.items())
        ]
        await self._database.write(lambda writing: put(writing, people, rows))
