"""What slash commands share: their choices, where they may be used, what they need."""

from __future__ import annotations

import discord
import structlog
from discord import app_commands

from bot.answer.context import Context, suggest_tables
from bot.i18n import plain_name, texts
from bot.tables.model import Pace, Table, TableError
from engine.registry import games

log = structlog.get_logger(__name__)

GAMES = [
    app_commands.Choice(name=texts("en").game_name(game_id), value=game_id) for game_id in games()
]

PACES = [
    app_commands.Choice(name=texts("en").get(f"pace.{pace}"), value=pace.value) for pace in Pace
]

NEEDED = discord.Permissions(view_channel=True, send_messages=True)
NEEDED_IN_THREADS = discord.Permissions(view_channel=True, send_messages_in_threads=True)

guild_only = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
anywhere = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)


def require_permissions(interaction: discord.Interaction) -> None:
    """Raises TableError `missing_permission` if the program could not post here later."""
    thread = isinstance(interaction.channel, discord.Thread)
    needed = NEEDED_IN_THREADS if thread else NEEDED
    missing = [
        name for name, wanted in needed if wanted and not getattr(interaction.app_permissions, name)
    ]
    if missing:
        names = ", ".join(_permission(name) for name in missing)
        raise TableError("missing_permission", permissions=names)


def _permission(name: str) -> str:
    """A permission as Discord's settings name it; discord.py has an old name for one of them."""
    return "View Channel" if name == "read_messages" else name.replace("_", " ").title()


async def table_choices(
    context: Context, interaction: discord.Interaction, current: str, *, over: bool = False
) -> list[app_commands.Choice[str]]:
    """Suggestions for a `table:` parameter; none if they cannot be found out.

    With `over` only tables that have ended.
    """
    wanted = current.strip().upper()
    try:
        found = await suggest_tables(context, interaction)
    except Exception as error:  # a suggestion is never worth an error; its words stay out
        log.warning("suggestion_failed", kind=type(error).__name__)
        return []
    return [
        app_commands.Choice(name=f"{table.id} · {_who(table)}"[:100], value=table.id)
        for table in found
        if table.id.startswith(wanted) and not (over and table.record.status.is_open)
    ][:25]


def _who(table: Table) -> str:
    people = table.record.people
    return ", ".join(plain_name(person.name)[:20] for person in people) or table.record.game
