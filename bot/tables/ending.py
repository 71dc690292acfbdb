"""Leaving, sending away and ending after the first deal, and who gives up by that.  Pure.

Before the first deal the host decides.  After it, more than half of the people present decide, and
only a person who is away can be voted out, by at least two.  A moderator decides alone, except
about a match in which they play.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from bot.ids import UserId
from bot.tables import lobby, presence, queueing, verdict
from bot.tables.model import Table, TableError
from bot.tables.stored import Stop, StoredTable


def decides(table: Table, user: UserId, *, moderator: bool) -> bool:
    """Whether `user` ends the table, or sends others away, without a vote."""
    seating = table.stored.seating
    if table.begun:
        return moderator and seating.place_of(user) is None and not seating.began(user)
    return moderator or user == seating.host


def concedes(table: Table, user: UserId) -> bool:
    """Whether `user` concedes by leaving now: half of the match was played, and they began it."""
    return table.half_played and table.stored.seating.began(user)


class Leaving(StrEnum):
    """What it means to leave a running match: codes of the sentences that say it."""

    CONFIRM = "leave.confirm"
    """A stand-in plays on, and the seat is free."""
    CONCEDE = "leave.concede"
    """The same, and whoever leaves concedes it until they come back."""
    CONFIRM_LINE = "leave.confirm_line"
    CONCEDE_LINE = "leave.concede_line"
    """The same where people wait in line, who come first to the seat."""
    DECIDES = "leave.decides"
    """They concede it, and by that whoever stays has won: it is over."""
    ENDS = "leave.ends"
    """By that whoever stays has won: it is over, and they concede nothing."""
    CONFIRM_LAST = "leave.confirm_last"
    """Nobody else is there: it is stopped."""
    CONCEDE_LAST = "leave.concede_last"
    """The same, and they concede it."""


def means(table: Table, now: datetime, user: UserId) -> Leaving | None:
    """What leaving now means for `user`, found by leaving; None if they do not play."""
    before = table.stored.seating
    seat = before.place_of(user)
    if not table.running or seat is None:
        return None
    after = leave(table, now, user)
    concedes = user in after.seating.conceded - before.conceded
    if after.stop is Stop.CONCEDED:
        return Leaving.DECIDES if concedes else Leaving.ENDS
    if not after.status.is_open:
        return Leaving.CONCEDE_LAST if concedes else Leaving.CONFIRM_LAST
    if queueing.comes_first(replace(table, stored=after), user, seat):
        return Leaving.CONCEDE_LINE if concedes else Leaving.CONFIRM_LINE
    return Leaving.CONCEDE if concedes else Leaving.CONFIRM


class Removal(StrEnum):
    """What it means to remove somebody who sits or waits there: codes of sentences."""

    LINE = "kick.line"
    """They stand in line for a seat."""
    LOBBY = "kick.lobby"
    MATCH = "kick.match"
    """A stand-in plays on in a running match."""
    ENDS = "kick.ends"
    """By that it is over: nobody is there any more, or nobody against whoever has won it."""
    VOTE = "kick.vote"
    """It is a vote."""


def removal(
    table: Table, now: datetime, user: UserId, target: UserId, *, moderator: bool
) -> Removal:
    """What it means that `user` removes `target`, found by doing it.  Raises what `kick` does."""
    after = kick(table, now, user, target, moderator=moderator)
    if table.stored.seating.place_of(target) is None:
        return Removal.LINE
    if not decides(table, user, moderator=moderator):
        return Removal.VOTE
    if not table.running:
        return Removal.LOBBY
    return Removal.MATCH if after.status.is_open else Removal.ENDS


class Ending(StrEnum):
    """What it means to end the table: codes of the sentences that say it."""

    ALONE = "end.confirm"
    VOTE = "end.confirm_vote"


def ends(table: Table, user: UserId, *, moderator: bool) -> Ending:
    """What it means that `user` ends the table.

    Raises TableError `ended`, `not_seated`, `not_host` (before the first deal nobody votes).
    """
    if not table.stored.status.is_open:
        raise TableError("ended", table)
    if decides(table, user, moderator=moderator):
        return Ending.ALONE
    if table.stored.seating.place_of(user) is None:
        raise TableError("not_seated", table)
    if not table.begun:
        raise TableError("not_host", table)
    return Ending.VOTE


# What somebody confirms who was shown what it means; the others are for what was not asked about.


def leave_as_shown(table: Table, now: datetime, user: UserId, shown: str) -> StoredTable:
    """See `leave`.  Raises TableError `stale` too: it means something else than was `shown`."""
    if (meant := means(table, now, user)) is not None:
        _require_same(meant, shown)
    return leave(table, now, user)


def kick_as_shown(
    table: Table, now: datetime, user: UserId, target: UserId, shown: str, *, moderator: bool
) -> StoredTable:
    """See `kick`.  Raises TableError `stale` as `leave_as_shown` does."""
    _require_same(removal(table, now, user, target, moderator=moderator), shown)
    return kick(table, now, user, target, moderator=moderator)


def end_as_shown(
    table: Table, now: datetime, user: UserId, shown: str, *, moderator: bool = False
) -> StoredTable:
    """See `end`.  Raises TableError `stale` as `leave_as_shown` does."""
    _require_same(ends(table, user, moderator=moderator), shown)
    return end(table, now, user, moderator=moderator)


def _require_same(meant: str, shown: str) -> None:
    if meant != shown:
        raise TableError("stale")


def leave(table: Table, now: datetime, user: UserId) -> StoredTable:
    """`user` leaves their seat; once half of the match was played they concede it.

    Raises TableError `ended`, `not_seated`.
    """
    return _got_up(table, lobby.leave(table.stored, user, now), user, now)


def left_server(table: Table, now: datetime, user: UserId) -> StoredTable:
    """`user` has left the server, or was banned, and so leaves the table or its line.

    See `lobby.left_server`.
    """
    stored = lobby.left_server(queueing.without(table.stored, user), user, now)
    if not table.stored.status.is_open or table.stored.seating.place_of(user) is None:
        return stored
    return _got_up(table, stored, user, now)


def _got_up(table: Table, stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    if concedes(table, user):
        stored = verdict.left_by(stored, user)
    if not stored.status.is_open:
        return verdict.unless_all(stored)
    return verdict.over_if_won(stored, table.game.info.teams, now)


def end(table: Table, now: datetime, user: UserId, *, moderator: bool) -> StoredTable:
    """End the table if `user` decides alone, else count their vote to end it.

    Voting makes `user` present.  Raises what `ends` does.
    """
    stored = table.stored
    if ends(table, user, moderator=moderator) is Ending.ALONE:
        stop = Stop.HOST if user == stored.seating.host else Stop.MODERATOR
        return stored.broken_off(stop, now)
    votes = replace(stored.votes, end_votes=stored.votes.end_votes | {user})
    # Who comes back by voting calls no countdown off.
    stored = presence.clear_absence(replace(stored, votes=votes), user)
    return presence.count_end_votes(stored, now)


def kick(
    table: Table, now: datetime, user: UserId, target: UserId, *, moderator: bool = False
) -> StoredTable:
    """Send `target` away for good if `user` decides alone, else count their vote for it.

    Somebody in line is sent away too, but not by vote.

    Raises TableError `ended`, `not_host`, `kick_self`, `target_not_seated`, `not_seated`,
    `not_away` (only people who are away can be voted out).
    """
    stored = table.stored
    lobby.require_open(stored)
    alone = decides(table, user, moderator=moderator)
    if not alone and not table.begun:
        raise TableError("not_host", table)
    if target == user:
        raise TableError("kick_self")
    seat = stored.seating.place_of(target)
    if seat is None:
        if alone and stored.seating.waits(target):
            return queueing.send_away(stored, target)
        raise TableError("target_not_seated")
    if not alone:
        lobby.require_seated(stored, user)
        if not stored.seating.places[seat].away:
            raise TableError("not_away")
        stored = presence.clear_absence(stored, user)
        votes = stored.votes.away_votes.get(target, frozenset()) | {user}
        stored = replace(stored, votes=stored.votes.with_away_votes(target, votes))
        return count_away_votes(stored, now, half_played=table.half_played)
    return verdict.over_if_won(lobby.send_away(stored, target, now), table.game.info.teams, now)


def count_away_votes(stored: StoredTable, now: datetime, *, half_played: bool) -> StoredTable:
    """With those sent away, of whoever is away, whose seats enough of the people present want to be
    free."""
    for target, votes in stored.votes.away_votes.items():
        if len(votes) >= stored.seating.votes_to_remove:
            if half_played:
                voted_out = stored.seating.voted_out | {target}
                stored = replace(stored, seating=replace(stored.seating, voted_out=voted_out))
            stored = lobby.send_away(stored, target, now)
    return stored


def vanished(table: Table, now: datetime) -> StoredTable:
    """The channel or thread of the table was deleted; nothing changes at one that has ended."""
    stored = table.stored
    return stored.broken_off(Stop.CHANNEL, now) if stored.status.is_open else stored
