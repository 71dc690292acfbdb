"""What is committed, read with SQL alone and folded by the engine: whose turn it really is.

No code of the program's tables is asked, so that it can be held against them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.game import CHANCE, AnyGame
from engine.record import opening_from_json
from engine.registry import games
from tests.wire.store import Row, store

OPEN: Final = ("lobby", "running")


@dataclass
class Line:
    """A line of a log."""

    ply: int
    seat: int
    text: str
    interaction: int | None
    by: str


@dataclass
class Known:
    """A table as the database has it."""

    id: str
    channel: int
    game: AnyGame
    seats: int = 0
    options: dict[str, Any] = field(default_factory=dict)
    status: str = "lobby"
    closed: bool = False
    pace: str = "none"
    host: int = 0
    people: dict[int, int] = field(default_factory=dict)
    """Place to user; free places are left out."""
    names: dict[int, str] = field(default_factory=dict)
    """Of these people."""
    computers: dict[int, str] = field(default_factory=dict)
    """Place to level, where a computer player sits."""
    away: set[int] = field(default_factory=set)
    """Places whose person a stand-in plays for."""
    standing: set[int] = field(default_factory=set)
    """Users who pass for the whole deal."""
    end_votes: set[int] = field(default_factory=set)
    """Users who want to end it."""
    stop: str | None = None
    """Why it ended before its outcome."""
    starters: list[int] = field(default_factory=list)
    """Users who began the match, by seat."""
    apart: bool = False
    """Whether computer players began it too."""
    conceded: set[int] = field(default_factory=set)
    seeds: dict[int, str] = field(default_factory=dict)
    """By round, in hex."""
    tip: str = ""
    """That of the chain of seeds."""
    state: Any = None
    log: list[Line] = field(default_factory=list)

    @property
    def actors(self) -> tuple[int, ...]:
        """Seats that may act now."""
        if self.state is None or self.status != "running":
            return ()
        actors = self.game.actors(self.state)
        return () if actors == (CHANCE,) else actors

    @property
    def asked(self) -> list[int]:
        """Users who have to do something: nobody and nothing answers for them."""
        seats = [seat for seat in self.actors if seat in self.people and seat not in self.away]
        return [self.people[seat] for seat in seats if not self._passes(seat)]

    @property
    def passing(self) -> bool:
        """Whether the table is about to pass for somebody, since all see that it is all they can
        do."""
        return any(seat in self.people and self._is_public(seat) for seat in self.actors)

    def _passes(self, seat: int) -> bool:
        """Whether whoever sits there passes for the whole deal and that answers this question, or
        can do nothing else, as everybody sees."""
        if self._is_public(seat):
            return True
        if self.people[seat] not in self.standing:
            return False
        return self.game.standing_action(self.game.observe(self.state, seat)) is not None

    def _is_public(self, seat: int) -> bool:
        layout = self.game.layout(self.game.observe(self.state, seat))
        return any(act.public for act in layout.acts)

    @property
    def free(self) -> list[int]:
        """Places where nobody sits."""
        taken = self.people.keys() | self.computers.keys()
        return [place for place in range(self.seats) if place not in taken]

    @property
    def between_rounds(self) -> bool:
        """Whether people have to press *Next round*."""
        running = self.status == "running" and not self.closed and self.state is not None
        return running and self.game.actors(self.state) == (CHANCE,)

    def question(self, seat: int) -> int:
        return self.game.question(self.state, seat)

    def legal(self, seat: int) -> list[str]:
        """Notation of all that a seat may do."""
        found = self.game.legal_actions(self.state, seat)
        return [self.game.format_action(action) for action in found]

    def seat_of(self, user: int) -> int | None:
        return next((seat for seat, sitting in self.people.items() if sitting == user), None)


class Ledger:
    """Reads the database of a program that runs, or has run."""

    def __init__(self, url: str) -> None:
        self._store = store(url)
        self._known: dict[str, Known] = {}
        self._order: dict[str, int] = {}
        self.applied: list[Callable[[Known, Any, Line, Any], None]] = []
        """Told of every line that is folded: table, state before, line, action."""

    def close(self) -> None:
        """Closes the database, until it is looked into again."""
        self._store.close()

    def begin_anew(self) -> None:
        """There is another database in the place of the one that was read: all is folded anew."""
        self.close()
        for known in self._known.values():
            known.log.clear()
            known.state = None

    def rows(self, query: str, *values: object) -> Sequence[Row]:
        """Any query, with `?` for each of the values; columns by name."""
        return self._store.rows(query, *values)

    def change(self, *statements: tuple[str, Sequence[object]]) -> None:
        """Changes the database, while the program is down: statements with their values."""
        self._store.change(statements)

    def tables(self, channel: int | None = None) -> list[str]:
        """Ids of all tables, or of a channel's, oldest first.

        In the order in which they were seen: the clock by which they were opened may be set.
        """
        if channel is None:
            found = self.rows("SELECT id FROM tables ORDER BY created")
        else:
            query = "SELECT id FROM tables WHERE channel_id = ? ORDER BY created"
            found = self.rows(query, channel)
        for row in found:
            self._order.setdefault(row["id"], len(self._order))
        return sorted((row["id"] for row in found), key=self._order.__getitem__)

    def newest(self, channel: int) -> Known | None:
        """The table of a channel that is open, else the newest."""
        query = "SELECT id FROM tables WHERE channel_id = ? AND status IN ('lobby', 'running')"
        found = [row["id"] for row in self.rows(query, channel)] or self.tables(channel)
        return self.look(found[-1]) if found else None

    def look(self, table: str) -> Known:
        """A table as it is now; the same object every time.  Raises LookupError."""
        found = self.rows("SELECT * FROM tables WHERE id = ?", table)
        if not found:
            raise LookupError(table)
        row, stored = found[0], json.loads(found[0]["document"])
        known = self._known.get(table)
        if known is None:
            known = Known(table, stored["channel"], games()[stored["game"]])
            self._known[table] = known
        seating, shuffling, votes = stored["seating"], stored["shuffling"], stored["votes"]
        known.status, known.stop, known.host = row["status"], stored["stop"], seating["host"]
        known.closed, known.pace = shuffling["closed"], stored["timing"]["pace"]
        known.standing, known.end_votes = set(votes["standing"]), set(votes["end_votes"])
        # A person is an id and a name, a computer player says its level.
        known.starters = [one[0] for one in seating["starters"] if isinstance(one, list)]
        known.apart = any(isinstance(one, dict) for one in seating["starters"])
        known.conceded, known.options = set(seating["conceded"]), stored["options"]
        known.seeds = {n: shuffle["seed"] for n, shuffle in enumerate(shuffling["shuffles"], 1)}
        known.tip = shuffling["chain"]["tip"]
        places = dict(enumerate(seating["places"]))
        known.seats = len(places)
        known.people = {n: place["person"][0] for n, place in places.items() if place["person"]}
        known.names = {n: places[n]["person"][1] for n in known.people}
        known.computers = {n: p["computer"] for n, p in places.items() if p["computer"]}
        known.away = {n for n, place in places.items() if place["away"]}
        for line in self._new(known):
            self._fold(known, line)
        return known

    def _new(self, known: Known) -> Iterator[Line]:
        query = "SELECT * FROM entries WHERE table_id = ? AND ply >= ? ORDER BY ply"
        for row in self.rows(query, known.id, len(known.log)):
            yield Line(row["ply"], row["seat"], row["text"], row["interaction_id"], row["by"])

    def _fold(self, known: Known, line: Line) -> None:
        assert line.ply == len(known.log), f"{known.id} has no line {len(known.log)}"
        if known.state is None:
            known.state = known.game.initial(known.seats, known.options)
        action: Any
        if line.seat == CHANCE:
            action = opening_from_json(known.game, known.state, json.loads(line.text))
        else:
            action = known.game.parse_action(line.text)
        before = known.state
        known.state = known.game.apply(before, line.seat, action)
        known.log.append(line)
        for told in self.applied:
            told(known, before, line, action)
