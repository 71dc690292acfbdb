"""Rights on a server, of people and of the program, when what was planned there comes due."""

from __future__ import annotations

from bot.ids import ChannelId, GuildId, UserId
from bot.publish.doors import Doors, around
from bot.publish.refusals import FAILURES
from bot.publish.requests import Requests
from bot.tables.model import TableError
from bot.tables.ports import Right, RightsUnknown, Unavailable


class ServerRights:
    """Port `Rights` of the tables."""

    def __init__(self, requests: Requests, doors: Doors) -> None:
        self._requests, self._doors = requests, doors

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
            place = await self._requests.place(guild, channel)
            if guest is None or not guest.sees:
                return Right.NONE
            if await self._doors.wanted_to_sit(guild, guest.roles):
                return Right.NONE
            if not guest.writes:
                return Right.SIT
            await self._doors.require_open(guild, around(channel, place), guest.roles)
        except (*FAILURES, Unavailable) as error:
            raise RightsUnknown from error
        except TableError:
            return Right.SIT
        return Right.OPEN
