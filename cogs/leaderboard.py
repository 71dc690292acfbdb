"""Leaderboards of a server, and what one person has played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answer.choices import GAMES, guild_only
from bot.answer.context import Context, place_of
from bot.answer.reply import Reply, answering
from bot.ids import UserId
from bot.render.custom_ids import Press, Verb
from bot.render.pages import leaderboard_page, stats_page
from bot.tables.ports import Period
from bot.views.values import LeaderboardView, StatsView
from cogs.presses import Handler

PAGE: Final = 8
MOST_DIGITS: Final = 7
"""Of the number of a page: a forged press may name one that no database counts up to."""

PERIODS = [
    app_commands.Choice(name="All time", value=Period.ALL.value),
    app_commands.Choice(name="This month", value=Period.MONTH.value),
    app_commands.Choice(name="This week", value=Period.WEEK.value),
]
ALL_GAMES: Final = "all"


class Standings(commands.Cog):
    """`/leaderboard` and `/stats`."""

    def __init__(self, context: Context) -> None:
        self.context = context

    @property
    def pages(self) -> Mapping[Verb, Handler]:
        return {
            Verb.STANDINGS: self._press_page,
            Verb.PERIOD: self._press_period,
            Verb.GAME: self._press_game,
        }

    @app_commands.command(name="leaderboard", description="Who wins most on this server")
    @app_commands.describe(game="One game (default: all)", period="Since when")
    @app_commands.choices(game=GAMES, period=PERIODS)
    @guild_only
    async def leaderboard(
        self, interaction: discord.Interaction, game: str | None = None, period: str = Period.ALL
    ) -> None:
        async with answering(interaction) as reply:
            await self._show(reply, period, game or ALL_GAMES, "0")

    @app_commands.command(name="stats", description="What somebody has played on this server")
    @app_commands.describe(player="Whom (default: you)")
    @guild_only
    async def stats(
        self, interaction: discord.Interaction, player: discord.User | None = None
    ) -> None:
        async with answering(interaction) as reply:
            guild, _ = place_of(interaction)
            user = player or interaction.user
            lines = await self.context.results.player(guild, UserId(user.id))
            view = StatsView(user.display_name, tuple(lines))
            await reply.whisper(stats_page(view, reply.texts))

    async def _press_page(self, reply: Reply, press: Press) -> None:
        await self._show(reply, *_parts(press.argument))

    async def _press_period(self, reply: Reply, press: Press) -> None:
        _, game, _ = _parts(press.argument)
        await self._show(reply, reply.chosen[0] if reply.chosen else Period.ALL, game, "0")

    async def _press_game(self, reply: Reply, press: Press) -> None:
        period, _, _ = _parts(press.argument)
        await self._show(reply, period, reply.chosen[0] if reply.chosen else ALL_GAMES, "0")

    async def _show(self, reply: Reply, period_name: str, game_name: str, page_name: str) -> None:
        guild, _ = place_of(reply.interaction)
        period = Period(period_name) if period_name in set(Period) else Period.ALL
        game = game_name if game_name in self.context.games else None
        results, now = self.context.results, self.context.clock()
        mine = await results.place(guild, game, period, now, reply.user)
        if page_name == "me":
            number = 0 if mine is None else mine.line // PAGE
        else:
            number = int(page_name[:MOST_DIGITS]) if page_name.isdecimal() else 0
        page = await results.page(guild, game, period, now, number, PAGE)
        view = LeaderboardView(
            period=period,
            game=game,
            games=tuple(self.context.games),
            page=page.number,
            pages=page.pages,
            lines=page.lines,
            my_place=None if mine is None else mine.place,
        )
        await reply.panel(leaderboard_page(view, reply.texts))


def _parts(argument: str) -> tuple[str, str, str]:
    """Period, game and page of a press; missing ones are the first page of everything."""
    period, game, page, *_ = [*argument.split("|"), "", "", ""]
    return period or Period.ALL, game or ALL_GAMES, page or "0"
