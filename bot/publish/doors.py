"""Doors of a server: where tables and plans may open, and which roles open them and sit down."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import discord

from bot.i18n import Markdown, safe_text
from bot.ids import ChannelId, GuildId, RoleId, UserId
from bot.publish.refusals import FAILURES
from bot.publish.requests import Requests, seen
from bot.tables.model import TableError
from bot.tables.ports import Right, RightsUnknown, Unavailable
from bot.tables.servers import Servers, shut


def around(channel: ChannelId, place: object) -> tuple[ChannelId, ...]:
    """A channel, or a thread and the channel above it."""
    if isinstance(place, discord.Thread):
        return channel, ChannelId(place.parent_id)
    return (channel,)


class Doors:
    """What whoever manages a server allows there, asked whenever somebody opens or sits down.

    Deleted roles and channels count for nothing; while the server is out of sight none is taken
    for deleted.
    """

    def __init__(self, client: discord.Client, servers: Servers) -> None:
        self._client, self._servers = client, servers

    async def require_open(
        self, guild: GuildId, place: Iterable[ChannelId], roles: Collection[RoleId]
    ) -> None:
        """Whether somebody with these roles may open a table in `place`: a channel, or a thread
        and its channel.  Whoever opens one sits down there.

        Raises TableError `no_place` (places), `opening_role` (roles), and what `require_sit`
        raises.
        """
        chosen = await self._servers.settings(guild)
        if places := shut(chosen.places, self.channels(guild, chosen.places), frozenset(place)):
            named = Markdown(", ".join(f"<#{one}>" for one in places))
            raise TableError("no_place", places=named)
        if wanted := shut(chosen.openers, self.roles(guild, chosen.openers), roles):
            raise TableError("opening_role", roles=self._named(guild, wanted))
        await self.require_sit(guild, roles)

    async def require_sit(self, guild: GuildId, roles: Collection[RoleId]) -> None:
        """Whether somebody with these roles may sit down.  Raises TableError `sitting_role`."""
        wanted = await self.wanted_to_sit(guild, roles)
        if wanted:
            raise TableError("sitting_role", roles=wanted)

    async def wanted_to_sit(self, guild: GuildId, roles: Collection[RoleId]) -> str:
        """Names of the roles of which one is needed to sit down; empty if that is fulfilled."""
        chosen = await self._servers.settings(guild)
        wanted = shut(chosen.sitters, self.roles(guild, chosen.sitters), roles)
        return self._named(guild, wanted) if wanted else ""

    async def guards_seats(self, guild: GuildId) -> bool:
        """Whether sitting down needs a role there."""
        chosen = (await self._servers.settings(guild)).sitters
        return bool(shut(chosen, self.roles(guild, chosen), ()))

    async def called(self, guild: GuildId) -> RoleId | None:
        """The role that is called to tables that open there."""
        role = (await self._servers.settings(guild)).called
        return role if role is not None and self.roles(guild, [role]) else None

    def channels(self, guild: GuildId, asked: Iterable[ChannelId]) -> Collection[ChannelId]:
        """Those of the channels that there are."""
        server = seen(self._client, guild)
        return [one for one in asked if server is None or server.get_channel(one) is not None]

    def roles(self, guild: GuildId, asked: Iterable[RoleId]) -> Collection[RoleId]:
        """Those of the roles that there are."""
        server = seen(self._client, guild)
        return [one for one in asked if server is None or server.get_role(one) is not None]

    def rings(self, guild: GuildId, role: RoleId) -> bool:
        """Whether our mention of a role rings with its people."""
        server = seen(self._client, guild)
        found = None if server is None else server.get_role(role)
        if server is None or found is None:
            return True
        return found.mentionable or server.me.guild_permissions.mention_everyone

    def _named(self, guild: GuildId, roles: Iterable[RoleId]) -> Markdown:
        """Roles by name: in direct messages Discord does not show mentions of them."""
        server = seen(self._client, guild)
        found = [None if server is None else server.get_role(one) for one in roles]
        names = ["…" if role is None else f"**{safe_text(role.name)}**" for role in found]
        return Markdown(", ".join(names))


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
