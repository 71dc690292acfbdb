"""People: language, preferences, and with whom they never want to play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import delete, select, update
from sqlalchemy.engine import Connection

from bot.ids import UserId
from bot.storage.database import Database
from bot.storage.schema import blocks, people
from bot.storage.upsert import add, put
from bot.tables.apart import Apart
from bot.tables.model import TableError
from bot.tables.ports import Clock, Habits
from bot.tables.preferences import Board, Preferences

MAX_NEVER: Final = 100
"""Maximum number of people whom one person never wants to play with."""

_DOCUMENT: Final = TypeAdapter(Preferences)


class SqlPeople:
    """Ports `People` of the publisher and `Blocks` of the tables."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    async def habits(self, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
        query = select(people.c.user_id, people.c.locale, people.c.document)
        query = query.where(people.c.user_id.in_(users))
        found = await self._database.rows(query)
        return {row.user_id: Habits(row.locale, _read(row.document)) for row in found}

    async def change(
        self, user: UserId, locale: str, change: Callable[[Preferences], Preferences]
    ) -> Preferences:
        def work(connection: Connection) -> Preferences:
            # The row first: it is what two menus that are used at the same time wait for.
            add(connection, people, [{"user_id": user, "locale": locale}])
            mine = people.c.user_id == user
            locked = select(people.c.document).where(mine).with_for_update()
            after = change(_read(connection.scalar(locked)))
            document = _DOCUMENT.dump_json(after, exclude_defaults=True).decode()
            chosen = {"document": document, "off_boards": after.board is Board.OFF}
            connection.execute(update(people).where(mine).values(chosen))
            return after

        return await self._database.write(work)

    async def apart(self, user: UserId) -> Apart:
        never = select(blocks.c.blocked_id).where(blocks.c.user_id == user)
        barred = select(blocks.c.user_id).where(blocks.c.blocked_id == user)
        return await self._database.read(
            lambda reading: Apart(*(frozenset(reading.scalars(one)) for one in (never, barred)))
        )

    async def block(self, user: UserId, other: UserId, *, on: bool) -> None:
        def work(connection: Connection) -> None:
            mine = blocks.c.user_id == user
            if on:
                others = select(blocks.c.blocked_id).where(mine, blocks.c.blocked_id != other)
                if len(connection.scalars(others).all()) >= MAX_NEVER:
                    raise TableError("never_full", limit=MAX_NEVER)
                add(connection, blocks, [{"user_id": user, "blocked_id": other}])
            else:
                connection.execute(delete(blocks).where(mine, blocks.c.blocked_id == other))

        await self._database.write(work)

    async def learn(self, heard: Mapping[UserId, str]) -> None:
        now = self._clock()
        rows = [
            {"user_id": user, "locale": locale, "heard": now}
            for user, locale in sorted(heard.items())
        ]
        await self._database.write(lambda writing: put(writing, people, rows, "locale", "heard"))


def preferences_of(connection: Connection, user: UserId) -> Preferences:
    """What `user` has chosen."""
    query = select(people.c.document).where(people.c.user_id == user)
    return _read(connection.execute(query).scalar())


def _read(document: str | None) -> Preferences:
    return Preferences() if document is None else _DOCUMENT.validate_json(document)
