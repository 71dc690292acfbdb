"""Beginners: what they were told of a game, and since when they need no tips."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import bindparam, delete, exists, select
from sqlalchemy.engine import Connection

from bot.ids import UserId
from bot.storage.database import Repository
from bot.storage.people import preferences_of
from bot.storage.schema import lessons, matches, results
from bot.storage.upsert import add
from bot.tables.ports import Lesson, Pupil, TipShownAt

_FINISHED: Final = select(
    exists()
    .where(results.c.user_id == bindparam("user"))
    .where(matches.c.table_id == results.c.table_id, matches.c.game == bindparam("game"))
)
_TOLD: Final = select(lessons.c.kind, lessons.c.table_id, lessons.c.question).where(
    lessons.c.user_id == bindparam("user"), lessons.c.game == bindparam("game")
)


class SqlPupils(Repository):
    """Port `Pupils`."""

    async def pupils(self, users: Collection[UserId], game: str) -> Mapping[UserId, Pupil]:
        return await self._database.read(
            lambda reading: {user: _pupil(reading, user, game) for user in users}
        )

    async def teach(self, told: Mapping[Lesson, TipShownAt]) -> None:
        rows = [
            {
                "user_id": lesson.user,
                "game": lesson.game,
                "kind": lesson.kind,
                "table_id": asked.table,
                "question": asked.question,
            }
            for lesson, asked in sorted(told.items())
        ]
        await self._database.write(lambda writing: add(writing, lessons, rows))

    async def forget(self, user: UserId) -> None:
        gone = delete(lessons).where(lessons.c.user_id == user)
        await self._database.execute(gone)


def forget_lessons(connection: Connection, users: Collection[UserId], game: str) -> None:
    """Delete the lessons of these users, who have finished a match and so know the game."""
    connection.execute(delete(lessons).where(lessons.c.user_id.in_(users), lessons.c.game == game))


def _pupil(reading: Connection, user: UserId, game: str) -> Pupil:
    learns = preferences_of(reading, user).tips
    if not learns or reading.execute(_FINISHED, {"user": user, "game": game}).scalar():
        return Pupil(learns=False, told={})
    return Pupil(learns=True, told=_told(reading, user, game))


def _told(connection: Connection, user: UserId, game: str) -> dict[str, TipShownAt]:
    rows = connection.execute(_TOLD, {"user": user, "game": game})
    return {row.kind: TipShownAt(row.table_id, row.question) for row in rows}
