"""Leaderboards of a server, and showing them or what a person has played to everybody."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import discord
from discord import app_commands

from bot.answer import given
from bot.answer.choices import GAMES, ContextCog, guild_only
from bot.answer.context import place_of
from bot.answer.origin import may_attach
from bot.answer.reply import Reply, answering
from bot.answer.sharing import may_share, share
from bot.answer.stats import is_off, stats_of
from bot.render.custom_ids import Verb
from bot.render.pages import leaderboard_page, shared_leaderboard
from bot.render.sharing import STANDINGS, STATS
from bot.render.stats import shared_stats
from bot.tables.model import TableError
from bot.tables.ports import Period
from bot.views.values import LeaderboardView
from cogs.presses import page_press

PAGE: Final = 8

PERIODS = [
    app_commands.Choice(name="All time", value=Period.ALL.value),
    app_commands.Choice(name="This month", value=Period.MONTH.value),
    app_commands.Choice(name="This week", value=Period.WEEK.value),
]
ALL_GAMES: Final = "all"


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
            await self._show(reply, period, game or ALL_GAMES, "0")

    @page_press(Verb.STANDINGS)
    async def _press_page(self, reply: Reply) -> None:
        await self._show(reply, *_parts(reply.press.argument))

    @page_press(Verb.PERIOD)
    async def _press_period(self, reply: Reply) -> None:
        _, game, _ = _parts(reply.press.argument)
        await self._show(reply, reply.chosen[0] if reply.chosen else Period.ALL, game, "0")

    @page_press(Verb.GAME)
    async def _press_game(self, reply: Reply) -> None:
        period, _, _ = _parts(reply.press.argument)
        await self._show(reply, period, reply.chosen[0] if reply.chosen else ALL_GAMES, "0")

    @page_press(Verb.SHARE)
    async def _press_share(self, reply: Reply) -> None:
        """Show everybody a leaderboard, or a person's results, as they are now."""
        what, _, argument = reply.press.argument.partition("|")
        if what == STANDINGS:
            board = await self._view(reply, *_parts(argument))
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

    async def _show(self, reply: Reply, period_name: str, game_name: str, page_name: str) -> None:
        view = await self._view(reply, period_name, game_name, page_name)
        shares, picture = may_share(reply.interaction), None
        if may_attach(reply.interaction):
            deck = (await self.context.readers.preferences_of(reply.user)).deck
            picture = await self.context.picture_cache.leaders(view.lines, deck)
        await reply.panel(leaderboard_page(view, reply.texts, picture, shares=shares))

    async def _view(
        self, reply: Reply, period_name: str, game_name: str, page_name: str
    ) -> LeaderboardView:
        """Raises TableError `no_leaderboard` where whoever manages the server wants none."""
        guild, _ = place_of(reply.interaction)
        counting = (await self.context.servers.settings(guild)).counting
        if not counting.board:
            raise TableError("no_leaderboard")
        period = given.one_of(Period, period_name)
        games = self.context.games
        game = None if game_name == ALL_GAMES else given.one_of(games, game_name)
        results, now = self.context.results, self.context.clock()
        mine = await results.place(guild, game, period, now, reply.user)
        if page_name == "me":
            number = 0 if mine is None else mine.line // PAGE
        else:
            number = given.number(page_name)
        page = await results.page(guild, game, period, now, number, PAGE)
        return LeaderboardView(
            period=period,
            game=game,
            games=tuple(games),
            page=page.number,
            pages=page.pages,
            lines=page.lines,
            my_place=None if mine is None else mine.place,
            computers=counting.computers,
        )


def _parts(argument: str) -> tuple[str, str, str]:
    """Period, game and page of a press; missing ones are the first page of everything."""
    period, game, page, *_ = [*argument.split("|"), "", "", ""]
    return period or Period.ALL, game or ALL_GAMES, page or "0"
