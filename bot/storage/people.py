"""People: language, preferences, with whom they never play, what they were told and follow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, bindparam, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage.database import Database, Repository
from bot.storage.schema import blocks, follows, lessons, matches, people, results, servers, tellings
from bot.storage.upsert import add, put
from bot.tables.lobby import Apart
from bot.tables.model import TableError
from bot.tables.ports import (
    MOST_TOLD_A_DAY,
    ROLE_PAUSE,
    TELLING_WINDOW,
    Clock,
    Followed,
    Habits,
    Lesson,
    Pupil,
    TipShownAt,
)
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


# Beginners.

LEARNT_AFTER: Final = 2
"""Rounds of finished matches after which somebody is not new to a game: one round does not have all
that is decided in it, and in a short match of Kaiserspiel nobody can raise."""

_ROUNDS: Final = (
    select(func.coalesce(func.sum(matches.c.rounds), 0))
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
    """Delete the lessons of those of these users who know the game by a match just finished."""
    knowing = [user for user in users if _knows(connection, user, game)]
    connection.execute(
        delete(lessons).where(lessons.c.user_id.in_(knowing), lessons.c.game == game)
    )


def _knows(reading: Connection, user: UserId, game: str) -> bool:
    played: int = reading.execute(_ROUNDS, {"user": user, "game": game}).scalar_one()
    return played >= LEARNT_AFTER


def _pupil(reading: Connection, user: UserId, game: str) -> Pupil:
    learns = preferences_of(reading, user).tips
    if not learns or _knows(reading, user, game):
        return Pupil(learns=False, told={})
    return Pupil(learns=True, told=_told(reading, user, game))


def _told(connection: Connection, user: UserId, game: str) -> dict[str, TipShownAt]:
    rows = connection.execute(_TOLD, {"user": user, "game": game})
    return {row.kind: TipShownAt(row.table_id, row.question) for row in rows}


# Followers of games on servers, of which tables they were told, and when a role was called.


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
