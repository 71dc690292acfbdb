"""Leaderboards of a server, what one person has played, and showing either to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import GAMES, ContextCog, guild_only
from bot.answer.context import Context, place_of
from bot.answer.origin import may_attach
from bot.answer.reply import Reply, answering
from bot.answer.sharing import may_share, share
from bot.i18n import safe_name
from bot.ids import GuildId, UserId
from bot.render.custom_ids import Verb
from bot.render.leaderboard import ALL_GAMES, leaderboard_page, shared_leaderboard
from bot.render.sharing import STANDINGS, STATS
from bot.render.stats import records_page, rivals_page, shared_stats, stats_page
from bot.tables.model import TableError
from bot.tables.ports import Order, Period, orders_of
from bot.tables.preferences import Board
from bot.tables.stored import Person
from bot.views.values import LeaderboardView, LeaderLine, RivalsView, StatsView
from cogs.presses import page_press

PAGE: Final = 8

MINE: Final = "me"
"""In the place of a page: the one on which the reader stands."""

PERIODS = [
    app_commands.Choice(name="All time", value=Period.ALL.value),
    app_commands.Choice(name="This season", value=Period.SEASON.value),
    app_commands.Choice(name="This month", value=Period.MONTH.value),
    app_commands.Choice(name="This week", value=Period.WEEK.value),
]


class Leaderboards(ContextCog):
    """`/leaderboard`, and *Post here*."""

    @app_commands.command(name="leaderboard", description="Who wins most on this server")
    @app_commands.describe(game="One game (default: all)", period="Which period")
    @app_commands.choices(game=GAMES, period=PERIODS)
    @guild_only
    async def leaderboard(
        self, interaction: discord.Interaction, game: str | None = None, period: str = Period.ALL
    ) -> None:
        async with answering(interaction) as reply:
            await self._show(reply, _Asked(period, game or ALL_GAMES))

    @page_press(Verb.STANDINGS)
    async def _press_page(self, reply: Reply) -> None:
        await self._show(reply, _Asked.of(reply.press.argument))

    @page_press(Verb.PERIOD)
    async def _press_period(self, reply: Reply) -> None:
        asked = _Asked.of(reply.press.argument)
        await self._show(reply, asked._replace(period=_chosen(reply, Period.ALL), page="0"))

    @page_press(Verb.GAME)
    async def _press_game(self, reply: Reply) -> None:
        asked = _Asked.of(reply.press.argument)
        await self._show(reply, asked._replace(game=_chosen(reply, ALL_GAMES), page="0"))

    @page_press(Verb.ORDER)
    async def _press_order(self, reply: Reply) -> None:
        asked = _Asked.of(reply.press.argument)
        await self._show(reply, asked._replace(order=_chosen(reply, Order.RATING), page="0"))

    @page_press(Verb.SHARE)
    async def _press_share(self, reply: Reply) -> None:
        """Show everybody a leaderboard, or a person's results, as they are now."""
        what, _, argument = reply.press.argument.partition("|")
        if what == STANDINGS:
            board = await self._view(reply, _Asked.of(argument))
            await share(
                self.context, reply, lambda name, words: shared_leaderboard(board, name, words)
            )
            return
        guild, _ = place_of(reply.interaction)
        given.one_of((STATS,), what)
        user = given.user(argument)
        stats = await stats_of(self.context, guild, user, "")
        if not stats.games or await is_off(self.context, user):
            await reply.say("error.moved_on")
            return
        stats = replace(stats, name=stats.games[0][1].name)
        await share(self.context, reply, lambda name, words: shared_stats(stats, name, words))

    async def _show(self, reply: Reply, asked: _Asked) -> None:
        view = await self._view(reply, asked)
        shares, picture = may_share(reply.interaction), None
        if may_attach(reply.interaction):
            deck = (await self.context.readers.preferences_of(reply.user)).deck
            picture = await self.context.picture_cache.leaders(view, reply.texts, deck)
        await reply.panel(leaderboard_page(view, reply.texts, picture, shares=shares))

    async def _view(self, reply: Reply, asked: _Asked) -> LeaderboardView:
        """Raises TableError `no_leaderboard` where whoever manages the server wants none."""
        guild, _ = place_of(reply.interaction)
        counting = (await self.context.servers.settings(guild)).counting
        if not counting.board:
            raise TableError("no_leaderboard")
        period, order = given.one_of(Period, asked.period), given.one_of(Order, asked.order)
        games = self.context.games
        game = None if asked.game == ALL_GAMES else given.one_of(games, asked.game)
        shown = order if order in orders_of(game, period) else Order.WINS
        results, now = self.context.results, self.context.clock()
        mine = await results.place(guild, game, period, now, reply.user, shown)
        if asked.page == MINE:
            number = 0 if mine is None else mine.line // PAGE
        else:
            number = given.number(asked.page)
        page = await results.page(guild, game, period, now, number, PAGE, shown)
        here = mine is None or any(line.user == reply.user for line in page.lines)
        return LeaderboardView(
            period=period,
            game=game,
            games=tuple(games),
            page=page.number,
            pages=page.pages,
            lines=page.lines,
            my_place=None if mine is None else mine.place,
            computers=counting.computers,
            order=order,
            near=() if mine is None or here else _beside(mine.near, page.lines),
        )


class _Asked(NamedTuple):
    """Which page of which leaderboard, as it was typed or pressed."""

    period: str = Period.ALL
    game: str = ALL_GAMES
    page: str = "0"
    order: str = Order.RATING

    @classmethod
    def of(cls, argument: str) -> _Asked:
        """What a press carries; missing parts are as usual."""
        said = argument.split("|")[: len(cls._fields)]
        return cls(*(one or usual for one, usual in zip(said, cls(), strict=False)))


def _chosen(reply: Reply, usual: str) -> str:
    return reply.chosen[0] if reply.chosen else usual


def _beside(near: Sequence[LeaderLine], shown: Sequence[LeaderLine]) -> tuple[LeaderLine, ...]:
    """The lines around the reader's that do not stand on the page anyway."""
    users = {line.user for line in shown}
    return tuple(line for line in near if line.user not in users)


# What one person has played.


async def is_off(context: Context, user: UserId) -> bool:
    """Whether they stand on no leaderboard, and what they have played is theirs alone."""
    return (await context.readers.preferences_of(user)).board is Board.OFF


async def stats_of(context: Context, guild: GuildId, user: UserId, name: str) -> StatsView:
    """All that is known of a person of that name."""
    lines = await context.results.player(guild, user)
    computers = await context.results.with_computers(guild, user)
    courses = await context.results.courses(guild, user)
    more = await context.memories.stats(guild, user)
    return StatsView(name, tuple(lines), tuple(computers), courses, tuple(more))


class Stats(ContextCog):
    """`/stats`."""

    @app_commands.command(name="stats", description="A player's record on this server")
    @app_commands.describe(
        player="Which player (default: you)", against="Only their matches with this person"
    )
    @guild_only
    async def stats(
        self,
        interaction: discord.Interaction,
        player: discord.User | None = None,
        against: discord.User | None = None,
    ) -> None:
        async with answering(interaction) as reply:
            guild, _ = place_of(interaction)
            user = player or interaction.user
            for named in (user, *([against] if against is not None else [])):
                if named.id != reply.user and await is_off(self.context, UserId(named.id)):
                    await reply.say("stats.off", name=safe_name(named.display_name))
                    return
            one = Person(UserId(user.id), user.display_name)
            if against is not None and against.id != user.id:
                other = Person(UserId(against.id), against.display_name)
                await self._show_rivals(reply, guild, one, other)
                return
            view = await stats_of(self.context, guild, one.id, one.name)
            shares = may_share(interaction) and not await is_off(self.context, one.id)
            picture = None
            if may_attach(interaction):
                deck = (await self.context.readers.preferences_of(reply.user)).deck
                picture = await self.context.picture_cache.curves(view, reply.texts, deck)
            await reply.whisper(stats_page(view, reply.texts, picture, shares=shares))

    @page_press(Verb.RECORDS)
    async def _press_records(self, reply: Reply) -> None:
        """The best there was here of each kind, if this server wants leaderboards."""
        guild, _ = place_of(reply.interaction)
        if not (await self.context.servers.settings(guild)).counting.board:
            raise TableError("no_leaderboard")
        found = await self.context.memories.records(guild, tuple(self.context.games))
        await reply.whisper(records_page(found, reply.texts))

    async def _show_rivals(self, reply: Reply, guild: GuildId, one: Person, other: Person) -> None:
        rivalry = await self.context.memories.rivalry(guild, one.id, other.id)
        if reply.user not in (one.id, other.id):
            # Single matches may have been played where the reader sees nothing.
            rivalry = rivalry._replace(last=())
        await reply.whisper(rivals_page(RivalsView((one.name, other.name), rivalry), reply.texts))
