"""Present rights on a server, for what was planned before and happens now."""

from __future__ import annotations

from bot.ids import ChannelId, GuildId, UserId
from bot.publish.refusals import FAILURES
from bot.publish.requests import Requests
from bot.tables.ports import Right, RightsUnknown


class ServerRights:
    """Port `Rights` of the tables."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    async def may_open(self, guild: GuildId, channel: ChannelId) -> bool:
        """See `bot.tables.ports.Rights`: whether `/newgame` there would open a table."""
        try:
            return await self._requests.may_post(guild, channel)
        except FAILURES as error:
            raise RightsUnknown from error

    async def right(self, guild: GuildId, channel: ChannelId, user: UserId) -> Right:
        """See `bot.tables.ports.Rights`."""
        try:
            guest = await self._requests.guest(guild, channel, user)
        except FAILURES as error:
            raise RightsUnknown from error
        if guest is None or not guest.sees:
            return Right.NONE
        return Right.OPEN if guest.writes else Right.SIT
