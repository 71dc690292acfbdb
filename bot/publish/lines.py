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

import discord

from bot.i18n import texts
from bot.ids import ChannelId, MessageId, QuestionId, RoleId, TableId, UserId
from bot.publish.budget import Priority
from bot.publish.draw_state import DrawState
from bot.publish.membership import Membership
from bot.publish.messages import ShownMessages
from bot.publish.outbox import Outbox
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, Purpose, is_barred
from bot.publish.requests import NO_MENTIONS, Requests, calling, calling_role, log_failure
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
        quiet = await self._readers.is_quiet(guest, self._clock())
        meant = self._meant(Kind.INVITATION, guest, head)
        if self._messages.find(head.table, meant.slot) is not None:
            return  # of two presses one comes second
        if self._outbox.is_under_way(head.table, meant.slot):
            return
        line = invitation_line(head, inviter[1], guest, texts(head.locale))
        try:
            await self._post(head, meant, line, calling((guest,) if wanted and not quiet else ()))
        except FAILURES as error:
            log_failure("invitation_failed", head.table, error)
        if not wanted:
            return
        url = None if board is None else jump_url(head.guild, *board)
        letter = invitation(head, inviter, url, self._readers.texts(guest, head))
        try:
            channel = await self._requests.dm(guest)
            nonce = known_by(head.table, "invitation", guest)
            await self._requests.send(channel, letter, nonce, Priority.CALL, silent=quiet)
        except FAILURES as error:
            log_failure("invitation_failed", head.table, error)

    async def call(
        self, head: TableHead, role: RoleId, board: tuple[ChannelId, MessageId] | None
    ) -> None:
        """Call a role of the server to a table that has opened; tried once."""
        await self._messages.open(head.table)
        meant = self._meant(Kind.CALL, role, head)
        url = None if board is None else jump_url(head.guild, *board)
        line = opening_line(head, role, url, texts(head.locale))
        try:
            await self._post(head, meant, line, calling_role(role))
        except FAILURES as error:
            log_failure("role_not_called", head.table, error)

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

    async def draw(self, table: TableId, state: DrawState, snapshot: Snapshot) -> bool:
        """Post missing lines and settle those that are over.  Returns whether all is well."""
        view = snapshot.view
        if view is None:
            return True
        well = True
        for line, message in [*self._over(table, snapshot)]:
            well = await self._settle(table, state, line, message) and well
        for seat, since in snapshot.sought.items():
            slot = (Kind.SUBSTITUTE, seat)
            if self._messages.find(table, slot) is None and slot not in state.unverified:
                well = await self._seek(view.head, state, seat, since) and well
        for user, offer in snapshot.offered.items():
            slot = (Kind.OFFER, user)
            if self._messages.find(table, slot) is None and slot not in state.unverified:
                well = await self._offer(view.head, state, user, offer) and well
        return well

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
                if offered is None or offered.since != line.question:
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

    async def _seek(self, head: TableHead, state: DrawState, seat: int, since: int) -> bool:
        meant = self._meant(Kind.SUBSTITUTE, seat, head)._replace(question=QuestionId(since))
        line = substitute_line(head, seat, texts(head.locale))
        try:
            await self._post(head, meant, line, NO_MENTIONS)
        except Exception as error:  # the board offers the seat all the same
            log_failure("substitute_not_called", head.table, error)
            return state.trouble.is_final(meant.slot, error, Purpose.POST)
        return True

    async def _offer(self, head: TableHead, state: DrawState, user: UserId, offer: Offer) -> bool:
        """Call a person in line to the seat that is offered to them; in their quiet hours the line
        mentions them without a sound."""
        meant = self._meant(Kind.OFFER, user, head)._replace(question=QuestionId(offer.since))
        try:
            if await self._membership.has_left(head.table, head.guild, user):
                return True  # the table has changed by that, and is drawn again
            quiet = await self._readers.is_quiet(user, self._clock())
            board = self._messages.board(head.table)
            url = None if board is None else jump_url(head.guild, board.channel, board.message)
            line = offer_line(head, user, offer.until, url, texts(head.locale))
            await self._post(head, meant, line, calling(() if quiet else (user,)))
        except Exception as error:  # the table says for whom the seat is kept all the same
            log_failure("offer_not_told", head.table, error)
            return state.trouble.is_final(meant.slot, error, Purpose.POST)
        return True

    async def _post(
        self,
        head: TableHead,
        meant: Surface,
        line: Message,
        mentions: discord.AllowedMentions,
    ) -> None:
        sent = await self._outbox.send(
            head.table, meant, line, Priority.CALL, guild=head.guild, mentions=mentions
        )
        if sent is not None:
            self._messages.put(head.table, sent)

    async def _settle(
        self, table: TableId, state: DrawState, line: Surface, message: Message
    ) -> bool:
        try:
            await self._requests.edit(line, message, Priority.SETTLE)
        except Exception as error:
            if not state.trouble.forgets(line.slot, error):
                log_failure("line_not_settled", table, error)
                # It stays stored; until we may, there is no use in trying soon.
                return is_barred(error, Purpose.EDIT)
        del state.trouble.refusals[line.slot]
        self._messages.drop(table, line.slot)
        return True

    def _meant(self, kind: Kind, key: int, head: TableHead) -> Surface:
        return Surface(kind, key, head.channel, MessageId(0), self._clock())
