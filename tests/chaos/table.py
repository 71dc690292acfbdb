"""One channel's evening: its people open tables, play, leave, come back, and press too much."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from simcord.backend.errors import BackendError

from bot.render.custom_ids import Verb
from engine.registry import games
from tests.wire.ledger import OPEN, Known
from tests.wire.people import Answer, Person, Shown, Wire
from tests.wire.playing import PLAYABLE, asks, press_something, type_something

PACES: Final = ("live60", "live120", "live180", "relaxed", "daily", "none")

GONE: Final = (BackendError, LookupError, ValueError)
"""What a person meets who presses something that is there no more."""

NAP: Final = 0.05
"""Seconds between two looks at a table that waits for something."""

Look: TypeAlias = Callable[[str], Known]


@dataclass
class Channel:
    """A channel and the people who play in it, and nowhere else."""

    wire: Wire
    look: Look
    newest: Callable[[int], Known | None]
    up: asyncio.Event
    """Set while the program runs."""
    rng: random.Random
    id: int
    people: list[Person]
    stranger: Person
    calm: bool = False
    """Nobody does anything but play."""
    ended: dict[str, str] = field(default_factory=dict)
    """Matches that were played here: how they ended."""
    old: list[Shown] = field(default_factory=list)
    """Panels that somebody has kept."""
    asked_for: set[str] = field(default_factory=set)
    """Matches whose result somebody may have asked to see again."""
    moved: float = 0.0
    """When the log grew last."""

    async def match(self) -> None:
        """One match, from `/newgame` to its end."""
        known = await self._opened()
        known = await self._begun(known)
        await self.play(known)

    async def play(self, known: Known) -> None:
        """Plays an open match to its end."""
        loop = asyncio.get_running_loop()
        self.moved, plies = loop.time(), len(known.log)
        while self.look(known.id).status in OPEN:
            if len(known.log) != plies:
                self.moved, plies = loop.time(), len(known.log)
            await self.up.wait()
            try:
                await self._step(known)
            except GONE:
                await asyncio.sleep(NAP)
        self.ended[known.id] = known.status

    # Opening

    async def _opened(self) -> Known:
        """The open table of the channel; somebody opens one if there is none."""
        while True:
            await self.up.wait()
            known = self.newest(self.id)
            if known is not None and known.status in OPEN:
                return known
            host = self.rng.choice(self.people)
            if known is not None and self.rng.random() < 0.4 and await self._rematch(host):
                continue
            game = self.rng.choice(sorted(games()))
            seats = [n for n in games()[game].info.seats if n <= len(self.people)]
            await host.slash(
                self.id,
                "newgame",
                game=game,
                seats=self.rng.choice(seats),
                length=1,
                pace=self.rng.choice(PACES),
            )
            await asyncio.sleep(NAP)

    async def _rematch(self, host: Person) -> bool:
        for shown in reversed(self.wire.messages(self.id)):
            for press, _ in shown.presses(Verb.REMATCH):
                await host.press(shown, press.encode())
                return True
        return False

    async def _begun(self, known: Known) -> Known:
        """The match of that lobby, once its cards are dealt or it is over."""
        while self.look(known.id).status == "lobby":
            await self.up.wait()
            with suppress(*GONE):
                await self._gather(known)
            await asyncio.sleep(NAP)
        return known

    async def _gather(self, known: Known) -> None:
        seated = set(known.people.values())
        if len(seated) < known.seats:
            absent = [person for person in self.people if person.id not in seated]
            coming = self.rng.sample(absent, min(len(absent), known.seats - len(seated)))
            await self._at_once([self._join(person) for person in coming])
        elif self.rng.random() < 0.05 and not self.calm:
            await self._someone(known).slash(self.id, "leave")
        else:
            host = self.wire.people[known.host]
            if self.rng.random() < 0.3:
                await self._someone(known).slash(self.id, "cut", word=f"Wort {self.rng.random()}")
            await host.slash(self.id, "start")

    async def _join(self, person: Person) -> Answer:
        if self.rng.random() < 0.5:
            return await person.press_verb(self.wire.board(self.id), Verb.JOIN)
        return await person.slash(self.id, "join")

    # Playing

    async def _step(self, known: Known) -> None:
        """Somebody does something, or time passes."""
        if not self.calm and self.rng.random() < 0.06:
            await self._mischief(known)
        elif known.closed:
            await asyncio.sleep(NAP)
        elif known.between_rounds:
            await self._next_round(known)
        elif known.asked and (not self._unmanned(known) or self.rng.random() < 0.7):
            await self._play(known)
        elif self._unmanned(known) and self.rng.random() < (0.8 if self.calm else 0.3):
            await self._come_back(known)
        else:
            await asyncio.sleep(2 * NAP)  # a stand-in, or somebody who passes for the whole deal

    @staticmethod
    def _unmanned(known: Known) -> bool:
        """Whether a stand-in plays for somebody."""
        return bool(known.away) or len(known.people) < known.seats

    async def _next_round(self, known: Known) -> None:
        people = [self.wire.people[user] for user in known.people.values()]
        if self.rng.random() < 0.5:
            board = self.wire.board(self.id)
            waiting = [person.press_verb(board, Verb.NEXT) for person in people]
        else:
            waiting = [person.slash(self.id, "start") for person in people]
        await self._at_once(list(waiting))
        await asyncio.sleep(NAP)

    async def _play(self, known: Known) -> None:
        """Whoever is asked plays: one of them, or all at the same time."""
        people = [self.wire.people[user] for user in known.asked]
        if len(people) > 1 and self.rng.random() < 0.5:
            await self._at_once([self._act(known, person) for person in people])
        else:
            await self._act(known, self.rng.choice(people))

    async def _act(self, known: Known, person: Person) -> None:
        seat = known.seat_of(person.id)
        if seat is None or seat not in known.actors:
            return
        question = known.question(seat)
        shown = self._panel(known, person, question)
        way = self.rng.random()
        if way < 0.2:
            dm = person.dm()
            await type_something(person, dm if dm and way < 0.05 else self.id, self.rng)
            return
        if shown is None and way < 0.4 and known.legal(seat) == ["pass"]:
            await person.press_verb(self.wire.board(self.id), Verb.ACT)
            return
        if shown is None:
            shown = await person.hand(self.id)
        if not self.calm and self.rng.random() < 0.1:
            self.old.append(shown)
            await self._at_once([press_something(person, shown, self.rng) for _ in range(2)])
        else:
            await press_something(person, shown, self.rng)

    def _panel(self, known: Known, person: Person, question: int) -> Shown | None:
        """A panel with that question: in the DM, or the newest whispered one."""
        for shown in reversed(person.dms()):
            if asks(shown, known.id, question):
                return shown
        panel = person.panel(self.id)
        return panel if panel is not None and asks(panel, known.id, question) else None

    # Trouble

    async def _mischief(self, known: Known) -> None:
        """What nobody should do, or only now and then."""
        board = self.wire.board(self.id)
        tricks: list[Callable[[], Awaitable[Any]]] = [
            lambda: self._anything(self.stranger, board),
            lambda: self._anything(self._someone(known), board),
            lambda: self._stale(),
            lambda: self._leave(known),
            lambda: self._come_back(known),
            lambda: self._someone(known).slash(self.id, "hand"),
            lambda: self._show_again(known),
            lambda: self.stranger.slash(self.id, "play", action="pass"),
            lambda: self._standing(known),
        ]
        await self.rng.choice(tricks)()

    async def _show_again(self, known: Known) -> None:
        """Which posts a result once more if the match has ended by then."""
        answer = await self._someone(known).slash(self.id, "table")
        newest = self.newest(self.id)
        if newest is None or newest.status not in OPEN or answer.failed:
            self.asked_for.add(known.id)

    async def _anything(self, person: Person, shown: Shown) -> None:
        """Presses whatever is there, but what ends a match."""
        spared = (Verb.END, Verb.END_NOW, Verb.LOG, Verb.RULES, Verb.MORE, Verb.LEAVE)
        verbs = [verb for verb in Verb if verb not in spared]
        controls = [p for p, c in shown.presses(*verbs) if not c.get("options")]
        if controls:
            await person.press(shown, self.rng.choice(controls).encode())

    async def _stale(self) -> None:
        """Somebody presses a panel that they had before their eyes some time ago."""
        if not self.old:
            return
        shown = self.old.pop(0)
        controls = [p for p, c in shown.presses(*PLAYABLE) if not c.get("options")]
        if controls:
            person = self.rng.choice(self.people)
            await person.press(shown, self.rng.choice(controls).encode())

    async def _leave(self, known: Known) -> None:
        """Somebody gets up in the middle of the match; a stand-in plays on."""
        if len(known.people) - len(known.away) > 1:
            person = self._someone(known)
            asked = await person.slash(self.id, "leave")
            if asked.panel is not None:
                for press, _ in asked.panel.presses(Verb.LEAVE_NOW):
                    await person.press(asked.panel, press.encode())

    async def _come_back(self, known: Known) -> None:
        """Who was away takes their seat back; a free one is taken by whoever stands about."""
        for place in known.away:
            if place in known.people:
                person = self.wire.people[known.people[place]]
                board = self.wire.board(self.id)
                if board.presses(Verb.BACK):
                    await person.press(board, board.presses(Verb.BACK)[0][0].encode())
                return
        free = [place for place in range(known.seats) if place not in known.people]
        idle = [p for p in self.people if known.seat_of(p.id) is None]
        if free and idle:
            seat = self.rng.choice(free) + 1
            await self.rng.choice(idle).slash(self.id, "seat take", seat=seat)
        await asyncio.sleep(NAP)

    async def _standing(self, known: Known) -> None:
        """Somebody passes for the whole deal, if their panel offers it."""
        person = self._someone(known)
        shown = await person.hand(self.id)
        for press, _ in shown.presses(Verb.STANDING):
            await person.press(shown, press.encode())

    def _someone(self, known: Known) -> Person:
        """Somebody who sits at the table."""
        if not known.people:
            return self.stranger
        return self.wire.people[self.rng.choice(sorted(known.people.values()))]

    async def _at_once(self, doing: list[Awaitable[Any]]) -> None:
        """At the same moment; what some of them find gone does not keep the others."""
        for outcome in await asyncio.gather(*doing, return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(outcome, GONE):
                raise outcome
