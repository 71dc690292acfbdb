"""Answers about planned tables: reading the time that was typed, and showing the plan."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import nullcontext
from functools import cache
from zoneinfo import available_timezones

from bot.answer.context import Context, person_of, place_of
from bot.answer.inviting import wants, welcome_guest
from bot.answer.languages import spoken_in
from bot.answer.refusals import table_refusal
from bot.answer.reply import Reply
from bot.i18n import safe_name, texts
from bot.ids import MessageId, UserId
from bot.publish.requests import lists
from bot.render.components import GREY, jump_url
from bot.render.pages import note
from bot.render.planned import plan_elsewhere, plan_message
from bot.tables.model import TableError
from bot.tables.plans import Plan, Wish, invite
from bot.tables.when import read_when
from bot.views.planned import plan_view


@cache
def zones() -> Collection[str]:
    """The names of all time zones that this machine knows."""
    return frozenset(available_timezones())


async def plan_table(context: Context, reply: Reply, wish: Wish, typed: str) -> None:
    """Commits the plan and posts its message.

    Raises what `read_when` and `Planning.plan` raise, and TableError `answered_elsewhere`, after
    which there is no plan, if another program with the same token was faster.
    """
    guild, channel = place_of(reply.interaction)
    person = person_of(reply.interaction.user)
    usual = await context.planning.store.zone(person.id)
    when = read_when(typed, context.clock(), zones(), usual)
    named = when.zone not in (None, usual)
    with context.post_limit.counting(reply.interaction, channel, context.clock()):
        plan = await context.planning.plan(
            guild,
            channel,
            person,
            wish,
            when,
            named=named,
            event=lists(reply.interaction.permissions) and not wish.private,
        )
    message = plan_message(plan_view(plan), texts(wish.locale))
    try:
        async with context.planned.posting(plan) as mark:
            where = await reply.post(message.marked(mark))
            if where is not None:
                await context.planned.adopt(plan, where[1], mark)
        if where is None and reply.delivery.taken:
            await context.planning.withdraw(plan.id)
            raise TableError("answered_elsewhere")
    finally:
        context.planned.changed(plan.id)  # posts it where the answer was lost, or was cut off


async def show_plan(context: Context, reply: Reply, plan: Plan) -> None:
    """Answers a press on a plan's message with that message, one call instead of two."""
    pressed = reply.interaction.message
    words, stands = texts(plan.wish.locale), await context.planned.message_of(plan.id)
    if pressed is None or not _offers(pressed.components, reply):
        await reply.say("plan.noted")
    elif stands in (None, pressed.id):
        await reply.redraw(plan_message(plan_view(plan), words))
        if stands is None:
            await context.planned.adopt(plan, MessageId(pressed.id))
    else:
        await reply.redraw(plan_elsewhere(words, jump_url(plan.guild, plan.channel, stands)))
    context.planned.redrawn(plan.id)


async def show_unknown(reply: Reply, error: TableError) -> None:
    """A message of a plan that there is not (any more) says so instead of asking."""
    pressed = reply.interaction.message
    if pressed is None or not _offers(pressed.components, reply):
        raise error
    reply.refused = error.code
    await reply.redraw(
        note(table_refusal(texts(spoken_in(reply.interaction).shared), error), accent=GREY)
    )


async def invite_to_plan(context: Context, reply: Reply, plan: Plan, guest: UserId) -> None:
    """Let `guest` come, for the planner of a private table; they are called once for a plan.

    Raises what `plans.invite`, `welcome_guest` and `wants` raise, and TableError
    `too_many_invitations`.
    """
    invite(plan, reply.user, guest)  # may they?
    found = await welcome_guest(context, plan.guild, plan.channel, guest)
    wanted = await wants(context, reply.user, guest, plan.coming)
    posting = context.post_limit.counting(reply.interaction, plan.channel, context.clock())
    with posting if guest not in plan.invited else nullcontext():
        plan, new = await context.planning.invite(plan.id, reply.user, guest)
    await reply.say("plan.guest", name=safe_name(found.name))
    if new:
        await context.planned.invite(plan, guest, wanted=wanted)


def _offers(components: Iterable[object], reply: Reply) -> bool:
    """Whether a message has the pressed button: a forged press names others."""
    for one in components:
        if getattr(one, "custom_id", None) == reply.press.encode():
            return True
        if _offers(getattr(one, "children", ()), reply):
            return True
    return False
