"""`Preferences`: what a person has chosen for all servers, like hours in which nobody calls them.

What they have not is as by default.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final, TypeAlias, assert_never

from bot.ids import UserId
from bot.tables.model import TableError
from bot.tables.stored import Pace
from bot.tables.when import clock_time, known_zone, moment_of, rules_of, shown_at

# Quiet hours.

LONGEST_QUIET: Final = timedelta(hours=10)
"""The longest that quiet hours are, and that the end of a turn moves for them in all."""

DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Quiet:
    """Quiet hours of every day."""

    begin: time
    end: time
    """Of the next day, if it is not later than `begin`."""
    zone: str

    def until(self, moment: datetime) -> datetime | None:
        """The end of the quiet hours in which `moment` lies; None if it lies in none.

        Nor if this machine does not know the zone any more.
        """
        try:
            rules = rules_of(self.zone)
        except TableError:
            return None
        today = shown_at(moment, rules).date()
        for day in (today, today - DAY):
            begin = datetime.combine(day, self.begin)
            first = moment_of(begin, rules)
            last = min(
                moment_of(begin + _length(self.begin, self.end), rules), first + LONGEST_QUIET
            )
            if first <= moment < last:
                return last
        return None


QuietOf: TypeAlias = Callable[[UserId], Quiet | None]
"""Quiet hours of a person."""


def read_quiet(begin: str, end: str, zone: str, zones: Collection[str]) -> Quiet:
    """Quiet hours as they were typed; `zones` are the known names.

    Raises TableError `clock_unclear` (typed), `when_no_zone` (zone), `quiet_long` (limit: hours).
    """
    found = Quiet(clock_time(begin), clock_time(end), known_zone(zone, zones))
    if _length(found.begin, found.end) > LONGEST_QUIET:
        raise TableError("quiet_long", limit=LONGEST_QUIET // timedelta(hours=1))
    return found


def _length(begin: time, end: time) -> timedelta:
    minutes = (end.hour - begin.hour) * 60 + end.minute - begin.minute
    return timedelta(minutes=minutes if minutes > 0 else minutes + 24 * 60)


# Preferences.


class HandBy(StrEnum):
    """The way to one's hand."""

    LETTER = "letter"
    """By direct message."""
    BUTTON = "button"
    """Only behind *My hand*: a line in the channel calls them."""


class Confirm(StrEnum):
    """Where a card is asked about before it is played."""

    NEVER = "never"
    SLOW = "slow"
    """At tables with a day or more for a decision, or without a clock."""
    ALWAYS = "always"

    def asks_at(self, pace: Pace) -> bool:
        """Whether it is asked about at tables of that pace."""
        match self:
            case Confirm.NEVER:
                return False
            case Confirm.SLOW:
                return pace.slow
            case Confirm.ALWAYS:
                return True


class Calls(StrEnum):
    """How often one is called to a question."""

    ONCE = "once"
    """Neither before the time is up, nor by a nudge; only before a match is given up."""
    WARNED = "warned"
    """And once more before the time is up, or by a nudge in place of that."""


class Board(StrEnum):
    """Whether one stands on leaderboards."""

    ON = "on"
    OFF = "off"
    """On none; and what one has played is shown to oneself alone."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Choices of a person."""

    deck: str = "standard"
    """Which cards they see."""
    language: str = ""
    """Which they read; empty: that of their Discord."""
    tips: bool = True
    """Whether they want tips at games that are new to them."""
    hand: HandBy = HandBy.LETTER
    confirm: Confirm = Confirm.NEVER
    calls: Calls = Calls.WARNED
    board: Board = Board.ON
    quiet: Quiet | None = None
    """When they are not called."""

    def calls_again(self, now: datetime) -> bool:
        """Whether they may be called once more to a question."""
        return self.calls is not Calls.ONCE and not self.is_quiet(now)

    def is_quiet(self, now: datetime) -> bool:
        """Whether they are not called now."""
        return self.quiet_until(now) is not None

    def quiet_until(self, now: datetime) -> datetime | None:
        """From when on they are called again; None if they are called now."""
        return None if self.quiet is None else self.quiet.until(now)


Choice: TypeAlias = HandBy | Confirm | Calls | Board

CHOICES: Final[Mapping[str, tuple[Choice, ...]]] = {
    "hand": (*HandBy,),
    "confirm": (*Confirm,),
    "calls": (*Calls,),
    "board": (*Board,),
}
"""What is chosen from a menu, by field of `Preferences`."""


def with_choice(before: Preferences, choice: Choice) -> Preferences:
    """`before`, but for this choice."""
    match choice:
        case HandBy():
            return replace(before, hand=choice)
        case Confirm():
            return replace(before, confirm=choice)
        case Calls():
            return replace(before, calls=choice)
        case Board():
            return replace(before, board=choice)
        case _:
            assert_never(choice)
