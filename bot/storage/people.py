"""What is known of people wherever they sit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.engine import Connection

from bot.ids import UserId
from bot.storage.database import Database
from bot.storage.schema import people

_ADD: Final = insert(people).values(user_id=bindparam("user"), locale=bindparam("said"))
_CHANGE: Final = (
    update(people).where(people.c.user_id == bindparam("user")).values(locale=bindparam("said"))
)


class SqlPeople:
    """Port `Locales` of the publisher."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def locales(self, users: Sequence[UserId]) -> Mapping[UserId, str]:
        return await self._database.read(lambda connection: _locales(connection, users))

    async def learn(self, heard: Mapping[UserId, str]) -> None:

        def work(connection: Connection) -> None:
            known = _locales(connection, tuple(heard))
            new = [{"user": user, "said": heard[user]} for user in heard.keys() - known.keys()]
            other = [
                {"user": user, "said": heard[user]}
                for user, locale in known.items()
                if locale != heard[user]
            ]
            if new:
                connection.execute(_ADD, new)
            if other:
                connection.execute(_CHANGE, other)

        await self._database.write(work)


def _locales(connection: Connection, users: Sequence[UserId]) -> Mapping[UserId, str]:
    query = select(people.c.user_id, people.c.locale).where(people.c.user_id.in_(users))
    return dict(connection.execute(query).all())
