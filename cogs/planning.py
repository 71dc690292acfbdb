"""Tables that open at a time: who can when, who comes, and calling them off.

`/evening` asks for a time, `/newgame at:` has one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import (
    GAMES,
    MAX_SEATS,
    PACES,
    ContextCog,
    guild_only,
    place_to_open,
)
from bot.answer.context import person_of
from bot.answer.origin import spoken_in
from bot.answer.planning import invite_to_plan, plan_in_zone, plan_table, show_plan, show_unknown
from bot.answer.reply import Reply, answering
from bot.ids import PlanId
from bot.publish.requests import connects, roles_of
from bot.render.custom_ids import Verb
from bot.render.pages import note
from bot.render.planned import confirm_call_off, time_value
from bot.tables.model import TableError
from bot.tables.plans import Plan, call_off
from bot.tables.servers import wished
from bot.tables.stored import Pace
from bot.views.planned import plan_view
from cogs.presses import page_press


class Plans(ContextCog):
    """*I'll come*, *I can't*, *Call off*, the menus of times and of people, and that of zones for
    whoever has named none."""

    @app_commands.command(
        name="evening", description="Ask everybody when they can: the best time becomes a table"
    )
    @app_commands.describe(
        game="Which game",
        days="Up to ten times: fri 20:00, sat, tomorrow evening; or how many evenings from now on",
        seats="Seats at the table: as soon as that many can, it is planned",
        pace="How long a decision may take before the table plays for you",
        private="Only people you invite may answer and sit down",
    )
    @app_commands.choices(game=GAMES, pace=PACES)
    @guild_only
    async def evening(
        self,
        interaction: discord.Interaction,
        /,
        game: str,
        days: str | None = None,
        seats: app_commands.Range[int, 2, MAX_SEATS] | None = None,
        *,
        pace: str | None = None,
        private: bool = False,
    ) -> None:
        async with answering(interaction) as reply:
            guild, _ = await place_to_open(self.context, interaction)
            chosen = self.context.game(game)
            usual = await self.context.servers.usual(guild, game)
            wish = wished(
                chosen,
                usual,
                {},
                seats=seats,
                customs=usual.customs,
                pace=None if pace is None else given.one_of(Pace, pace),
                computers=None,
                private=private,
                locale=spoken_in(interaction).shared,
            )
            await plan_table(self.context, reply, wish, days or "", asks=True)

    @page_press(Verb.TICK)
    async def _press_tick(self, reply: Reply) -> None:
        named, _, none = reply.press.argument.partition("|")
        if not none and not reply.chosen:
            raise TableError("not_offered")
        chosen = () if none else reply.chosen
        await self._answer(
            reply,
            named,
            lambda plan: self.context.planning.tick(
                plan.id, person_of(reply.interaction.user), _offered(plan, chosen)
            ),
            comes=bool(chosen),
        )

    @page_press(Verb.TAKE_TIME)
    async def _press_take_time(self, reply: Reply) -> None:
        await self._answer(
            reply,
            reply.press.argument,
            lambda plan: self.context.planning.take(plan.id, reply.user),
            comes=False,
        )

    @page_press(Verb.COME)
    async def _press_come(self, reply: Reply) -> None:
        named, _, said = reply.press.argument.partition("|")
        comes = given.switch(said)
        await self._answer(
            reply,
            named,
            lambda plan: self.context.planning.answer(
                plan.id, person_of(reply.interaction.user), comes=comes
            ),
            comes=comes,
        )

    async def _answer(
        self,
        reply: Reply,
        named: str,
        answer: Callable[[Plan], Awaitable[Plan]],
        *,
        comes: bool,
    ) -> None:
        """Store an answer to a plan and show it; whoever `comes` has to be allowed to."""
        try:
            plan = await self._found(reply, named)
        except TableError as error:
            await show_unknown(reply, error)
            return
        if comes and not connects(reply.interaction.channel, reply.interaction.permissions):
            raise TableError("may_not_connect")
        if comes:
            await self.context.doors.require_sit(plan.guild, roles_of(reply.interaction.user))
        try:
            plan = await answer(plan)
            await show_plan(self.context, reply, plan)
        except Exception:
            self.context.planned.changed(plan.id)  # it is over, say, and its message says nothing
            raise

    @page_press(Verb.ASK_TO_COME)
    async def _press_ask_to_come(self, reply: Reply) -> None:
        plan = await self._found(reply, reply.press.argument)
        await invite_to_plan(self.context, reply, plan, given.user(reply.choice))

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
        at = given.snowflake(reply.press.argument)
        await plan_in_zone(self.context, reply, at, reply.choice)

    async def _found(self, reply: Reply, named: str) -> Plan:
        """The plan that is meant, if its channel is this one.

        Raises TableError `no_such_plan`, also for a plan of another channel.
        """
        store = self.context.planning.store
        plan = await store.find(PlanId(named)) if given.is_id(named) else None
        if plan is None or reply.interaction.channel_id != plan.channel:
            raise TableError("no_such_plan")
        return plan


def _offered(plan: Plan, chosen: Sequence[str]) -> list[datetime]:
    """The times of the plan that were chosen.

    Raises TableError `not_offered` if it asks about times, and others were.
    """
    if not plan.times:  # one was found as they were chosen
        return [plan.when.due] if time_value(plan.when.due) in chosen else []
    offered = {time_value(time): time for time in plan.times}
    return [offered[given.one_of(offered, value)] for value in chosen]


def _may_moderate(reply: Reply, plan: Plan) -> bool:
    """Whether the person decides over plans of others, in the channel where they are."""
    here = reply.interaction.channel_id == plan.channel
    return here and reply.interaction.permissions.manage_messages
