"""What is known of people wherever they sit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.storage.schema import people


class SqlPeople:
    """Port `Locales` of the publisher."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def locales(self, users: Sequence[int]) -> Mapping[int, str]:
        """See the port."""

        def work(connection: Connection) -> Mapping[int, str]:
            query = select(people.c.user_id, people.c.locale).where(people.c.user_id.in_(users))
            return dict(connection.execute(query).all())

        return await self._database.read(work)

    async def learn(self, user: int, locale: str) -> None:
        """See the port."""

        def work(connection: Connection) -> None:
            change = update(people).where(people.c.user_id == user).values(locale=locale)
            if not connection.execute(change).rowcount:
                connection.execute(insert(people).values(user_id=user, locale=locale))

        await self._database.write(work)
