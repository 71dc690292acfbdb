"""Who sees one channel, and whether all of them see another."""

from __future__ import annotations

from typing import TypeAlias

import discord

Somewhere: TypeAlias = discord.abc.GuildChannel | discord.Thread
"""A channel or thread of a server."""

Named: TypeAlias = discord.Role | discord.Member | discord.Object
"""Whom the permissions of a channel name: of people who are not cached only the id is known."""


def all_see(place: Somewhere, elsewhere: Somewhere) -> bool:
    """Whether everybody who sees `elsewhere` sees `place`, by what is known of them: every role but
    those of bots, and whoever is named in the permissions of one of the two.

    Nobody is taken to see a private thread.
    """
    if isinstance(place, discord.Thread) and place.is_private():
        return False
    roles = [role for role in place.guild.roles if not role.is_bot_managed()]
    if any(_sees(role, elsewhere) and not _sees(role, place) for role in roles):
        return False
    named = {*_above(place).overwrites, *_above(elsewhere).overwrites}
    named -= {*place.guild.roles, place.guild.me}
    return not any(_is_left_out(one, place, elsewhere) for one in named)


def _sees(role: discord.Role, place: Somewhere) -> bool:
    return place.permissions_for(role).view_channel


def _is_left_out(one: Named, place: Somewhere, elsewhere: Somewhere) -> bool:
    """Whether somebody who is named may see `elsewhere` only: of their roles nothing is known."""
    here, there = (_above(at).overwrites_for(one).view_channel for at in (place, elsewhere))
    if here is None:
        return bool(there) and not _sees(place.guild.default_role, place)
    return not here and there is not False


def _above(place: Somewhere) -> discord.abc.GuildChannel:
    """The channel that says who sees a thread."""
    above = place.parent if isinstance(place, discord.Thread) else place
    if above is None:
        raise ConnectionError("the channel above a thread is out of sight")
    return above
