"""`LoadedTables`: tables in memory, one writer for each, every change committed first.

Memory is a cache of folded logs, long ones folded in a thread; the store alone is the truth.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Final, Generic, TypeVar, cast
from weakref import WeakValueDictionary

import structlog
from cachetools import LRUCache

from bot.ids import Ids, TableId, drop
from bot.tables import match, queueing
from bot.tables.fold import UnreadableLogError, fold
from bot.tables.model import Table, TableError
from bot.tables.ports import (
    AlreadyApplied,
    Announcer,
    Chance,
    Change,
    ChannelTaken,
    Clock,
    Conflict,
    NotWritten,
    TableStore,
    Unavailable,
)
from bot.tables.preferences import QuietOf
from bot.tables.stored import Deadline, Entry, StoredTable
from bot.tables.waiting import with_quiet_hours
from bot.tasks import ignore_error
from engine.game import AnyGame, GameInfo, NotationError, Options

# Locks.
#
# A task that holds a lock waits for no other, except for that of a table being opened, whose id is
# not known yet (`Opener.open`): so there are no deadlocks.

LONGEST_WAIT: Final = 30.0
"""Seconds of waiting after which the caller is told `busy`; the holder waits for the store, which
answers or gives up within a few."""

K = TypeVar("K", bound=Hashable)


class Locks(Generic[K]):
    """Locks by key, made when first asked for."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[K, asyncio.Lock] = WeakValueDictionary()

    def is_held(self, key: K) -> bool:
        """Whether a task holds the lock of `key`."""
        lock = self._locks.get(key)
        return lock is not None and lock.locked()

    @asynccontextmanager
    async def held(self, key: K) -> AsyncIterator[None]:
        """Hold the lock of `key` in the block.  Raises TableError `busy`."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await lock.acquire()
        except TimeoutError:
            raise TableError("busy") from None
        try:
            yield
        finally:
            lock.release()


# Tables in memory.

T = TypeVar("T")

logger = structlog.get_logger(__name__)

ATTEMPTS: Final = 8
"""Maximum number of times that an operation is decided, when other writers come first."""

CACHED_TABLES: Final = 1024

FIRST_LOOKS: Final = (0.0, 0.5, 2.0)
"""Seconds before each of the first looks at the store, when it is unsure whether a commit
succeeded."""

LATER_LOOKS: Final = 5.0
"""Seconds between further looks, after the caller was told `unsure`."""

MAX_LINES_AT_ONCE: Final = 100
"""Lines of a log that are folded on the event loop: that takes about 5 ms."""


@contextmanager
def table_attached(table: Table) -> Iterator[None]:
    """Attach `table` to a refusal that is raised in the block."""
    try:
        yield
    except TableError as refusal:
        if refusal.table is None:
            refusal.table = table
        raise


class LoadedTables:
    """Tables in memory.  Every method raises TableError `no_such_table` (id), `unreadable` (id),
    `busy`.

    Writing may raise `not_stored` (nothing was accepted) and `unsure` (not known yet; the table is
    drawn as soon as it is); reading raises Unavailable.
    """

    def __init__(
        self,
        store: TableStore,
        clock: Clock,
        chance: Chance,
        announcer: Announcer,
        games: Mapping[str, AnyGame],
        stored: Callable[[Iterable[Deadline]], None],
        committed: Callable[[Change, Table], bool],
        quiet_of: QuietOf,
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._announcer = announcer
        self._games = games
        self._quiet_of = quiet_of
        self._stored = stored
        """Told the deadlines of every table that was committed."""
        self._committed = committed
        """Told every commit; returns whether to announce it now."""
        self._locks: Locks[TableId] = Locks()
        """The holder of a table's lock is the only one to decide about it."""
        self._cache: LRUCache[TableId, Table] = LRUCache(CACHED_TABLES)
        self._writing: dict[TableId, asyncio.Task[None]] = {}
        self._doubts: dict[TableId, asyncio.Task[None]] = {}
        """Tables whose last commit may or may not have succeeded."""
        self._generation = 0
        """Counts how often many tables were changed behind the cache."""

    async def operate(
        self, table: TableId, decide: Callable[[Table], Table], *, tolerant: bool = False
    ) -> Table:
        """Decide and commit; decide again if another writer came first.

        If it is cancelled before the commit, nothing happened; afterwards all of it happens, and
        only the caller does not hear of it.
        """
        async with self._locks.held(table):
            for _ in range(ATTEMPTS):
                before = await self.load(table, tolerant=tolerant)
                with table_attached(before):
                    decided = queueing.settled(decide(before), self._clock())
                    after = with_quiet_hours(before.stored, decided, self._quiet_of)
                if after.stored == before.stored and after.ply == before.ply:
                    return before
                try:
                    return await self._write(before, after)
                except Conflict:
                    continue
                except AlreadyApplied:
                    return await self.load(table, tolerant=tolerant)
        raise TableError("busy")

    async def create(
        self,
        make: Callable[[TableId], StoredTable],
        game: AnyGame,
        wanted: TableId | None = None,
    ) -> Table:
        """Create a table, under the id `wanted` if that is free, else under another free one.

        Raises ChannelTaken.

        Waits for no other table's lock, whatever its caller holds.
        """
        for _ in range(ATTEMPTS):
            stored = make(wanted or self._chance.table_id())
            wanted = None
            if self._locks.is_held(stored.id):
                continue  # the id is taken
            try:
                async with self._locks.held(stored.id):
                    return await self._write(None, fold(stored, game, ()))
            except Conflict:
                continue  # the id is taken
        raise TableError("busy")

    async def _write(self, before: Table | None, after: Table) -> Table:
        """Commit, under the table's lock.

        A task of its own does it: a write that has begun cannot be called back, and the next holder
        of the lock waits for it (`load`) even if this caller was cancelled.
        """
        change, after = match.change(before, after)
        task = asyncio.create_task(self._commit(change, after))
        self._writing[after.id] = task
        task.add_done_callback(lambda done: self._written(after.id, done))
        await asyncio.shield(task)
        return after

    def _written(self, table: TableId, task: asyncio.Task[None]) -> None:
        if self._writing.get(table) is task:
            del self._writing[table]
        ignore_error(task)

    async def _commit(self, change: Change, after: Table) -> None:
        # Out of the cache until the store has said yes: on any failure the store is asked again.
        self._cache.pop(after.id, None)
        generation = self._generation
        try:
            await self._store.commit(change)
        except (AlreadyApplied, ChannelTaken, Conflict):
            raise
        except Exception as error:
            # Whatever else it was, it may have come after the commit: the store is asked again.
            if isinstance(error, NotWritten) or not await self._is_stored(change):
                self._announcer.changed(after.id)
                if isinstance(error, Unavailable):
                    raise TableError("not_stored") from error
                raise
            logger.warning("commit_not_answered", table=after.id)
        if generation == self._generation:
            self._cache[after.id] = after
        self._stored(after.stored.timing.deadlines)
        if self._committed(change, after):
            self._announcer.changed(after.id)

    async def _is_stored(self, change: Change) -> bool:
        """Whether the change is stored.  Raises TableError `unsure` if the store cannot tell."""
        table = change.stored.id
        for pause in FIRST_LOOKS:
            await asyncio.sleep(pause)
            try:
                return is_stored(change, await self._store.load_after_commits(table))
            except Exception as error:  # it may be better in a moment
                failed = error
        if table not in self._doubts:
            resolving = asyncio.create_task(self._resolve(table), name=f"doubt {table}")
            self._doubts[table] = resolving
            resolving.add_done_callback(lambda _: self._doubts.pop(table, None))
        raise TableError("unsure") from failed

    async def _resolve(self, table: TableId) -> None:
        """Wait until the store can tell whether the commit succeeded, then have the table drawn."""
        while True:
            await asyncio.sleep(LATER_LOOKS)
            try:
                found = await self._store.load_after_commits(table)
            except Exception as error:
                logger.error("table_not_read", table=table, kind=type(error).__name__)
                continue
            # Read before the doubt was settled, perhaps.
            self._cache.pop(table, None)
            if found is not None:
                self._stored(found[0].timing.deadlines)
                self._announcer.changed(table)
            return

    async def read(self, table: TableId, *, tolerant: bool = False) -> Table:
        """The present table.  `tolerant`: without a state if its log is unreadable."""
        known = self._cache.get(table)
        if known is not None:
            return known
        async with self._locks.held(table):
            return await self.load(table, tolerant=tolerant)

    async def load(self, table: TableId, *, tolerant: bool = False) -> Table:
        """The present table; its lock is held.  `tolerant`: without a state if its log is
        unreadable."""
        writing = self._writing.get(table)
        if writing is not None:
            await asyncio.wait({writing})
        known = self._cache.get(table)
        if known is not None:
            return known
        generation = -1
        while generation != self._generation:
            generation = self._generation
            loaded = await self._store.load(table)
        if loaded is None:
            raise TableError("no_such_table", id=table)
        stored, log = loaded
        game = self._games.get(stored.game) or _missing_game(stored.game)
        try:
            if len(log) <= MAX_LINES_AT_ONCE:
                found = fold(stored, game, log)
            else:
                found = await asyncio.to_thread(fold, stored, game, log)
        except UnreadableLogError:
            logger.error("table_not_replayed", table=table)
            if not tolerant:
                raise TableError("unreadable", id=table) from None
            return Table(stored, game, log)
        if generation == self._generation:
            self._cache[found.id] = found
        return found

    async def found(self, table: TableId | None) -> Table | None:
        return None if table is None else await self.read(table, tolerant=True)

    async def every(self, tables: Iterable[TableId], *, tolerant: bool) -> list[Table]:
        """The present tables among `tables` that are open and can be read."""
        found = []
        for table in tables:
            try:
                found.append(await self.read(table, tolerant=tolerant))
            except TableError as refusal:
                logger.error("table_left_out", table=table, code=refusal.code)
        return [table for table in found if table.stored.status.is_open]

    def game(self, game: str) -> AnyGame:
        """Raises TableError `no_such_game` (game)."""
        if game not in self._games:
            raise TableError("no_such_game", game=game)
        return self._games[game]

    def drop(self, tables: Ids | None = None) -> None:
        """Drop these tables (None: all), and any being read: they were changed in the store."""
        self._generation += 1
        drop(self._cache, tables)
        self._store.drop(tables)

    async def aclose(self) -> None:
        """Wait for writes under way."""
        for doubt in self._doubts.values():
            doubt.cancel()
        if self._writing:
            await asyncio.wait(self._writing.values())


class _MissingGame:
    """A game that the program no longer has: its tables can only be left and ended
    (`phase.Unreadable`)."""

    def __init__(self, game: str) -> None:
        self.info = GameInfo(game, rules_version=-1, seats=(), options=())

    def complete_options(self, seats: int, given: Options) -> Options:
        """See `engine.game.Game`.  Raises NotationError `no_such_game`."""
        raise NotationError("no_such_game", game=self.info.id)


def _missing_game(game: str) -> AnyGame:
    return cast("AnyGame", _MissingGame(game))


def is_stored(change: Change, found: tuple[StoredTable, tuple[Entry, ...]] | None) -> bool:
    """Whether `change` is in what was found, given that no other program writes to the table."""
    if found is None:
        return False
    stored, log = found
    if change.entries:
        first = change.entries[0].ply
        return log[first : first + len(change.entries)] == change.entries
    if stored.version <= change.expected:
        return False
    return _untimed(stored) == _untimed(change.stored)


def _untimed(stored: StoredTable) -> StoredTable:
    """Without what changes when time is given back to all tables."""
    timing = replace(stored.timing, deadlines=(), credited=timedelta())
    return replace(stored, version=0, timing=timing)
