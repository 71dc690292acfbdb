"""`TableService`: the one door to every table.

Every operation locks its table, decides purely, commits, and only then tells the announcer.
What is in memory is a cache of folded logs; the store alone is the truth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from weakref import WeakValueDictionary

from structlog.contextvars import bound_contextvars

from bot.ids import ChannelId, GuildId, MessageId, QuestionId, TableId, UserId
from bot.tables import deals, ending, lobby, match
from bot.tables.deadlines import Alarm, Deadlines, Sleep
from bot.tables.epochs import Epochs
from bot.tables.limits import Limits, Openings
from bot.tables.loaded import LoadedTables, attached
from bot.tables.model import By, Table, TableError
from bot.tables.ports import UNCOUNTED, Announcer, Chance, Clock, Due, TableCounts, TableStore
from bot.tables.published import Check
from bot.tables.stored import Pace, Person, StoredTable
from bot.tables.whole import Wholes
from engine.game import AnyGame, Options


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
        sleep: Sleep = Alarm.sleep,
        limits: Limits | None = None,
        counts: TableCounts = UNCOUNTED,
        epoch: int = 0,
        entered: Callable[[], None] = lambda: None,
    ) -> None:
        """`epoch` is that of the database; see `Epochs` for `entered`."""
        self._store = store
        self._clock = clock
        self._chance = chance
        self._openings = Openings(Limits() if limits is None else limits)
        self._counts = counts
        self._opening: WeakValueDictionary[GuildId, asyncio.Lock] = WeakValueDictionary()
        """By server: one table is opened at a time."""
        self._draining = False
        self.deadlines = Deadlines(store.earliest_deadline, self.fire, clock, sleep)
        """Its `run` is the task that the program keeps alive."""
        self._loaded = LoadedTables(
            store, clock, chance, announcer, games, self.deadlines.stored, epoch
        )
        self._wholes = Wholes(self._loaded)
        self.epochs = Epochs(store, self._loaded, entered)

    # Finding tables

    async def table(self, table: TableId) -> Table:
        """The table as it stands."""
        return await self._loaded.read(table)

    async def find(self, table: TableId) -> Table:
        """The table as it stands, for showing or ending it: its log may be unreadable."""
        return await self._loaded.read(table, tolerant=True)

    async def whole(self, table: Table) -> Table:
        """See `Wholes.table`."""
        return await self._wholes.table(table)

    async def open_in_channel(self, channel: ChannelId) -> Table | None:
        """The open table of a channel or thread."""
        return await self._loaded.found(await self._store.open_in_channel(channel))

    async def latest_in_channel(self, channel: ChannelId) -> Table | None:
        """The newest table of a channel or thread, open or ended."""
        return await self._loaded.found(await self._store.latest_in_channel(channel))

    async def open_of(self, user: UserId) -> list[Table]:
        """Open tables where `user` sits, newest first."""
        return await self._loaded.every(await self._store.open_of(user), tolerant=True)

    async def open_tables(self) -> list[Table]:
        """Every open table that can be read."""
        return await self._loaded.every(await self._store.open_tables(), tolerant=False)

    async def tables_in(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> list[TableId]:
        """Open tables, of one server or of one channel or thread; oldest first."""
        return list(await self._store.open_tables(guild, channel))

    async def clocked(self) -> list[TableId]:
        """Running tables where somebody's time or a pause runs, earliest deadline first."""
        return list(await self._store.clocked())

    # The lobby, and people coming and going

    async def open(
        self,
        *,
        guild: GuildId,
        channel: ChannelId,
        host: Person,
        game: str,
        seats: int | None,
        given: Options,
        private: bool,
        pace: Pace = Pace.NONE,
        locale: str = "en",
    ) -> Table:
        """A new lobby with its host on place 0; `locale` is that of its server.

        Raises TableError `no_such_game`, `seats_range` (minimum, maximum), `seats_exactly` (seats),
        `channel_busy` (with the table that is open there), `restarting` (the program is about to
        end), and what `Openings.require` raises; NotationError for the options.
        """
        rules = self._loaded.game(game)

        def make(table: TableId) -> StoredTable:
            return lobby.new_table(
                table,
                guild=guild,
                channel=channel,
                host=host,
                game=rules,
                seats=seats,
                given=given,
                private=private,
                tip=self._chance.seed(),
                now=self._clock(),
                pace=pace,
                locale=locale,
            )

        return await self._open(guild, host.id, make, rules)

    async def sit(self, table: TableId, person: Person, place: int | None = None) -> Table:
        """See `lobby.sit`."""
        return await self._loaded.operate(
            table, lambda t: match.sit(t, person, place, self._chance, self._clock())
        )

    async def leave(self, table: TableId, user: UserId) -> Table:
        """See `ending.leave`."""
        return await self._whole(table, lambda t: ending.leave(t, user, self._clock()))

    async def gone(self, table: TableId, user: UserId) -> Table:
        """See `lobby.gone`."""
        return await self._people(table, lambda r: lobby.gone(r, user, self._clock()), True)

    async def back(self, table: TableId, user: UserId) -> Table:
        """See `lobby.back`."""
        return await self._people(table, lambda r: lobby.back(r, user))

    async def hold(self, table: TableId, user: UserId) -> Table:
        """See `lobby.hold`."""
        return await self._people(table, lambda r: lobby.hold(r, user, self._clock()))

    async def invite(self, table: TableId, user: UserId, guest: UserId) -> Table:
        """See `lobby.invite`."""
        return await self._people(table, lambda r: lobby.invite(r, user, guest))

    async def kick(
        self, table: TableId, user: UserId, target: UserId, *, moderator: bool = False
    ) -> Table:
        """See `ending.kick`."""
        return await self._whole(
            table, lambda t: ending.kick(t, user, target, moderator, self._clock())
        )

    async def set_reachable(self, table: TableId, user: UserId, reachable: bool) -> Table:
        """See `lobby.set_reachable`."""
        return await self._people(table, lambda r: lobby.set_reachable(r, user, reachable))

    async def end(self, table: TableId, user: UserId, *, moderator: bool) -> Table:
        """See `ending.end`."""
        return await self._whole(table, lambda t: ending.end(t, user, moderator, self._clock()))

    async def rematch(self, table: TableId, person: Person, locale: str = "en") -> Table:
        """The same people's next table: opened by the first who asks, joined by the others.

        Raises TableError `not_ended`, `never_started`, `not_seated`, `kicked`, and what opening
        a table and sitting down raise.
        """
        async with self._loaded.lock(table):
            old = await self._loaded.load(table, tolerant=True)
            with attached(old):
                wish = lobby.rematch_place(old.stored, person.id)
            following = await self._loaded.found(await self._store.rematch_of(table))
            if following is None or not following.stored.status.is_open:
                try:
                    return await self._open(
                        old.stored.guild,
                        person.id,
                        lambda new: lobby.rematch(
                            new, old, person, wish, locale, self._chance.seed(), self._clock()
                        ),
                        old.game,
                    )
                except TableError as refusal:
                    following = refusal.table
                    if following is None or following.stored.rematch_of != table:
                        raise
            return await self._people(
                following.id, lambda r: lobby.sit_near(r, person, wish, self._clock())
            )

    # The deal

    async def cut(self, table: TableId, user: UserId, word: str) -> Table:
        """See `deals.cut`."""
        return await self._loaded.operate(table, lambda t: deals.cut(t, user, word))

    async def posted(self, table: TableId, round_number: int, post: MessageId | None) -> Table:
        """See `match.posted`: to be called as often as one likes."""
        return await self._loaded.operate(
            table, lambda t: match.posted(t, round_number, post, self._clock())
        )

    async def checked(self, table: Table) -> Check | None:
        """See `Wholes.checked`."""
        return await self._wholes.checked(table)

    async def record(self, table: Table) -> str:
        """See `Wholes.record`."""
        return await self._wholes.record(table)

    # The match

    async def start(self, table: TableId, user: UserId) -> Table:
        """See `match.start`."""
        return await self._loaded.operate(
            table, lambda t: match.start(t, user, self._chance, self._clock())
        )

    async def act(
        self,
        table: TableId,
        question: QuestionId | None,
        by: By,
        text: str,
        interaction: int | None,
    ) -> Table:
        """An action, whoever brings it: see `match.act`.

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

        return await self._loaded.operate(table, decide)

    async def standing(
        self, table: TableId, user: UserId, on: bool, question: QuestionId | None
    ) -> Table:
        """See `match.standing`."""
        return await self._loaded.operate(
            table, lambda t: match.standing(t, user, on, question, self._clock())
        )

    async def ready(self, table: TableId, user: UserId, question: QuestionId | None) -> Table:
        """See `match.ready`."""
        return await self._loaded.operate(
            table, lambda t: match.ready(t, user, question, self._chance, self._clock())
        )

    async def fire(self, due: Due) -> None:
        """A stored deadline has come: see `match.fire`.

        What is logged meanwhile names the table and the question.
        """
        with bound_contextvars(table=due.table, question=due.deadline.question):
            await self._loaded.operate(
                due.table, lambda t: match.fire(t, due.deadline, self._chance, self._clock())
            )
        self._counts.fired(due.deadline.kind)

    # Where the table is shown

    async def stalled(self, table: TableId, missing: Sequence[str]) -> bool:
        """The table cannot be shown for lack of these permissions (none: it is out of sight).

        Its match waits until `shown`, at most `waiting.STALL_TIME`; who finds a way may act.
        Returns whether that is new, and the host to be told.
        """
        new = False

        def decide(stored: StoredTable) -> StoredTable:
            nonlocal new
            new = stored.status.is_open and stored.timing.stalled is None
            return lobby.stall(stored, missing, self._clock())

        await self._people(table, decide, True)
        return new

    async def shown(self, table: TableId) -> Table:
        """See `lobby.shown`: to be called as often as one likes."""
        known = await self.find(table)
        if known.stored.timing.stalled is None:
            return known  # as nearly always: nobody's lock is waited for
        return await self._people(table, lambda r: lobby.shown(r, self._clock()), True)

    async def vanished(self, table: TableId) -> Table:
        """See `lobby.vanished`."""
        return await self._people(table, lambda r: lobby.vanished(r, self._clock()), True)

    # Times when the program is not there

    def drain(self) -> None:
        """No table is opened from now on: `restarting`."""
        self._draining = True

    async def resume(self, since: datetime | None, until: datetime) -> int:
        """People could not be heard in that time, which is given back: see `TableStore.credit`."""
        try:
            return await self._store.credit(since, until)
        finally:
            # Even if it was refused: an answer that was lost may have been a yes.
            self._loaded.forget()

    async def seen(self, at: datetime) -> None:
        """See `TableStore.seen`."""
        await self._store.seen(at)

    async def aclose(self) -> None:
        """Wait for commits on their way; to be called before the store is closed."""
        await self._loaded.aclose()

    async def _open(
        self,
        guild: GuildId,
        host: UserId,
        make: Callable[[TableId], StoredTable],
        game: AnyGame,
    ) -> Table:
        """A new table, as often as one may open them.

        Raises TableError `channel_busy`, `restarting`, and what `Openings.require` raises.
        """
        async with self._opening.setdefault(guild, asyncio.Lock()):
            if self._draining:
                raise TableError("restarting")
            counts = await self._store.open_count(guild, host)
            self._openings.require(guild, host, *counts, self._clock())
            opened = await self._loaded.create(make, game)
            self._openings.count(guild, host, self._clock())
            return opened

    async def _whole(self, table: TableId, decide: Callable[[Table], StoredTable]) -> Table:
        """People change by what the whole table comes to, even if it cannot be replayed."""
        return await self._loaded.operate(
            table,
            lambda t: match.on_stored(t, lambda _: decide(t), self._chance, self._clock()),
            tolerant=True,
        )

    async def _people(
        self, table: TableId, decide: Callable[[StoredTable], StoredTable], tolerant: bool = False
    ) -> Table:
        return await self._loaded.operate(
            table, lambda t: match.on_stored(t, decide, self._chance, self._clock()), tolerant
        )
