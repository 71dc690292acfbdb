"""Lines that offer a seat in the table's channel, or tell a result in the server's.

Offers are invitations, and calls of others: a role, people in line, and whoever would be a
substitute.

Of the offers all but the call of a role follow from what is stored of the table, so that a draw
posts what an earlier one could not.  Each is posted once, and finally says what became of it: no
button is left when the seat is taken, or no longer to be had.  Until then an offer says how long it
stands, and nothing of that while its time does not run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from cachetools import LRUCache

from bot.i18n import texts
from bot.ids import Ids, MessageId, Named, QuestionId, RoleId, Somebody, TableId, UserId, drop
from bot.publish.doors import Doors
from bot.publish.membership import Membership
from bot.publish.messages import MAX_TABLES, ShownMessages, Slot, Surface
from bot.publish.outbox import Outbox
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, is_settled
from bot.publish.requests import Priority, Requests, log_failure, worked
from bot.publish.source import Source
from bot.render.ended import report_line
from bot.render.message import Message
from bot.render.offers import (
    InvitationOutcome,
    invitation,
    invitation_line,
    invitation_over,
    offer_line,
    offer_over,
    opening_line,
    opening_over,
    substitute_line,
    substitute_over,
    turned_down_letter,
)
from bot.surfaces import Kind
from bot.tables.preferences import Board
from bot.tables.servers import Servers
from bot.views.snapshot import Snapshot
from bot.views.values import BoardView, ChannelView, ClosedView, LobbyView, ResultView, TableHead

KINDS: Final = (Kind.INVITATION, Kind.SUBSTITUTE, Kind.CALL, Kind.OFFER)

OFFER_PAUSE: Final = timedelta(minutes=5)
"""Time after a line that offers a person a seat until another does at that table: people who get up
and in line in turn would have one posted every few seconds.  The board shows every offer; a draw
after that time posts the line of one that still stands."""


class Line(NamedTuple):
    """A line that is to stand in the channel."""

    question: QuestionId | None
    """Since when: after another it is another line; None: there is only one."""
    message: Message
    called: UserId | None = None
    until: int = 0
    """Until when an offer says that it stands, in minutes since 1970; 0: it says no time."""


def wanted(snapshot: Snapshot, head: TableHead, url: str | None) -> Mapping[Slot, Line]:
    """The lines that offer a place; `url` leads to the board."""
    words, found = texts(head.locale), dict[Slot, Line]()
    for seat, since in snapshot.sought.items():
        line = substitute_line(head, seat, words)
        found[Kind.SUBSTITUTE, seat] = Line(QuestionId(since), line)
    for user, offer in snapshot.offered.items():
        until = None if snapshot.offers_wait else offer.until
        line = offer_line(head, user, until, url, words)
        minutes = 0 if until is None else int(until.timestamp()) // 60
        found[Kind.OFFER, user] = Line(QuestionId(offer.since), line, user, minutes)
    for user, waits in snapshot.called.items():
        if waits:
            found[Kind.INVITATION, user] = Line(None, invitation_line(head, user, words), user)
    return found


def standing(line: Surface, head: TableHead, url: str | None, now: Mapping[Slot, Line]) -> Line:
    """A line that holds, where those `now` are wanted."""
    if line.kind is not Kind.CALL:
        return now[line.slot]
    return Line(None, opening_line(head, RoleId(line.key), url, texts(head.locale)))


def over(line: Surface, view: ChannelView, now: Mapping[Slot, Line]) -> Message | None:
    """What takes the place of a line, where those `now` are wanted; None as long as it holds."""
    head, words = view.head, texts(view.head.locale)
    user = UserId(line.key)
    seated = any(sitter.user == user for sitter in head.sitters)
    match line.kind:
        case Kind.INVITATION if line.warned and not seated:
            return invitation_over(head, user, InvitationOutcome.DECLINED, words)
        case _ if line.slot in now and now[line.slot].question == line.question:
            return None
        case Kind.SUBSTITUTE:
            return substitute_over(head, line.key if isinstance(view, BoardView) else None, words)
        case Kind.OFFER:
            return offer_over(head, user, words, seated=seated)
        case Kind.INVITATION:
            outcome = InvitationOutcome.JOINED if seated else InvitationOutcome.OVER
            return invitation_over(head, user, outcome, words)
        case _ if isinstance(view, LobbyView):
            return None
        case _:
            return opening_over(head, words, began=not isinstance(view, ClosedView))


def _stays_known(line: Surface, snapshot: Snapshot) -> bool:
    """Whether a line is remembered once it is over."""
    if line.kind is Kind.INVITATION:
        return line.key in snapshot.called
    return line.kind is Kind.OFFER and not isinstance(snapshot.view, ResultView | ClosedView)


@dataclass
class Lines:
    """Posts them and settles them."""

    _source: Source
    _messages: ShownMessages
    _readers: Readers
    _outbox: Outbox
    _membership: Membership
    _doors: Doors
    _clock: Callable[[], datetime]
    _spoken: LRUCache[TableId, str] = field(default_factory=lambda: LRUCache(MAX_TABLES))
    """The language in which this run has found or drawn the lines of a table."""

    async def write(self, head: TableHead, inviter: tuple[UserId, Named], guest: UserId) -> None:
        """Write to `guest`, whom `inviter` wants at the table of `head`, if they take direct
        messages: beside the line, in their quiet hours without a sound."""
        if not await self._readers.takes_letters(guest):
            return
        await self._messages.open(head.table)
        url = self._messages.url(head.table, head.guild)
        letter = invitation(head, inviter, url, self._readers.texts(guest, head))
        await self._outbox.write(head.table, guest, letter, Priority.CALL, "invitation")

    async def call(self, head: TableHead, role: RoleId) -> bool:
        """Call a role of the server to a table that has opened.  Returns whether all is well."""
        await self._messages.open(head.table)
        meant = Surface(Kind.CALL, role, head.channel)
        url = self._messages.url(head.table, head.guild)
        line = opening_line(head, role, url, texts(head.locale))
        return is_settled(await self._outbox.post(head.table, meant, line, head.guild, called=role))

    def drop(self, ids: Ids) -> None:
        """Forget what is known of these tables."""
        drop(self._spoken, ids)

    async def has_called(self, table: TableId) -> bool:
        """Whether a role was called to the table, and the line still says so."""
        await self._messages.open(table)
        return bool(self._messages.of(table, Kind.CALL))

    async def declined(self, table: TableId, guest: UserId, snapshot: Snapshot) -> bool:
        """`guest` does not come; whether a line says otherwise.  One that is missing stays so."""
        await self._messages.open(table)
        line = self._messages.find(table, (Kind.INVITATION, guest))
        if line is not None and line.message:
            self._messages.put(table, line._replace(warned=True))
            return True
        if guest in snapshot.called:
            self._pass_over(table, guest)
        return False

    async def draw(self, table: TableId, snapshot: Snapshot) -> bool:
        """Post missing lines and settle those that are over.  Returns whether all is well."""
        view = snapshot.view
        if view is None:
            return True
        head, well = view.head, True
        url = self._messages.url(table, head.guild)
        lines = wanted(snapshot, head, url)
        translates = self._spoken.setdefault(table, head.locale) != head.locale
        for found in self._messages.of(table, *KINDS):
            ended = over(found, view, lines)
            if ended is not None or not found.message:
                well = await self._settle(table, found, snapshot, ended) and well
                continue
            line = standing(found, head, url, lines)
            if translates or line.until != found.round:
                now = found._replace(round=line.until)
                renewed = self._outbox.renew(table, found, now, line.message, head.guild)
                well = await renewed and well
        for slot, line in lines.items():
            if self._is_due(table, slot):
                posting = self._post(head, slot, line)
                well = await worked(posting, "line_failed", table) and well
        for guest in (user for user, waits in snapshot.called.items() if waits is False):
            self._pass_over(table, guest)
        if well:
            self._spoken[table] = head.locale
        return well

    async def _settle(
        self, table: TableId, found: Surface, snapshot: Snapshot, message: Message | None
    ) -> bool:
        """Have a line that is over say so by that message, and forget it where it may come again.

        Returns whether all is well.
        """
        if not found.message or message is None:
            if not _stays_known(found, snapshot):
                self._messages.drop(table, found.slot)
            return True
        well = await self._outbox.finish(table, found, message)
        if self._messages.find(table, found.slot) is None and _stays_known(found, snapshot):
            self._messages.put(table, found._replace(message=MessageId(0)))
        return well

    def _is_due(self, table: TableId, slot: Slot) -> bool:
        """Whether a line that is wanted is to be posted now."""
        known = self._messages.find(table, slot)
        if known is None:
            return True
        if known.kind is not Kind.OFFER or known.message:
            return False
        if abs(self._clock() - known.posted) < OFFER_PAUSE:  # a clock may be set back
            return False
        self._messages.drop(table, slot)
        return True

    def _pass_over(self, table: TableId, guest: UserId) -> None:
        """An invitation that no message shows is over: it does not come again."""
        if self._messages.find(table, (Kind.INVITATION, guest)) is None:
            self._messages.put(table, Surface(Kind.INVITATION, guest))

    async def _post(self, head: TableHead, slot: Slot, line: Line) -> bool:
        """Returns whether all is well: without a line the board offers the place all the same.

        Who is invited to where they, or somebody for their sake, cannot sit is in the same line, so
        that nobody can tell, and is not called.  To somebody in line no place is offered there.
        """
        called = () if line.called is None else (line.called,)
        for user in called:
            if await self._membership.has_left(head.table, head.guild, user):
                return True  # the table has changed by that, and is drawn again
        people = [one.user for one in head.sitters if one.user is not None]
        if slot[0] is Kind.INVITATION and not await self._source.wants(UserId(slot[1]), people):
            called = ()
        if slot[0] is Kind.OFFER and not await self._may_sit(head, UserId(slot[1]), people):
            await self._turn_down(head, UserId(slot[1]), line)
            return True  # as above
        meant = Surface(*slot, head.channel, question=line.question, round=line.until)
        return is_settled(
            await self._outbox.post(head.table, meant, line.message, head.guild, called=called)
        )

    async def _turn_down(self, head: TableHead, user: UserId, offer: Line) -> None:
        """The place goes to the next in line, and `user`, who is out of it, is told."""
        await self._source.turned_down(head.table, user)
        if await self._readers.takes_letters(user):
            url = self._messages.url(head.table, head.guild)
            letter = turned_down_letter(head, url, self._readers.texts(user, head))
            about = "turned_down", str(offer.question)
            await self._outbox.write(head.table, user, letter, Priority.CALL, *about)

    async def _may_sit(self, head: TableHead, user: UserId, people: Iterable[UserId]) -> bool:
        """Whether `user` may sit down with these people, and has a role that lets them."""
        if not await self._source.wants(user, people):
            return False
        if not await self._doors.guards_seats(head.guild):
            return True
        guest = await self._membership.guest(head.guild, head.channel, user)
        return guest is None or not await self._doors.wanted_to_sit(head.guild, guest.roles)


# Results.

FRESH: Final = timedelta(days=1)
"""How long after its end a match is news."""

REPORT: Final[Slot] = (Kind.REPORT, 0)


@dataclass
class Reports:
    """Posts a line for each match that has ended, once and without a sound, where nobody reads of a
    channel that they do not see."""

    _requests: Requests
    _messages: ShownMessages
    _readers: Readers
    _servers: Servers
    _outbox: Outbox
    _clock: Callable[[], datetime]

    async def draw(self, table: TableId, snapshot: Snapshot) -> bool:
        """Post the line of a match that is over.  Returns whether all is well."""
        view, ended = snapshot.view, snapshot.news
        if not isinstance(view, ResultView) or view.scores is None or ended is None:
            return True
        if abs(self._clock() - ended) > FRESH or self._messages.find(table, REPORT) is not None:
            return True
        head, url = view.head, self._messages.url(table, view.head.guild)
        channel = (await self._servers.settings(head.guild)).results
        if channel is None or channel == head.channel or url is None:
            return True
        try:
            if not await self._requests.is_open_to(head.guild, head.channel, channel):
                return True
        except FAILURES as error:
            log_failure("readers_not_found_out", table, error)
            return False
        if not await self._readers.meet([*view.beginners.values()]):
            return False  # later: one of them may not want to be named
        words = texts(head.locale)
        line = report_line(self._without(view), url, words)
        meant, settle = Surface(*REPORT, channel), Priority.SETTLE
        refusal = await self._outbox.post(
            table, meant, line, head.guild, priority=settle, silent=True
        )
        return is_settled(refusal)

    def _without(self, view: ResultView) -> ResultView:
        """The view without the names of people who stand on no leaderboard: this is one more."""
        off = {
            seat
            for seat, user in view.beginners.items()
            if self._readers.preferences(user).board is Board.OFF
        }
        named = (Somebody() if seat in off else one for seat, one in enumerate(view.starters))
        return replace(view, starters=tuple(named))
