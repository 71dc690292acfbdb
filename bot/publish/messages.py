"""The messages of each table: what they are for and show, and where; hands in channels.

`ShownMessages` has them in memory and stores them a moment later: look-ups at every ply are
answered here.  A message is stored within `Timings.store_pause`; a caller that cannot wait (a
round's message, whose id goes into its deal) calls `flush`.  The version of a table drawn last is
stored less often: losing it costs one more draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Protocol, TypeAlias

import discord
from cachetools import LRUCache, TTLCache

from bot.ids import ChannelId, GuildId, Ids, MessageId, QuestionId, TableId, UserId, drop
from bot.publish.later import Later
from bot.publish.timings import TIMINGS, Timings
from bot.render.components import jump_url
from bot.surfaces import FOR_ONE, Kind, Row
from bot.views.building import BoardPlace
from bot.views.snapshot import WantedHand, marked
from bot.views.values import Call as Call
from bot.views.values import HandView

# Private hands in channels.
#
# Discord lets such a message be edited or deleted for fifteen minutes after the press that drew it,
# with a secret that came with the press.  That secret is in discord.py's message only: it is kept
# in memory, is part of no `repr` and no log line, and is stored nowhere.

EDITABLE_TIME: Final = timedelta(minutes=14)
"""How long what a press drew is edited or deleted: Discord allows one minute more."""

WHISPER_SECONDS: Final = 10.0
"""Seconds that editing or deleting one may take."""

MAX_WHISPERS: Final = 2_000
"""Maximum number of hands that are edited; a press on another shows the table as it is."""

SentWhisper: TypeAlias = discord.InteractionMessage | discord.WebhookMessage
"""A message that the answer to a press has made or redrawn."""


@dataclass(frozen=True, slots=True)
class Whisper:
    """The message of a hand that its owner alone sees."""

    message: SentWhisper = field(repr=False)
    files: bool = True
    """Whether we may attach files there."""


Whispers: TypeAlias = "TTLCache[MessageId, Whisper]"


def editable_whispers(clock: Callable[[], datetime]) -> Whispers:
    """Room for hands that can still be edited, by message."""
    seconds = EDITABLE_TIME.total_seconds()
    return TTLCache(MAX_WHISPERS, seconds, timer=lambda: clock().timestamp())


# Messages of tables.

MAX_TABLES: Final = 20_000
"""Maximum number of tables whose messages are in memory."""

DIRECT: Final = (Kind.HAND, Kind.GREETING)
"""Kinds of direct messages, to whose id is the key."""

RENEWED: Final = (Kind.BOARD, Kind.RESULT, Kind.HAND, Kind.NOTICE)
"""Kinds of messages that are sent again in place of an older one; others are sent once."""

Slot: TypeAlias = tuple[Kind, int]
"""A kind and a key: the owner of a hand or greeting, the invited or offered person, a free seat, a
role, the id of a retired message; 0 if there is only one of that kind."""

BOARD: Final[Slot] = (Kind.BOARD, 0)
RESULT: Final[Slot] = (Kind.RESULT, 0)
NOTICE: Final[Slot] = (Kind.NOTICE, 0)


class Shows(NamedTuple):
    """The content of a hand when it was drawn last."""

    question: QuestionId
    """That it asks; the ply of the deal if it asks none, or since when it says that a card was
    chosen ahead."""
    ended: int = 0
    """Number of the round if the hand shows its end, else 0, or how it is `marked`."""

    @classmethod
    def of(cls, view: HandView) -> Shows:
        waits = QuestionId(view.deal) if view.ahead is None else view.since
        question = waits if view.question is None else view.question
        return cls(question, marked(view.take_back) if view.pause is None else view.pause.round)

    def is_over(self, now: WantedHand) -> bool:
        """Whether its question is answered, or the end of the round is missing on it.

        Also if it shows a card chosen ahead that was played or withdrawn, or does not show what is
        to be said of a wish to take a play back.
        """
        asks = self.question > now.deal
        known = self.question >= now.deal and self.ended == now.ended
        return not known or (asks and self.question not in (now.question, now.ahead))


NEVER: Final = datetime.min.replace(tzinfo=UTC)


class Surface(NamedTuple):
    """A message on Discord, or to be sent, and what it shows."""

    kind: Kind
    key: int
    """The second half of its slot."""
    channel: ChannelId = ChannelId(0)
    """0 before it is sent by direct message; of a hand in a channel always."""
    message: MessageId = MessageId(0)
    """0 before it is sent.  Also of an invitation that is over, posted or not, and of an offer: as
    long as their table is open they stay known, so that they do not come again, or not at once."""
    posted: datetime = NEVER
    """Of a hand that was edited to another question: `NEVER`, since nobody was called by that."""
    round: int = 0
    """Number of the round that a board shows, 0 in the lobby; of a hand as `Shows.ended`, or
    another `Mark`; of an offer as `lines.Line.until`, and so of a line that calls who is asked;
    of one that calls people to a plan 1 if it said so while a time was looked for."""
    question: QuestionId | None = None
    """The question of the `Call` that a hand or notice shows; of a hand without a question the ply
    of the deal; None if a hand shows no cards yet."""
    warned: bool = False
    """Of an invitation: whether the invited person does not come."""

    @property
    def slot(self) -> Slot:
        return self.kind, self.key

    @property
    def row(self) -> Row:
        return (*self, "", "", 0)

    @property
    def told(self) -> Shows:
        """The content of a hand."""
        return Shows(self.question or QuestionId(0), self.round)

    def telling(self, shows: Shows) -> Surface:
        """The same hand with other content; who was warned of its question has been warned."""
        warned = self.warned and self.question == shows.question
        return self._replace(question=shows.question, round=shows.ended, warned=warned)

    def edited(self, shows: Shows) -> Surface:
        """The same hand with other content, without a sound: it calls nobody to that."""
        same = self.question == shows.question
        return self.telling(shows)._replace(posted=self.posted if same else NEVER)

    def shows(self, call: Call) -> bool:
        """Whether it shows that call, or a later one."""
        return self.question is not None and (self.question, self.warned) >= call

    def has_called(self, call: Call) -> bool:
        """Whether its owner has heard of that call, or of a later one: when it was sent, or since
        they have pressed it."""
        return self.posted != NEVER and self.shows(call)


class Sending(NamedTuple):
    """A message on its way, or that was when the program died: whether it is there is to be found
    out."""

    meant: Surface
    """What it is to be; `posted` is when it was noted."""
    nonce: str
    """By it Discord knows for some minutes that it was sent before."""

    @property
    def mark(self) -> int:
        """The number that the message carries, by which it is found in its channel.

        Discord lets a program number components; we use 31 bits that Discord would not choose
        itself.
        """
        return int(hashlib.sha256(self.nonce.encode()).hexdigest()[:8], 16) >> 2 | 1 << 30

    @property
    def row(self) -> Row:
        kind, key, *_ = self.meant
        return (Kind.SENDING, self.mark, *self.meant[2:], self.nonce, kind, key)


class Ledger(NamedTuple):
    """The messages of one table."""

    there: dict[Slot, Surface]
    sending: dict[int, Sending]
    """By mark."""

    @classmethod
    def read(cls, rows: Iterable[Row]) -> Ledger:
        """What these rows say."""
        ledger = cls({}, {})
        for row in rows:
            kind, key, *_, nonce, of_kind, of_key = row
            if kind == Kind.SENDING:
                ledger.sending[key] = Sending(Surface(Kind(of_kind), of_key, *row[2:8]), nonce)
            else:
                there = Surface(Kind(kind), *row[1:8])
                ledger.there[there.slot] = there
        return ledger


class Surfaces(Protocol):
    """Store of the messages on Discord; kept over restarts."""

    async def all_of(self, table: TableId) -> Sequence[Row]: ...

    async def save(
        self,
        rows: Mapping[tuple[TableId, str, int], Row | None],
        drawn: Mapping[TableId, int | None],
    ) -> None:
        """Stores, in one go, messages by table and slot (None: there is none any more) and the
        versions of tables that were drawn completely last.
        """


class ShownMessages:
    """Surfaces of the tables that are drawn.

    A message to be deleted stays known as retired until it is gone, so that a restart leaves no
    message behind.
    """

    def __init__(self, store: Surfaces, timings: Timings = TIMINGS) -> None:
        self._store = store
        self._known: LRUCache[TableId, Ledger] = LRUCache(MAX_TABLES)
        lag = timings.store_lag
        self._changed: Later[tuple[TableId, str, int], Row | None] = Later(
            lambda rows: store.save(rows, {}), timings.store_pause, lag, "messages"
        )
        self._drawn: Later[TableId, int | None] = Later(self._save_versions, lag, lag, "versions")

    # What is known

    async def open(self, table: TableId) -> None:
        """Reads the table's surfaces, unless they are known."""
        if table in self._known:
            return
        async with self._changed.storing:  # nothing is half stored
            stored = await self._store.all_of(table)
        rows: dict[tuple[str, int], Row | None] = {row[:2]: row for row in stored}
        waiting = self._changed.waiting.items()
        rows |= {(kind, key): row for (of, kind, key), row in waiting if of == table}
        read = Ledger.read(row for row in rows.values() if row is not None)
        self._known.setdefault(table, read)

    def _of(self, table: TableId) -> Ledger:
        """What is known of the table; an empty one if it was not opened."""
        return self._known.get(table) or Ledger({}, {})

    def find(self, table: TableId, slot: Slot) -> Surface | None:
        """The surface of that slot; None also if the table was not opened."""
        return self._of(table).there.get(slot)

    def board(self, table: TableId) -> Surface | None:
        """The table's message in its channel: its board or, once that is shown, its result."""
        return self.find(table, BOARD) or self.find(table, RESULT)

    def place(self, table: TableId) -> BoardPlace | None:
        """Channel and message of the board."""
        found = self.board(table)
        return None if found is None else (found.channel, found.message)

    def url(self, table: TableId, guild: GuildId) -> str | None:
        """A link to the board."""
        place = self.place(table)
        return None if place is None else jump_url(guild, *place)

    def of(self, table: TableId, *kinds: Kind) -> list[Surface]:
        """The table's messages of these kinds."""
        return [where for where in self._of(table).there.values() if where.kind in kinds]

    def knows(self, table: TableId, message: MessageId) -> bool:
        """Whether the message is one of the table's."""
        return any(where.message == message for where in self._of(table).there.values())

    def sending(self, table: TableId) -> list[Sending]:
        """The table's messages of which it is not known whether they are there."""
        return [*self._of(table).sending.values()]

    # What changes

    def put(self, table: TableId, where: Surface) -> None:
        """A message of the table, in place of the one before."""
        board = self.board(table)
        if board is not None and {board.slot, where.slot} == {BOARD, RESULT}:
            self.drop(table, board.slot)
        self._of(table).there[where.slot] = where
        self._store_soon(table, where.slot, where.row)

    def renew(self, table: TableId, where: Surface) -> None:
        """Replace a message; the one before is to be deleted."""
        before = self.find(table, where.slot)
        self.put(table, where)
        if before is not None and before.message != where.message:
            self.retire(table, before)

    def drop(self, table: TableId, slot: Slot) -> None:
        self._of(table).there.pop(slot, None)
        self._store_soon(table, slot, None)

    def note(self, table: TableId, sending: Sending) -> None:
        """A message is about to be sent."""
        self._of(table).sending[sending.mark] = sending
        self._store_soon(table, (Kind.SENDING, sending.mark), sending.row)

    def unnote(self, table: TableId, mark: int) -> None:
        """It is known whether that message is there."""
        self._of(table).sending.pop(mark, None)
        self._store_soon(table, (Kind.SENDING, mark), None)

    def retire(self, table: TableId, where: Surface) -> None:
        """Note that this message, which no longer shows the table, is to be deleted, if there is
        one: of an invitation that was answered before its line was posted there is none."""
        if where.message:
            self.put(table, where._replace(kind=Kind.RETIRED, key=where.message))

    def replace(self, table: TableId, where: Surface) -> None:
        """Note that a newer board replaces this one, which becomes a line."""
        self.put(table, where._replace(kind=Kind.REPLACED, key=where.message))

    def forget_hands(self, table: TableId) -> None:
        """Forget the hands of a table that is over: their messages stay as they are."""
        for hand in self.of(table, *DIRECT):
            self.drop(table, hand.slot)

    def forget_person(self, user: UserId) -> None:
        """Forget the messages for that person alone, at whatever table."""
        for table in list(self._known):
            for kind in FOR_ONE:
                if self.find(table, (kind, user)) is not None:
                    self.drop(table, (kind, user))
            for one in self.sending(table):
                if one.meant.kind in FOR_ONE and one.meant.key == user:
                    self.unnote(table, one.mark)

    def forget_tables(self, tables: Ids) -> None:
        """Forget all messages of tables that are forgotten themselves."""
        for known in (self._known, self._changed.waiting, self._drawn.waiting):
            drop(known, tables)

    def drawn(self, table: TableId, version: int | None) -> None:
        """Note the version of the last complete draw; None: the next start draws the table."""
        self._drawn.put(table, version)

    # Storing it

    def _store_soon(self, table: TableId, slot: Slot, row: Row | None) -> None:
        if slot[0] is not Kind.WHISPER:
            self._changed.put((table, *slot), row)

    async def flush(self) -> None:
        """Store all messages now.  Raises what storing raises."""
        await self._changed.flush()

    async def aclose(self) -> None:
        """Store what is not stored yet; nothing may change afterwards."""
        await self._changed.aclose()
        await self._drawn.aclose()

    async def _save_versions(self, versions: Mapping[TableId, int | None]) -> None:
        await self.flush()  # nothing counts as drawn whose messages are not stored
        await self._store.save({}, versions)
