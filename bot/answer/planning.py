"""Answers about planned tables: reading the time that was typed, and showing the plan."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from zoneinfo import available_timezones

from bot.answer.context import Context, person_of, place_of
from bot.answer.reply import Reply
from bot.i18n import texts
from bot.render.planned import plan_message
from bot.tables.plans import Plan, Wish
from bot.tables.when import read_when
from bot.views.planned import plan_view


@cache
def zones() -> Collection[str]:
    """The names of all time zones that this machine knows."""
    return frozenset(available_timezones())


async def plan_table(context: Context, reply: Reply, wish: Wish, typed: str) -> None:
    """Commits the plan and posts its message.

    Raises what `read_when` and `Planning.plan` raise.
    """
    guild, channel = place_of(reply.interaction)
    person = person_of(reply.interaction.user)
    usual = await context.planning.store.zone(person.id)
    when = read_when(typed, context.clock(), zones(), usual)
    named = not typed.casefold().startswith("in ")
    may = reply.interaction.permissions
    with context.lines.one(reply.interaction, channel, context.clock()):
        plan = await context.planning.plan(
            guild,
            channel,
            person,
            wish,
            when,
            named=named,
            event=may.create_events or may.manage_events,
        )
    where = await reply.post(plan_message(plan_view(plan), texts(wish.locale)))
    if where is not None:
        await context.planning.store.note_shown(plan.id, plan.version, where[1])
    context.planned.changed(plan.id)  # posts it where the answer was lost


async def show_plan(context: Context, reply: Reply, plan: Plan) -> None:
    """Answers a press on a plan's message with that message, one call instead of two."""
    pressed = reply.interaction.message
    if pressed is not None and pressed.id == plan.message:
        await reply.redraw(plan_message(plan_view(plan), texts(plan.wish.locale)))
    else:
        await reply.say("plan.noted")
    context.planned.changed(plan.id)  # unless somebody else pressed meanwhile, it is drawn
