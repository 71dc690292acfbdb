"""Leaderboards of a server, and showing them or what a person has played to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

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
from bot.render.leaderboard import ALL_GAMES, leaderboard_page, shared_leaderboard
from bot.render.sharing import STANDINGS, STATS
from bot.render.stats import shared_stats
from bot.tables.model import TableError
from bot.tables.ports import Order, Period, orders_of
from bot.views.values import LeaderboardView, LeaderLine
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
