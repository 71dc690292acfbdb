"""Tables that a command or press means, looked up together with the right to see them.

Every command, press, form and suggestion gets its table from here, and says what it `Need`s.  Lists
of tables are shown here too: to choose from, or as an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, assert_never

import discord
import structlog

from bot.answer import access, given
from bot.answer.access import Channel, Known, Need, Where
from bot.answer.context import Context, place_of
from bot.answer.origin import Reach, place_in, reach_of
from bot.answer.reply import Reply
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.paging import paged
from bot.publish.doors import around
from bot.publish.requests import connects, roles_of, writes
from bot.render.components import channel_url, jump_url
from bot.render.listing import LINES, tables_page, which_table
from bot.tables.model import Table, TableError
from bot.tables.stored import Status
from bot.views.listing import Listed, TablesView, Whose, listed


class SeveralTables(TableError):
    """Several of the person's tables may be meant."""

    def __init__(self, tables: Sequence[Table]) -> None:
        names = ", ".join(table.id for table in tables)
        super().__init__("which_table", tables=names)
        self.tables: Final = tables
        """Tables that may be meant, first those that wait for the person."""


async def named_table(
    context: Context,
    interaction: discord.Interaction,
    named: str | None,
    need: Need,
    *,
    ended: bool = False,
    asked: bool = False,
) -> Table:
    """The table that a command is about, for a person with the right `need`.

    The one named, else the one in this channel, else (in DMs, and in channels without one) the only
    one where the person sits, or with `asked` the only one of theirs that waits for them: that goes
    before a table of this channel where they do not sit.

    With `ended` a channel's newest table counts although it is over.  Raises TableError `no_table`,
    `no_table_here`, SeveralTables, and what `pressed_table` raises.  Log lines from here on name
    the table.
    """
    if named:
        table = await _found(context, interaction, named.strip().upper())
    else:
        table = await _meant(context, interaction, ended=ended, asked=asked)
    await _admit(context, interaction, table, need)
    structlog.contextvars.bind_contextvars(table=table.id)
    return await _with_its_host(context, interaction, table)


async def pressed_table(
    context: Context, interaction: discord.Interaction, table: TableId, need: Need
) -> Table:
    """The table that a press is about, for a person with the right `need`.

    Raises TableError `no_such_table`, the same for a table that they may not know of as for one
    that does not exist, and `not_seated` or `out_of_reach` for one that they may see.
    """
    found = await _found(context, interaction, table)
    await _admit(context, interaction, found, need)
    return await _with_its_host(context, interaction, found)


async def seen_table(context: Context, interaction: discord.Interaction, table: TableId) -> Table:
    """The table of that id, if the person may see it.  Raises TableError `no_such_table`."""
    found = await _found(context, interaction, table)
    await _admit(context, interaction, found, Need.SEE)
    return found


def open_channels(interaction: discord.Interaction) -> frozenset[ChannelId]:
    """Channels and threads of this server that the person sees, as far as that is known at once.

    Of private threads it is the one where they are, and all for people who manage threads.
    """
    guild = interaction.guild
    places = () if guild is None else (*guild.channels, *guild.threads)
    found = {ChannelId(place.id) for place in places if _is_open(interaction, place)}
    if interaction.channel_id is not None:
        found.add(ChannelId(interaction.channel_id))
    return frozenset(found)


def _is_open(interaction: discord.Interaction, place: discord.abc.Snowflake) -> bool:
    known, may = place_in(interaction, ChannelId(place.id))
    return may is not None and _channel(known, may).open


async def next_table(
    context: Context, interaction: discord.Interaction, but: TableId
) -> Table | None:
    """The table that waits for the person, but for one, and where least time is left."""
    for table in await context.tables.waiting_for(UserId(interaction.user.id), but):
        if access.may_act(await _known(context, interaction, table)):
            return table
    return None


async def table_here(context: Context, interaction: discord.Interaction) -> Table | None:
    """The newest table of the channel where somebody is, who sees it there: open or ended."""
    if reach_of(interaction) is Reach.ELSEWHERE or interaction.channel_id is None:
        return None
    return await context.tables.latest_in_channel(ChannelId(interaction.channel_id))


async def my_tables(context: Context, interaction: discord.Interaction) -> list[Table]:
    """Open tables where the person sits, on all servers: first those that wait for them."""
    user = UserId(interaction.user.id)
    mine = await _seen_of(context, interaction, await context.tables.open_of(user))
    waiting = await context.tables.waiting_for(user)
    hurry = {table.id: place for place, table in enumerate(waiting)}
    return sorted(mine, key=lambda table: hurry.get(table.id, len(hurry)))


async def tables_here(context: Context, interaction: discord.Interaction) -> list[Table]:
    """Open tables of this server that the person may know of, first those that wait for people.

    Raises TableError `server_only` if the bot is not on this server.
    """
    guild, _ = place_of(interaction)
    found = await _seen_of(context, interaction, await context.tables.open_on(guild))
    return sorted(found, key=lambda table: not table.stored.seating.free_places or table.running)


async def _seen_of(
    context: Context, interaction: discord.Interaction, tables: Sequence[Table]
) -> list[Table]:
    """The tables among `tables` that the person may know of."""
    return [one for one in tables if access.may_see(await _known(context, interaction, one))]


async def suggest_tables(context: Context, interaction: discord.Interaction) -> Sequence[Table]:
    """Tables a person may mean: their own, and the one in this channel."""
    found = {table.id: table for table in await context.tables.open_of(UserId(interaction.user.id))}
    if reach_of(interaction) is Reach.SERVER and interaction.channel_id is not None:
        here = await context.tables.latest_in_channel(ChannelId(interaction.channel_id))
        if here is not None:
            found.setdefault(here.id, here)
    return await _seen_of(context, interaction, list(found.values()))


def is_moderator(interaction: discord.Interaction, table: Table) -> bool:
    """Whether the person decides over a table that is not theirs, where they are now."""
    return access.may_moderate(_known_at_once(interaction, table))


def may_open(interaction: discord.Interaction, table: Table) -> bool:
    """Whether the person may open the rematch of `table` in its channel."""
    return access.may_open(_known_at_once(interaction, table))


async def require_rematch_doors(
    context: Context, interaction: discord.Interaction, table: Table
) -> None:
    """Raises what `Doors.require_open` raises in the channel of `table`."""
    channel = table.stored.channel
    place, _ = place_in(interaction, channel)
    where, roles = around(channel, place), roles_of(interaction.user)
    await context.doors.require_open(table.stored.guild, where, roles)


async def _found(context: Context, interaction: discord.Interaction, table: str) -> Table:
    """The table of that id, before it is checked who may know of it."""
    if not given.is_id(table):
        raise _unknown()
    try:
        return await context.tables.find(TableId(table))
    except TableError as error:
        if error.code != "no_such_table":
            raise
        raise _unknown() from None


async def _meant(
    context: Context, interaction: discord.Interaction, *, ended: bool, asked: bool
) -> Table:
    """The table that is meant where none is named."""
    tables, user, reach = context.tables, UserId(interaction.user.id), reach_of(interaction)
    if reach is Reach.SERVER and interaction.channel_id is not None:
        find = tables.latest_in_channel if ended else tables.open_in_channel
        here = await find(ChannelId(interaction.channel_id))
        elsewhere = asked and here is not None and here.stored.seating.place_of(user) is None
        if here is not None and not (elsewhere and await tables.waiting_for(user)):
            return here
    mine = await tables.open_of(user)
    if len(mine) > 1:
        mine = await _seen_of(context, interaction, mine)
    waiting = [table for table in mine if table.waits_for(user)]
    if asked and len(waiting) == 1:
        return waiting[0]
    match len(mine):
        case 0 if ended and reach is Reach.DM and interaction.channel_id is not None:
            over = await tables.latest_in_channel(ChannelId(interaction.channel_id))
            if over is None:
                raise TableError("no_table")
            return over
        case 0:
            raise TableError("no_table_here" if reach is Reach.SERVER else "no_table")
        case 1:
            return mine[0]
        case _:
            raise SeveralTables(sorted(mine, key=lambda table: table not in waiting))


async def _admit(
    context: Context, interaction: discord.Interaction, table: Table, need: Need
) -> None:
    known = await _known(context, interaction, table)
    code = access.refusal(known, need)
    if code == "no_such_table":
        raise _unknown()
    if code is not None:
        raise TableError(code, table)
    if need is Need.SIT and not (known.seated and not known.ended):
        await _require_role(context, interaction, table)


async def _require_role(context: Context, interaction: discord.Interaction, table: Table) -> None:
    """Raises TableError `sitting_role` if the server wants others at its tables; a person who was
    invited may press in direct messages, which tell nothing of their roles there.
    """
    guild, channel = table.stored.guild, table.stored.channel
    roles = roles_of(interaction.user)
    if interaction.guild_id != guild and await context.doors.guards_seats(guild):
        user = UserId(interaction.user.id)
        guest = await context.publisher.membership.guest(guild, channel, user)
        roles = frozenset() if guest is None else guest.roles
    await context.doors.require_sit(guild, roles)


async def _with_its_host(context: Context, interaction: discord.Interaction, table: Table) -> Table:
    """The table after a sign of life of its host, if it is the host who acts in a lobby."""
    if table.stored.status is not Status.LOBBY:
        return table
    try:
        return await context.tables.seen_at(table, UserId(interaction.user.id))
    except TableError:
        return table  # what they wish is answered all the same


def _unknown() -> TableError:
    """The one refusal of a table that there is not, and of one that is not to be known of.

    It carries neither the table nor its id.
    """
    return TableError("no_such_table")


async def _known(context: Context, interaction: discord.Interaction, table: Table) -> Known:
    """The facts about person and table; asks Discord if the decision depends on it."""
    known, stored = _known_at_once(interaction, table), table.stored
    user, membership = UserId(interaction.user.id), context.publisher.membership
    if known.where is Where.SERVER and known.channel is None and not known.seated:
        place = await membership.place(stored.guild, stored.channel)
        if place is not None and isinstance(interaction.user, discord.Member):
            known = _with_channel(known, place, place.permissions_for(interaction.user))
    match known.where:
        case Where.OUTSIDE if known.seated:
            if await membership.has_left(table.id, stored.guild, user):
                return replace(known, gone=True)
        case Where.OUTSIDE if user in stored.seating.called:
            guest = await membership.guest(stored.guild, stored.channel, user)
            return replace(known, invited=guest is not None and guest.sees)
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
    """The facts that the interaction itself and the gateway have told."""
    stored = table.stored
    inside = interaction.guild_id == stored.guild
    if interaction.channel_id == stored.channel:
        where = Where.HERE
    else:
        where = Where.SERVER if inside else Where.OUTSIDE
    place, may = place_in(interaction, stored.channel) if inside else (None, None)
    known = Known(
        where=where,
        seated=stored.seating.place_of(UserId(interaction.user.id)) is not None,
        ended=not stored.status.is_open,
        moderates=interaction.permissions.manage_messages,
    )
    return known if may is None else _with_channel(known, place, may)


def _with_channel(known: Known, place: object, may: discord.Permissions) -> Known:
    """`known` with a person's rights in the table's channel."""
    return replace(
        known,
        channel=None if known.where is Where.HERE else _channel(place, may),
        connects=connects(place, may),
        writes=writes(place, may),
    )


def _channel(place: object, may: discord.Permissions) -> Channel:
    private = isinstance(place, discord.Thread) and place.is_private()
    return Channel(may.view_channel, private, manages_threads=may.manage_threads)


# Lists of tables as answers to a command.


async def show_tables(context: Context, reply: Reply, whose: Whose, page: int = 0) -> None:
    """Show a page (from 0) of the person's tables or this server's; one beyond the end is the last.

    Raises TableError `server_only` if the bot is not on this server.
    """
    interaction = reply.interaction
    found = await (my_tables if whose is Whose.MINE else tables_here)(context, interaction)
    shown, number, pages = paged(found, page, LINES)
    lines = [await _line(context, reply, table, whose) for table in shown]
    on_server = reach_of(interaction) is Reach.SERVER
    view = TablesView(whose, tuple(lines), number, pages, on_server)
    await reply.panel(tables_page(view, reply.texts))


async def ask_which(context: Context, reply: Reply, tables: Sequence[Table], command: str) -> None:
    """Asks which of these tables `command` is about."""
    lines = [await _line(context, reply, table, Whose.MINE) for table in tables]
    await reply.whisper(which_table(lines, command, reply.texts))


async def _line(context: Context, reply: Reply, table: Table, whose: Whose) -> Listed:
    stored = table.stored
    where = await context.publisher.board_place(table.id)
    return replace(
        listed(table, reply.user),
        place=_place(
            reply.interaction.client, stored.guild, stored.channel, named=whose is Whose.MINE
        ),
        url=channel_url(stored.guild, stored.channel)
        if where is None
        else jump_url(stored.guild, *where),
    )


def _place(client: discord.Client, guild: GuildId, channel: ChannelId, *, named: bool) -> str:
    """`#cards`, or with the server `named` `Club · #cards`; less if the gateway has not told it."""
    server = client.get_guild(guild)
    place = None if server is None else server.get_channel_or_thread(channel)
    parts = [server.name] if server is not None and named else []
    return " · ".join([*parts, *([f"#{place.name}"] if place is not None else [])])
