"""`Usual`: a server's usual table of a game: what `/newgame` means if nothing is typed.  Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.tables.customs import USUAL_CUSTOMS, Customs
from bot.tables.plans import Wish
from bot.tables.stored import Pace, StoredTable
from engine.game import AnyGame, Options
from engine.options import is_playable
from engine.players.levels import Level


@dataclass(frozen=True, slots=True)
class Usual:
    """A table as most want it there."""

    seats: int | None = None
    """None: as many as can play."""
    given: Options = field(default_factory=dict)
    customs: Customs = USUAL_CUSTOMS
    pace: Pace = Pace.RELAXED
    computers: tuple[int, Level] = (0, Level.NORMAL)
    """How many computer players sit there from the beginning, and how strong they are."""


def usual_of(stored: StoredTable) -> Usual:
    """A lobby as the usual table."""
    seated = stored.seating.computers.values()
    level = max((one.level for one in seated), key=[*Level].index, default=Level.NORMAL)
    computers = len(seated), level
    seats = len(stored.seating.places)
    return Usual(seats, dict(stored.given), stored.customs, stored.timing.pace, computers)


def fitting(game: AnyGame, usual: Usual) -> Usual:
    """What of it the game still knows; the rest has its default."""
    seats = usual.seats if usual.seats in game.info.seats else None
    given = {
        key: value
        for key, value in usual.given.items()
        if _plays(game, seats or game.info.seats[-1], {key: value})
    }
    if not _plays(game, seats or game.info.seats[-1], given):
        given = {}
    return Usual(seats, given, usual.customs, usual.pace, usual.computers)


def wished(
    game: AnyGame,
    usual: Usual,
    typed: Options,
    *,
    seats: int | None,
    customs: Customs,
    pace: Pace | None,
    computers: tuple[int, Level] | None,
    private: bool,
    locale: str,
) -> Wish:
    """The table that somebody wants who leaves the rest as usual.

    Another length takes the place of the usual one, however each is measured.  Fewer seats than
    usual have no room for all usual computer players, and may not go with the usual options.
    """
    usual = fitting(game, usual)
    places = seats or usual.seats or game.info.seats[-1]
    lengths = {spec.key for spec in game.info.options if spec.measures is not None}
    dropped = lengths if lengths & typed.keys() else frozenset[str]()
    kept = {key: value for key, value in usual.given.items() if key not in dropped}
    given = {**kept, **typed}
    count, level = usual.computers
    return Wish(
        game.info.id,
        seats or usual.seats,
        given if _plays(game, places, given) else typed,
        private,
        usual.pace if pace is None else pace,
        locale,
        customs,
        (min(count, max(places - 1, 0)), level) if computers is None else computers,
    )


def _plays(game: AnyGame, seats: int, given: Options) -> bool:
    """Whether a table of so many may choose these options."""
    chosen = {spec.key for spec in game.info.table_options}
    return given.keys() <= chosen and is_playable(game, seats, given)
