"""Tables that open at a time: who comes, and calling them off.  `/newgame at:` plans them."""

from __future__ import annotations

from bot.answer import given
from bot.answer.choices import ContextCog, place_to_open
from bot.answer.context import person_of
from bot.answer.planning import invite_to_plan, plan_in_zone, show_plan, show_unknown
from bot.answer.reply import Reply
from bot.ids import PlanId
from bot.publish.requests import connects, roles_of
from bot.render.custom_ids import Verb
from bot.render.pages import note
from bot.render.planned import confirm_call_off
from bot.tables.model import TableError
from bot.tables.plans import Plan, call_off
from bot.views.planned import plan_view
from cogs.presses import page_press


class Plans(ContextCog):
    """*I'll come*, *I can't*, *Call off*, the menu of people of a private one,
    and that of zones for whoever has named none."""

    @page_press(Verb.COME)
    async def _press_come(self, reply: Reply) -> None:
        named, _, comes = reply.press.argument.partition("|")
        try:
            plan = await self._found(reply, named)
        except TableError as error:
            await show_unknown(reply, error)
            return
        if comes == "1" and not connects(reply.interaction.channel, reply.interaction.permissions):
            raise TableError("may_not_connect")
        if comes == "1":
            await self.context.doors.require_sit(plan.guild, roles_of(reply.interaction.user))
        try:
            person = person_of(reply.interaction.user)
            plan = await self.context.planning.answer(plan.id, person, comes=given.switch(comes))
            await show_plan(self.context, reply, plan)
        except Exception:
            self.context.planned.changed(plan.id)  # it is over, say, and its message says nothing
            raise

    @page_press(Verb.ASK_TO_COME)
    async def _press_ask_to_come(self, reply: Reply) -> None:
        plan = await self._found(reply, reply.press.argument)
        chosen, *_ = reply.chosen or ("",)
        await invite_to_plan(self.context, reply, plan, given.user(chosen))

    @page_press(Verb.CALL_OFF)
    async def _press_call_off(self, reply: Reply) -> None:
        """Asks first."""
        try:
            plan = await self._found(reply, reply.press.argument)
        except TableError as error:
            await show_unknown(reply, error)
            return
        moderator = _may_moderate(reply, plan)
        call_off(plan, reply.user, self.context.clock(), moderator=moderator)  # may they?
        await reply.whisper(confirm_call_off(plan_view(plan), reply.texts))

    @page_press(Verb.CALL_OFF_NOW)
    async def _press_call_off_now(self, reply: Reply) -> None:
        plan = await self._found(reply, reply.press.argument)
        await self.context.planning.call_off(
            plan.id, reply.user, moderator=_may_moderate(reply, plan)
        )
        await reply.panel(note(reply.texts.get("plan.off_now")))

    @page_press(Verb.ZONE)
    async def _press_zone(self, reply: Reply) -> None:
        await place_to_open(self.context, reply.interaction)
        zone, *_ = reply.chosen or ("",)
        await plan_in_zone(self.context, reply, given.snowflake(reply.press.argument), zone)

    async def _found(self, reply: Reply, named: str) -> Plan:
        """The plan that is meant, if its channel is this one.

        Raises TableError `no_such_plan`, also for a plan of another channel.
        """
        store = self.context.planning.store
        plan = await store.find(PlanId(named)) if given.is_id(named) else None
        if plan is None or reply.interaction.channel_id != plan.channel:
            raise TableError("no_such_plan")
        return plan


def _may_moderate(reply: Reply, plan: Plan) -> bool:
    """Whether the person decides over plans of others, in the channel where they are."""
    here = reply.interaction.channel_id == plan.channel
    return here and reply.interaction.permissions.manage_messages
