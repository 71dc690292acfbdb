"""Languages of an interaction: its person's own, and that of everybody where it was made."""

from __future__ import annotations

from typing import Any, Final

import discord

from bot.answer.origin import server_of
from bot.catalogues import ENGLISH
from bot.i18n import Texts, texts
from bot.publish.readers import Spoken

_KEY: Final = "spoken"


def speak(interaction: discord.Interaction[Any], spoken: Spoken) -> None:
    """From now on the interaction is answered in these languages."""
    interaction.extras[_KEY] = spoken


def spoken_in(interaction: discord.Interaction[Any]) -> Spoken:
    """The languages that were found out when it came in; else those of Discord."""
    found = interaction.extras.get(_KEY)
    return found if isinstance(found, Spoken) else on_discord(interaction)


def read_by(interaction: discord.Interaction[Any], own: str = "") -> Texts:
    """The words for its person, who reads `own`, by default what was found out.

    Nothing is known of what others see elsewhere than on a server of ours.
    """
    spoken = spoken_in(interaction)
    return texts(own or spoken.own, "" if server_of(interaction) is None else spoken.shared)


def on_discord(interaction: discord.Interaction[Any]) -> Spoken:
    """The languages in which the person uses Discord, and which the server prefers there."""
    return Spoken(str(interaction.locale), str(interaction.guild_locale or ENGLISH))
