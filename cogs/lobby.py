"""Opening a table, sitting down, leaving, starting, ending: everything around a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.i18n import RefusalParam, plain_name, safe_name, texts
from bot.present.channel import channel_message
from bot.present.ids import Press, Verb
from bot.present.pages import confirm_end, confirm_leave, note
from bot.tables.model import Person, Status, Table, TableError
from cogs._context import Context, is_moderator, named_table, person_of, place_of, suggest_tables
from cogs._replies import Reply, answering
from cogs._views import channel_view
from cogs.presses import Handler
from engine.game import GameInfo, NotationError, OptionValue
from engine.registry import games

GAMES = [
    app_commands.Choice(name=texts("en").game_name(game_id), value=game_id) for game_id in games()
]

NEEDED = discord.Permissions(view_channel=True, send_messages=True)
NEEDED_IN_THREADS = discord.Permissions(view_channel=True, send_messages_in_threads=True)

guild_only = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
anywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)


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
    names = {spec.key: spec.parameter for spec in info.options}
    return {
        key: names.get(value, value) if isinstance(value, str) else value
        for key, value in params.items()
    }


class Lobby(commands.Cog):
    """Tables before, around and after a match."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @property
    def presses(self) -> Mapping[Verb, Handler]:
        return {
            Verb.JOIN: self._press_join,
            Verb.SIT: self._press_sit,
            Verb.LEAVE: self._press_leave,
            Verb.LEAVE_NOW: self._press_leave_now,
            Verb.START: self._press_start,
            Verb.HOLD: self._press_hold,
            Verb.TAKE: self._press_take,
            Verb.END: self._press_end,
            Verb.END_NOW: self._press_end_now,
            Verb.REMATCH: self._press_rematch,
        }

    # Commands

    @app_commands.command(name="newgame", description="Open a table in this channel")
    @app_commands.describe(
        game="Which game",
        seats="Places at the table (fewer may start)",
        length="How many rounds",
        target="Points to reach, instead of a number of rounds",
        private="Only people whom you invite may sit down",
    )
    @app_commands.choices(game=GAMES)
    @guild_only
    async def newgame(
        self,
        interaction: discord.Interaction,
        game: str,
        seats: app_commands.Range[int, 2, 6] | None = None,
        length: app_commands.Range[int, 1, 1000] | None = None,
        target: app_commands.Range[int, 1, 1000] | None = None,
        private: bool = False,
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
                    given=given_options(info, {"length": length, "target": target}),
                    private=private,
                )
            except NotationError as error:
                params = as_asked(info, error.params)
                await reply.whisper(note(reply.texts.refusal(error.code, params, game)))
                return
            except TableError as error:
                if error.code == "channel_busy" and error.table is not None:
                    await self.context.publisher.repost(error.table.id)
                raise
            await self._post(reply, table)
            await self._greet(reply, table)

    @app_commands.command(name="join", description="Sit down at the table in this channel")
    @app_commands.describe(table="Which table, if there are several")
    @guild_only
    async def join(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table)
            await self._sit(reply, found, None)

    @app_commands.command(name="leave", description="Leave the table")
    @app_commands.describe(table="Which table, if there are several")
    @anywhere
    async def leave(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table)
            await self._leave(reply, found)

    @app_commands.command(name="start", description="Start the match, or the next round")
    @app_commands.describe(table="Which table, if there are several")
    @anywhere
    async def start(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table)
            if found.record.status is Status.RUNNING:
                found = await self.context.tables.ready(found.id, interaction.user.id, None)
                await reply.say("ready.noted")
            else:
                found = await self.context.tables.start(found.id, interaction.user.id)
                await reply.say("start.done")
            await self.context.publisher.flush(found.id)

    @app_commands.command(name="table", description="Show the table again, at the bottom")
    @app_commands.describe(table="Which table, if there are several")
    @anywhere
    async def table(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table, ended=True)
            if interaction.channel_id == found.record.channel:
                require_permissions(interaction)
                await reply.say("table.here")
                await self.context.publisher.repost(found.id)
            else:
                await reply.whisper(channel_message(channel_view(found), reply.texts))

    @app_commands.command(name="rematch", description="Play again with the same people")
    @app_commands.describe(table="Which table, if there are several")
    @guild_only
    async def rematch(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table, ended=True)
            await self._rematch(reply, found)

    @app_commands.command(name="endgame", description="End the table, or vote for it")
    @app_commands.describe(table="Which table, if there are several")
    @anywhere
    async def endgame(self, interaction: discord.Interaction, table: str | None = None) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table)
            await self._ask_end(reply, found)

    seat = app_commands.Group(
        name="seat",
        description="Who sits at the table",
        allowed_contexts=app_commands.AppCommandContext(guild=True),
    )

    @seat.command(name="invite", description="Let somebody sit at your private table")
    @app_commands.describe(player="Whom", table="Which table, if there are several")
    async def seat_invite(
        self, interaction: discord.Interaction, player: discord.User, table: str | None = None
    ) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table)
            await self.context.tables.invite(found.id, interaction.user.id, player.id)
            await reply.say("seat.invited", name=safe_name(player.display_name))

    @seat.command(name="kick", description="Take somebody's seat away (host)")
    @app_commands.describe(player="Whom", table="Which table, if there are several")
    async def seat_kick(
        self, interaction: discord.Interaction, player: discord.User, table: str | None = None
    ) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table)
            found = await self.context.tables.kick(found.id, interaction.user.id, player.id)
            await reply.say("seat.kicked", name=safe_name(player.display_name))
            await self.context.publisher.flush(found.id)

    @seat.command(name="take", description="Sit on a certain free seat")
    @app_commands.describe(
        seat="Number of the seat, as on the board", table="Which table, if there are several"
    )
    async def seat_take(
        self,
        interaction: discord.Interaction,
        seat: app_commands.Range[int, 1, 6],
        table: str | None = None,
    ) -> None:
        async with answering(interaction) as reply:
            found = await named_table(self.context, interaction, table)
            await self._sit(reply, found, seat - 1)

    @join.autocomplete("table")
    @leave.autocomplete("table")
    @start.autocomplete("table")
    @table.autocomplete("table")
    @rematch.autocomplete("table")
    @endgame.autocomplete("table")
    @seat_invite.autocomplete("table")
    @seat_kick.autocomplete("table")
    @seat_take.autocomplete("table")
    async def _suggest(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        return await table_choices(self.context, interaction, current)

    # Presses

    async def _press_join(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._sit(reply, await self.context.tables.table(press.table), None)

    async def _press_sit(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        place = int(values[0]) if values and values[0].isdecimal() else None
        await self._sit(reply, await self.context.tables.table(press.table), place)

    async def _press_take(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        place = int(press.argument) if press.argument.isdecimal() else None
        await self._sit(reply, await self.context.tables.table(press.table), place)

    async def _press_leave(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._leave(reply, await self.context.tables.table(press.table))

    async def _press_leave_now(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        table = await self.context.tables.leave(press.table, reply.interaction.user.id)
        await reply.panel(note(reply.texts.get("leave.done")))
        await self.context.publisher.flush(table.id)

    async def _press_start(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        table = await self.context.tables.start(press.table, reply.interaction.user.id)
        await self._redraw(reply, table)

    async def _press_hold(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        table = await self.context.tables.hold(press.table, reply.interaction.user.id)
        await self._redraw(reply, table)

    async def _press_end(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._ask_end(reply, await self.context.tables.table(press.table))

    async def _press_end_now(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._end(reply, await self.context.tables.table(press.table))

    async def _press_rematch(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._rematch(reply, await self.context.tables.table(press.table))

    # What both do

    async def _sit(self, reply: Reply, table: Table, place: int | None) -> None:
        user = reply.interaction.user.id
        before = table.record.place_of(user)
        table = await self.context.tables.sit(table.id, person_of(reply.interaction.user), place)
        seat = table.record.place_of(user)
        if before is not None and before == seat:
            await reply.say("sit.already", seat=seat + 1)
            return
        if await self.context.on_board(reply.interaction, table):
            await self._redraw(reply, table)
        else:
            await reply.say("sit.done", seat=0 if seat is None else seat + 1)
            await self.context.publisher.flush(table.id)
        if before is None:
            await self._greet(reply, table)

    async def _leave(self, reply: Reply, table: Table) -> None:
        user = reply.interaction.user.id
        if table.record.status is Status.RUNNING and table.record.place_of(user) is not None:
            await reply.whisper(confirm_leave(table.id, reply.texts))
            return
        table = await self.context.tables.leave(table.id, user)
        if await self.context.on_board(reply.interaction, table):
            await self._redraw(reply, table)
        else:
            await reply.say("leave.done")
            await self.context.publisher.flush(table.id)

    async def _ask_end(self, reply: Reply, table: Table) -> None:
        user = reply.interaction.user.id
        if not table.record.status.is_open:
            raise TableError("ended", table)
        decides = user == table.record.host or is_moderator(reply.interaction)
        if not decides and table.record.place_of(user) is None:
            raise TableError("not_seated", table)
        votes = len(table.record.end_votes), len(table.record.people) // 2 + 1
        await reply.whisper(confirm_end(table.id, None if decides else votes, reply.texts))

    async def _end(self, reply: Reply, table: Table) -> None:
        table = await self.context.tables.end(
            table.id, reply.interaction.user.id, moderator=is_moderator(reply.interaction)
        )
        code = "end.voted" if table.record.status.is_open else "end.done"
        await reply.panel(note(reply.texts.get(code)))
        await self.context.publisher.flush(table.id)

    async def _rematch(self, reply: Reply, table: Table) -> None:
        require_permissions(reply.interaction)
        opened = await self.context.tables.rematch(table.id, person_of(reply.interaction.user))
        if await self.context.publisher.where(opened.id) is None:
            await self._post(reply, opened)
        else:
            seat = opened.record.place_of(reply.interaction.user.id)
            await reply.say("sit.done", seat=0 if seat is None else seat + 1)
            await self.context.publisher.flush(opened.id)
        await self._greet(reply, opened)

    async def _redraw(self, reply: Reply, table: Table) -> None:
        """Answers a press with the table as it is now, on its own message if it is that."""
        view = channel_message(channel_view(table), reply.texts)
        if await self.context.on_board(reply.interaction, table):
            await reply.redraw(view)
            self.context.publisher.note_board(table.id, view)
        else:
            await reply.panel(view)
        await self.context.publisher.flush(table.id)

    async def _post(self, reply: Reply, table: Table) -> None:
        """The answer becomes the table's message."""
        view = channel_message(channel_view(table), reply.texts)
        where = await reply.post(view)
        if where is not None:
            await self.context.publisher.adopt(table.id, *where, view)
        await self.context.publisher.flush(table.id)

    async def _greet(self, reply: Reply, table: Table) -> None:
        """Finds out whether the person can be written to; if not, says so and the way out."""
        user = reply.interaction.user.id
        place = table.record.place_of(user)
        if place is None or table.record.places[place].reachable is not None:
            return
        reachable = await self.context.publisher.greet(table.id, user)
        await self.context.tables.set_reachable(table.id, user, reachable)
        if not reachable:
            await reply.say("sit.closed_dm")


def require_permissions(interaction: discord.Interaction) -> None:
    """Raises TableError `missing_permission` if the program could not post here later."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = NEEDED_IN_THREADS if thread else NEEDED
    missing = [
        name for name, wanted in needed if wanted and not getattr(interaction.app_permissions, name)
    ]
    if missing:
        names = ", ".join(name.replace("_", " ").title() for name in missing)
        raise TableError("missing_permission", permissions=names)


async def table_choices(
    context: Context, interaction: discord.Interaction, current: str
) -> list[app_commands.Choice[str]]:
    """Suggestions for a `table:` parameter."""
    wanted = current.strip().upper()
    found = await suggest_tables(context, interaction)
    return [
        app_commands.Choice(name=f"{table.id} · {_who(table)}"[:100], value=table.id)
        for table in found
        if table.id.startswith(wanted)
    ][:25]


def _who(table: Table) -> str:
    people: tuple[Person, ...] = table.record.people
    return ", ".join(plain_name(person.name)[:20] for person in people) or table.record.game
