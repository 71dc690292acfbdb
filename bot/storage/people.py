"""People: language, deck, tips, and whose invitations they do not want."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.engine import Connection

from bot.ids import UserId
from bot.storage.database import Database
from bot.storage.schema import blocks, people
from bot.tables.ports import Habits

_ADD: Final = insert(people).values(user_id=bindparam("user"), locale=bindparam("said"))
_CHANGE: Final = (
    update(people).where(people.c.user_id == bindparam("user")).values(locale=bindparam("said"))
)


class SqlPeople:
    """Ports `People` of the publisher and `Blocks` of the tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def habits(self, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
        return await self._database.read(lambda connection: _habits(connection, users))

    async def choose_deck(self, user: UserId, deck: str, locale: str) -> None:
        mine = people.c.user_id == user

        def work(connection: Connection) -> None:
            if not connection.execute(update(people).where(mine).values(deck=deck)).rowcount:
                connection.execute(insert(people).values(user_id=user, locale=locale, deck=deck))

        await self._database.write(work)

    async def blocks(self, user: UserId, other: UserId) -> bool:
        query = select(blocks.c.user_id).where(
            blocks.c.user_id == user, blocks.c.blocked_id == other
        )
        return await self._database.read(
            lambda connection: connection.execute(query).first() is not None
        )

    async def block(self, user: UserId, other: UserId, *, on: bool) -> None:
        mine = (blocks.c.user_id == user) & (blocks.c.blocked_id == other)

        def work(connection: Connection) -> None:
            connection.execute(delete(blocks).where(mine))
            if on:
                connection.execute(insert(blocks).values(user_id=user, blocked_id=other))

        await self._database.write(work)

    async def learn(self, heard: Mapping[UserId, str]) -> None:

        def work(connection: Connection) -> None:
            known = _habits(connection, tuple(heard))
            new = [{"user": user, "said": heard[user]} for user in heard.keys() - known.keys()]
            other = [
                {"user": user, "said": heard[user]}
                for user, habits in known.items()
                if habits.locale != heard[user]
            ]
            if new:
                connection.execute(_ADD, new)
            if other:
                connection.execute(_CHANGE, other)

        await self._database.write(work)


def _habits(connection: Connection, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
    query = select(people.c.user_id, people.c.locale, people.c.deck)
    found = connection.execute(query.where(people.c.user_id.in_(users)))
    return {row.user_id: Habits(row.locale, row.deck) for row in found}
