"""Who sees one channel, and whether all of them see another."""

from __future__ import annotations

from collections.abc import Set
from typing import TypeAlias

import discord

Somewhere: TypeAlias = discord.abc.GuildChannel | discord.Thread
"""A channel or thread of a server."""

Whoever: TypeAlias = discord.Role | discord.Member | discord.Object
"""A role, or somebody who is named in the permissions of a channel."""


def all_see(place: Somewhere, elsewhere: Somewhere) -> bool:
    """Whether everybody who sees `elsewhere` sees `place`: every role, and whoever is named.

    Nobody is taken to see a private thread.  Roles of bots, and bots, are not meant.
    """
    if isinstance(place, discord.Thread) and place.is_private():
        return False
    return all(_sees(one, place) for one in _named(place, elsewhere) if _sees(one, elsewhere))


def _named(*places: Somewhere) -> Set[Whoever]:
    named: set[Whoever] = {*places[0].guild.roles}
    for place in places:
        named.update(_above(place).overwrites)
    return {one for one in named if not _is_bot(one)}


def _sees(one: Whoever, place: Somewhere) -> bool:
    if isinstance(one, discord.Role):
        return place.permissions_for(one).view_channel
    named = _above(place).overwrites_for(one).view_channel
    return _sees(place.guild.default_role, place) if named is None else named


def _is_bot(one: Whoever) -> bool:
    if isinstance(one, discord.Role):
        return one.is_bot_managed()
    return isinstance(one, discord.Member) and one.bot


def _above(place: Somewhere) -> discord.abc.GuildChannel:
    """The channel that says who sees a thread."""
    above = place.parent if isinstance(place, discord.Thread) else place
    if above is None:
        raise ConnectionError("the channel above a thread is out of sight")
    return above
