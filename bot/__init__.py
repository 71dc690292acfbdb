"""Stammtisch: card tables on Discord.

`app` builds the program, `running` starts and stops it, `sharding` watches its connections.
Modules for everybody: `settings`, `ids` (also who sits at a table, and dropping what is forgotten),
`i18n` (sentences, with names and commands in them), `emojis`, `plain_text` (text from outside in
one line), `private` (files that only the program may read), `tasks`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.app import Stammtisch
    from bot.settings import Settings
    from bot.tables.ports import Clock


def create_bot(
    settings: Settings | None = None, *, clock: Clock | None = None, emojis: bool = False
) -> Stammtisch:
    """The whole bot, not connected; by default from the environment and with the wall clock.

    With `emojis` it brings those of its cards on Discord up to date while it runs.
    Raises SettingsError if a setting is malformed.
    """
    # Imported here, or every `bot.tables` would load discord.
    from bot.app import create_bot as build
    from bot.settings import load_settings

    settings = settings or load_settings()
    return build(settings, clock=clock, emojis=emojis)
