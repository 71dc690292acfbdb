"""`Apart`: people who do not sit down at one table, since one of them does not want it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from bot.ids import UserId
from bot.tables.codes import TableCode
from bot.tables.model import TableError


class Apart(NamedTuple):
    """The people with whom one person does not sit down."""

    never: frozenset[UserId] = frozenset()
    """Whom the person has chosen never to play with."""
    barred: frozenset[UserId] = frozenset()
    """Who has chosen that of the person, who is not told."""

    def require(self, others: Iterable[UserId], unsaid: TableCode) -> None:
        """Check that the person may be where these are.

        Raises TableError `never_with` for their own choice; for that of another `unsaid`, which
        other people get for other reasons.
        """
        there = frozenset(others)
        if there & self.never:
            raise TableError("never_with")
        if there & self.barred:
            raise TableError(unsaid)

    def welcomes(self, others: Iterable[UserId]) -> bool:
        """Whether nobody of these and the person is against the other."""
        return (self.never | self.barred).isdisjoint(others)


NOBODY: Final = Apart()
