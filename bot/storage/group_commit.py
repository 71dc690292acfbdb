"""Group commit on SQLite: transactions that wait for the disk share the next commit.

A durable commit waits for the disk, and only one can be under way.  Where many write at once the
time for all of them is that of a few commits, not of as many as there are writers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from sqlalchemy.engine import Connection

from bot.storage.sqlite_connection import SqliteConnection, driver_of
from bot.storage.transaction import writing

T = TypeVar("T")

Outcome: TypeAlias = tuple[Any, BaseException | None]
"""What a piece of work returned, or what it raised."""

_Job: TypeAlias = tuple[Callable[[Connection], Any], asyncio.Future[Any]]
"""A piece of work, and whoever waits for it."""


class GroupCommit:
    """The one who writes.  Its methods are called on the event loop."""

    def __init__(self, writer: SqliteConnection) -> None:
        self._writer = writer
        self._waiting: list[_Job] = []
        self._running: asyncio.Future[list[Outcome]] | None = None

    def write(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Committed when it has a result, undone if it has an exception."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._running is None:
            self._begin()
        return done

    async def close(self) -> None:
        """Waits for what is to be written."""
        while self._running is not None:
            await asyncio.wait((self._running,))

    def _begin(self) -> None:
        jobs, self._waiting = self._waiting, []
        works = [work for work, _ in jobs]
        self._running = self._writer.run(partial(_write, works))
        self._running.add_done_callback(lambda run: self._ended(jobs, run))

    def _ended(self, jobs: Sequence[_Job], run: asyncio.Future[list[Outcome]]) -> None:
        self._running = None
        if self._waiting:
            self._begin()
        error = run.exception()
        outcomes = run.result() if error is None else [(None, error)] * len(jobs)
        for (_, done), (value, raised) in zip(jobs, outcomes, strict=True):
            if raised is None:
                done.set_result(value)
            else:
                done.set_exception(raised)


def _write(works: Sequence[Callable[[Connection], Any]], connection: Connection) -> list[Outcome]:
    """All of the works in one transaction, of which those that fail are undone.

    Raises if the whole transaction is undone.
    """
    with writing(connection):
        if len(works) == 1:
            return [(works[0](connection), None)]
        return [_apart(connection, work) for work in works]


def _apart(connection: Connection, work: Callable[[Connection], Any]) -> Outcome:
    try:
        with connection.begin_nested():
            return work(connection), None
    except Exception as error:
        if not driver_of(connection).in_transaction:
            raise  # a full disk, say: SQLite has undone everything, the others' work too
        return None, error
