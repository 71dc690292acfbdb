"""Which table is meant, and what is known of whoever means it: no table is handed out unasked.

Every command, press, form and suggestion gets its table from here, and says what it `Need`s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

import discord
import structlog

from bot.answer import access
from bot.answer.access import Channel, Known, Need, Where
from bot.answer.context import Context
from bot.ids import ChannelId, TableId, UserId
from bot.tables.model import Table, TableError


async def named_table(
    context: Context,
    interaction: discord.Interaction,
    named: str | None,
    need: Need,
    *,
    ended: bool = False,
) -> Table:
    """The table that a command is about, for somebody who may do that with it.

    The one named, else the one in this channel, else (in DMs, and in channels without one) the
    only one where the person sits.  With `ended` a channel's newest table counts although it is
    over.  Raises TableError `no_table`, `no_table_here` or `which_table`, and what `pressed_table`
    raises.  What is logged from here on names it.
    """
    if named:
        table = await _found(context, interaction, named.strip().upper())
    else:
        table = await _meant(context, interaction, ended=ended)
    await _admit(context, interaction, table, need)
    structlog.contextvars.bind_contextvars(table=table.id)
    return table


async def pressed_table(
    context: Context, interaction: discord.Interaction, table: TableId, need: Need
) -> Table:
    """The table that a press is about, for somebody who may do that with it.

    Raises TableError `no_such_table`, which says the same of a table that one may not know of
    and of one that there is not, and `not_seated` or `out_of_reach` of one that may be seen.
    """
    found = await _found(context, interaction, table)
    await _admit(context, interaction, found, need)
    return found


async def suggest_tables(context: Context, interaction: discord.Interaction) -> Sequence[Table]:
    """Tables a person may mean: their own, and the one in this channel."""
    found = {table.id: table for table in await context.tables.open_of(UserId(interaction.user.id))}
    if interaction.guild_id is not None and interaction.channel_id is not None:
        here = await context.tables.latest_in_channel(ChannelId(interaction.channel_id))
        if here is not None:
            found.setdefault(here.id, here)
    return [
        table
        for table in found.values()
        if access.may_see(await _known(context, interaction, table))
    ]


def is_moderator(interaction: discord.Interaction, table: Table) -> bool:
    """Whether the person decides over a table that is not theirs, where they are now."""
    return access.may_moderate(_known_at_once(interaction, table))


async def _found(context: Context, interaction: discord.Interaction, table: str) -> Table:
    """The table of that id; whether anybody may know of it is not yet asked."""
    try:
        return await context.tables.find(TableId(table))
    except TableError as error:
        if error.code != "no_such_table":
            raise
        raise _unknown() from None


async def _meant(context: Context, interaction: discord.Interaction, *, ended: bool) -> Table:
    """The table that is meant where none is named."""
    if interaction.guild_id is not None and interaction.channel_id is not None:
        tables = context.tables
        find = tables.latest_in_channel if ended else tables.open_in_channel
        here = await find(ChannelId(interaction.channel_id))
        if here is not None:
            return here
    mine = await context.tables.open_of(UserId(interaction.user.id))
    match len(mine):
        case 0:
            raise TableError("no_table_here" if interaction.guild_id else "no_table")
        case 1:
            return mine[0]
        case _:
            raise TableError("which_table", tables=", ".join(table.id for table in mine))


async def _admit(
    context: Context, interaction: discord.Interaction, table: Table, need: Need
) -> None:
    code = access.refusal(await _known(context, interaction, table), need)
    if code == "no_such_table":
        raise _unknown()
    if code is not None:
        raise TableError(code, table)


def _unknown() -> TableError:
    """The one refusal of a table that there is not, and of one that is not to be known of.

    It carries neither the table nor its id.
    """
    return TableError("no_such_table")


async def _known(context: Context, interaction: discord.Interaction, table: Table) -> Known:
    """What is known, where that decides also what Discord has to be asked."""
    known, stored = _known_at_once(interaction, table), table.stored
    user, membership = UserId(interaction.user.id), context.publisher.membership
    match known.where:
        case Where.OUTSIDE if known.seated:
            if await membership.has_left(table.id, stored.guild, user):
                return replace(known, membership=access.Membership.GONE)
        case Where.SERVER if known.channel is not None and not access.may_sit(known):
            if known.channel.visible and known.channel.private:
                joined = await membership.in_thread(stored.guild, stored.channel, user)
                return replace(known, channel=known.channel._replace(joined=joined))
        case Where.HERE | Where.OUTSIDE | Where.SERVER:
            pass
        case _:
            assert_never(known.where)
    return known


def _known_at_once(interaction: discord.Interaction, table: Table) -> Known:
    """What the interaction itself and the gateway have told."""
    stored = table.stored
    inside = interaction.guild_id == stored.guild
    if interaction.channel_id == stored.channel:
        where = Where.HERE
    else:
        where = Where.SERVER if inside else Where.OUTSIDE
    return Known(
        where=where,
        membership=access.Membership.PROVEN if inside else access.Membership.PRESUMED,
        seated=stored.seating.place_of(UserId(interaction.user.id)) is not None,
        ended=not stored.status.is_open,
        channel=_channel(interaction, stored.channel) if where is Where.SERVER else None,
        moderates=interaction.permissions.manage_messages,
    )


def _channel(interaction: discord.Interaction, channel: ChannelId) -> Channel | None:
    """What the gateway has told of a channel or thread of the server the interaction is from."""
    guild, member = interaction.guild, interaction.user
    place = None if guild is None else guild.get_channel_or_thread(channel)
    if place is None or not isinstance(member, discord.Member):
        return None
    if not isinstance(place, discord.Thread):
        return Channel(place.permissions_for(member).view_channel)
    if place.parent is None:
        return None
    may = place.permissions_for(member)
    return Channel(may.view_channel, place.is_private(), manages_threads=may.manage_threads)
