"""People at many tables at once, each table at its pace whether or not anybody keeps up."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from bot.render.custom_ids import Verb
from engine.players.levels import Level
from tests.wire.front import Asked, Front, Request
from tests.wire.ledger import Known, Ledger
from tests.wire.people import Answer, Person, Shown, Wire
from tests.wire.playing import asks, press_something

Hands: TypeAlias = Literal["channel", "dm"]


class Played(NamedTuple):
    """What is played at a table."""

    game: str
    people: int
    length: int
    """One that no evening reaches."""


GAMES: Final = (
    Played("aufundab", 3, 40),
    Played("auffalscherfaehrte", 4, 40),
    Played("sticheln", 4, 40),
    Played("kaiserspiel", 4, 150),
)
"""Tables take turns among these."""

GUILD: Final = 20
"""Tables in a server: more would be too many for its ten minutes."""

OPENING: Final = 8
"""So many tables are opened at the same time."""

PANEL_SECONDS: Final = 10.0
"""How long somebody waits for the hand that comes by DM."""


class Timed(NamedTuple):
    """An interaction: when it was made, and the seconds until it was answered (None: never)."""

    at: float
    seconds: float | None


class Crowd(Wire):
    """A wire that keeps the times of all that is pressed or typed."""

    def __init__(self, front: Front) -> None:
        super().__init__(front)
        self.times: list[Timed] = []

    async def answered(self, asked: Asked) -> Answer:
        answer = await super().answered(asked)
        self.times.append(Timed(asked.at, answer.seconds))
        return answer


@dataclass
class Player(Person):
    """Somebody who knows by heart what they may play: suggestions are no part of a ply."""

    known: Known | None = None

    async def suggestions(
        self, channel: int, command: str, option: str, typed: str = ""
    ) -> list[Any]:
        assert self.known is not None
        seat = self.known.seat_of(self.id)
        return [] if seat is None else self.known.legal(seat)


@dataclass
class Moments:
    """By channel, of boards and of lines that call somebody: when."""

    boards: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    notices: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Evening:
    """What people met with."""

    awaited: Moments = field(default_factory=Moments)
    """From when on they waited."""
    late: list[float] = field(default_factory=list)
    """Seconds by which each step began too late, because the one before at that table took long."""
    skipped: int = 0
    """Steps at which there was nothing to press."""


class Arrived(Moments):
    """Of what has come."""

    def see(self, request: Request) -> None:
        """Takes note of a request of the program, if that is what it is."""
        parts = request.path.split("/")
        if request.status != 200 or parts[1] != "channels" or parts[-1] == "typing":
            return
        if request.method not in ("POST", "PATCH") or not isinstance(request.body, dict):
            return
        called = (request.body.get("allowed_mentions") or {}).get("users")
        (self.notices if called else self.boards)[int(parts[2])].append(request.at)


class Table:
    """A table and the people around it."""

    def __init__(self, channel: int, players: Sequence[Player], known: Known, seed: int) -> None:
        self.channel = channel
        self.players = {player.id: player for player in players}
        self.known = known
        self._rng = random.Random(seed)

    async def step(self, crowd: Crowd, ledger: Ledger, hands: Hands, awaited: Moments) -> bool:
        """What the table waits for: somebody's ply, or everybody's *Next round*.

        False if there is nothing to press yet: the board with a new deal has not come.
        """
        known = ledger.look(self.known.id)
        if known.between_rounds:
            for user in known.people.values():
                board = self._board(crowd)
                if board is not None and board.presses(Verb.NEXT):
                    await self.players[user].press_verb(board, Verb.NEXT)
            return True
        before = self._board(crowd)
        if not known.asked or before is None:
            return False
        player, asked = self.players[known.asked[0]], _questions(known)
        answer = await self._play(player, hands, before)
        if answer is None or answer.seconds is None:
            return False
        known = ledger.look(known.id)
        at = crowd.times[-1].at + answer.seconds
        shown = answer.shown
        if not any(one.id == before.id for one in shown):
            # Else the answer was the board.
            awaited.boards[self.channel].append(at)
        if _questions(known) - asked:
            awaited.notices[self.channel].append(at)
        return True

    def _board(self, crowd: Crowd) -> Shown | None:
        try:
            return crowd.board(self.channel)
        except LookupError:
            return None

    async def _play(self, player: Player, hands: Hands, board: Shown) -> Answer | None:
        seat = self.known.seat_of(player.id)
        assert seat is not None
        question = self.known.question(seat)
        if hands == "dm":
            panel = await self._panel(player, question)
            return None if panel is None else await press_something(player, panel, self._rng)
        if self.known.legal(seat) == ["pass"] and asks(board, self.known.id, question):
            return await player.press_verb(board, Verb.ACT)
        opened = await player.press_verb(board, Verb.HAND)
        if opened.panel is None or not asks(opened.panel, self.known.id, question):
            return None
        return await press_something(player, opened.panel, self._rng)

    async def _panel(self, player: Player, question: int) -> Shown | None:
        """The hand that comes by DM, once it is there."""
        loop = asyncio.get_running_loop()
        end = loop.time() + PANEL_SECONDS
        while loop.time() < end:
            for panel in reversed(player.dms()):
                if asks(panel, self.known.id, question):
                    return panel
            await asyncio.sleep(0.02)
        return None


def _questions(known: Known) -> set[tuple[int, int]]:
    """Who is asked which question: one line calls all who choose at the same time."""
    return {
        (known.people[seat], known.question(seat))
        for seat in known.actors
        if known.people.get(seat) in known.asked
    }


async def open_tables(
    crowd: Crowd,
    ledger: Ledger,
    count: int,
    pace: str,
    *,
    seed: int = 0,
    computers: tuple[int, Level] | None = None,
    games: Sequence[Played] = GAMES,
) -> list[Table]:
    """So many matches that have begun, of all these games in turn, in servers of their own.

    With so many computer players of a level one person sits down at each of them, else people only.
    """
    gate = asyncio.Semaphore(OPENING)
    guild = 0
    opening = []
    for number in range(count):
        if number % GUILD == 0:
            guild = crowd.guild()
        played = games[number % len(games)]
        opening.append(_open(gate, crowd, ledger, guild, seed + number, pace, played, computers))
    return await asyncio.gather(*opening)


async def _open(
    gate: asyncio.Semaphore,
    crowd: Crowd,
    ledger: Ledger,
    guild: int,
    number: int,
    pace: str,
    played: Played,
    computers: tuple[int, Level] | None,
) -> Table:
    game, people, length = played
    options: dict[str, object] = {"game": game, "seats": people, "length": length, "pace": pace}
    if computers is not None:
        count, level = computers
        people, options["seats"] = 1, 1 + count
        options["computers"] = f"{count} {level}"
    channel = crowd.channel(guild, f"table-{number}")
    players = []
    for person in crowd.join(guild, *(f"P{number}{letter}" for letter in "abcd"[:people])):
        players.append(Player(crowd, person.id, person.name))
        crowd.people[person.id] = players[-1]
    host, *others = players
    async with gate:
        opened = await host.slash(channel, "newgame", **options)
        assert not opened.failed, opened.text
        # On a busy machine the answer is deferred, and the board comes as a message of its own.
        await crowd.board_with(channel, Verb.LEAVE, seconds=60)
        for player in others:
            await player.press_verb(crowd.board(channel), Verb.JOIN)
        await host.slash(channel, "start")
        await crowd.board_with(channel, Verb.HAND, seconds=60)
    known = ledger.newest(channel)
    assert known is not None
    for player in players:
        player.known = known
    return Table(channel, players, known, number)


async def play(
    tables: Sequence[Table],
    crowd: Crowd,
    ledger: Ledger,
    hands: Hands,
    every: float,
    seconds: float,
) -> Evening:
    """Every table has a step every so many seconds, spread evenly among the tables."""
    loop = asyncio.get_running_loop()
    begun, had = loop.time() + 0.1, Evening()

    async def evening(table: Table, first: float) -> None:
        for number in range(max(1, round(seconds / every))):
            due = first + number * every
            had.late.append(max(0.0, loop.time() - due))
            await asyncio.sleep(max(0.0, due - loop.time()))
            had.skipped += not await table.step(crowd, ledger, hands, had.awaited)

    await asyncio.gather(
        *(
            evening(table, begun + every * number / len(tables))
            for number, table in enumerate(tables)
        )
    )
    return had
