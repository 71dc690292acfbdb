"""Opening a table, sitting down, leaving, starting."""

from __future__ import annotations

from collections.abc import Mapping

import discord
from discord import app_commands

from bot.answer.access import Need
from bot.answer.choices import (
    GAMES,
    MOST_SEATS,
    PACES,
    TableCog,
    about_table,
    anywhere,
    guild_only,
    require_permissions,
    with_options,
)
from bot.answer.context import locale_of, person_of, place_of
from bot.answer.refusals import table_refusal
from bot.answer.reply import Reply, answering
from bot.answer.sight import is_moderator
from bot.answer.telling import answer_then_tell, bring_down, greet, post
from bot.i18n import RefusalParam, safe_name
from bot.ids import UserId
from bot.render.channel import channel_message
from bot.render.custom_ids import Press, Verb
from bot.render.pages import confirm_leave, note
from bot.tables import ending
from bot.tables.model import Table, TableError
from bot.tables.stored import Pace
from bot.views.building import channel_view, table_head
from cogs.presses import Guarded
from engine.game import GameInfo, NotationError, OptionValue


def given_options(
    info: GameInfo, parameters: Mapping[str, OptionValue | None]
) -> dict[str, OptionValue]:
    """The options of a game by their record keys, from the parameters of `/newgame`.

    Raises TableError `option_not_here` for a parameter that the game does not know.
    """
    keys = {spec.parameter: spec.key for spec in info.options}
    given: dict[str, OptionValue] = {}
    for parameter, value in parameters.items():
        if value is None:
            continue
        if parameter not in keys:
            raise TableError("option_not_here", option=parameter, game=info.id)
        given[keys[parameter]] = value
    return given


def as_asked(info: GameInfo, params: Mapping[str, RefusalParam]) -> dict[str, RefusalParam]:
    """Parameters of a refusal that name options as `/newgame` does, not as records do."""
    names = {spec.key: spec.parameter or spec.key for spec in info.options}
    return {
        key: names.get(value, value) if isinstance(value, str) else value
        for key, value in params.items()
    }


class Lobby(TableCog):
    """Tables before a match, and who sits at them."""

    @property
    def presses(self) -> Mapping[Verb, Guarded]:
        return {
            Verb.JOIN: Guarded(Need.SIT, self._press_join),
            Verb.SIT: Guarded(Need.SIT, self._press_sit),
            Verb.LEAVE: Guarded(Need.ACT, self._press_leave),
            Verb.LEAVE_NOW: Guarded(Need.ACT, self._press_leave_now),
            Verb.START: Guarded(Need.LEAD, self._press_start),
            Verb.HOLD: Guarded(Need.LEAD, self._press_hold),
            Verb.TAKE: Guarded(Need.SIT, self._press_take),
        }

    # Commands

    @app_commands.command(name="newgame", description="Open a table in this channel")
    @app_commands.describe(
        game="Which game",
        seats="Places at the table (fewer may start)",
        pace="How long a decision may take before the table plays on",
        private="Only people whom you invite may sit down",
    )
    @app_commands.choices(game=GAMES, pace=PACES)
    @guild_only
    @with_options
    async def newgame(
        self,
        interaction: discord.Interaction,
        /,
        game: str,
        seats: app_commands.Range[int, 2, MOST_SEATS] | None = None,
        *,
        pace: str = Pace.RELAXED.value,
        private: bool = False,
        **asked: OptionValue | None,
    ) -> None:
        async with answering(interaction) as reply:
            guild, channel = place_of(interaction)
            require_permissions(interaction)
            if game not in self.context.games:
                raise TableError("unknown_game", game=game[:20])
            info = self.context.games[game].info
            try:
                table = await self.context.tables.open(
                    guild=guild,
                    channel=channel,
                    host=person_of(interaction.user),
                    game=game,
                    seats=seats,
                    given=given_options(info, asked),
                    private=private,
                    pace=Pace(pace),
                    locale=locale_of(interaction),
                )
            except NotationError as error:
                params = as_asked(info, error.params)
                reply.refused = error.code
                await reply.whisper(note(reply.texts.refusal(error.code, params, game)))
                return
            except TableError as error:
                if error.code != "channel_busy" or error.table is None:
                    raise
                reply.refused = error.code
                said = table_refusal(reply.texts, error)
                await bring_down(self.context, reply, error.table, said)
                return
            await post(self.context, reply, table)
            await greet(self.context, reply, table)

    @app_commands.command(name="join", description="Sit down at the table in this channel")
    @about_table(Need.SIT)
    @guild_only
    async def join(self, reply: Reply, table: Table) -> None:
        await self._sit(reply, table, None)

    @app_commands.command(name="leave", description="Leave the table")
    @about_table(Need.ACT)
    @anywhere
    async def leave(self, reply: Reply, table: Table) -> None:
        await self._leave(reply, table)

    @app_commands.command(name="start", description="Start the match, or the next round")
    @about_table(Need.ACT)
    @anywhere
    async def start(self, reply: Reply, table: Table) -> None:
        if table.running:
            await self.context.tables.ready(table.id, reply.user, None)
            await reply.say("ready.noted")
        else:
            await self.context.tables.start(table.id, reply.user)
            await reply.say("start.done")
        await self.context.publisher.flush(table.id)

    @app_commands.command(name="table", description="Show the table again, at the bottom")
    @about_table(Need.SEE, ended=True)
    @anywhere
    async def table(self, reply: Reply, table: Table) -> None:
        view = channel_message(channel_view(table), reply.texts)
        if reply.interaction.channel_id == table.stored.channel:
            require_permissions(reply.interaction)
            await bring_down(self.context, reply, table, reply.texts.get("table.here"))
        else:
            await reply.whisper(view)

    seat = app_commands.Group(
        name="seat",
        description="Who sits at the table",
        allowed_contexts=app_commands.AppCommandContext(guild=True),
    )

    @seat.command(name="invite", description="Let somebody sit at your private table")
    @app_commands.describe(player="Whom")
    @about_table(Need.LEAD)
    async def seat_invite(self, reply: Reply, table: Table, player: discord.User) -> None:
        await self.context.tables.invite(table.id, reply.user, UserId(player.id))
        await reply.say("seat.invited", name=safe_name(player.display_name))

    @seat.command(name="kick", description="Take somebody's seat away, or vote for it")
    @app_commands.describe(player="Whom")
    @about_table(Need.DECIDE)
    async def seat_kick(self, reply: Reply, table: Table, player: discord.User) -> None:
        target = UserId(player.id)
        seat = table.stored.seating.place_of(target)
        moderator = is_moderator(reply.interaction, table)
        table = await self.context.tables.kick(table.id, reply.user, target, moderator=moderator)
        name = safe_name(player.display_name)
        if votes := table.stored.votes.away_votes.get(target):
            needed = table.stored.seating.votes_needed
            await reply.say("seat.voted_out", name=name, count=len(votes), needed=needed)
        elif seat is not None and table.running:
            await reply.say("seat.kicked_match", name=name, seat=seat + 1)
        else:
            await reply.say("seat.kicked", name=name)
        await self.context.publisher.flush(table.id)

    @seat.command(name="take", description="Take a free seat, or your own back from a stand-in")
    @app_commands.describe(seat="Number of the seat, as on the board")
    @about_table(Need.SIT)
    async def seat_take(
        self, reply: Reply, table: Table, seat: app_commands.Range[int, 1, MOST_SEATS]
    ) -> None:
        await self._sit(reply, table, seat - 1)

    # Presses

    async def _press_join(self, reply: Reply, press: Press, table: Table) -> None:
        await self._sit(reply, table, None)

    async def _press_sit(self, reply: Reply, press: Press, table: Table) -> None:
        chosen, *_ = reply.chosen or ("",)
        await self._sit(reply, table, int(chosen) if chosen.isdecimal() else None)

    async def _press_take(self, reply: Reply, press: Press, table: Table) -> None:
        place = int(press.argument) if press.argument.isdecimal() else None
        await self._sit(reply, table, place)

    async def _press_leave(self, reply: Reply, press: Press, table: Table) -> None:
        await self._leave(reply, table)

    async def _press_leave_now(self, reply: Reply, press: Press, table: Table) -> None:
        seat = table.stored.seating.place_of(reply.user)
        table = await self.context.tables.leave(press.table, reply.user)
        if seat is not None and table.running:
            said = reply.texts.get("leave.done_match", seat=seat + 1)
        else:
            said = reply.texts.get("leave.done")
        await reply.panel(note(said))
        await self.context.publisher.flush(table.id)

    async def _press_start(self, reply: Reply, press: Press, table: Table) -> None:
        table = await self.context.tables.start(press.table, reply.user)
        await answer_then_tell(self.context, reply, table, lambda now: self._show(reply, now))

    async def _press_hold(self, reply: Reply, press: Press, table: Table) -> None:
        table = await self.context.tables.hold(press.table, reply.user)
        await answer_then_tell(self.context, reply, table, lambda now: self._show(reply, now))

    # What both do

    async def _show(self, reply: Reply, table: Table) -> None:
        await reply.panel(channel_message(channel_view(table), reply.texts))

    async def _sit(self, reply: Reply, table: Table, place: int | None) -> None:
        user = reply.user
        before = table.stored.seating.place_of(user)
        away = before is not None and table.stored.seating.places[before].away
        table = await self.context.tables.sit(table.id, person_of(reply.interaction.user), place)
        seat = table.stored.seating.place_of(user)
        if before is not None and before == seat:
            await reply.say("back.done" if away else "sit.already", seat=seat + 1)
            await self.context.publisher.flush(table.id)
            return
        place = 0 if seat is None else seat + 1
        await answer_then_tell(
            self.context, reply, table, lambda _: reply.say("sit.done", seat=place)
        )
        if before is None:
            await greet(self.context, reply, table)

    async def _leave(self, reply: Reply, table: Table) -> None:
        user = reply.user
        if table.running and table.stored.seating.place_of(user) is not None:
            last = all(person.id == user for person in table.stored.seating.present)
            concedes = ending.concedes(table, user)
            page = confirm_leave(table_head(table), reply.texts, last=last, concedes=concedes)
            await reply.whisper(page)
            return
        table = await self.context.tables.leave(table.id, user)
        await answer_then_tell(self.context, reply, table, lambda _: reply.say("leave.done"))
