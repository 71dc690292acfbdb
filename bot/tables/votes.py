"""Presses that are no actions of the match, as a table stores them: votes, readiness, wishes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bot.ids import QuestionId, UserId
from bot.tables.pace import Pace


class Ahead(NamedTuple):
    """An action chosen before one's turn."""

    since: QuestionId
    """Ply of the next entry when they chose: it is for their first question from there on."""
    text: str
    """As secret as the hand of its owner."""

    def __repr__(self) -> str:
        return f"Ahead({self.since})"


class Hinted(NamedTuple):
    """Hints that a person took in a match, which are public at its end."""

    name: str
    """Their name."""
    taken: int
    """Questions at which they took one."""
    last: QuestionId
    """The latest of these: asking again does not count."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A person's wish to take their last play back, about which the others are asked."""

    question: QuestionId
    """Ply of the next entry then: the wish is over once there is one."""
    user: UserId
    """Whose wish it is."""
    agreed: frozenset[UserId] = frozenset()
    """The others who have agreed."""
    refused: bool = False
    """Whether one of them has not: the play stands."""


@dataclass(frozen=True, slots=True)
class Votes:
    """Presses of people, by user."""

    ready: frozenset[UserId] = frozenset()
    """People who have pressed Next round since the round ended; in the lobby: Ready."""
    end_votes: frozenset[UserId] = frozenset()
    standing: frozenset[UserId] = frozenset()
    """People who pass for the whole deal."""
    rest_votes: frozenset[UserId] = frozenset()
    """People who want the match to rest; during a rest, those who want it to go on."""
    paces: Mapping[UserId, Pace] = field(default_factory=dict)
    """Other paces that people want."""
    away_votes: Mapping[UserId, frozenset[UserId]] = field(default_factory=dict)
    """By person who is away: the people who want their seat to be free."""
    ahead: Mapping[UserId, Ahead] = field(default_factory=dict)
    """Cards chosen ahead, by user."""
    take_back: TakeBack | None = None
    """The last wish to take a play back; `Table.take_back` says whether it still is one."""

    def without(self, user: UserId) -> Votes:
        """Without the presses of `user`, and those of others about them."""
        mine = {user}
        away = {whom: votes - mine for whom, votes in self.away_votes.items() if whom != user}
        return Votes(
            self.ready - mine,
            self.end_votes - mine,
            self.standing - mine,
            self.rest_votes - mine,
            {whom: pace for whom, pace in self.paces.items() if whom != user},
            {whom: votes for whom, votes in away.items() if votes},
            {whom: chosen for whom, chosen in self.ahead.items() if whom != user},
            _without(self.take_back, user),
        )

    def with_ahead(self, user: UserId, chosen: Ahead | None) -> Votes:
        """With what `user` has chosen ahead; None: with nothing."""
        others = {whom: one for whom, one in self.ahead.items() if whom != user}
        return replace(self, ahead={**others, user: chosen} if chosen else others)

    def with_away_votes(self, user: UserId, votes: frozenset[UserId]) -> Votes:
        """With these votes for taking the seat of `user`, who is away."""
        others = {whom: those for whom, those in self.away_votes.items() if whom != user}
        return replace(self, away_votes={**others, user: votes} if votes else others)


def _without(wish: TakeBack | None, user: UserId) -> TakeBack | None:
    """A wish without what `user` has said about it; None if it was theirs."""
    if wish is None or wish.user == user:
        return None
    return replace(wish, agreed=wish.agreed - {user})
