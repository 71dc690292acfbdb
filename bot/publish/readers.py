"""Language and deck in which each person reads.

What only one person sees shows the cards of their own deck, what everybody sees those of the
server's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import structlog
from cachetools import LRUCache

from bot.i18n import Texts, texts
from bot.ids import GuildId, UserId
from bot.pictures.decks import DECKS, STANDARD, TEXT
from bot.publish.later import Later
from bot.publish.membership import MAX_PEOPLE
from bot.publish.timings import TIMINGS, Timings
from bot.tables.ports import Habits
from bot.tables.servers import Servers
from bot.views.values import TableHead

logger = structlog.get_logger(__name__)


class People(Protocol):
    """Store of languages and decks of people.  Every method raises Unavailable."""

    async def habits(self, users: Sequence[UserId]) -> Mapping[UserId, Habits]:
        """Habits of those of the users who have any."""

    async def learn(self, heard: Mapping[UserId, str]) -> None:
        """Stores locales, by user, in place of those before; in one go."""

    async def choose_deck(self, user: UserId, deck: str, locale: str) -> None:
        """Store the deck chosen by `user`, who reads that language."""


class Readers:
    """Language and deck of each person.

    Both change rarely: they are read from memory, and languages heard are stored a moment later,
    those of many people at once.
    """

    def __init__(self, stored: People, servers: Servers, timings: Timings = TIMINGS) -> None:
        self._stored, self._servers = stored, servers
        self._known: LRUCache[UserId, str | None] = LRUCache(MAX_PEOPLE)
        self._decks: LRUCache[UserId, str] = LRUCache(MAX_PEOPLE)
        """Decks of the people who were looked up."""
        self._heard = Later(stored.learn, timings.store_lag, timings.store_lag, "locales")

    def heard(self, user: UserId, locale: str) -> None:
        """Note that `user` uses Discord in that language."""
        if self._known.get(user) != locale:
            self._known[user] = locale
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
        try:
            deck = (await self._servers.settings(guild)).deck
        except Exception as error:  # a board with the usual cards is better than none
            logger.warning("board_deck_not_found", kind=type(error).__name__)
            return STANDARD
        return deck if deck in (*DECKS, TEXT) else STANDARD

    async def aclose(self) -> None:
        """Store what is not stored yet."""
        await self._heard.aclose()
