"""Invitations on their way: a mention in the channel of the table, and a direct message."""

from __future__ import annotations

import discord

from bot.ids import ChannelId, MessageId, UserId
from bot.publish.budget import Priority
from bot.publish.lines import Lines
from bot.publish.readers import Readers
from bot.publish.requests import Requests, log_failure
from bot.publish.surfaces import known_by
from bot.render.components import jump_url
from bot.render.inviting import invitation
from bot.views.values import TableHead


class Inviting:
    """Sends each once; what cannot be sent is missing, and the other of the two is sent."""

    def __init__(self, requests: Requests, readers: Readers, lines: Lines) -> None:
        self._lines = lines
        self.requests = requests
        self.readers = readers

    async def send(
        self,
        head: TableHead,
        inviter: tuple[UserId, str],
        guest: UserId,
        board: tuple[ChannelId, MessageId] | None,
    ) -> bool:
        """Invites `guest` to the table of `head`; whether they got a direct message."""
        url = None if board is None else jump_url(head.guild, *board)
        nonce = known_by(head.table, "invitation", guest)
        try:
            await self._lines.invite(head, inviter[1], guest)
        except (discord.HTTPException, OSError) as error:
            log_failure("invitation_failed", head.table, error)
        try:
            channel = await self.requests.dm(guest)
            words = self.readers.texts(guest, head)
            message = invitation(head, inviter, url, words)
            await self.requests.send(channel, message, nonce, Priority.CALL)
        except (discord.HTTPException, OSError) as error:
            log_failure("invitation_failed", head.table, error)
            return False
        return True
