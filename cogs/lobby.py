"""Lobby: opening a table, leaving it, starting the match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.access import Need
from bot.answer.alone import play_alone, show_open
from bot.answer.choices import (
    COMPUTERS,
    GAMES,
    MAX_SEATS,
    PACES,
    TableCog,
    about_table,
    anywhere,
    place_to_open,
    require_permissions,
    with_options,
)
from bot.answer.context import person_of
from bot.answer.house_rules import lengths, read_form, read_rules, suggested
from bot.answer.origin import Reach, reach_of, spoken_in
from bot.answer.planning import plan_table
from bot.answer.reply import Reply, answering
from bot.answer.telling import (
    answer_then_tell,
    bring_to_bottom,
    greet,
    if_as_shown,
    post,
    show_way,
)
from bot.i18n import RefusalParam, texts
from bot.ids import ALONE, UserId
from bot.render.channel import channel_message
from bot.render.components import button
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.options_form import field_name, options_form, read_options
from bot.render.pages import NOW, confirm_leave, confirm_start, note
from bot.tables import ending, queueing
from bot.tables.customs import Customs
from bot.tables.lobby import agreement, require_host, require_lobby
from bot.tables.model import Table, TableError
from bot.tables.servers import Usual, usual_of, wished
from bot.tables.stored import Pace
from bot.views.building import channel_view, options_view, table_head
from cogs.presses import table_press
from engine.game import GameInfo, NotationError, OptionValue, Seat

RANKED: Final = "ranked"
COUNTS: Final = {RANKED: "For the leaderboard", "fun": "For fun"}
"""Values of `counts:`, and how they are called."""

ANY_TIME: Final = "?"
"""As `at:` it asks people about the evenings of a week, as `/evening` does."""

NUMBERS: Final = ("option_type", "option_range")
"""Codes of what is wrong with an option that is a number."""


def given_options(
    info: GameInfo, parameters: Mapping[str, OptionValue | None]
) -> dict[str, OptionValue]:
    """The options of a game by their record keys, from the parameters of `/newgame`.

    Raises TableError `option_not_here` for a parameter that the game does not know.
    """
    keys = {spec.parameter: spec.key for spec in info.options}
    found: dict[str, OptionValue] = {}
    for parameter, value in parameters.items():
        if value is None:
            continue
        if parameter not in keys:
            known = ", ".join(filter(None, keys))
            raise TableError("option_not_here", option=parameter, known=known, game=info.id)
        found[keys[parameter]] = value
    return found


def together(
    rules: Mapping[str, OptionValue], parameters: Mapping[str, OptionValue]
) -> dict[str, OptionValue]:
    """The options of `rules:` and the other parameters together.

    Raises NotationError `option_conflict` (key, other) if they disagree.
    """
    for key, value in rules.items():
        if parameters.get(key, value) != value:
            raise NotationError("option_conflict", key=key, other="rules")
    return {**rules, **parameters}


def _chosen(customs: Customs, *, counts: str | None, hints: bool | None) -> Customs:
    """The customs with what `counts:` and `hints:` say, if they say anything.

    Raises TableError `not_offered`.
    """
    if counts is not None:
        customs = replace(customs, counts=given.one_of(COUNTS, counts) == RANKED)
    return customs if hints is None else replace(customs, hints=hints)


def _manages(reply: Reply, table: Table) -> bool:
    """Whether the person may *Manage Server* where the table is."""
    here = reply.interaction.guild_id == table.stored.guild
    return here and reply.interaction.permissions.manage_guild


def _left(table: Table, user: UserId, seat: Seat) -> str:
    """What somebody is told who has left that seat of a running match."""
    if not queueing.comes_first(table, user, seat):
        return "leave.done_match"
    return "leave.done_full" if queueing.is_full(table.stored.seating) else "leave.done_line"


async def _refuse_options(
    reply: Reply, info: GameInfo, error: NotationError, *, form: bool = False
) -> None:
    """Say what is wrong with options, and which values they take.

    Options are called as in `/newgame`, or as on the `form`, not as in records.
    """
    reply.refused, code = error.code, error.code
    names, params = dict[str, str](), dict[str, RefusalParam](error.params)
    for spec in info.options:
        on_form = field_name(spec.key, spec.measures, info.id, reply.texts)
        names[spec.key] = on_form if form else spec.parameter or spec.key
        if spec.kind == "int" and params.get("key") == spec.key and code in NUMBERS:
            code = "option_range"
            params |= {"minimum": spec.minimum, "maximum": spec.maximum}
    named = {
        key: names.get(value, value) if isinstance(value, str) else value
        for key, value in params.items()
    }
    await reply.whisper(note(reply.texts.refusal(code, named, info.id)))


class Lobby(TableCog):
    """Tables before a match."""

    # Commands

    @app_commands.command(name="newgame", description="Open a table in this channel")
    @app_commands.describe(
        game="Which game",
        seats="Seats at the table (the match may start with fewer people)",
        pace="How long a decision may take before the table plays for you",
        private="Only people you invite may sit down",
        counts="Whether the match counts on the leaderboard",
        hints="Whether people may ask for hints",
        rules="House rules in words, separated by commas",
        computers="How many computer players fill its seats, and how strong they are",
        at="When it opens, if not now: in 2h, tomorrow evening, fri 20:00 weekly; ? asks everybody",
    )
    @app_commands.choices(
        game=GAMES,
        pace=PACES,
        computers=COMPUTERS,
        counts=[app_commands.Choice(name=name, value=value) for value, name in COUNTS.items()],
    )
    @anywhere
    @with_options
    async def newgame(
        self,
        interaction: discord.Interaction,
        /,
        game: str,
        seats: app_commands.Range[int, 2, MAX_SEATS] | None = None,
        *,
        rules: str | None = None,
        computers: str | None = None,
        pace: str | None = None,
        private: bool = False,
        counts: str | None = None,
        hints: bool | None = None,
        at: str | None = None,
        **asked: OptionValue | None,
    ) -> None:
        async with answering(interaction) as reply:
            alone = at is None and reach_of(interaction) is not Reach.SERVER
            if not alone:
                guild, channel = await place_to_open(self.context, interaction)
            chosen = self.context.game(game)
            info = chosen.info
            usual = Usual() if alone else await self.context.servers.usual(guild, game)
            agreed = read_rules(info, rules or "", reply.texts, usual.customs)
            try:
                wish = wished(
                    chosen,
                    usual,
                    together(agreed.given, given_options(info, asked)),
                    seats=seats,
                    customs=_chosen(agreed.customs, counts=counts, hints=hints),
                    pace=None if pace is None else given.one_of(Pace, pace),
                    computers=None if computers is None else given.computers(computers),
                    private=private,
                    locale=spoken_in(interaction).own if alone else spoken_in(interaction).shared,
                )
                if alone:
                    await play_alone(self.context, reply, wish)
                    return
                if at is not None:
                    asks = at.strip() == ANY_TIME
                    await plan_table(self.context, reply, wish, "" if asks else at, asks=asks)
                    return
                with self.context.posting(interaction, channel, opens=True):
                    by = person_of(interaction.user)
                    table = await self.context.tables.open(wish, guild, channel, by)
            except NotationError as error:
                await _refuse_options(reply, info, error)
                return
            except TableError as error:
                await show_open(self.context, reply, error)
                return
            await post(self.context, reply, table)
            self.context.openings.opened(table.id)
            await greet(self.context, reply, table)

    @newgame.autocomplete("rules")
    async def _suggest_rules(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Suggest house rules of the game that was chosen before."""
        game = self.context.games.get(str(getattr(interaction.namespace, "game", "")))
        if game is None:
            return []
        found = suggested(game.info, current, texts(spoken_in(interaction).own))
        return [app_commands.Choice(name=words, value=words) for words in found]

    @newgame.autocomplete("length")
    async def _suggest_length(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[int]]:
        """Lengths that have words of their own or are usual, of the game that is named before."""
        game = self.context.games.get(str(getattr(interaction.namespace, "game", "")))
        if game is None:
            return []
        seats = getattr(interaction.namespace, "seats", None)
        found = lengths(game.info, current, texts(spoken_in(interaction).own), seats)
        return [app_commands.Choice(name=words, value=value) for words, value in found]

    @app_commands.command(name="leave", description="Leave the table, or the line for a seat")
    @about_table(Need.SEE)
    @anywhere
    @table_press(Verb.LEAVE, Need.SEE)
    async def leave(self, reply: Reply, table: Table) -> None:
        if table.stored.status.is_open and table.stored.seating.waits(reply.user):
            table = await self.context.tables.get_out(table.id, reply.user)
            await reply.say("line.left")
            await self.context.publisher.flush(table.id)
            return
        if (asked := self._asked(reply, table)) is not None:
            await reply.whisper(asked)
            return
        table = await self.context.tables.leave(table.id, reply.user)
        await answer_then_tell(self.context, reply, table, lambda _: reply.say("leave.done"))

    @app_commands.command(name="start", description="Start the match, or the next round")
    @about_table(Need.ACT)
    @anywhere
    async def start(self, reply: Reply, table: Table) -> None:
        if table.running:
            await self.context.tables.ready(table.id, reply.user, None)
            await reply.say("ready.noted")
        elif table.stored.seating.host != reply.user:
            await self.context.tables.ready_to_begin(table.id, reply.user)
            await reply.say("ready.match")
        else:
            if await self._waits_for_others(reply, table, agreement(table.stored)):
                return
            await self.context.tables.start(table.id, reply.user)
            await reply.say("start.done")
        await self.context.publisher.flush(table.id)

    @app_commands.command(name="table", description="Bring the table to the bottom of the channel")
    @about_table(Need.SEE, ended=True)
    @anywhere
    async def table(self, reply: Reply, table: Table) -> None:
        if reply.interaction.channel_id != table.stored.channel:
            await reply.whisper(channel_message(channel_view(table), reply.texts))
        elif table.stored.status.is_open:
            require_permissions(reply.interaction)
            await bring_to_bottom(self.context, reply, table, reply.texts.get("table.here"))
        else:
            await show_way(self.context, reply, table, reply.texts.get("table.over"))

    # Presses

    @table_press(Verb.LEAVE_NOW, Need.ACT)
    async def _press_leave_now(self, reply: Reply, table: Table) -> None:
        """Confirms `/leave`; where that means something else by now it asks anew."""
        seat = table.stored.seating.place_of(reply.user)
        leaving = self.context.tables.leave_as_shown(table.id, reply.user, reply.press.argument)
        after = await if_as_shown(reply, leaving, partial(self._asked, reply))
        if after is None:
            return
        if seat is not None and after.running:
            said = reply.texts.get(_left(after, reply.user, seat), seat=seat + 1)
        else:
            said = reply.texts.get("leave.done")
        await reply.panel(note(said))
        await self.context.publisher.flush(table.id)

    @table_press(Verb.START, Need.LEAD)
    async def _press_start(self, reply: Reply, table: Table) -> None:
        asked, _, shown = reply.press.argument.rpartition("|")
        if asked != NOW and await self._waits_for_others(reply, table, shown):
            return
        table = await self.context.tables.start(table.id, reply.user, shown)
        await answer_then_tell(self.context, reply, table, lambda now: self._show(reply, now))

    @table_press(Verb.OPTIONS, Need.LEAD)
    async def _press_options(self, reply: Reply, table: Table) -> None:
        """Open the form, or take the choices sent in with it."""
        if reply.interaction.type is not discord.InteractionType.modal_submit:
            require_lobby(table.stored)
            require_host(table.stored, reply.user)
            await reply.form(options_form(options_view(table), reply.texts))
            return
        info = table.game.info
        try:
            stored, filled = table.stored, read_options(reply.interaction)
            agreed = read_form(info, filled, stored.customs, alone=stored.alone)
            pace = given.one_of(Pace, filled.pace) if filled.pace else None
            seats = given.number(filled.seats) if filled.seats else None
            table = await self.context.tables.change_options(
                table.id, reply.user, agreed.given, agreed.customs, pace, seats
            )
        except NotationError as error:
            await _refuse_options(reply, info, error, form=True)
            return
        await answer_then_tell(self.context, reply, table, lambda _: reply.say("options.done"))
        await self._offer_usual(reply, table)

    async def _offer_usual(self, reply: Reply, table: Table) -> None:
        """Whoever manages the server may have tables like this one from now on."""
        guild, game = table.stored.guild, table.stored.game
        if guild == ALONE or not _manages(reply, table):
            return
        if await self.context.servers.usual(guild, game) != usual_of(table.stored):
            save = button(
                reply.texts.get("button.save_usual"), Press.at(table_head(table), Verb.SAVE_USUAL)
            )
            said = reply.texts.get("usual.offer", game=reply.texts.game_name(game))
            await reply.whisper(note(said, save))

    @table_press(Verb.SAVE_USUAL, Need.LEAD)
    async def _press_save_usual(self, reply: Reply, table: Table) -> None:
        require_lobby(table.stored)
        require_host(table.stored, reply.user)
        if not _manages(reply, table):
            raise TableError("may_not_manage")
        stored, person = table.stored, person_of(reply.interaction.user)
        await self.context.servers.save_usual(stored.guild, person, stored.game, usual_of(stored))
        said = reply.texts.get("usual.saved", game=reply.texts.game_name(stored.game))
        await reply.panel(note(said))

    @table_press(Verb.READY, Need.ACT)
    async def _press_ready(self, reply: Reply, table: Table) -> None:
        shown = reply.press.argument
        table = await self.context.tables.ready_to_begin(table.id, reply.user, shown)
        await answer_then_tell(self.context, reply, table, lambda now: self._show(reply, now))

    # What both do

    def _asked(self, reply: Reply, table: Table) -> Message | None:
        """The question whether the person leaves; None: it costs nothing."""
        meant = ending.means(table, self.context.clock(), reply.user)
        return None if meant is None else confirm_leave(table_head(table), meant, reply.texts)

    async def _waits_for_others(self, reply: Reply, table: Table, shown: str) -> bool:
        """Whether the host, who agrees to what was `shown`, is asked first, since places are still
        kept for people."""
        seating = table.stored.seating
        enough = seating.taken >= table.game.info.seats[0]
        if not seating.kept or not enough or reply.user != seating.host:
            return False
        await reply.whisper(confirm_start(table_head(table), shown, reply.texts))
        return True

    async def _show(self, reply: Reply, table: Table) -> None:
        await reply.panel(channel_message(channel_view(table), reply.texts))
