"""Everything that goes wrong in a run and everything that people do in it, counted by its kind.

What goes wrong with a request is a `tests.wire.faults.Kind`; all else that goes wrong is a `Trick`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tests.wire.faults import Kind
from tests.wire.proxy import Fault as Cut


class Trick(StrEnum):
    """What goes wrong at the gateway, with the process, its database, or with time."""

    KILL = "kill"
    """SIGKILL at any moment."""
    KILL_BEFORE = "kill before an answer"
    """SIGKILL when a request has come and is not answered yet."""
    KILL_AT = "kill at an answer"
    """The same, for what answers somebody or posts something."""
    KILL_DECIDED = "kill after a computer's decision"
    """SIGKILL when a computer player has just thought and its decision is not stored yet."""
    TERM = "stop"
    """SIGTERM: the program ends in order."""
    DROP = "drop"
    """The gateway's connection breaks; the session is resumed."""
    RECONNECT = "reconnect"
    """Discord asks for a new connection."""
    REFUSED = "refused resume"
    """The connection breaks, and the session cannot be resumed."""
    INVALID = "invalid session"
    """The session is over while the connection stands."""
    TWICE = "twice"
    """An interaction arrives a second time."""
    LATE = "late"
    """An interaction arrives up to half a second late."""
    TOO_LATE = "too late"
    """An interaction arrives when its three seconds are over."""
    STOPPED = "process stands still"
    """SIGSTOP, and SIGCONT some seconds later."""
    CLOCK = "clock is set"
    """The wall clock of the program jumps, ahead or back."""
    SHARD = "one connection drops"
    """One of several connections to the gateway breaks."""
    BACKUP = "backup"
    """A copy of the database is made while the program runs."""
    RESTORE = "restore"
    """After a kill the copy is put in the place of the database."""
    WORKER = "worker killed"
    """SIGKILL for a process that thinks for computer players, or for all, during a thought."""
    TIME = "time ran out"
    """While the program is down, the deadlines of a table come."""
    DATABASE_CUT = "database connections break"
    """All of them at once."""
    DATABASE_AWAY = "database is away"
    """All connections break, and for some seconds there are no new ones."""
    DATABASE_SLOW = "database is slow"
    """For some seconds everything that is said to it and by it is late."""
    DATABASE_SILENT = "database connections go silent"
    """Nothing passes any more on the connections there are, and nobody is told."""
    DATABASE_START = "database is away at a start"
    """The program begins while there are no connections to it."""
    COMMIT_CUT = "cut before a commit"
    """A connection breaks, and the COMMIT that was on its way is lost."""
    COMMIT_CUT_AFTER = "cut after a commit"
    """A connection breaks, and the answer to a COMMIT is lost."""
    COMMIT_SWALLOWED = "commit swallowed"
    """A connection goes silent, and the COMMIT that was on its way is lost."""
    COMMIT_ANSWER = "answer to a commit swallowed"
    """A connection goes silent, and the answer to a COMMIT is lost."""


AT_A_COMMIT: Final = {
    Trick.COMMIT_CUT: Cut.CUT_BEFORE,
    Trick.COMMIT_CUT_AFTER: Cut.CUT_AFTER,
    Trick.COMMIT_SWALLOWED: Cut.SWALLOW,
    Trick.COMMIT_ANSWER: Cut.SWALLOW_ANSWER,
}
"""What the proxy does when something is written, by its kind."""

DATABASE: Final = frozenset(
    {
        Trick.DATABASE_CUT,
        Trick.DATABASE_AWAY,
        Trick.DATABASE_SLOW,
        Trick.DATABASE_SILENT,
        Trick.DATABASE_START,
        *AT_A_COMMIT,
    }
)
"""What goes wrong on the way to a database on a server."""

COPIES: Final = frozenset({Trick.BACKUP, Trick.RESTORE})
"""What can only be done to a database in a file."""

KILLS: Final = frozenset(
    {Trick.KILL, Trick.KILL_BEFORE, Trick.KILL_AT, Trick.KILL_DECIDED, Trick.RESTORE}
)


class Deed(StrEnum):
    """What people do besides playing in turn.

    It counts once it was done: what was refused, failed or changed nothing does not.
    """

    CUT = "cuts with a word"
    LEAVE_LOBBY = "leaves a lobby"
    END_LOBBY = "ends a lobby"
    REMATCH = "opens a rematch"
    COMPUTER = "seats a computer"
    LEAVE = "leaves a running match"
    SIT = "takes a free seat"
    BACK = "takes the seat back from a stand-in"
    VOTE_OUT = "votes somebody away out"
    SEND_AWAY = "a moderator sends somebody away"
    VOTE_TO_END = "votes to end"
    END_BY_MAJORITY = "most vote to end"
    END_BY_ALL = "all vote to end"
    END_BY_MODERATOR = "a moderator ends"
    STANDING = "passes for the whole deal"
    HAND = "asks for the hand"
    TABLE = "asks for the table"
    WATCH = "watches"
    LOG = "reads the log"
    VERIFY = "asks for the proof"
    REPLAY = "asks for a record"
    LEADERBOARD = "turns the leaderboard's pages"
    LATE = "presses a retired board"
    STALE = "presses an old panel"
    TWICE = "presses twice at once"
    ANYTHING = "somebody seated presses anything"
    STRANGER = "a stranger presses anything"
    STRANGER_PLAYS = "a stranger plays"


@dataclass
class Tally:
    """How often each kind occurred."""

    tricks: Counter[Trick] = field(default_factory=Counter)
    deeds: Counter[Deed] = field(default_factory=Counter)

    def faults(self, requests: Counter[Kind]) -> dict[str, int]:
        """Everything that went wrong, by kind, with what went wrong with requests."""
        found = {str(kind): requests[kind] for kind in Kind}
        return found | {str(trick): self.tricks[trick] for trick in Trick}

    def number(self, requests: Counter[Kind]) -> int:
        """All faults together, but kills and stops; and closed DMs are nobody's fault."""
        none = KILLS | {Trick.TERM, Trick.BACKUP}
        others = sum(number for trick, number in self.tricks.items() if trick not in none)
        return others + sum(number for kind, number in requests.items() if kind is not Kind.REFUSED)

    def missing(
        self, requests: Counter[Kind], least: int, spared: Collection[Trick] = ()
    ) -> list[str]:
        """Kinds that occurred less often than that, but those that the plan does without."""
        deeds = {str(deed): self.deeds[deed] for deed in Deed}
        found = self.faults(requests) | deeds
        return [kind for kind, n in found.items() if n < least and kind not in spared]
