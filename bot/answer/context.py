"""The parts of the program that every cog works with, handed in by `bot.app`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import discord
from cachetools import FIFOCache

from bot.answer.origin import server_of
from bot.answer.post_limit import PostLimit
from bot.ids import ChannelId, GuildId, Ids, TableId, UserId
from bot.publish.coach import Coach
from bot.publish.doors import Doors
from bot.publish.openings import Openings
from bot.publish.picture_cache import PictureCache
from bot.publish.planned import PlanBoards
from bot.publish.publisher import Publisher
from bot.publish.readers import Readers
from bot.publish.vanished import Vanished
from bot.tables.model import TableError
from bot.tables.planning import Planning
from bot.tables.plans import Wish
from bot.tables.ports import Blocks, Clock, Followers, History, PersonalData, Results
from bot.tables.rivals import Memories
from bot.tables.servers import Servers
from bot.tables.service import TableService
from bot.tables.stored import Person
from engine.game import AnyGame

MAX_SHARED: Final = 10_000
"""Maximum number that is remembered: more than are shown while a private answer can be pressed."""


ZONE_ASKED: Final = timedelta(minutes=15)
"""How long what was typed is kept for whoever is asked for their time zone."""

MAX_ASKED: Final = 1_000
"""Maximum number of people for whom it is kept."""


class Unzoned(NamedTuple):
    """A plan as it was typed, whose time nobody can tell before its zone is named."""

    user: UserId
    guild: GuildId
    channel: ChannelId
    wish: Wish
    typed: str
    asks: bool
    """Whether it asks for a time."""
    until: datetime


@dataclass(frozen=True, slots=True)
class Context:
    """The parts of the program that cogs may use."""

    tables: TableService
    publisher: Publisher
    results: Results
    history: History
    memories: Memories
    games: Mapping[str, AnyGame]
    clock: Clock
    blocks: Blocks
    followers: Followers
    personal_data: PersonalData
    coach: Coach
    readers: Readers
    servers: Servers
    doors: Doors
    picture_cache: PictureCache
    planning: Planning
    planned: PlanBoards
    openings: Openings
    vanished: Vanished
    untold: dict[tuple[TableId, UserId], str]
    """See `bot.publish.source.Source.untold`."""
    drop: Callable[[Ids], None]
    """Nothing is known by heart any more of what was forgotten."""
    source_url: str | None = None
    """Where the source of this program is to be had; None: nobody has said."""
    post_limit: PostLimit = field(default_factory=PostLimit)
    """Recent posts of people."""
    shared: FIFOCache[int, None] = field(default_factory=lambda: FIFOCache(MAX_SHARED))
    """Private answers that were shown to everybody, by message."""
    unzoned: FIFOCache[int, Unzoned] = field(default_factory=lambda: FIFOCache(MAX_ASKED))
    """Plans whose zone is asked for, by the interaction that typed them."""

    def game(self, named: str) -> AnyGame:
        """The game of that name.  Raises TableError `unknown_game`."""
        if named not in self.games:
            raise TableError("unknown_game", game=named[:20])
        return self.games[named]

    def posting(
        self, interaction: discord.Interaction, channel: ChannelId, *, opens: bool = False
    ) -> AbstractContextManager[None]:
        """See `PostLimit.counting`."""
        return self.post_limit.counting(interaction, channel, self.clock(), opens=opens)


def person_of(user: discord.abc.User) -> Person:
    return Person(UserId(user.id), user.display_name)


def place_of(interaction: discord.Interaction) -> tuple[GuildId, ChannelId]:
    """Server and channel of an interaction.

    Raises TableError `server_only` in a DM and wherever we are no member.
    """
    guild, channel = server_of(interaction), interaction.channel_id
    if guild is None or channel is None:
        raise TableError("server_only")
    return guild, ChannelId(channel)
