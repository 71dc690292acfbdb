"""Inviting a person to a table: by command, in the lobby's menu, or in a person's menu."""

from __future__ import annotations

from contextlib import nullcontext

from bot.answer.context import Context
from bot.answer.reply import Reply
from bot.i18n import safe_name
from bot.ids import ChannelId, GuildId, UserId
from bot.publish.requests import Guest
from bot.tables.model import Table, TableError
from bot.views.building import table_head


async def invite(context: Context, reply: Reply, table: Table, guest: UserId) -> None:
    """Commit that `guest` may sit down, say so, and send the invitation: once per table.

    A guest who has blocked the inviter is not called, and nobody can tell.  Raises TableError
    `guest_bot`, `guest_cannot_see`, and what `TableService.invite` raises.
    """
    stored = table.stored
    found = await welcome_guest(context, stored.guild, stored.channel, guest)
    wanted = not await context.blocks.blocks(guest, reply.user)
    new = guest not in stored.seating.called
    posting = context.post_limit.counting(reply.interaction, stored.channel, context.clock())
    with posting if new else nullcontext():
        table = await context.tables.invite(table.id, reply.user, guest)
    name = safe_name(found.name)
    await reply.say("invite.sent" if new else "invite.again", name=name)
    if new:
        head, seat = table_head(table), table.stored.seating.place_of(reply.user) or 0
        inviter = reply.user, head.sitters[seat].name
        board = await context.publisher.board_place(table.id)
        await context.publisher.lines.invite(head, inviter, guest, board, wanted=wanted)
    await context.publisher.flush(table.id)


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
