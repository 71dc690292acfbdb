"""Permission to see and touch a table: one decision for all commands, presses and forms.

Pure: it decides from the facts about one person and one table at one moment, which
`bot.answer.sight` collects.  Unknown facts count as a refusal.  Whether the table itself allows a
wish (whose turn it is, who is host), and who may answer a plan, is decided in `bot.tables`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, assert_never

from bot.tables.model import TableCode


class Where(Enum):
    """The place of an interaction, as seen from the table."""

    HERE = auto()
    """In the table's channel or thread, where people see it."""
    SERVER = auto()
    """Elsewhere on the table's server."""
    OUTSIDE = auto()
    """In a direct message, or on another server."""


class Channel(NamedTuple):
    """Facts about a table's channel, and a person's access to it."""

    visible: bool
    """Whether they have View Channel; in a thread that of the channel above it."""
    private: bool = False
    """A private thread: only its members see it, and people who manage threads."""
    joined: bool = False
    """A private thread: whether they are a member of it."""
    manages_threads: bool = False

    @property
    def open(self) -> bool:
        return self.visible and (not self.private or self.joined or self.manages_threads)


@dataclass(frozen=True, slots=True)
class Known:
    """Facts about one person and one table, when the person does something."""

    where: Where
    seated: bool = False
    """Whether they sit at the table, or sat there when it ended."""
    ended: bool = False
    invited: bool = False
    """Whether they were sent an invitation to it, and could go there when that was asked now."""
    channel: Channel | None = None
    """None if nothing is known: it is out of our sight, or the interaction came from outside."""
    moderates: bool = False
    """Whether they have Manage Messages where they are."""
    connects: bool = True
    """False if the table is in a voice channel that they may not join."""
    writes: bool = False
    """Whether they may write and use commands in the table's channel."""
    gone: bool = False
    """Whether Discord says that they have left the table's server, or were banned."""


class Need(Enum):
    """A right that something about a table requires."""

    SEE = auto()
    """To look at it."""
    SIT = auto()
    """To sit down at it, or at its rematch."""
    ACT = auto()
    """To do what people at the table do."""
    LEAD = auto()
    """To do what a host does."""
    DECIDE = auto()
    """To end it, or to send a person away: as a player, or as a moderator."""


def may_see(known: Known) -> bool:
    """Whether they may know that there is such a table, and see what everybody sees of it."""
    if known.gone:
        return False
    return known.seated or known.invited or _reaches(known)


def may_sit(known: Known) -> bool:
    """Whether they may sit down.

    A former seat is no key, and neither is one at a table that has ended.
    """
    if not may_see(known):
        return False
    if known.seated and not known.ended:
        return True
    return known.connects and (known.invited or _reaches(known))


def may_open(known: Known) -> bool:
    """Whether they may have a table opened there: the program posts there in their name."""
    return may_sit(known) and known.writes


def may_act(known: Known) -> bool:
    """Whether they act for a seat of their own."""
    return may_see(known) and known.seated and not known.ended


def may_moderate(known: Known) -> bool:
    """Whether they decide over a table that is not theirs: by a permission, and there only."""
    return may_see(known) and known.where is Where.HERE and known.moderates


def refusal(known: Known, need: Need) -> TableCode | None:
    """Code of the refusal of what needs `need`; None if they may.

    `no_such_table` must not be told from the answer about a table that does not exist.
    """
    if not may_see(known):
        return "no_such_table"
    match need:
        case Need.SEE:
            return None
        case Need.SIT:
            if may_sit(known):
                return None
            return "out_of_reach" if known.connects else "may_not_connect"
        case Need.ACT:
            return None if may_act(known) or known.ended else "not_seated"
        case Need.LEAD:
            return None if may_act(known) or known.ended else "not_host"
        case Need.DECIDE:
            if may_act(known) or may_moderate(known) or known.ended:
                return None
            # They moderate where they typed it, and perhaps the table's channel as well.
            elsewhere = known.moderates and known.where is Where.SERVER
            return "moderate_there" if elsewhere else "not_seated"
        case _:
            assert_never(need)


def _reaches(known: Known) -> bool:
    """Whether they could go to the table's channel."""
    match known.where:
        case Where.HERE:
            return True
        case Where.SERVER:
            return known.channel is not None and known.channel.open
        case Where.OUTSIDE:
            return False
        case _:
            assert_never(known.where)
