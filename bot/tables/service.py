"""`TableService`: all operations on tables, for people, computer players and the clock.

Every operation locks its table, decides purely, commits, and only then tells the announcer.  A
new table takes over what counts on its server then.  Memory is a cache of folded logs; the store
alone is the truth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from cachetools import LRUCache
from structlog.contextvars import bound_contextvars

from bot.ids import ALONE, ChannelId, GuildId, Ids, QuestionId, TableId, UserId, drop
from bot.tables import (
    deals,
    ending,
    hinting,
    lobby,
    lots,
    match,
    new_tables,
    presence,
    queueing,
    undo,
    voting,
    waiting,
)
from bot.tables.computer_answers import NO_ANSWERS, Advising, Answers, Thinking
from bot.tables.deadlines import Alarm, Deadlines, NotYet, Sleep
from bot.tables.deals import Check, check, match_record
from bot.tables.loaded import LoadedTables, table_attached
from bot.tables.lobby import NOBODY, Apart
from bot.tables.model import Table, TableError
from bot.tables.opener import INVITATION_WINDOW, INVITATIONS, Forgotten, Limits, Opener, RateLimit
from bot.tables.phase import Unreadable
from bot.tables.plans import Wish
from bot.tables.ports import (
    NO_COMPUTERS,
    UNCOUNTED,
    Announcer,
    Blocks,
    Chance,
    Change,
    Clock,
    Computers,
    Due,
    TableCounts,
    TableStore,
)
from bot.tables.preferences import QuietOf
from bot.tables.review import ReviewedRound, Reviewing
from bot.tables.servers import Servers, ServerSettings
from bot.tables.stored import COMPUTER_TIME, DeadlineKind, Person, Status, StoredTable
from bot.tables.stories import RoundTold, rounds_told
from bot.tables.waiting import postponed
from engine.game import AnyGame, NotationError, Seat
from engine.players.levels import Level
from engine.record import to_text

T = TypeVar("T")
P = ParamSpec("P")

_Decide: TypeAlias = Callable[Concatenate[Table, datetime, P], Table | StoredTable]
_Operation: TypeAlias = Callable[
    Concatenate["TableService", TableId, P], Coroutine[None, None, Table]
]

MAX_CHECKED: Final = 1024
"""Maximum number of matches whose checks are cached."""

MAX_QUIET: Final = timedelta(seconds=8)
"""How long nothing is drawn while only computer players are asked."""

THOUGHT_OF: Final = (DeadlineKind.COMPUTER, DeadlineKind.SELF_ANSWER)
"""Deadlines at which something is played that was thought of."""


def _operation(decide: _Decide[P], *, tolerant: bool = False) -> _Operation[P]:
    """The method that does what `decide` says, with a table's id in place of table and time."""

    @wraps(decide)
    async def operation(
        self: TableService, table: TableId, /, *args: P.args, **kwargs: P.kwargs
    ) -> Table:
        return await self._operate(
            table, lambda t, now: decide(t, now, *args, **kwargs), tolerant=tolerant
        )

    return operation


def _of_stored(change: Callable[Concatenate[StoredTable, P], StoredTable]) -> _Decide[P]:
    """A change of what is stored alone, as `_operation` takes it."""

    @wraps(change)
    def decide(table: Table, now: datetime, /, *args: P.args, **kwargs: P.kwargs) -> StoredTable:
        return change(table.stored, *args, **kwargs)

    return decide


class TableService:
    """All operations commit first and then call `announcer.changed`.

    Every method raises TableError with a code, `no_such_table` (id), `unreadable` (id) and `busy`
    among them; RuleError and NotationError come from games.

    `unreadable` is a table whose log this program's rules cannot replay.  It can still be found,
    left and ended (its phase is `Unreadable`), so it blocks no channel.
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
        computers: Computers = NO_COMPUTERS,
        computer_time: timedelta = COMPUTER_TIME,
        servers: Servers | None = None,
        blocks: Blocks | None = None,
        quiet_of: QuietOf = lambda _: None,
    ) -> None:
        """At tables that are opened from now on computer players answer after `computer_time`.

        Without `servers` nobody has chosen anything for theirs; without `blocks` everybody sits
        down with everybody; `quiet_of` tells the quiet hours of a person.
        """
        self._servers, self._blocks, self._quiet_of = servers, blocks, quiet_of
        self._store = store
        self._clock = clock
        self._chance = chance
        self._counts = counts
        self._computers = computers
        self._computer_time = computer_time
        self._thinking, self._advising = Thinking(computers), Advising(computers)
        self._reviewing = Reviewing(computers, self._advising, self._beside)
        self._quiet: dict[TableId, datetime] = {}
        """Since when nothing is drawn of a table where only computer players act."""
        self._invitations = RateLimit[UserId](
            "too_many_invitations", INVITATIONS, INVITATION_WINDOW
        )
        self._looking = asyncio.Lock()
        """Held by the one thread that replays a match from its start."""
        self._forgotten = Forgotten()
        self._checked: LRUCache[tuple[TableId, Status, int], Check | None] = LRUCache(MAX_CHECKED)
        """Checks by table and number of published seeds."""
        self.deadlines = Deadlines(store.earliest_deadline, self.fire, clock, sleep)
        """Its `run` is the task that the program keeps alive."""
        self._loaded = LoadedTables(
            store,
            clock,
            chance,
            announcer,
            games,
            stored=self.deadlines.stored,
            committed=self._committed,
            quiet_of=quiet_of,
        )
        self._opener = Opener(store, self._loaded, clock, limits or Limits(), self._forgotten)

    # Finding tables, and looking at them

    async def table(self, table: TableId) -> Table:
        """The present table."""
        return await self._loaded.read(table)

    async def find(self, table: TableId) -> Table:
        """The present table, for showing or ending it: its log may be unreadable."""
        return await self._loaded.read(table, tolerant=True)

    async def open_in_channel(self, channel: ChannelId) -> Table | None:
        """The open table of a channel or thread."""
        return await self._loaded.found(await self._store.open_in_channel(channel))

    async def latest_in_channel(self, channel: ChannelId) -> Table | None:
        """The newest table of a channel or thread, open or ended."""
        return await self._loaded.found(await self._store.latest_in_channel(channel))

    async def open_of(self, user: UserId) -> list[Table]:
        """Open tables where `user` sits, newest first."""
        return await self._loaded.every(await self._store.open_of(user), tolerant=True)

    async def waiting_for(self, user: UserId, but: TableId | None = None) -> list[Table]:
        """Open tables that wait for `user`, least time first; `but` is left out."""
        sits = await self._store.open_of(user)
        found = await self._loaded.every((one for one in sits if one != but), tolerant=True)
        waiting = [table for table in found if table.waits_for(user)]
        return sorted(waiting, key=lambda table: table.turn_ends)

    async def open_on(self, guild: GuildId) -> list[Table]:
        """Open tables of a server, newest first."""
        found = await self._loaded.every(await self._store.open_tables(guild), tolerant=True)
        return found[::-1]

    async def open_tables(self) -> list[Table]:
        """Every open table that can be read."""
        return await self._loaded.every(await self._store.open_tables(), tolerant=False)

    async def tables_in(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> list[TableId]:
        """Open tables, of one server or of one channel or thread; oldest first."""
        return list(await self._store.open_tables(guild, channel))

    async def clocked(self) -> list[TableId]:
        """Running tables with a turn clock or a clock between rounds, earliest deadline first."""
        return list(await self._store.clocked())

    async def rounds(self, table: Table) -> tuple[RoundTold, ...]:
        """See `stories.rounds_told`."""
        return await self._beside(rounds_told, table)

    async def reviewed(self, table: Table, number: int | None) -> ReviewedRound:
        """See `Reviewing.round`."""
        return await self._reviewing.round(table, number)

    async def opinion(self, shown: ReviewedRound, position: int, user: UserId) -> hinting.Opinion:
        """See `Reviewing.opinion`."""
        return await self._reviewing.opinion(shown, position, user)

    async def checked(self, table: Table) -> Check | None:
        """See `deals.check`."""
        key = (table.id, table.stored.status, len(table.rounds))
        if key not in self._checked:
            self._checked[key] = await self._beside(check, table)
        return self._checked[key]

    async def record(self, table: Table) -> str:
        """See `deals.match_record`: as a line of text."""
        return await self._beside(lambda table: to_text(match_record(table)) + "\n", table)

    async def _beside(self, look: Callable[[Table], T], table: Table) -> T:
        """The result of `look`, run in a thread, one at a time: several would hold up the loop."""
        async with self._looking:
            return await asyncio.to_thread(look, table)

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
        *,
        planned: bool = False,
        coming: Sequence[tuple[Person, Apart]] = (),
    ) -> Table:
        """A new lobby with its host on place 0, of the id that is `wanted` if it is free.

        `opener`: whose it is, if not its host's; `planned`: whether it begins without the host;
        `coming`: see `new_tables.with_people`.

        Raises TableError `no_such_game`, `seats_range` (minimum, maximum), `seats_exactly` (seats),
        `too_many_computers` (count), `channel_busy` (with the table that is open there),
        `restarting` (the program is about to end), and what `OpeningLimits.require` raises;
        NotationError for the options.
        """
        rules, tip = self._loaded.game(wish.game), self._chance.seed()

        def make(table: TableId) -> StoredTable:
            made = new_tables.new_table(
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
            made = new_tables.with_people(made, coming, self._clock())
            return lobby.with_start_time(made, self._clock()) if planned else made

        make(TableId(""))  # what can never be opened is refused before all that passes
        return await self._open(guild, channel, opener or host.id, make, rules, wanted)

    change_options = _operation(new_tables.change_options)

    async def sit(
        self,
        table: TableId,
        person: Person,
        place: int | None = None,
        shown: UserId | None = None,
    ) -> Table:
        """See `match.join`; refused as `kicked` after `bar`."""
        if self._forgotten.is_barred(table, person.id):
            raise TableError("kicked")
        apart = await self._apart(person.id)
        return await self._seat(
            table, person.id, lambda t, now: match.join(t, person, place, now, apart, shown)
        )

    async def _seat(
        self, table: TableId, user: UserId, decide: Callable[[Table, datetime], Table]
    ) -> Table:
        """As `_operate`; a place kept for `user` goes to others if they may not sit down."""
        try:
            return await self._operate(table, decide)
        except TableError as refusal:
            if refusal.code in ("kicked", "never_with"):
                await self._operate(table, lambda t, _: queueing.turned_down(t.stored, user))
            raise

    async def bar(self, user: UserId) -> None:
        """`user` will be forgotten: see `Forgotten.note`, of all open tables."""
        for table in await self._loaded.every(await self._store.open_tables(), tolerant=True):
            self._forgotten.note(table.stored, user)

    async def _apart(self, user: UserId) -> Apart:
        return NOBODY if self._blocks is None else await self._blocks.apart(user)

    leave = _operation(ending.leave, tolerant=True)
    leave_as_shown = _operation(ending.leave_as_shown, tolerant=True)
    left_server = _operation(ending.left_server, tolerant=True)
    get_out = _operation(_of_stored(queueing.get_out), tolerant=True)
    turned_down = _operation(_of_stored(queueing.turned_down), tolerant=True)
    come_back = _operation(_of_stored(lobby.come_back))
    ready_to_begin = _operation(match.ready_to_begin)
    shuffle_seats = _operation(lots.shuffle_seats)
    hand_over = _operation(lobby.hand_over)
    kick = _operation(ending.kick, tolerant=True)
    kick_as_shown = _operation(ending.kick_as_shown, tolerant=True)
    set_reachable = _operation(_of_stored(lobby.set_reachable))
    end = _operation(ending.end, tolerant=True)
    end_as_shown = _operation(ending.end_as_shown, tolerant=True)

    async def invite(self, table: TableId, user: UserId, guest: UserId) -> tuple[Table, bool]:
        """See `lobby.invite`; and whether that is new.  Raises TableError `too_many_invitations`
        (seconds, limit) too."""
        new = False

        def decide(t: Table, now: datetime) -> StoredTable:
            nonlocal new
            after = lobby.invite(t.stored, user, guest)
            new = guest not in t.stored.seating.called
            if new:
                self._invitations.require(user, now)
            return after

        invited = await self._operate(table, decide)
        if new:
            self._invitations.count(user, self._clock())
        return invited, new

    def may_invite(self, user: UserId) -> None:
        """Check that `user` may send an invitation, and count it.

        Raises TableError `too_many_invitations` (seconds, limit).
        """
        self._invitations.require(user, self._clock())
        self._invitations.count(user, self._clock())

    async def seen_at(self, table: Table, user: UserId) -> Table:
        """Note that `user` does something at `table`: if they are host, their deadline moves."""
        stored = table.stored
        if (
            stored.seating.host != user
            or lobby.with_host_deadline(stored, user, self._clock()) == stored
        ):
            return table  # as nearly always
        return await self._operate(
            table.id, lambda t, now: lobby.with_host_deadline(t.stored, user, now)
        )

    async def speak_on(self, guild: GuildId, locale: str) -> None:
        """What everybody sees of open tables on a server is in that language from now on."""
        for table in await self.tables_in(guild):
            await self._speak(table, locale)

    async def speak_to(self, user: UserId, locale: str) -> None:
        """The same of open tables where `user` plays alone: nobody else reads them."""
        for table in await self.open_of(user):
            if table.stored.alone:
                await self._speak(table.id, locale)

    async def _speak(self, table: TableId, locale: str) -> None:
        await self._operate(table, lambda t, _: replace(t.stored, locale=locale), tolerant=True)

    async def rematch(
        self, table: TableId, person: Person, locale: str = "en", *, may_open: bool = True
    ) -> Table:
        """The same people's next table: opened by the first who asks and may, joined by the others.

        Raises TableError `not_running`, `not_ended`, `never_started`, `not_played`, `kicked`,
        `no_such_game`, `options_gone`, `may_not_open`, what `new_tables.opening_place` raises, and
        what opening a table and sitting down raise.
        """
        old = await self.find(table)  # it has ended, and stays as it is
        with table_attached(old):
            wish = new_tables.rematch_place(old, person.id)
            self._loaded.game(old.stored.game)  # is there one still?
        apart = await self._apart(person.id)
        following = await self._loaded.found(await self._store.rematch_of(table))
        if following is None or not following.stored.status.is_open:
            with table_attached(old):
                place = new_tables.opening_place(old, person.id)
            if not may_open:
                raise TableError("may_not_open", old)
            try:
                return await self._open(
                    old.stored.guild,
                    old.stored.channel,
                    person.id,
                    lambda new: new_tables.rematch(
                        new, old, person, place, locale, self._chance.seed(), self._clock(), apart
                    ),
                    old.game,
                )
            except NotationError:
                raise TableError("options_gone", old) from None
            except TableError as refusal:
                following = refusal.table
                if following is None or following.stored.rematch_of != table:
                    raise
        return await self._seat(
            following.id, person.id, lambda t, now: match.come(t, person, wish, now, apart)
        )

    async def play_again(
        self,
        table: TableId,
        number: int,
        seat: Seat,
        person: Person,
        channel: ChannelId,
        locale: str = "en",
    ) -> Table:
        """Round `number` of `table` with the same cards: `person` from `seat` against computers.

        It is begun at once, in their direct messages `channel`.  Raises TableError `no_such_game`,
        and what `new_tables.repeated` and opening a table raise.
        """
        old = await self.find(table)
        with table_attached(old):
            self._loaded.game(old.stored.game)  # is there one still?
            repeats = await self._beside(lambda t: new_tables.repeated(t, number, seat), old)
        return await self._open(
            ALONE,
            channel,
            person.id,
            lambda new: new_tables.dealt_again(
                new, old, repeats, person, channel, locale, self._chance.seed(), self._clock()
            ),
            old.game,
        )

    # The deal

    async def cut(self, table: TableId, user: UserId, word: str) -> Table:
        """See `deals.cut`."""
        return await self._operate(table, lambda t, _: deals.cut(t, user, word))

    posted = _operation(match.posted)

    # The match

    start = _operation(match.start)

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

        def decide(t: Table, now: datetime) -> Table:
            nonlocal question
            if question is None:
                # Typed for what is asked now; a lost race must not make it answer the next one.
                seat = t.stored.seating.place_of(user)
                question = None if seat is None else t.questions.get(seat)
            return match.act(t, question, user, text, interaction, now)

        return await self._operate(table, decide, once=interaction)

    ready = _operation(match.ready)

    # Wishes beside playing

    async def take_back(
        self, table: TableId, user: UserId, question: QuestionId, interaction: int | None
    ) -> Table:
        """See `undo.ask`; an interaction that was applied before changes nothing."""
        return await self._operate(
            table, lambda t, now: undo.ask(t, user, question, interaction, now), once=interaction
        )

    async def answer_take_back(
        self,
        table: TableId,
        user: UserId,
        question: QuestionId,
        interaction: int | None,
        *,
        agrees: bool,
    ) -> Table:
        """See `undo.answer`; an interaction that was applied before changes nothing."""
        return await self._operate(
            table,
            lambda t, now: undo.answer(t, user, question, interaction, now, agrees=agrees),
            once=interaction,
        )

    set_standing_pass = _operation(match.set_standing_pass)
    choose_ahead = _operation(match.choose_ahead)
    rest = _operation(voting.vote_for_rest)
    choose_pace = _operation(_of_stored(voting.vote_for_pace))
    nudge = _operation(waiting.nudge)
    seek = _operation(_of_stored(queueing.seek))

    # Computer players

    async def seat_computer(
        self, table: TableId, user: UserId, level: Level, place: int | None = None
    ) -> Table:
        """See `lobby.seat_computer`."""
        seated = await self._operate(
            table, lambda t, now: lobby.seat_computer(t.stored, user, level, place, now)
        )
        self._computers.wake((seated.stored.game,))
        return seated

    send_computer_away = _operation(lobby.send_computer_away)

    async def hint(self, table: Table, user: UserId, question: QuestionId | None) -> hinting.Hint:
        """The decision of a strong computer player in place of `user`.

        It takes up to three seconds.  The hint counts, and is stored before it is told.  Raises
        what `hinting.require_question` raises, and `stale` if the table has moved on meanwhile.
        """
        seat, asked = hinting.require_question(table, user, question)
        only = table.only_action(seat)
        if only is not None:
            return hinting.Hint(table, user, hinting.only_choice(only))
        self._computers.wake((table.stored.game,))
        advice = await self._advising.advice(table, seat, asked)
        opinion = hinting.opinion_of(advice, table.game.info)
        if opinion.best is None:
            now = await self._loaded.read(table.id)
            hinting.require_question(now, user, asked)
            return hinting.Hint(now, user, opinion)
        counted = await self._loaded.operate(
            table.id, lambda now: hinting.count_hint(now, user, asked)
        )
        hinted = counted.stored.hinted.get(user)
        return hinting.Hint(counted, user, opinion, 0 if hinted is None else hinted.taken)

    def hint_taken(self, table: Table, user: UserId) -> hinting.Hint | None:
        """The hint that `user` took at their present question, as long as it is remembered."""
        seat, taken = table.stored.seating.place_of(user), table.stored.hinted.get(user)
        if seat is None or taken is None or table.questions.get(seat) != taken.last:
            return None
        advice = self._advising.remembered(table, seat, taken.last)
        if advice is None:
            return None
        opinion = hinting.opinion_of(advice, table.game.info)
        return hinting.Hint(table, user, opinion, taken.taken)

    # The clock

    async def fire(self, due: Due) -> None:
        """Carry out a stored deadline whose time has come: see `match.fire`.

        Log lines meanwhile name the table and the question.  Raises NotYet while a computer player
        thinks about the answer.
        """
        with bound_contextvars(table=due.table, question=due.deadline.question):
            answers = await self._answers(due)
            await self._operate(
                due.table,
                lambda t, now: (
                    postponed(t, due.deadline, self._quiet_of)
                    or match.fire(t, due.deadline, now, answers)
                ),
                tolerant=True,
            )
        self._counts.fired(due.deadline.kind)

    async def _answers(self, due: Due) -> Answers:
        """Answers of computer players and stand-ins for this deadline."""
        if due.deadline.kind not in THOUGHT_OF:
            return NO_ANSWERS
        table = await self._loaded.read(due.table, tolerant=True)
        if isinstance(table.phase, Unreadable):
            return NO_ANSWERS
        found = await self._thinking.answers(table, due.deadline.question)
        if isinstance(found, asyncio.Task):
            raise NotYet(found)
        return found

    def _committed(self, change: Change, after: Table) -> bool:
        """Begin decisions about what is asked now.  Returns whether the table is drawn now.

        A play that only computer players answer is drawn after the last of their answers: several
        in a row cost one edit.
        """
        self._thinking.update(after)
        waits = after.stored.timing.deadline(DeadlineKind.COMPUTER)
        played = change.entries and not any(entry.is_deal for entry in change.entries)
        if waits is None or after.asked or not played:
            self._quiet.pop(after.id, None)
            return True
        now = self._clock()
        if now - self._quiet.setdefault(after.id, now) < MAX_QUIET:
            return False
        self._quiet[after.id] = now
        return True

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

        await self._operate(table, decide, tolerant=True)
        return new

    async def unstalled(self, table: TableId) -> Table:
        """See `lobby.unstall`: to be called as often as one likes."""
        known = await self.find(table)
        if known.stored.timing.stalled is None:
            return known  # as nearly always: nobody's lock is waited for
        return await self._operate(table, lambda t, _: lobby.unstall(t.stored), tolerant=True)

    vanished = _operation(ending.vanished, tolerant=True)

    # While the program is not there

    def drain(self) -> None:
        """No table is opened from now on: `restarting`."""
        self._opener.drain()

    async def resume(self, since: datetime | None, until: datetime) -> int:
        """People could not be heard in that time, which is given back: see `TableStore.credit`."""
        try:
            return await self._store.credit(since, until)
        finally:
            # Even if it was refused: an answer that was lost may have been a yes.
            self._loaded.drop()

    def reread(self) -> None:
        """Somebody was forgotten: tables in memory still name them."""
        self._loaded.drop()

    def drop(self, tables: Ids) -> None:
        """These tables were forgotten, or some of what was stored of them."""
        self._loaded.drop(tables)
        self._reviewing.drop(tables)
        drop(self._checked, tables)

    async def note_reachable(self, at: datetime) -> None:
        """See `TableStore.note_reachable`."""
        await self._store.note_reachable(at)

    async def aclose(self) -> None:
        """Wait for commits on their way; to be called before the store is closed."""
        await self._advising.aclose()
        await self._thinking.aclose()
        await self._loaded.aclose()

    # The one door

    async def _operate(
        self,
        table: TableId,
        decide: Callable[[Table, datetime], Table | StoredTable],
        *,
        once: int | None = None,
        tolerant: bool = False,
    ) -> Table:
        """See `LoadedTables.operate`; and `match.altered`, if `decide` changes what is stored.

        It gets the time.  Nothing changes if the interaction `once` was applied before.
        """

        def decided(t: Table) -> Table:
            if match.is_applied(t, once):
                return t
            now = self._clock()
            after = decide(t, now)
            return after if isinstance(after, Table) else match.altered(t, after, now)

        return await self._loaded.operate(table, decided, tolerant=tolerant)

    async def _open(
        self,
        guild: GuildId,
        channel: ChannelId,
        user: UserId,
        make: Callable[[TableId], StoredTable],
        game: AnyGame,
        wanted: TableId | None = None,
    ) -> Table:
        """See `Opener.open`; also prepares computer players.

        What counts at the table is what its server wants now.
        """
        here = await self._servers.settings(guild) if self._servers else ServerSettings()

        def timed(table: TableId) -> StoredTable:
            stored = replace(make(table), counting=here.counting)
            return replace(stored, timing=replace(stored.timing, computers=self._computer_time))

        opened = await self._opener.open(guild, channel, user, timed, game, wanted)
        if opened.stored.seating.computers:
            self._computers.wake((opened.stored.game,))
        return opened
