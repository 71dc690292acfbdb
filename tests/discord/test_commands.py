"""Commands in texts are those that Discord knows: pressed, not typed."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import text

from bot.storage import Database
from tests.discord.world import Player, World, walk


def raw(player: Player) -> str:
    parts = (part.get("content") for part in walk(player.panel.components))
    return "\n".join(filter(None, parts))


def mention(w: World, name: str) -> str:
    """As Discord knows the command now."""
    commands: dict[Any, Any] = w.env.backend.commands[None]
    return f"</{name}:{commands[name, 1]['id']}>"


async def test_commands_in_texts_can_be_pressed(w: World) -> None:
    await w.ann.slash("hand")
    assert mention(w, "newgame") in raw(w.ann)
    assert "`/newgame`" not in raw(w.ann)


@pytest.mark.nightly
async def test_after_a_restart_they_are_known_and_registered_anew_only_if_they_are_not(
    w: World,
) -> None:
    registered = w.sent("PUT", "/applications/")
    await w.restart()
    assert w.sent("PUT", "/applications/") == registered
    await w.ann.slash("hand")
    assert mention(w, "newgame") in raw(w.ann)
    database = await Database.open(w.settings.database_url)
    forget = text("DELETE FROM meta WHERE key = 'command ids'")
    await database.write(lambda connection: connection.execute(forget))
    await database.close()
    await w.restart()
    assert w.sent("PUT", "/applications/") == registered + 1
    await w.ann.slash("hand")
    assert mention(w, "newgame") in raw(w.ann)
