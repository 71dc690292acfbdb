"""Language and deck in which each person reads.

What only one person sees shows the cards of their own deck, what everybody sees those of the
server's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Final, Protocol

import structlog
from cachetools import LRUCache

from bot.i18n import Texts, texts
from bot.ids import GuildId, UserId
from bot.pictures.decks import STANDARD
from bot.publish.later import Later
from bot.publish.membership import MAX_PEOPLE
from bot.publish.timings import TIMINGS, Timings
from bot.tables.ports import Habits
from bot.views.values import TableHead

logger = structlog.get_logger(__name__)

MAX_SERVERS: Final = 20_000
"""Maximum number of servers whose decks are remembered."""


class People(Protocol):
    """Store of languages and decks of people.  Every method raises Unavailable."""

    async def habits(self, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
        """Habits of those of the users who have any."""

    async def learn(self, heard: Mapping[UserId, str]) -> None:
        """Stores locales, by user, in place of those before; in one go."""

    async def choose_deck(self, user: UserId, deck: str, locale: str) -> None:
        """Store the deck chosen by `user`, who reads that language."""


class Servers(Protocol):
    """Store of settings of servers.  Every method raises Unavailable."""

    async def board_deck(self, guild: GuildId) -> str | None:
        """The deck of what everybody there sees; None if none was chosen."""

    async def choose_board_deck(self, guild: GuildId, deck: str) -> None:
        """Stores it, in place of the one before."""


class Readers:
    """Language and deck of each person.

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
        self._decks: LRUCache[UserId, str] = LRUCache(MAX_PEOPLE)
        """Decks of the people who were looked up."""
        self._boards: LRUCache[GuildId, str] = LRUCache(MAX_SERVERS)
        """Decks of the servers that were asked for."""
        self._heard = Later(stored.learn, timings.store_lag, timings.store_lag, "locales")

    def heard(self, user: UserId, locale: str) -> None:
        """Note that `user` uses Discord in that language."""
        today = None if self._clock is None else self._clock().date()
        if self._known.get(user) != locale or self._noted.get(user) != today:
            self._known[user], self._noted[user] = locale, today
            self._heard.put(user, locale)

    async def ask(self, head: TableHead) -> None:
        """Finds out how everybody at a table reads; once for each of them after a start."""
        await self._ask([one.user for one in head.sitters if one.user is not None])

    async def deck_of(self, user: UserId) -> str:
        """The deck of a person, whatever table they are at."""
        await self._ask([user])
        return self.deck(user)

    async def _ask(self, users: Sequence[UserId]) -> None:
        unknown = [user for user in users if user not in self._decks]
        if not unknown:
            return
        try:
            found = await self._stored.habits(unknown)
        except Exception as error:  # a hand in the table's language is better than none
            logger.warning("habits_not_found", kind=type(error).__name__)
            return
        for user in unknown:
            habits = found.get(user, Habits(None))
            self._known.setdefault(user, habits.locale)
            self._decks.setdefault(user, habits.deck)

    def texts(self, user: UserId, head: TableHead) -> Texts:
        """The words for `user` alone; in the table's language if theirs is unknown."""
        return texts(self._known.get(user) or head.locale)

    def deck(self, user: UserId) -> str:
        """The deck that `user` has chosen; the default if they have not, or if it is unknown."""
        return self._decks.get(user, Habits(None).deck)

    async def choose_deck(self, user: UserId, deck: str, locale: str) -> None:
        """`user`, who reads that language, sees cards of that deck.  Raises Unavailable."""
        await self._heard.flush()  # what waits would be stored after it
        await self._stored.choose_deck(user, deck, locale)
        self._decks[user] = deck

    async def board_deck(self, head: TableHead) -> str:
        """The cards that everybody at a table sees: its server's, its host's if they are alone."""
        return await (self.deck_of(head.host) if head.alone else self.server_deck(head.guild))

    async def server_deck(self, guild: GuildId) -> str:
        """The deck chosen for a server; the default if none was, or if it is unknown."""
        known = self._boards.get(guild)
        if known is not None:
            return known
        try:
            found = await self._servers.board_deck(guild)
        except Exception as error:  # a board with the usual cards is better than none
            logger.warning("board_deck_not_found", kind=type(error).__name__)
            return STANDARD
        # What was chosen while the store was asked counts.
        return self._boards.setdefault(guild, found or STANDARD)

    async def choose_server_deck(self, guild: GuildId, deck: str) -> None:
        """Choose the deck of what everybody on a server sees.  Raises Unavailable."""
        await self._servers.choose_board_deck(guild, deck)
        self._boards[guild] = deck

    async def forget(self, user: UserId) -> None:
        """Store what is not stored yet, and know nothing of `user`.  Raises Unavailable."""
        await self._heard.flush()
        self._known.pop(user, None)
        self._decks.pop(user, None)
        self._noted.pop(user, None)

    async def aclose(self) -> None:
        """Store what is not stored yet."""
        await self._heard.aclose()
