"""What one person has played on a server, read for showing it."""

from __future__ import annotations

from bot.answer.context import Context
from bot.ids import GuildId, UserId
from bot.tables.preferences import Board
from bot.views.values import StatsView


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
