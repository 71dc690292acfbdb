"""`TableService`: all that people do at a table; parts of it are `finding`, `machines`, `wishing`.

Every operation locks its table, decides purely, commits, and only then tells the announcer.
What is in memory is a cache of folded logs; the store alone is the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.ids import ChannelId, GuildId, MessageId, QuestionId, TableId, UserId
from bot.tables import deals, ending, lobby, match, new_tables, presence, stopping
from bot.tables.customs import Customs
from bot.tables.deadlines import Alarm, Deadlines, Sleep
from bot.tables.limits import HOUR, INVITATIONS, Lately, Limits
from bot.tables.loaded import LoadedTables, attached
from bot.tables.machines import Machines
from bot.tables.model import Table, TableError
from bot.tables.opener import Opener
from bot.tables.plans import Wish
from bot.tables.ports import (
    PLAIN,
    UNCOUNTED,
    Announcer,
    Chance,
    Clock,
    Computers,
    TableCounts,
    TableStore,
)
from bot.tables.stored import COMPUTER_TIME, Person, StoredTable
from engine.game import AnyGame, NotationError, Options


class TableService(Machines):
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
        computers: Computers = PLAIN,
        computer_time: timedelta = COMPUTER_TIME,
    ) -> None:
        """At tables that are opened from now on computer players answer after `computer_time`."""
        self._invitations = Lately[UserId]("too_many_invitations", INVITATIONS, HOUR)
        self._chance = chance
        self._computer_time = computer_time
        self.deadlines = Deadlines(store.earliest_deadline, self.fire, clock, sleep)
        """Its `run` is the task that the program keeps alive."""
        loaded = LoadedTables(
            store,
            clock,
            chance,
            announcer,
            games,
            stored=self.deadlines.stored,
            committed=self._committed,
        )
        super().__init__(store, loaded, clock, counts, computers)
        self._opener = Opener(store, loaded, clock, Limits() if limits is None else limits)

    # The lobby, and people coming and going

    async def open(
        self,
        wish: Wish,
        guild: GuildId,
        channel: ChannelId,
        host: Person,
        invited: frozenset[UserId] = frozenset(),
        opener: UserId | None = None,
        wanted: TableId | None = None,
    ) -> Table:
        """A new lobby with its host on place 0, of the id that is `wanted` if it is free.

        `opener`: whose it is, if not its host's.

        Raises TableError `no_such_game`, `seats_range` (minimum, maximum), `seats_exactly` (seats),
        `too_many_computers` (count), `channel_busy` (with the table that is open there),
        `restarting` (the program is about to end), and what `Openings.require` raises;
        NotationError for the options.
        """
        rules, tip = self._loaded.game(wish.game), self._chance.seed()

        def make(table: TableId) -> StoredTable:
            return new_tables.new_table(
                table,
                wish,
                game=rules,
                guild=guild,
                channel=channel,
                host=host,
                tip=tip,
                now=self._clock(),
                invited=invited,
                opener=opener,
            )

        make(TableId(""))  # what can never be opened is refused before all that passes
        return await self._open(guild, channel, opener or host.id, make, rules, wanted)

    async def agree(self, table: TableId, user: UserId, given: Options, customs: Customs) -> Table:
        """See `new_tables.agreed`."""
        return await self._operate(
            table, lambda t, now: new_tables.agreed(t, user, given, customs, now)
        )

    async def sit(self, table: TableId, person: Person, place: int | None = None) -> Table:
        """See `lobby.sit`."""
        return await self._operate(table, lambda t, now: match.sit(t, person, place, now))

    async def leave(self, table: TableId, user: UserId) -> Table:
        """See `ending.leave`."""
        return await self._alter(table, lambda t, now: ending.leave(t, user, now), tolerant=True)

    async def gone(self, table: TableId, user: UserId) -> Table:
        """See `ending.gone`."""
        return await self._alter(table, lambda t, now: ending.gone(t, user, now), tolerant=True)

    async def back(self, table: TableId, user: UserId) -> Table:
        """See `lobby.back`."""
        return await self._alter(table, lambda t, _: lobby.back(t.stored, user))

    async def ready_to_begin(self, table: TableId, user: UserId) -> Table:
        """See `match.ready_to_begin`."""
        return await self._operate(table, lambda t, now: match.ready_to_begin(t, user, now))

    async def invite(self, table: TableId, user: UserId, guest: UserId) -> Table:
        """See `lobby.invite`.  Raises TableError `too_many_invitations` (seconds, limit) too."""
        new = False

        def decide(t: Table, now: datetime) -> StoredTable:
            nonlocal new
            after = lobby.invite(t.stored, user, guest)
            new = guest not in t.stored.seating.called
            if new:
                self._invitations.require(user, now)
            return after

        invited = await self._alter(table, decide)
        if new:
            self._invitations.count(user, self._clock())
        return invited

    def may_invite(self, user: UserId) -> None:
        """`user` calls somebody who is expected.

        Raises TableError `too_many_invitations` (seconds, limit).
        """
        self._invitations.require(user, self._clock())
        self._invitations.count(user, self._clock())

    async def hand_over(self, table: TableId, user: UserId, target: UserId) -> Table:
        """See `lobby.hand_over`."""
        return await self._alter(table, lambda t, now: lobby.hand_over(t.stored, user, target, now))

    async def seen_at(self, table: Table, user: UserId) -> Table:
        """`user` does something at `table`: nobody waits for a host who does (`lobby.led`)."""
        stored = table.stored
        if stored.seating.host != user or lobby.led(stored, user, self._clock()) == stored:
            return table  # as nearly always
        return await self._alter(table.id, lambda t, now: lobby.led(t.stored, user, now))

    async def kick(
        self, table: TableId, user: UserId, target: UserId, *, moderator: bool = False
    ) -> Table:
        """See `ending.kick`."""
        return await self._alter(
            table,
            lambda t, now: ending.kick(t, user, target, now, moderator=moderator),
            tolerant=True,
        )

    async def set_reachable(self, table: TableId, user: UserId, *, reachable: bool) -> Table:
        """See `lobby.set_reachable`."""
        return await self._alter(
            table, lambda t, _: lobby.set_reachable(t.stored, user, reachable=reachable)
        )

    async def end(self, table: TableId, user: UserId, *, moderator: bool) -> Table:
        """See `ending.end`."""
        return await self._alter(
            table, lambda t, now: ending.end(t, user, now, moderator=moderator), tolerant=True
        )

    async def rematch(
        self, table: TableId, person: Person, locale: str = "en", *, may_open: bool = True
    ) -> Table:
        """The same people's next table: opened by the first who asks and may, joined by the others.

        Raises TableError `not_ended`, `never_started`, `not_played`, `kicked`, `no_such_game`,
        `options_gone`, `may_not_open`, and what opening a table and sitting down raise.
        """
        old = await self.find(table)  # it has ended, and stays as it is
        with attached(old):
            wish = new_tables.rematch_place(old.stored, person.id)
            self._loaded.game(old.stored.game)  # is there one still?
        following = await self._loaded.found(await self._store.rematch_of(table))
        if following is None or not following.stored.status.is_open:
            if not may_open:
                raise TableError("may_not_open", old)
            try:
                return await self._open(
                    old.stored.guild,
                    old.stored.channel,
                    person.id,
                    lambda new: new_tables.rematch(
                        new, old, person, wish, locale, self._chance.seed(), self._clock()
                    ),
                    old.game,
                )
            except NotationError:
                raise TableError("options_gone", old) from None
            except TableError as refusal:
                following = refusal.table
                if following is None or following.stored.rematch_of != table:
                    raise
        return await self._alter(
            following.id, lambda t, now: lobby.sit_near(t.stored, person, wish, now)
        )

    # The deal

    async def cut(self, table: TableId, user: UserId, word: str) -> Table:
        """See `deals.cut`."""
        return await self._operate(table, lambda t, _: deals.cut(t, user, word))

    async def posted(self, table: TableId, round_number: int, post: MessageId | None) -> Table:
        """See `match.posted`: to be called as often as one likes."""
        return await self._operate(table, lambda t, now: match.posted(t, round_number, post, now))

    # The match

    async def start(self, table: TableId, user: UserId) -> Table:
        """See `match.start`."""
        return await self._operate(table, lambda t, now: match.start(t, user, now))

    async def act(
        self,
        table: TableId,
        question: QuestionId | None,
        user: UserId,
        text: str,
        interaction: int | None,
    ) -> Table:
        """See `match.act`.

        An interaction that was applied before changes nothing; the table comes back as it is.
        """

        def decide(now: Table) -> Table:
            nonlocal question
            if match.applied(now, interaction):
                return now
            if question is None:
                # Typed for what is asked now; a lost race must not make it answer the next one.
                seat = now.stored.seating.place_of(user)
                question = None if seat is None else now.questions.get(seat)
            return match.act(now, question, user, text, interaction, self._clock())

        return await self._loaded.operate(table, decide)

    async def ready(self, table: TableId, user: UserId, question: QuestionId | None) -> Table:
        """See `match.ready`."""
        return await self._operate(table, lambda t, now: match.ready(t, user, question, now))

    # Where the table is shown

    async def stalled(self, table: TableId, missing: Sequence[str]) -> bool:
        """The table cannot be shown for lack of these permissions (none: it is out of sight).

        Its match waits until `unstalled`, at most `waiting.STALL_TIME`; who finds a way may act.
        Returns whether that is new, and the host to be told.
        """
        new = False

        def decide(t: Table, now: datetime) -> StoredTable:
            nonlocal new
            new = t.stored.status.is_open and t.stored.timing.stalled is None
            return presence.stall(t.stored, missing, now)

        await self._alter(table, decide, tolerant=True)
        return new

    async def unstalled(self, table: TableId) -> Table:
        """See `lobby.unstall`: to be called as often as one likes."""
        known = await self.find(table)
        if known.stored.timing.stalled is None:
            return known  # as nearly always: nobody's lock is waited for
        return await self._alter(table, lambda t, _: lobby.unstall(t.stored), tolerant=True)

    async def vanished(self, table: TableId) -> Table:
        """See `stopping.vanished`."""
        return await self._alter(
            table, lambda t, now: stopping.vanished(t.stored, now), tolerant=True
        )

    # Times when the program is not there

    def drain(self) -> None:
        """No table is opened from now on: `restarting`."""
        self._opener.drain()

    async def resume(self, since: datetime | None, until: datetime) -> int:
        """People could not be heard in that time, which is given back: see `TableStore.credit`."""
        try:
            return await self._store.credit(since, until)
        finally:
            # Even if it was refused: an answer that was lost may have been a yes.
            self._loaded.forget()

    async def note_reachable(self, at: datetime) -> None:
        """See `TableStore.note_reachable`."""
        await self._store.note_reachable(at)

    async def aclose(self) -> None:
        """Wait for commits on their way; to be called before the store is closed."""
        await self._advising.aclose()
        await self._thinking.aclose()
        await self._loaded.aclose()

    async def _open(
        self,
        guild: GuildId,
        channel: ChannelId,
        user: UserId,
        make: Callable[[TableId], StoredTable],
        game: AnyGame,
        wanted: TableId | None = None,
    ) -> Table:
        """See `Opener.open`; computer players are called who may soon be asked."""

        def timed(table: TableId) -> StoredTable:
            stored = make(table)
            return replace(stored, timing=replace(stored.timing, computers=self._computer_time))

        opened = await self._opener.open(guild, channel, user, timed, game, wanted)
        if opened.stored.seating.computers:
            self._computers.wake((opened.stored.game,))
        return opened
