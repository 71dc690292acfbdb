"""Private hands in channels that can be edited: the newest of each person at each table.

Discord lets such a message be edited or deleted for fifteen minutes after the press that drew it,
with a secret that came with the press.  That secret is in discord.py's message only: it is kept in
memory, is part of no `repr` and no log line, and is stored nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

import discord
from cachetools import LRUCache

from bot.ids import QuestionId, TableId, UserId
from bot.publish.surfaces import Shows

EDITABLE_TIME: Final = timedelta(minutes=14)
"""How long what a press drew is edited or deleted: Discord allows one minute more."""

MAX_SECONDS: Final = 10.0
"""Seconds that editing or deleting one may take."""

MAX_TABLES: Final = 500
"""Maximum number of tables with known hands; a press on another shows the table as it is."""

SentWhisper: TypeAlias = discord.InteractionMessage | discord.WebhookMessage
"""A message that the answer to a press has made or redrawn."""


@dataclass(frozen=True, slots=True, eq=False)
class Whisper:
    """A hand in a channel that its owner alone sees."""

    message: SentWhisper = field(repr=False)
    drawn: datetime
    """Time of the press that can still edit it."""
    shows: Shows | None
    """None if unknown: then it is redrawn."""
    files: bool = True
    """Whether we may attach files there."""


class Whispers:
    """The newest hand in a channel of each person, by table, as long as it can be edited."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._known: LRUCache[TableId, dict[UserId, Whisper]] = LRUCache(MAX_TABLES)

    def note(
        self,
        table: TableId,
        user: UserId,
        message: SentWhisper,
        shows: Shows | None,
        *,
        files: bool = True,
    ) -> Whisper | None:
        """A press, or a command, has drawn one; returns the one before if it is another message."""
        before = self.find(table, user)
        if before is not None and before.message.id == message.id:
            before = None
        now = Whisper(message, self._clock(), shows, files=files)
        self._known.setdefault(table, {})[user] = now
        return before

    def find(self, table: TableId, user: UserId) -> Whisper | None:
        """The one that can still be edited."""
        return dict(self.of(table)).get(user)

    def of(self, table: TableId) -> Sequence[tuple[UserId, Whisper]]:
        """Hands of the table that can still be edited, by owner."""
        people = self._known.get(table, {})
        oldest = self._clock() - EDITABLE_TIME
        for user in [user for user, known in people.items() if known.drawn <= oldest]:
            del people[user]
        return list(people.items())

    def redrawn(self, table: TableId, user: UserId, before: Whisper, shows: Shows) -> bool:
        """Note that `before` was redrawn, but not by a press; returns whether that is what people
        see.

        If it was pressed at the same time it is unknown which of the two is seen.
        """
        now = self.find(table, user)
        if now is None or now.message.id != before.message.id:
            return True
        seen = shows if now is before else None
        self._known[table][user] = replace(now, shows=seen)
        return now is before

    def doubt(self, table: TableId, question: QuestionId) -> None:
        """Have the hands that ask `question` redrawn."""
        for user, known in self.of(table):
            if known.shows is not None and known.shows.question == question:
                self._known[table][user] = replace(known, shows=None)

    def forget(self, table: TableId, user: UserId, before: Whisper) -> None:
        """`before` cannot be edited any more, or need not be."""
        if self.find(table, user) is before:
            self.let_go(table, user)

    def let_go(self, table: TableId, user: UserId) -> None:
        """Forget the hand that `user` sees in a channel: another message takes its place."""
        self._known.get(table, {}).pop(user, None)
