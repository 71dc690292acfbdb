"""A publisher between fakes: a Discord, tables and a store of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, cast
from unittest.mock import ANY

import discord

from bot.ids import ChannelId, GuildId, MessageId, QuestionId, TableId, UserId
from bot.publish.messages import BOARD as BOARD_SLOT
from bot.publish.messages import NOTICE, Sending, Slot, Surface
from bot.publish.messages import Call as Called
from bot.publish.picture_cache import PictureCache
from bot.publish.publisher import Publisher
from bot.publish.readers import Readers
from bot.publish.requests import Letters
from bot.publish.source import Source
from bot.publish.timings import Timings
from bot.render.message import Message, ReadyView
from bot.surfaces import Kind, Row
from bot.tables.ports import Habits
from bot.tables.preferences import Preferences
from bot.tables.servers import Changed, Servers, ServerSettings
from bot.tables.stored import Offer
from bot.views.snapshot import Snapshot, WantedHand
from bot.views.values import (
    BetweenRoundsView,
    BoardView,
    ChannelView,
    HandView,
    NoticeView,
    ShufflingView,
)
from tests.render import samples
from tests.render.limits import walk

TABLE = TableId("T7Q2")
CHANNEL = ChannelId(500)
ANN, BEN, CAT = UserId(100), UserId(101), UserId(102)

Call = tuple[str, int, int]
"""What was done (`send`, `edit`, `delete`, `dm`, `member`), in which channel, to which message."""


class Refused(discord.HTTPException):
    """An answer of Discord's with a code, without a real response."""

    def __init__(self, status: int, code: int) -> None:
        super().__init__(_answer(status), _body(code))


class Page(discord.HTTPException):
    """An answer of whoever stands before Discord, in place of Discord's."""

    def __init__(self, status: int, text: str, kind: str) -> None:
        super().__init__(_answer(status, {"Content-Type": kind}), text)


def _answer(status: int, headers: Mapping[str, str] = MappingProxyType({})) -> Any:
    """As much of a response as is read of one."""
    return SimpleNamespace(status=status, reason="refused", headers=headers)


def _body(code: int) -> dict[str, Any]:
    return {"code": code, "message": "refused"}


def refusal(status: int) -> discord.Forbidden:
    """A plain refusal, without a code."""
    return discord.Forbidden(_answer(status), _body(0))


class FakeDiscord:
    """As much of a client as the publisher uses; DM channels are 1000 + user."""

    user = SimpleNamespace(id=9)

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.shown: dict[int, Message] = {}
        self.refuse: Callable[[Call], Exception | None] = lambda call: None
        self.nonces: dict[int, str | None] = {}
        """By message: what Discord tells one that is sent twice by."""
        self.marks: dict[int, tuple[int, int]] = {}
        """By message: its channel and the number by which it is found there."""
        self.pinged: dict[int, list[int]] = {}
        """By message: whose mentions are allowed in it."""
        self.silent: dict[int, bool] = {}
        """By message: whether nobody's device rings for it."""
        self.reached = asyncio.Event()
        self.gate: asyncio.Event | None = None
        self.gated: Callable[[Call], bool] = lambda call: True
        """Which calls the gate holds up."""
        self.allowed: discord.Permissions | None = discord.Permissions.all()
        """What the program may do in the channel; None: it is not on the server."""
        self.newest = 0
        """The newest message."""
        self.time: datetime | None = None
        """When everything was written, by Discord's clock; None agrees with ours."""
        self.chatter = 0
        """Messages of others in each channel, written just before the first of ours."""

    async def _do(self, call: Call) -> None:
        self.calls.append(call)
        self.reached.set()
        if self.gate is not None and self.gated(call):
            await self.gate.wait()
        if (error := self.refuse(call)) is not None:
            raise error

    async def create_dm(self, user: discord.Object) -> SimpleNamespace:
        await self._do(("dm", 1000 + user.id, 0))
        return SimpleNamespace(id=1000 + user.id)

    def get_guild(self, guild: int) -> SimpleNamespace | None:
        async def fetch_member(user: int) -> SimpleNamespace:
            await self._do(("member", guild, user))
            return SimpleNamespace(id=user)

        if self.allowed is None:
            return None

        async def fetch_channel(channel: int) -> None:
            raise Refused(403, 50001)

        place = SimpleNamespace(permissions_for=lambda me: self.allowed)
        return SimpleNamespace(
            me=self.user,
            unavailable=False,
            fetch_member=fetch_member,
            fetch_channel=fetch_channel,
            get_channel_or_thread=lambda channel: place if guild == 1 else None,
        )

    def get_partial_messageable(self, channel: int, **_: object) -> SimpleNamespace:
        async def send(
            view: ReadyView,
            files: Sequence[discord.File],
            allowed_mentions: discord.AllowedMentions,
            nonce: str,
            silent: bool,
        ) -> SimpleNamespace:
            self.newest += 1
            message = self.newest
            self.marks[message] = (channel, view.to_components()[0].get("id", 0))
            self.nonces[message] = nonce
            self.pinged[message] = _pinged(allowed_mentions)
            assert not (silent and self.pinged[message]), "who is called is to hear it"
            self.silent[message] = silent
            await self._do(("send", channel, message))
            self.shown[message] = _shown(view)
            return SimpleNamespace(id=message)

        def get_partial_message(message: int) -> SimpleNamespace:
            async def edit(
                view: ReadyView,
                attachments: Sequence[discord.File],
                allowed_mentions: discord.AllowedMentions,
            ) -> None:
                assert _pinged(allowed_mentions) == []
                await self._do(("edit", channel, message))
                self.shown[message] = _shown(view)

            async def delete() -> None:
                await self._do(("delete", channel, message))
                self.shown.pop(message, None)

            return SimpleNamespace(edit=edit, delete=delete)

        async def history(
            limit: int, after: datetime | None = None, oldest_first: bool = False
        ) -> AsyncIterator[SimpleNamespace]:
            await self._do(("history", channel, 0))
            if after is not None and self.time is not None and after > self.time:
                return  # nothing is so new
            for _ in range(min(limit, self.chatter)):
                yield SimpleNamespace(id=0, author=SimpleNamespace(id=8), components=[])
            for message, (where, mark) in [*self.marks.items()][: max(0, limit - self.chatter)]:
                if where == channel and message in self.shown:
                    parts = [SimpleNamespace(id=mark)]
                    ids = (part.get("custom_id") for part in walk(self.shown[message].components))
                    parts += [SimpleNamespace(custom_id=custom_id) for custom_id in ids]
                    yield SimpleNamespace(id=message, author=self.user, components=parts)

        return SimpleNamespace(send=send, get_partial_message=get_partial_message, history=history)


def _shown(view: ReadyView) -> Message:
    """What people see of it: not the number by which it is found again."""
    first, *rest = view.to_components()
    return Message(({key: value for key, value in first.items() if key != "id"}, *rest))


def _pinged(mentions: discord.AllowedMentions) -> list[int]:
    """Whom a message may ping: single people at most."""
    assert not mentions.everyone
    assert not mentions.roles
    assert not mentions.replied_user
    assert not isinstance(mentions.users, bool) or not mentions.users
    return [] if isinstance(mentions.users, bool) else [user.id for user in mentions.users]


QUIET: Final[Mapping[UserId, WantedHand]] = {
    user: WantedHand(QuestionId(0), ANY, ANY, ANY) for user in (ANN, BEN, CAT)
}
"""Whatever hands show is as it should be."""


def _letter(hand: WantedHand, asked: bool, number: int, warned: bool = False) -> WantedHand:
    """The hand, as it goes by direct message."""
    if asked:
        hand = hand._replace(question=QuestionId(number))
    else:
        hand = hand._replace(deal=QuestionId(number))
    return hand._replace(asked=asked, warned=warned, by_letter=True)


@dataclass
class FakeSource(Source):
    view: ChannelView | None = None
    due: Sequence[
        tuple[int, bool, int] | tuple[int, bool, int, bool] | tuple[int, bool, int, bool, int]
    ] = ()
    """Whose hands go by direct message: whether they are asked, the number of what their hand calls
    them to, and whether that is a warning."""
    called: NoticeView | None = None
    quiet_until: datetime | None = None
    """When somebody who is asked may be called again."""
    moments: Mapping[UserId, WantedHand] = field(default_factory=lambda: dict(QUIET))
    """What everybody's hand has to tell."""
    quiet: Sequence[UserId] = ()
    """Who is asked and is called by nothing."""
    sought: Mapping[int, int] = field(default_factory=dict)
    """Free seats that are offered to everybody."""
    offered: Mapping[UserId, Offer] = field(default_factory=dict)
    """Who is offered a place."""
    offers_wait: bool = False
    """Whether none of these offers runs out for now."""
    invited: Mapping[UserId, bool | None] = field(default_factory=dict)
    """Who was invited, and whether they have still to be called."""
    unwanted: Sequence[UserId] = ()
    """Who is apart from somebody there."""
    unreached: list[int] = field(default_factory=list)
    """Whose DM did not arrive."""
    gone: list[int] = field(default_factory=list)
    """Who was found to have left the server."""
    asked: int = 0
    counted: int | None = None
    """The table's version; None: it changes each time somebody asks."""
    broken: frozenset[str] = frozenset()
    told: list[tuple[int, int | None]] = field(default_factory=list)
    """Rounds and ids that the table was told."""
    dealt: ChannelView | None = None
    """What the table looks like once it was told."""
    company: bool = False
    """Whether nothing is dealt without a message."""
    deaf: bool = False
    """The table cannot be told just now."""
    stalls: list[tuple[str, ...]] = field(default_factory=list)
    """What was missing, each time that was new."""
    stall: bool = False
    vanishings: int = 0
    pause: BetweenRoundsView | None = None
    held: HandView | None = None
    """What everybody's hand looks like; None: `HAND`."""
    letters: Letters = field(default_factory=lambda: Letters(lambda: samples.NOW))
    untold: dict[tuple[TableId, UserId], str] = field(default_factory=dict)
    _versions: int = 0

    async def wants(self, guest: UserId, people: Iterable[UserId]) -> bool:
        return guest not in self.unwanted

    async def snapshot(self, table: TableId, seen: int | None = None) -> Snapshot | None:
        self._versions += 1
        version = self._versions if self.counted is None else self.counted
        if seen == version:
            return None
        if table in self.broken:
            raise KeyError("3-6")
        self.asked += 1
        dealing = isinstance(self.view, ShufflingView)  # nobody is asked before the deal
        away = self.unreached + self.gone
        hands = dict(self.moments)
        for whose, asked, number, *warned in () if dealing else self.due:
            user = UserId(whose)
            if user not in away:
                hands[user] = _letter(self.moments.get(user, QUIET[user]), asked, number, *warned)
        for user in self.quiet:
            if user not in self.gone:
                hands[user] = hands[user]._replace(asked=True)
        return Snapshot(
            version=version,
            view=self.view,
            notice=None if dealing else self.called,
            waits=self.stall,
            hand=self.hand_of,
            hands=hands,
            sought=self.sought,
            offered=self.offered,
            offers_wait=self.offers_wait,
            called=self.invited,
            quiet_until=self.quiet_until,
        )

    def hand_of(self, user: UserId, board: tuple[ChannelId, MessageId] | None) -> HandView | None:
        """What they see who sit there."""
        if user not in self.moments:
            return None
        now, seen = self.moments[user], replace(self.held or HAND, seat=user - 100, board=board)
        if now is QUIET[user]:
            return seen
        return replace(seen, question=now.question, deal=now.deal, pause=self.pause)

    async def unreachable(self, table: TableId, user: int) -> None:
        self.unreached.append(user)

    async def left(self, table: TableId, user: int) -> None:
        self.gone.append(user)

    async def posted(self, table: TableId, round_number: int, message: int | None) -> bool:
        if self.deaf:
            raise OSError("the database went away")
        self.told.append((round_number, message))
        if message is None and self.company:
            return False
        self.view = self.dealt or self.view
        return True

    async def stalled(self, table: TableId, missing: Sequence[str]) -> bool:
        new, self.stall = not self.stall, True
        if new:
            self.stalls.append(tuple(missing))
        return new

    async def unstalled(self, table: TableId) -> None:
        self.stall = False

    async def vanished(self, table: TableId) -> None:
        self.vanishings += 1


class FakeSurfaces:
    def __init__(self) -> None:
        self.rows: dict[tuple[TableId, str, int], Row] = {}
        self.drawn: dict[TableId, int | None] = {}
        self.reads = 0
        self.saves = 0
        self.broken = False

    async def all_of(self, table: TableId) -> Sequence[Row]:
        self.reads += 1
        return [row for (of, *_), row in self.rows.items() if of == table]

    async def save(
        self,
        rows: Mapping[tuple[TableId, str, int], Row | None],
        drawn: Mapping[TableId, int | None],
    ) -> None:
        self.saves += 1
        if self.broken:
            raise OSError("the database went away")
        for key, row in rows.items():
            self.rows.pop(key, None)
            if row is not None:
                self.rows[key] = row
        self.drawn.update(drawn)


class FakePeople:
    """How everybody reads; `calls` says who asked for or stored whose."""

    def __init__(self) -> None:
        self.known: dict[UserId, str] = {}
        self.chosen: dict[UserId, Preferences] = {}
        self.calls: list[tuple[str | int, ...]] = []
        self.broken = False

    async def habits(self, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
        self._call("ask", *users)
        await asyncio.sleep(0)
        known = {user for user in users if user in self.known or user in self.chosen}
        return {
            user: Habits(self.known.get(user), self.chosen.get(user, Preferences()))
            for user in known
        }

    async def change(
        self, user: UserId, locale: str, change: Callable[[Preferences], Preferences]
    ) -> Preferences:
        self._call("change", user)
        self.known.setdefault(user, locale)
        self.chosen[user] = change(self.chosen.get(user, Preferences()))
        return self.chosen[user]

    async def learn(self, heard: Mapping[UserId, str]) -> None:
        self._call("learn", *heard)
        self.known |= heard

    def _call(self, name: str, *users: int) -> None:
        self.calls.append((name, *users))
        if self.broken:
            raise OSError("the database went away")


class FakeServers:
    """What was chosen for servers; `calls` says for which it was asked or stored."""

    def __init__(self) -> None:
        self.decks: dict[GuildId, str] = {}
        self.calls: list[tuple[str, int]] = []
        self.broken = False

    def fresh(self) -> Servers:
        """As after a start, when nothing is known by heart."""
        return Servers(self, lambda: samples.NOW)

    async def settings(self, guild: GuildId) -> ServerSettings | None:
        self._call("ask", guild)
        deck = self.decks.get(guild)
        await asyncio.sleep(0)
        return None if deck is None else ServerSettings(deck)

    async def put(self, guild: GuildId, settings: ServerSettings, change: Changed) -> None:
        self._call("choose", guild)
        self.decks[guild] = settings.deck

    async def changes(self, guild: GuildId) -> Sequence[Changed]:
        return ()

    def _call(self, name: str, guild: int) -> None:
        self.calls.append((name, guild))
        if self.broken:
            raise OSError("the database went away")


QUICK: Final = Timings(grace=0, store_pause=0, rate=1e9, burst=10**9, request=3600)
"""Drawn and stored at once, and as much as there is."""


class Stage:
    """A publisher between fakes."""

    def __init__(self) -> None:
        self.discord = FakeDiscord()
        self.source = FakeSource(BOARD)
        self.surfaces = FakeSurfaces()
        self.people = FakePeople()
        self.servers = FakeServers()
        self.now = samples.NOW
        self.timings = QUICK
        self.publisher = self.fresh()

    def set(self, **timings: Any) -> None:
        """Starts the publisher anew, from now on with these `Timings`."""
        self.timings = replace(self.timings, **timings)
        self.fresh()

    def fresh(self, *, heard: bool = True, **timings: Any) -> Publisher:
        """A publisher as after a restart; `heard`: everybody has shown up since."""
        settled = replace(self.timings, **timings)
        servers = self.servers.fresh()
        readers = Readers(self.people, servers, settled)
        self.source.letters = Letters(lambda: self.now, settled)
        self.publisher = Publisher(
            cast(discord.Client, self.discord),
            self.source,
            self.surfaces,
            readers,
            servers,
            PictureCache(readers, draws=False),
            lambda: self.now,
            timings=settled,
        )
        if heard:
            for user in (ANN, BEN, CAT):
                self.publisher.membership.heard(GuildId(1), user)
                readers.heard(user, "en-US")
        return self.publisher

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)

    def stored(self, where: Surface, table: TableId = TABLE) -> None:
        """This message is there since a run before."""
        self.surfaces.rows[(table, *where.slot)] = where.row
        self.fresh()

    def noted(self, meant: Surface, nonce: str) -> None:
        """This message was on its way when the program died."""
        sending = Sending(meant, nonce)
        self.surfaces.rows[(TABLE, Kind.SENDING, sending.mark)] = sending.row
        self.fresh()

    def posted(self, number: int, message: int = 77, table: TableId = TABLE) -> None:
        """The board of a round; of a lobby, if that is 0."""
        self.stored(Surface(*BOARD_SLOT, CHANNEL, MessageId(message), samples.NOW, number), table)

    def panel(self, user: UserId, question: int, message: int, warned: bool = False) -> None:
        hand = (Kind.HAND, user, ChannelId(1000 + user), MessageId(message), samples.NOW)
        self.stored(Surface(*hand, question=QuestionId(question), warned=warned))

    def line(self, question: int, message: int) -> None:
        """A line in the channel that calls somebody."""
        self.stored(
            Surface(
                *NOTICE, CHANNEL, MessageId(message), samples.NOW, question=QuestionId(question)
            )
        )

    def find(self, slot: Slot) -> Surface:
        """A message of the table, as it is stored."""
        row = self.surfaces.rows[(TABLE, *slot)]
        return Surface(Kind(row[0]), *row[1:8])

    def call(self, slot: Slot) -> Called | None:
        """What a hand or a line calls to."""
        there = self.find(slot)
        return None if there.question is None else Called(there.question, there.warned)

    def round(self) -> int:
        """Which the board shows."""
        return self.find(BOARD_SLOT).round

    def kinds(self) -> list[str]:
        """Of all messages that are stored."""
        return sorted(kind for _, kind, _ in self.surfaces.rows)

    async def draw(self, table: TableId = TABLE) -> list[Call]:
        """What a change makes the publisher do."""
        self.discord.calls.clear()
        self.publisher.changed(table)
        await self.publisher.flush(table)
        await turns()
        return list(self.discord.calls)


STATE = samples.positions(1, 3)[6][0]
HEAD = replace(samples.head(), table=TABLE, channel=CHANNEL, guild=GuildId(1))
BOARD: BoardView = replace(samples.board_view(STATE), head=HEAD, round=1)
HAND = replace(samples.hand_view(STATE, 0), head=HEAD)
PASSING = replace(HAND, layout=replace(HAND.layout, controls=BOARD.layout.controls))
"""A hand that can do nothing but what stands on the board."""
ASKED = replace(HAND, layout=replace(HAND.layout, controls=samples.sets(3)))
"""A hand with something to choose."""


def other(view: BoardView, number: int = 1) -> BoardView:
    """A board that looks different."""
    return replace(view, end_votes=view.end_votes + 1, round=number)


def turn(number: int) -> BoardView:
    """The board of another question."""
    return replace(BOARD, question=QuestionId(number), end_votes=number)


def call(question: int, *seats: int, warned: bool = False) -> NoticeView:
    """Somebody is to be called in the channel."""
    return calls({UserId(100 + seat): (question, warned) for seat in seats or (1,)})


def calls(to: Mapping[UserId, tuple[int, bool]]) -> NoticeView:
    """These people are: each to that question, as a warning or not."""
    due = samples.NOW + timedelta(minutes=10)
    asked = {user: Called(QuestionId(question), warned) for user, (question, warned) in to.items()}
    return NoticeView(HEAD, asked, due)


async def turns() -> None:
    """Lets everything happen that is due."""
    for _ in range(50):
        await asyncio.sleep(0)
