"""One channel's evening: its people open tables, play, leave, come back, and press too much."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from bot.render.custom_ids import Verb
from engine.registry import games
from tests.chaos import company
from tests.chaos.channel import GONE, NAP, Channel
from tests.chaos.deeds import come_back, do_something, end_lobby, rematch
from tests.chaos.kinds import Deed
from tests.wire.ledger import OPEN, Known
from tests.wire.people import Answer, Person, Shown
from tests.wire.playing import asks, press_something, type_something

PACES: Final = ("live60", "live120", "live180", "relaxed", "daily", "none")

IDLE: Final = 0.08
"""The share of moments in which somebody does something else than playing."""

BUSY: Final = 0.25
"""The same while there are things that were not done often enough yet."""

GIVE_UP: Final = 0.1
"""The share of moments in which the host of a lobby to which nobody comes ends it."""

LONGER: Final = 0.15
"""The share of matches that are twice as long, so that half of them can have been played."""


class Evening:
    """Match after match in a channel."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.rng = channel.rng
        self.wire = channel.wire

    async def match(self) -> None:
        """One match, from `/newgame` to its end."""
        known = await self._opened()
        known = await self._begun(known)
        await self.play(known)

    async def play(self, known: Known) -> None:
        """Plays an open match to its end."""
        while self.channel.look(known.id).status in OPEN:
            await self.channel.up.wait()
            try:
                await self._step(known)
            except GONE:
                await asyncio.sleep(NAP)
        self.channel.ended[known.id] = known.status

    # Opening

    async def _opened(self) -> Known:
        """The open table of the channel; somebody opens one if there is none."""
        while True:
            await self.channel.up.wait()
            known = self.channel.newest(self.channel.id)
            if known is not None and known.status in OPEN:
                return known
            host = self.rng.choice(self.channel.people)
            if known is not None and self.rng.random() < 0.4:
                with suppress(*GONE):
                    if await rematch(self.channel, known, host):
                        self.channel.tally.deeds[Deed.REMATCH] += 1
                        continue
            game = self.rng.choice(sorted(games()))
            seats = [n for n in games()[game].info.seats if n <= len(self.channel.people)]
            longer = not self.channel.calm and self.rng.random() < LONGER
            count = self.rng.choice(seats)
            computers = company.wanted(self.rng, count)
            # Nobody plays alone in a channel without a clock.
            paces = PACES if count - computers > 1 else PACES[:-1]
            await company.open_table(
                self.channel,
                host.id,
                computers,
                game=game,
                seats=count,
                length=2 if longer else 1,
                pace=self.rng.choice(paces),
            )
            await asyncio.sleep(NAP)

    async def _begun(self, known: Known) -> Known:
        """The match of that lobby, once its cards are dealt or it is over."""
        while self.channel.look(known.id).status == "lobby":
            await self.channel.up.wait()
            with suppress(*GONE):
                await self._gather(known)
            await asyncio.sleep(NAP)
        return known

    async def _gather(self, known: Known) -> None:
        seated = set(known.people.values())
        if self.channel.coming:
            await company.seat_one(self.channel, known)
        elif known.free:
            absent = [person for person in self.channel.people if person.id not in seated]
            coming = self.rng.sample(absent, min(len(absent), len(known.free)))
            await self.channel.at_once([self._join(person) for person in coming])
            nobody = len(self.channel.look(known.id).people) == len(seated)
            if nobody and self.rng.random() < GIVE_UP:  # whoever is missing was sent away
                await end_lobby(self.channel, known)
        else:
            if self.rng.random() < 0.4 and not self.channel.calm:
                await do_something(self.channel, known, self.channel.lobby_deeds)
            host = self.wire.people[known.host]
            await host.slash(self.channel.id, "start")

    async def _join(self, person: Person) -> Answer:
        if self.rng.random() < 0.5:
            return await person.press_verb(self.channel.board(), Verb.JOIN)
        return await person.slash(self.channel.id, "join")

    # Playing

    async def _step(self, known: Known) -> None:
        """Somebody does something, or time passes."""
        idle = BUSY if self.channel.wanted(self.channel.deeds) else IDLE
        if not self.channel.calm and self.rng.random() < idle:
            await do_something(self.channel, known, self.channel.deeds)
        elif known.closed:
            await asyncio.sleep(NAP)
        elif known.between_rounds:
            await self._next_round(known)
        elif known.asked and (not self._unmanned(known) or self.rng.random() < 0.7):
            await self._play(known)
        elif self._unmanned(known) and self.rng.random() < self._haste(known):
            await come_back(self.channel, known)
        else:
            await asyncio.sleep(
                2 * NAP
            )  # a computer player, a stand-in, or somebody who passes for the deal

    def _haste(self, known: Known) -> float:
        """The share of idle moments in which something is done about seats that stand-ins play."""
        if self.channel.calm:
            return 0.8
        wanted = self.channel.wanted(self.channel.deeds)
        # Else a stand-in, who thinks for two seconds, would hardly ever come to play.
        return 0.4 if known.away and Deed.VOTE_OUT in wanted else 0.1

    @staticmethod
    def _unmanned(known: Known) -> bool:
        """Whether a stand-in plays for somebody."""
        return bool(known.away or known.free)

    async def _next_round(self, known: Known) -> None:
        people = [self.wire.people[user] for user in known.people.values()]
        if self.rng.random() < 0.5:
            board = self.channel.board()
            waiting = [person.press_verb(board, Verb.NEXT) for person in people]
        else:
            waiting = [person.slash(self.channel.id, "start") for person in people]
        await self.channel.at_once(list(waiting))
        await asyncio.sleep(NAP)

    async def _play(self, known: Known) -> None:
        """Whoever is asked plays: one of them, or all at the same time."""
        people = [self.wire.people[user] for user in known.asked]
        if len(people) > 1 and self.rng.random() < 0.5:
            await self.channel.at_once([self._act(known, person) for person in people])
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
            await type_something(person, dm if dm and way < 0.05 else self.channel.id, self.rng)
            return
        if shown is None and way < 0.4 and known.legal(seat) == ["pass"]:
            await person.press_verb(self.channel.board(), Verb.ACT)
            return
        if shown is None:
            shown = await person.hand(self.channel.id)
        standing = shown.presses(Verb.STANDING)
        if standing and not self.channel.calm and self.rng.random() < 0.3:
            passed = await person.press(shown, standing[0][0].encode())
            self.channel.tally.deeds[Deed.STANDING] += not passed.failed
        elif not self.channel.calm and self.rng.random() < 0.1:
            self.channel.panels.append((person, shown))
            await self.channel.at_once([press_something(person, shown, self.rng) for _ in range(2)])
            self.channel.tally.deeds[Deed.TWICE] += 1
        else:
            await press_something(person, shown, self.rng)

    def _panel(self, known: Known, person: Person, question: int) -> Shown | None:
        """A panel with that question: in the DM, or the newest whispered one."""
        for shown in reversed(person.dms()):
            if asks(shown, known.id, question):
                return shown
        panel = person.panel(self.channel.id)
        return panel if panel is not None and asks(panel, known.id, question) else None
