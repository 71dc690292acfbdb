"""`ServerSettings`, with the usual table of each game; `Servers` knows them by heart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar, assert_never

from cachetools import LRUCache

from bot.ids import ChannelId, GuildId, Ids, RoleId, drop
from bot.tables.customs import USUAL_COUNTING, USUAL_CUSTOMS, Counting, Customs
from bot.tables.plans import Wish
from bot.tables.ports import Clock
from bot.tables.stored import Pace, Person, StoredTable
from engine.game import AnyGame, Options
from engine.options import is_playable
from engine.players.levels import Level

# The usual table of a game.


@dataclass(frozen=True, slots=True)
class Usual:
    """A table as most want it on a server."""

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


# Settings.

T = TypeVar("T")

MAX_SERVERS: Final = 20_000
"""Maximum number of servers whose settings are remembered."""

MAX_CHANGES: Final = 50
"""Changes of a server that are kept."""

Value: TypeAlias = str | bool | tuple[int, ...]
"""A setting as its change is written down."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings of a server; a new one is one more field, with what held before as its default."""

    deck: str = "standard"
    """The deck of what everybody there sees."""
    counting: Counting = USUAL_COUNTING
    places: tuple[ChannelId, ...] = ()
    """Channels where tables may open, their threads included; none: everywhere."""
    openers: tuple[RoleId, ...] = ()
    """Roles of which whoever opens a table has one; none: everybody may."""
    sitters: tuple[RoleId, ...] = ()
    """The same for sitting down."""
    usual: Mapping[str, Usual] = field(default_factory=dict)
    """Usual tables by game; of the others nothing was saved."""
    called: RoleId | None = None
    """The role that is called when a table opens."""
    results: ChannelId | None = None
    """The channel that is told of every result."""
    language: str = ""
    """Of what everybody there sees; empty: the one that the server prefers on Discord."""


def shut(chosen: Iterable[T], there: Container[T], own: Container[T]) -> tuple[T, ...]:
    """The channels or roles of which one would do, if there is none of `own` among them.

    What was chosen and is no longer `there` counts for nothing: with all of them gone there is no
    limit.
    """
    wanted = tuple(one for one in chosen if one in there)
    return () if any(one in own for one in wanted) else wanted


class Setting(StrEnum):
    """Everything that can be changed, by the name under which changes are stored."""

    DECK = "deck"
    LANGUAGE = "language"
    BOARD = "board"
    HINTS = "hints"
    COMPUTERS = "computers"
    PLACES = "places"
    OPENERS = "openers"
    SITTERS = "sitters"
    CALLED = "called"
    RESULTS = "results"
    USUAL = "usual"
    """The usual table of a game was saved, which is the value."""
    NO_USUAL = "no_usual"
    """It was cleared."""


class Changed(NamedTuple):
    """A change of a setting."""

    at: datetime
    by: Person
    setting: Setting
    value: Value
    """What holds since."""


class ServerStore(Protocol):
    """Settings of servers.  Every method raises Unavailable."""

    async def settings(self, guild: GuildId) -> ServerSettings | None:
        """None: nobody has chosen anything there."""

    async def put(self, guild: GuildId, settings: ServerSettings, change: Changed) -> None:
        """Stores them with the change that led to them; the oldest beyond `MAX_CHANGES` goes."""

    async def changes(self, guild: GuildId) -> Sequence[Changed]:
        """Newest first; those of settings that there are no more are left out."""


def with_setting(before: ServerSettings, setting: Setting, value: Value) -> ServerSettings:
    """The settings with that one chosen; to save a usual table takes `Servers.save_usual`."""
    counting = before.counting
    match setting:
        case Setting.DECK:
            return replace(before, deck=str(value))
        case Setting.LANGUAGE:
            return replace(before, language=str(value))
        case Setting.BOARD:
            return replace(before, counting=replace(counting, board=bool(value)))
        case Setting.HINTS:
            return replace(before, counting=replace(counting, hints=bool(value)))
        case Setting.COMPUTERS:
            return replace(before, counting=replace(counting, computers=bool(value)))
        case Setting.PLACES:
            return replace(before, places=tuple(map(ChannelId, _ids(value))))
        case Setting.OPENERS:
            return replace(before, openers=tuple(map(RoleId, _ids(value))))
        case Setting.SITTERS:
            return replace(before, sitters=tuple(map(RoleId, _ids(value))))
        case Setting.CALLED:
            return replace(before, called=next(map(RoleId, _ids(value)), None))
        case Setting.RESULTS:
            return replace(before, results=next(map(ChannelId, _ids(value)), None))
        case Setting.NO_USUAL:
            usual = {game: one for game, one in before.usual.items() if game != value}
            return replace(before, usual=usual)
        case Setting.USUAL:
            return before
        case _:
            assert_never(setting)


def _ids(value: Value) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else ()


class Servers:
    """Settings of servers: one query when one is first met, from then on from memory."""

    def __init__(self, store: ServerStore, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._known: LRUCache[GuildId, ServerSettings] = LRUCache(MAX_SERVERS)
        self._changing = asyncio.Lock()
        """Held by the one change that is being made: none is made on the ground of old settings."""
        self._drops = 0
        """Counts how often something was forgotten behind the cache."""

    async def settings(self, guild: GuildId) -> ServerSettings:
        """What holds on that server.  Raises Unavailable."""
        known = self._known.get(guild)
        if known is not None:
            return known
        drops = -1
        while drops != self._drops:
            drops = self._drops
            found = await self._store.settings(guild)
        # What was chosen while the store was asked counts.
        return self._known.setdefault(guild, found or ServerSettings())

    def drop(self, ids: Ids) -> None:
        """These servers were forgotten: nobody has chosen anything there."""
        self._drops += 1
        drop(self._known, ids)

    async def usual(self, guild: GuildId, game: str) -> Usual:
        """Its usual table of a game.  Raises Unavailable."""
        return (await self.settings(guild)).usual.get(game, Usual())

    async def change(
        self, guild: GuildId, by: Person, setting: Setting, value: Value
    ) -> ServerSettings:
        """Choose one setting; to choose what holds already changes nothing.  Raises Unavailable."""
        return await self._change(
            guild, by, setting, value, lambda before: with_setting(before, setting, value)
        )

    async def save_usual(
        self, guild: GuildId, by: Person, game: str, usual: Usual
    ) -> ServerSettings:
        """The same for the usual table of a game."""
        return await self._change(
            guild,
            by,
            Setting.USUAL,
            game,
            lambda before: replace(before, usual={**before.usual, game: usual}),
        )

    async def _change(
        self,
        guild: GuildId,
        by: Person,
        setting: Setting,
        value: Value,
        decide: Callable[[ServerSettings], ServerSettings],
    ) -> ServerSettings:
        async with self._changing:
            before = await self.settings(guild)
            after = decide(before)
            if after == before:
                return before
            try:
                await self._store.put(guild, after, Changed(self._clock(), by, setting, value))
            except BaseException:
                self._known.pop(guild, None)  # it may be stored all the same
                raise
            self._known[guild] = after
            return after

    async def changes(self, guild: GuildId) -> Sequence[Changed]:
        """See `ServerStore.changes`."""
        return await self._store.changes(guild)
