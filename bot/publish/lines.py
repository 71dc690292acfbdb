"""Lines in the channel that offer a seat: invitations, and calls of others.

Others are a role, people in line, and whoever would be a substitute.

Each is posted once, and finally says what became of it: no button is left when the seat is taken,
or no longer to be had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.i18n import texts
from bot.ids import ChannelId, MessageId, QuestionId, RoleId, TableId, UserId
from bot.publish.budget import Priority
from bot.publish.membership import Membership
from bot.publish.messages import ShownMessages
from bot.publish.outbox import Outbox
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, Refusal, is_settled
from bot.publish.requests import Requests, log_failure
from bot.publish.surfaces import Kind, Surface, known_by
from bot.render.components import jump_url
from bot.render.inviting import InvitationOutcome, invitation, invitation_line, invitation_over
from bot.render.message import Message
from bot.render.openings import opening_line, opening_over
from bot.render.queueing import offer_line, offer_over
from bot.render.substitutes import substitute_line, substitute_over
from bot.tables.stored import Offer
from bot.views.snapshot import Snapshot
from bot.views.values import BoardView, ClosedView, LobbyView, TableHead

KINDS: Final = (Kind.INVITATION, Kind.SUBSTITUTE, Kind.CALL, Kind.OFFER)


@dataclass
class Lines:
    """Posts them and settles them."""

    _requests: Requests
    _messages: ShownMessages
    _readers: Readers
    _outbox: Outbox
    _membership: Membership
    _clock: Callable[[], datetime]

    async def invite(
        self,
        head: TableHead,
        inviter: tuple[UserId, str],
        guest: UserId,
        board: tuple[ChannelId, MessageId] | None,
        *,
        wanted: bool = True,
    ) -> None:
        """Invite `guest` to the table of `head`: by a line that calls them, and by DM.

        A guest who is not `wanted`, by themselves or by others, is in the same line, so that nobody
        can tell, and is not called; in their quiet hours the letter comes without a sound.  If one
        of the two cannot be sent, the other is.
        """
        await self._messages.open(head.table)
        meant = Surface(Kind.INVITATION, guest, head.channel)
        if self._messages.find(head.table, meant.slot) is not None:
            return
        if self._outbox.is_posting(head.table, meant.slot):
            return  # of two presses one comes second
        line = invitation_line(head, inviter[1], guest, texts(head.locale))
        called = (guest,) if wanted else ()
        await self._outbox.post(head.table, meant, line, head.guild, called=called)
        if not wanted:
            return
        url = None if board is None else jump_url(head.guild, *board)
        letter = invitation(head, inviter, url, self._readers.texts(guest, head))
        try:
            channel = await self._requests.dm(guest)
            nonce = known_by(head.table, "invitation", guest)
            quiet = await self._readers.is_quiet(guest, self._clock())
            await self._requests.send(channel, letter, nonce, Priority.CALL, silent=quiet)
        except FAILURES as error:
            log_failure("invitation_failed", head.table, error)

    async def call(
        self, head: TableHead, role: RoleId, board: tuple[ChannelId, MessageId] | None
    ) -> None:
        """Call a role of the server to a table that has opened; tried once."""
        await self._messages.open(head.table)
        meant = Surface(Kind.CALL, role, head.channel)
        url = None if board is None else jump_url(head.guild, *board)
        line = opening_line(head, role, url, texts(head.locale))
        await self._outbox.post(head.table, meant, line, head.guild, role=role)

    async def has_called(self, table: TableId) -> bool:
        """Whether a role was called to the table, and the line still says so."""
        await self._messages.open(table)
        return bool(self._messages.of(table, Kind.CALL))

    async def declined(self, table: TableId, guest: UserId) -> bool:
        """`guest` does not come; whether a line says otherwise."""
        await self._messages.open(table)
        line = self._messages.find(table, (Kind.INVITATION, guest))
        if line is not None:
            self._messages.put(table, line._replace(warned=True))
        return line is not None

    async def draw(self, table: TableId, snapshot: Snapshot) -> bool:
        """Post missing lines and settle those that are over.  Returns whether all is well."""
        view = snapshot.view
        if view is None:
            return True
        well, refusals = True, list[Refusal | None]()
        for line, message in [*self._over(table, snapshot)]:
            well = await self._outbox.finish(table, line, message) and well
        for seat, since in snapshot.sought.items():
            if self._messages.find(table, (Kind.SUBSTITUTE, seat)) is None:
                refusals.append(await self._seek(view.head, seat, since))
        for user, (seat, offer) in snapshot.offered.items():
            if self._messages.find(table, (Kind.OFFER, user)) is None:
                refusals.append(await self._offer(view.head, user, seat, offer))
        # Without a line the board offers the seat all the same.
        return well and all(map(is_settled, refusals))

    def _over(self, table: TableId, snapshot: Snapshot) -> Iterator[tuple[Surface, Message]]:
        """Lines that are over, and what takes their place."""
        view = snapshot.view
        if view is None:
            return
        head, words = view.head, texts(view.head.locale)
        seated = {sitter.user for sitter in head.sitters if sitter.user is not None}
        for line in self._messages.of(table, *KINDS):
            if line.kind is Kind.SUBSTITUTE:
                if snapshot.sought.get(line.key) != line.question:
                    open_ = isinstance(view, BoardView)
                    yield line, substitute_over(head, line.key if open_ else None, words)
                continue
            if line.kind is Kind.OFFER:
                person = UserId(line.key)
                offered = snapshot.offered.get(person)
                if offered is None or offered[1].since != line.question:
                    yield line, offer_over(head, person, words, seated=person in seated)
                continue
            if line.kind is Kind.CALL:
                if not isinstance(view, LobbyView):
                    began = not isinstance(view, ClosedView)
                    yield line, opening_over(head, words, began=began)
                continue
            guest, outcome = UserId(line.key), InvitationOutcome.OVER
            if guest in seated:
                outcome = InvitationOutcome.JOINED
            elif line.warned:
                outcome = InvitationOutcome.DECLINED
            elif isinstance(view, LobbyView):
                continue
            yield line, invitation_over(head, guest, outcome, words)

    async def _seek(self, head: TableHead, seat: int, since: int) -> Refusal | None:
        meant = Surface(Kind.SUBSTITUTE, seat, head.channel, question=QuestionId(since))
        line = substitute_line(head, seat, texts(head.locale))
        return await self._outbox.post(head.table, meant, line, head.guild)

    async def _offer(
        self, head: TableHead, user: UserId, seat: int, offer: Offer
    ) -> Refusal | None:
        """Call a person in line to the seat that is offered to them."""
        if await self._membership.has_left(head.table, head.guild, user):
            return None  # the table has changed by that, and is drawn again
        board = self._messages.board(head.table)
        url = None if board is None else jump_url(head.guild, board.channel, board.message)
        line = offer_line(head, user, seat, offer.until, url, texts(head.locale))
        meant = Surface(Kind.OFFER, user, head.channel, question=QuestionId(offer.since))
        return await self._outbox.post(head.table, meant, line, head.guild, called=(user,))
