"""Inviting a person to a table: by command, in the lobby's menu, or in a person's menu."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from bot.answer.context import Context
from bot.answer.reply import Reply
from bot.i18n import safe_name
from bot.ids import ChannelId, GuildId, UserId
from bot.publish.requests import Guest
from bot.tables.model import Table, TableError
from bot.tables.stored import Person
from bot.views.building import table_head


async def invite(context: Context, reply: Reply, table: Table, guest: UserId) -> None:
    """Commit that `guest` may sit down, say so, and write to them: once per table.

    The line in the channel is drawn.  A guest who is apart from the inviter or from somebody at the
    table is not called, and nobody can tell.  Raises TableError `guest_bot`, `guest_cannot_see`,
    `guest_never` (the inviter has chosen never to play with them), and what `TableService.invite`
    raises.
    """
    stored = table.stored
    found = await welcome_guest(context, stored.guild, stored.channel, guest)
    wanted = await wants(context, reply.user, guest, stored.seating.people)
    posting = context.posting(reply.interaction, stored.channel)
    with posting if guest not in stored.seating.called else nullcontext():
        table, new = await context.tables.invite(table.id, reply.user, guest)
    name = safe_name(found.name)
    await reply.say("invite.sent" if new else "invite.again", name=name)
    if new and wanted:
        head, seat = table_head(table), table.stored.seating.place_of(reply.user) or 0
        inviter = reply.user, head.sitters[seat].name
        await context.publisher.lines.write(head, inviter, guest)
    await context.publisher.flush(table.id)


async def wants(context: Context, inviter: UserId, guest: UserId, people: Sequence[Person]) -> bool:
    """Whether `guest` is to be called to where these people are.  Raises TableError
    `guest_never`."""
    apart = await context.blocks.apart(guest)
    if inviter in apart.barred:
        raise TableError("guest_never")
    return apart.welcomes([inviter, *(one.id for one in people)])


async def never_with(context: Context, reply: Reply, who: UserId) -> None:
    """The person never wants to play with `who`.  Raises TableError `never_full` (limit), and
    `not_offered` for themselves."""
    if who == reply.user:
        raise TableError("not_offered")
    await context.blocks.block(reply.user, who, on=True)


async def welcome_guest(
    context: Context, guild: GuildId, channel: ChannelId, guest: UserId
) -> Guest:
    """A person who may be invited there.

    Raises TableError `guest_bot`, `guest_cannot_see`, `guest_role` (roles).
    """
    found = await context.publisher.membership.guest(guild, channel, guest)
    if found is None or not found.sees:
        raise TableError("guest_cannot_see")
    if found.bot:
        raise TableError("guest_bot")
    if wanted := await context.doors.wanted_to_sit(guild, found.roles):
        raise TableError("guest_role", roles=wanted)
    return found
