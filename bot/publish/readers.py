"""Language in which each person reads, and their preferences.

What only one person sees shows the cards of their own deck, what everybody sees those of the
server's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple, Protocol

import structlog
from cachetools import LRUCache

from bot.i18n import Texts, texts
from bot.ids import GuildId, Ids, UserId, drop
from bot.pictures.decks import OFFERED, STANDARD
from bot.publish.later import Later
from bot.publish.timings import TIMINGS, Timings
from bot.tables.ports import Habits
from bot.tables.preferences import HandBy, Preferences
from bot.tables.servers import Servers
from bot.views.values import TableHead

logger = structlog.get_logger(__name__)

PATIENCE: Final = 0.5
"""Seconds that an answer waits until it is known in which language."""

MAX_PEOPLE: Final = 50_000
"""Maximum number of people who are remembered."""


class People(Protocol):
    """Store of languages and preferences of people.  Every method raises Unavailable."""

    async def habits(self, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
        """Habits of those of the users who have any."""

    async def learn(self, heard: Mapping[UserId, str]) -> None:
        """Stores locales, by user, in place of those before; in one go."""

    async def change(
        self, user: UserId, locale: str, change: Callable[[Preferences], Preferences]
    ) -> Preferences:
        """Stores changed preferences of `user`, who reads that language; as they are then."""


class Spoken(NamedTuple):
    """Languages, as Discord names them."""

    own: str
    """For what one person alone sees."""
    shared: str
    """For what everybody sees where they are."""


class Readers:
    """Language and preferences of each person.

    Both change rarely: they are read from memory, and languages heard are stored a moment later,
    those of many people at once.
    """

    def __init__(
        self,
        stored: People,
        servers: Servers,
        timings: Timings = TIMINGS,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        """With a clock it is noted once a day that somebody was heard."""
        self._stored, self._servers, self._clock = stored, servers, clock
        self._noted: LRUCache[UserId, date | None] = LRUCache(MAX_PEOPLE)
        """The day on which that was stored last."""
        self._known: LRUCache[UserId, str | None] = LRUCache(MAX_PEOPLE)
        self._preferences: LRUCache[UserId, Preferences] = LRUCache(MAX_PEOPLE)
        """Of the people who were looked up."""
        self._heard = Later(stored.learn, timings.store_lag, timings.store_lag, "locales")

    def heard(self, user: UserId, locale: str) -> None:
        """Note that `user` uses Discord in that language."""
        today = None if self._clock is None else self._clock().date()
        if self._known.get(user) != locale or self._noted.get(user) != today:
            self._known[user], self._noted[user] = locale, today
            self._heard.put(user, locale)

    async def ask(self, head: TableHead) -> None:
        """Finds out how everybody at a table reads; once for each of them after a start."""
        await self.meet([one.user for one in head.sitters if one.user is not None])

    async def preferences_of(self, user: UserId) -> Preferences:
        """The preferences of a person, whatever table they are at."""
        await self.meet([user])
        return self.preferences(user)

    async def meet(self, users: Sequence[UserId]) -> bool:
        """Finds out about these people; once for each of them after a start.

        Returns whether all are known.
        """
        unknown = [user for user in users if user not in self._preferences]
        if not unknown:
            return True
        try:
            found = await self._stored.habits(unknown)
        except Exception as error:  # a hand in the table's language is better than none
            logger.warning("habits_not_found", kind=type(error).__name__)
            return False
        for user in unknown:
            habits = found.get(user, Habits(None))
            self._known.setdefault(user, habits.locale)
            self._preferences.setdefault(user, habits.preferences)
        return True

    def texts(self, user: UserId, head: TableHead) -> Texts:
        """The words for `user` alone; in the table's language if theirs is unknown."""
        return texts(self.language(user, self._known.get(user) or head.locale), head.locale)

    def language(self, user: UserId, locale: str) -> str:
        """The language that `user` wants to read, whose Discord is in `locale`."""
        return self.preferences(user).language or locale

    async def spoken(
        self, user: UserId, locale: str, guild: GuildId | None, preferred: str
    ) -> Spoken:
        """The languages where `user` is, whose Discord is in `locale`; the server prefers another.

        Where that takes long to find out they are as on Discord.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self.meet([user])
                chosen = "" if guild is None else (await self._servers.settings(guild)).language
        except Exception as error:  # an answer in another language is better than none
            logger.warning("languages_not_found", kind=type(error).__name__)
            chosen = ""
        return Spoken(self.language(user, locale), chosen or preferred)

    def preferences(self, user: UserId) -> Preferences:
        """What `user` has chosen; by default if they have not, or if it is unknown."""
        return self._preferences.get(user, Preferences())

    async def is_quiet(self, user: UserId, now: datetime) -> bool:
        """Whether `user` is not called now."""
        return (await self.preferences_of(user)).is_quiet(now)

    async def takes_letters(self, user: UserId) -> bool:
        """Whether `user` wants direct messages about tables."""
        return (await self.preferences_of(user)).hand is HandBy.LETTER

    def deck(self, user: UserId) -> str:
        """The deck that `user` has chosen."""
        return self.preferences(user).deck

    async def change(
        self, user: UserId, locale: str, change: Callable[[Preferences], Preferences]
    ) -> None:
        """Change preferences of `user`, who reads that language.  Raises Unavailable."""
        await self._heard.flush()  # what waits would be stored after it
        self._preferences[user] = await self._stored.change(user, locale, change)

    async def board_deck(self, head: TableHead) -> str:
        """The cards that everybody at a table sees: its server's, its host's if they are alone."""
        if head.alone:
            return (await self.preferences_of(head.host)).deck
        return await self.server_deck(head.guild)

    async def server_deck(self, guild: GuildId) -> str:
        """The deck chosen for a server; the default if none was, or if it is unknown."""
        try:
            deck = (await self._servers.settings(guild)).deck
        except Exception as error:  # a board with the usual cards is better than none
            logger.warning("board_deck_not_found", kind=type(error).__name__)
            return STANDARD
        return deck if deck in OFFERED else STANDARD

    async def flush(self) -> None:
        """Store what is not stored yet.  Raises Unavailable."""
        await self._heard.flush()

    def drop(self, users: Ids) -> None:
        """These people were forgotten."""
        for known in (self._known, self._preferences, self._noted):
            drop(known, users)

    async def aclose(self) -> None:
        """Store what is not stored yet."""
        await self._heard.aclose()
