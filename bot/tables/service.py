"""`TableService`: the one door to every table.

Every operation locks its table, decides purely, commits, and only then tells the announcer.
What is in memory is a cache of folded logs; the store alone is the truth.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from weakref import WeakValueDictionary

from bot.tables import deals, lobby, match
from bot.tables.deadlines import Deadlines, Sleep
from bot.tables.fold import UnreadableLogError, fold
from bot.tables.model import By, Person, Table, TableError, TableId, TableRecord
from bot.tables.ports import (
    AlreadyApplied,
    Announcer,
    Chance,
    Change,
    ChannelTaken,
    Clock,
    Conflict,
    Due,
    TableStore,
)
from engine.game import AnyGame, Options

_log = logging.getLogger(__name__)

ATTEMPTS: Final = 8
"""How often an operation is decided anew because somebody else wrote first."""

CACHED_TABLES: Final = 1024


@contextmanager
def _attached(table: Table) -> Iterator[None]:
    """A refusal shows the table as it stands."""
    try:
        yield
    except TableError as refusal:
        if refusal.table is None:
            refusal.table = table
        raise


class TableService:
    """All operations commit first and then call `announcer.changed`.

    Every method raises TableError with a code, `no_such_table` (id), `unreadable` (id) and
    `busy` among them; RuleError and NotationError come from games.

    `unreadable` is a table whose log this program's rules cannot replay.  It can still be
    found, left and ended (its `Table` has not `started`), so it blocks no channel.
    """

    def __init__(
        self,
        store: TableStore,
        *,
        clock: Clock,
        chance: Chance,
        announcer: Announcer,
        games: Mapping[str, AnyGame],
        sleep: Sleep | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._announcer = announcer
        self._games = games
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()
        self._cache: OrderedDict[TableId, Table] = OrderedDict()
        self._writing: dict[TableId, asyncio.Task[None]] = {}
        self.deadlines = Deadlines(store.earliest_deadline, self.fire, clock, sleep)
        """Its `run` is the task that the program keeps alive."""

    # Finding tables

    async def table(self, table: TableId) -> Table:
        """The table as it stands."""
        return await self._read(table)

    async def find(self, table: TableId) -> Table:
        """The same for finding and ending: one whose log cannot be replayed is found too."""
        return await self._read(table, tolerant=True)

    async def open_in_channel(self, channel: int) -> Table | None:
        """The open table of a channel or thread."""
        return await self._found(await self._store.open_in_channel(channel))

    async def latest_in_channel(self, channel: int) -> Table | None:
        """The newest table of a channel or thread, open or ended."""
        return await self._found(await self._store.latest_in_channel(channel))

    async def open_of(self, user: int) -> list[Table]:
        """Open tables where `user` sits, newest first."""
        return await self._all(await self._store.open_of(user), tolerant=True)

    async def open_tables(self) -> list[Table]:
        """Every open table that can be read."""
        return await self._all(await self._store.open_tables(), tolerant=False)

    # The lobby, and people coming and going

    async def open(
        self,
        *,
        guild: int,
        channel: int,
        host: Person,
        game: str,
        seats: int | None,
        given: Options,
        private: bool,
    ) -> Table:
        """A new lobby with its host on place 0.

        Raises TableError `no_such_game`, `seats_range` (minimum, maximum), `seats_exactly` (seats),
        `channel_busy` (with the table that is open there); NotationError for the options.
        """
        rules = self._game(game)
        return await self._create(
            lambda table: lobby.new_table(
                table,
                guild=guild,
                channel=channel,
                host=host,
                game=rules,
                seats=seats,
                given=given,
                private=private,
                seed=self._chance.seed(),
                now=self._clock(),
            ),
            rules,
        )

    async def sit(self, table: TableId, person: Person, place: int | None = None) -> Table:
        """See `lobby.sit`."""
        return await self._people(table, lambda r: lobby.sit(r, person, place, self._clock()))

    async def leave(self, table: TableId, user: int) -> Table:
        """See `lobby.leave`."""
        return await self._people(table, lambda r: lobby.leave(r, user, self._clock()), True)

    async def hold(self, table: TableId, user: int) -> Table:
        """See `lobby.hold`."""
        return await self._people(table, lambda r: lobby.hold(r, user, self._clock()))

    async def invite(self, table: TableId, user: int, guest: int) -> Table:
        """See `lobby.invite`."""
        return await self._people(table, lambda r: lobby.invite(r, user, guest))

    async def kick(self, table: TableId, user: int, target: int) -> Table:
        """See `lobby.kick`."""
        return await self._people(table, lambda r: lobby.kick(r, user, target, self._clock()))

    async def set_reachable(self, table: TableId, user: int, reachable: bool) -> Table:
        """See `lobby.set_reachable`."""
        return await self._people(table, lambda r: lobby.set_reachable(r, user, reachable))

    async def end(self, table: TableId, user: int, *, moderator: bool) -> Table:
        """See `lobby.end`."""
        return await self._people(
            table, lambda r: lobby.end(r, user, moderator, self._clock()), True
        )

    async def rematch(self, table: TableId, person: Person) -> Table:
        """The same people's next table: opened by the first who asks, joined by the others.

        Raises TableError `not_ended`, `never_started`, `not_seated`, `kicked`, `channel_busy`,
        and what sitting down raises.
        """
        async with self._lock(table):
            old = await self._load(table, tolerant=True)
            with _attached(old):
                wish = lobby.rematch_place(old.record, person.id)
            following = await self._found(await self._store.rematch_of(table))
            if following is None or not following.record.status.is_open:
                try:
                    return await self._create(
                        lambda new: lobby.rematch(
                            new,
                            old.record,
                            old.game,
                            person,
                            wish,
                            self._chance.seed(),
                            self._clock(),
                        ),
                        old.game,
                    )
                except TableError as refusal:
                    following = refusal.table
                    if following is None or following.record.rematch_of != table:
                        raise
            return await self._people(
                following.id, lambda r: lobby.sit_near(r, person, wish, self._clock())
            )

    # The deal

    async def cut(self, table: TableId, user: int, word: str) -> Table:
        """See `deals.cut`."""
        return await self._operate(table, lambda t: deals.cut(t, user, word))

    async def posted(self, table: TableId, round_number: int, post: int | None) -> Table:
        """See `match.posted`: to be called as often as one likes."""
        return await self._operate(
            table, lambda t: match.posted(t, round_number, post, self._clock())
        )

    # The match

    async def start(self, table: TableId, user: int) -> Table:
        """See `match.start`."""
        return await self._operate(
            table, lambda t: match.start(t, user, self._chance, self._clock())
        )

    async def act(
        self, table: TableId, question: int | None, by: By, text: str, interaction: int | None
    ) -> Table:
        """The one door: see `match.act`.

        An interaction that was applied before changes nothing; the table comes back as it is.
        """

        def decide(now: Table) -> Table:
            nonlocal question
            if match.applied(now, interaction):
                return now
            if question is None:
                # Typed for what is asked now; a lost race must not make it answer the next one.
                question = match.asked(now, by)
            return match.act(now, question, by, text, interaction, self._clock())

        return await self._operate(table, decide)

    async def standing(self, table: TableId, user: int, on: bool, question: int | None) -> Table:
        """See `match.standing`."""
        return await self._operate(
            table, lambda t: match.standing(t, user, on, question, self._clock())
        )

    async def ready(self, table: TableId, user: int, question: int | None) -> Table:
        """See `match.ready`."""
        return await self._operate(
            table, lambda t: match.ready(t, user, question, self._chance, self._clock())
        )

    async def fire(self, due: Due) -> None:
        """A stored deadline has come: see `match.fire`."""
        await self._operate(
            due.table, lambda t: match.fire(t, due.deadline, self._chance, self._clock())
        )

    async def aclose(self) -> None:
        """Wait for what is being written; to be called before the store is closed."""
        if self._writing:
            await asyncio.wait(set(self._writing.values()))

    # Locking, loading, writing

    def _lock(self, table: TableId) -> asyncio.Lock:
        return self._locks.setdefault(table, asyncio.Lock())

    async def _people(
        self,
        table: TableId,
        decide: Callable[[TableRecord], TableRecord],
        tolerant: bool = False,
    ) -> Table:
        return await self._operate(
            table, lambda t: match.on_record(t, decide, self._clock()), tolerant
        )

    async def _operate(
        self, table: TableId, decide: Callable[[Table], Table], tolerant: bool = False
    ) -> Table:
        """Decide and commit, again if somebody else wrote first.

        Cancelled before the commit: nothing happened.  Afterwards: all of it happens, the
        caller just does not hear of it.
        """
        async with self._lock(table):
            for _ in range(ATTEMPTS):
                before = await self._load(table, tolerant)
                with _attached(before):
                    after = decide(before)
                if after.record == before.record and after.ply == before.ply:
                    return before
                try:
                    return await self._write(before, after)
                except Conflict:
                    continue
                except AlreadyApplied:
                    return await self._load(table, tolerant)
        raise TableError("busy")

    async def _create(self, make: Callable[[TableId], TableRecord], game: AnyGame) -> Table:
        for _ in range(ATTEMPTS):
            record = make(self._chance.table_id())
            try:
                async with self._lock(record.id):
                    return await self._write(None, Table(record, game))
            except Conflict:
                continue  # the id is taken
            except ChannelTaken:
                standing = await self.open_in_channel(record.channel)
                if standing is not None:
                    raise TableError("channel_busy", standing) from None
        raise TableError("busy")

    async def _write(self, before: Table | None, after: Table) -> Table:
        """Commit, under the table's lock.

        A task of its own does it: a write that has begun cannot be called back, and whoever
        locks the table next waits for it (`_load`) even if the caller was cancelled.
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

    async def _commit(self, change: Change, after: Table) -> None:
        # Out of the cache until the store has said yes: on any failure the store is asked again.
        self._cache.pop(after.id, None)
        await self._store.commit(change)
        self._remember(after)
        self.deadlines.stored(after.record.deadlines)
        self._announcer.changed(after.id)

    async def _read(self, table: TableId, tolerant: bool = False) -> Table:
        known = self._cache.get(table)
        if known is not None:
            return known
        async with self._lock(table):
            return await self._load(table, tolerant)

    async def _load(self, table: TableId, tolerant: bool = False) -> Table:
        """The table as it stands; its lock is held.  Tolerant: without state if unreadable."""
        writing = self._writing.get(table)
        if writing is not None:
            await asyncio.wait({writing})
        known = self._cache.get(table)
        if known is not None:
            self._cache.move_to_end(table)
            return known
        loaded = await self._store.load(table)
        if loaded is None:
            raise TableError("no_such_table", id=table)
        record, log = loaded
        game = self._game(record.game)
        try:
            found = fold(record, game, log)
        except UnreadableLogError:
            _log.error("table %s: its log cannot be replayed", table)
            if not tolerant:
                raise TableError("unreadable", id=table) from None
            return Table(record, game, log)
        self._remember(found)
        return found

    async def _found(self, table: TableId | None) -> Table | None:
        return None if table is None else await self._read(table, tolerant=True)

    async def _all(self, tables: Iterable[TableId], tolerant: bool) -> list[Table]:
        found = []
        for table in tables:
            try:
                found.append(await self._read(table, tolerant))
            except TableError as refusal:
                _log.error("table %s left out: %s", table, refusal.code)
        return [table for table in found if table.record.status.is_open]

    def _game(self, game: str) -> AnyGame:
        if game not in self._games:
            raise TableError("no_such_game", game=game)
        return self._games[game]

    def _remember(self, table: Table) -> None:
        self._cache[table.id] = table
        self._cache.move_to_end(table.id)
        while len(self._cache) > CACHED_TABLES:
            self._cache.popitem(last=False)
