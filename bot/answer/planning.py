"""Answers about planned tables: planning one for a typed time, asking for a zone, showing it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import nullcontext
from functools import cache
from zoneinfo import available_timezones

from bot.answer import given
from bot.answer.context import ZONE_ASKED, Context, Unzoned, person_of, place_of
from bot.answer.inviting import wants, welcome_guest
from bot.answer.origin import spoken_in
from bot.answer.refusals import table_refusal
from bot.answer.reply import Reply
from bot.i18n import languages, safe_name, texts
from bot.ids import MessageId, UserId
from bot.publish.requests import lists
from bot.render.components import GREY, jump_url
from bot.render.pages import note
from bot.render.planned import plan_elsewhere, plan_message, which_zone
from bot.tables.model import TableError
from bot.tables.plans import Plan, Wish, invite
from bot.tables.when import TIME_WORDS, Vocabulary, When, read_times, read_when, vocabulary
from bot.views.planned import CLOCKS, clocks, plan_view


async def plan_table(
    context: Context, reply: Reply, wish: Wish, typed: str, *, asks: bool = False
) -> None:
    """Commits the plan and posts its message, or asks for the person's time zone first.

    `asks`: whether several times were typed, about which people are asked.

    Raises what `read_when` and `Planning.plan` raise, and TableError `answered_elsewhere`, after
    which there is no plan, if another program with the same token was faster.
    """
    try:
        plan = await _commit(context, reply, wish, typed, asks=asks)
    except TableError as error:
        if error.code != "when_zone":
            raise
        await _ask_zone(context, reply, wish, typed, asks=asks)
        return
    message = plan_message(plan_view(plan), texts(wish.locale))
    try:
        async with context.planned.outbox.posting(plan.id, plan.channel) as mark:
            where = await reply.post(message.marked(mark))
            if where is not None:
                await context.planned.adopt(plan, where[1], mark)
        if where is None and reply.delivery.taken:
            await context.planning.withdraw(plan.id)
            raise TableError("answered_elsewhere")
    finally:
        context.planned.changed(plan.id)  # posts it where the answer was lost, or was cut off


async def _commit(context: Context, reply: Reply, wish: Wish, typed: str, *, asks: bool) -> Plan:
    place, person = place_of(reply.interaction), person_of(reply.interaction.user)
    usual, now = await zone_of(context, person.id), context.clock()
    event = lists(reply.interaction.permissions) and not wish.private
    planning = context.planning
    posting = context.posting(reply.interaction, place[1])
    if asks:
        times, zone = read_times(typed, now, zones(), time_words(), usual)
        when = When(times[-1], zone)
    else:
        times, when = (), read_when(typed, now, zones(), time_words(), usual)
    named = when.zone not in (None, usual)
    with posting:
        return await planning.plan(
            *place, person, wish, when, times=times, named=named, event=event
        )


async def _ask_zone(context: Context, reply: Reply, wish: Wish, typed: str, *, asks: bool) -> None:
    guild, channel = place_of(reply.interaction)
    context.planning.require_playable(guild, channel, person_of(reply.interaction.user), wish)
    number, now = reply.interaction.id, context.clock()
    for old in [key for key, one in context.unzoned.items() if now >= one.until]:
        del context.unzoned[old]
    context.unzoned[number] = Unzoned(
        reply.user, guild, channel, wish, typed, asks, now + ZONE_ASKED
    )
    await reply.whisper(which_zone(number, clocks(now), reply.texts))


async def plan_in_zone(context: Context, reply: Reply, number: int, chosen: str) -> None:
    """Commits the plan that was typed under that number, in the zone that was chosen; its message
    follows.  Whoever chooses too late has a zone all the same.

    Raises what `read_when` and `Planning.plan` raise, and TableError `not_offered`.  After that
    another zone may be chosen.
    """
    asked = context.unzoned.get(number)
    if asked is not None and (asked.user, asked[1:3]) != (reply.user, place_of(reply.interaction)):
        raise TableError("not_offered")
    zone = await learn_zone(context, reply.user, chosen)
    if asked is None or context.clock() >= asked.until:
        await reply.panel(note(reply.texts.get("zone.too_late", zone=zone)))
        return
    if context.unzoned.pop(number, None) is None:  # it was pressed twice
        await reply.say("plan.noted")
        return
    try:
        plan = await _commit(context, reply, asked.wish, asked.typed, asks=asked.asks)
    except Exception:
        context.unzoned[number] = asked
        raise
    try:
        await reply.panel(note(reply.texts.get("zone.learned", zone=zone)))
    finally:
        context.planned.changed(plan.id)


async def show_plan(context: Context, reply: Reply, plan: Plan) -> None:
    """Answers a press on a plan's message with that message, one call instead of two."""
    pressed = reply.interaction.message
    words, place = texts(plan.wish.locale), await context.planned.board_place(plan.id)
    if pressed is None or not _offers(pressed.components, reply):
        await reply.say("plan.noted")
    elif place is None or place[1] == pressed.id:
        await reply.redraw(plan_message(plan_view(plan), words))
        if place is None:
            await context.planned.adopt(plan, MessageId(pressed.id))
    else:
        await reply.redraw(plan_elsewhere(words, jump_url(plan.guild, *place)))
    context.planned.draw_anew(plan.id)


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
    """Ask `guest` by name, for the planner; the line that calls them, once for a plan, is drawn.

    Raises what `plans.invite`, `welcome_guest` and `wants` raise, and TableError
    `too_many_invitations`.
    """
    invite(plan, reply.user, guest)  # may they?
    found = await welcome_guest(context, plan.guild, plan.channel, guest)
    await wants(context, reply.user, guest, plan.coming)
    posting = context.posting(reply.interaction, plan.channel)
    with posting if guest not in plan.invited else nullcontext():
        await context.planning.invite(plan.id, reply.user, guest)
    try:
        await reply.say("plan.guest", name=safe_name(found.name))
    finally:
        context.planned.changed(plan.id)


def _offers(components: Iterable[object], reply: Reply) -> bool:
    """Whether a message has the pressed button: a forged press names others."""
    for one in components:
        if getattr(one, "custom_id", None) == reply.press.encode():
            return True
        if _offers(getattr(one, "children", ()), reply):
            return True
    return False


# Times and zones.


@cache
def zones() -> Collection[str]:
    """The names of all time zones that this machine knows."""
    return frozenset(available_timezones())


@cache
def time_words() -> Vocabulary:
    """What may be typed of a time, in every language: people type in their own anywhere."""
    return vocabulary(
        {
            meaning: [
                phrase
                for language in languages()
                for phrase in texts(language).get(f"when.{meaning}").split(",")
            ]
            for meaning in TIME_WORDS
        }
    )


async def zone_of(context: Context, user: UserId) -> str | None:
    """The zone that the person has named last, with a time, with their quiet hours or from a menu.

    None: they have named none, or this machine does not know it any more.
    """
    named = await context.planning.store.zone(user)
    return named if named in zones() else None


async def learn_zone(context: Context, user: UserId, chosen: str) -> str:
    """Remember the zone that was chosen from the menu.  Raises TableError `not_offered`."""
    zone = given.one_of((first for first, *_ in CLOCKS), chosen)
    await context.planning.store.learn_zone(user, zone)
    return zone
