"""Origin of an interaction: where it was made, the message pressed, and the languages there."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, Final

import discord

from bot.i18n import ENGLISH, Texts, texts
from bot.ids import ChannelId, GuildId
from bot.publish.readers import Spoken

_KEY: Final = "spoken"


class Reach(Enum):
    """How far the program reaches where an interaction was made."""

    SERVER = auto()
    """A server where it is a member."""
    DM = auto()
    """A person's direct messages with it."""
    ELSEWHERE = auto()
    """A server without it, a group, or direct messages of two people: people who have added it to
    their own apps can use it there, and only answers reach anybody."""


def reach_of(interaction: discord.Interaction[Any]) -> Reach:
    """How far the program reaches where an interaction was made."""
    guild = interaction.guild_id
    if guild is None:
        return Reach.ELSEWHERE if interaction.context.private_channel else Reach.DM
    # Right after a start the gateway has not told of all servers yet.
    member = interaction.is_guild_integration() or interaction.client.get_guild(guild) is not None
    return Reach.SERVER if member else Reach.ELSEWHERE


def server_of(interaction: discord.Interaction[Any]) -> GuildId | None:
    """The server where it was made, if we are a member."""
    guild = interaction.guild_id
    return None if not guild or reach_of(interaction) is not Reach.SERVER else GuildId(guild)


class Origin(Enum):
    """The kind of message that an interaction came from."""

    COMMAND = auto()
    CHANNEL = auto()
    """A component of a message that the channel sees."""
    EPHEMERAL = auto()
    """A component of a message that only this person sees, and that can be edited for a while."""
    DM = auto()
    """A component of a lasting message in a DM."""


def origin_of(interaction: discord.Interaction) -> Origin:
    message = interaction.message
    if message is None:
        return Origin.COMMAND
    if message.flags.ephemeral:
        made = message.interaction_metadata
        mine = made is None or made.user.id == interaction.user.id
        return Origin.EPHEMERAL if mine else Origin.COMMAND  # only a forged press is on another's
    return Origin.DM if reach_of(interaction) is Reach.DM else Origin.CHANNEL


def place_in(
    interaction: discord.Interaction, channel: ChannelId
) -> tuple[object, discord.Permissions | None]:
    """A channel or thread of the server the interaction is from, and what the person may do there,
    as the interaction itself and the gateway have told; None: nothing has.
    """
    if interaction.channel_id == channel:
        return interaction.channel, interaction.permissions
    guild, member = interaction.guild, interaction.user
    place = None if guild is None else guild.get_channel_or_thread(channel)
    if place is None or not isinstance(member, discord.Member):
        return None, None
    if isinstance(place, discord.Thread) and place.parent is None:
        return None, None
    return place, place.permissions_for(member)


def may_attach(interaction: discord.Interaction[Any]) -> bool:
    """Whether an answer may come with a picture: in direct messages always."""
    return reach_of(interaction) is Reach.DM or interaction.app_permissions.attach_files


def speak(interaction: discord.Interaction[Any], spoken: Spoken) -> None:
    """From now on the interaction is answered in these languages."""
    interaction.extras[_KEY] = spoken


def spoken_in(interaction: discord.Interaction[Any]) -> Spoken:
    """The languages that were found out when it came in; else those of Discord."""
    found = interaction.extras.get(_KEY)
    return found if isinstance(found, Spoken) else on_discord(interaction)


def read_by(interaction: discord.Interaction[Any], own: str = "") -> Texts:
    """The words for its person, who reads `own`, by default what was found out.

    Outside of our servers nobody else sees anything.
    """
    spoken, server = spoken_in(interaction), server_of(interaction)
    return texts(own or spoken.own, "" if server is None else spoken.shared)


def on_discord(interaction: discord.Interaction[Any]) -> Spoken:
    """The languages in which the person uses Discord, and which the server prefers there."""
    return Spoken(str(interaction.locale), str(interaction.guild_locale or ENGLISH))
