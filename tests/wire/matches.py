"""Tables and matches over the wire, as tests and benchmarks need them."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from bot.render.custom_ids import Verb
from tests.wire.front import Front
from tests.wire.ledger import Known, Ledger
from tests.wire.people import UNHURRIED, Answer, Person, Shown, Wire
from tests.wire.playing import asks, press_something, type_something
from tests.wire.program import Program


@dataclass
class Evening:
    """A running program, a server with one channel, and three people."""

    front: Front
    program: Program
    wire: Wire
    ledger: Ledger
    channel: int
    people: list[Person]
    rng: random.Random

    def table(self) -> Known:
        """The channel's newest table, as it is committed."""
        known = self.ledger.newest(self.channel)
        assert known is not None
        return known

    async def asked(self) -> Person:
        """Whoever is asked something, once the table has passed for those who cannot but pass."""
        asked = await self.wire.until(lambda: self.table().asked or None)
        return self.wire.people[asked[0]]

    async def play(self, plies: int = 10_000) -> Known:
        """Plays on, so many times or to the end."""
        return await play_on(self.wire, self.ledger, self.channel, self.rng, plies)

    def errors(self) -> list[str]:
        """What the program logged as errors, in all its lives."""
        lives = range(self.program.lives)
        events = [event for life in lives for event in self.program.events(life)]
        return [str(event) for event in events if event["level"] == "error"]


@asynccontextmanager
async def evening(folder: Path, *, begun: bool = True, **options: object) -> AsyncIterator[Evening]:
    """A match that three people have begun in a program of its own."""
    async with AsyncExitStack() as stack:
        front = await stack.enter_async_context(Front())
        program = Program(front, folder)
        # Closed last: who looks at what the program sends opens it again until the program ends.
        ledger = stack.enter_context(closing(Ledger(program.database)))
        await stack.enter_async_context(program)
        wire = Wire(front, UNHURRIED)
        wire.guild()
        channel = wire.channel()
        people = wire.join(None, "Ann", "Ben", "Cat")
        await program.start()
        if begun:
            await begin(wire, channel, people, **options)
        yield Evening(front, program, wire, ledger, channel, people, random.Random(1))


async def lobby(wire: Wire, channel: int, people: list[Person], **options: object) -> None:
    """A table where they sit; the first of them is host."""
    host, *others = people
    given = {"game": "aufundab", "seats": len(people), "length": 1, "pace": "none", **options}
    opened = await host.slash(channel, "newgame", **given)
    assert not opened.failed, opened.text
    # On a busy machine the answer is deferred, and the board comes as a message of its own.
    await wire.board_with(channel, Verb.LEAVE)
    for person in others:
        joined = await person.press_verb(wire.board(channel), Verb.JOIN)
        assert not joined.failed, joined.text


async def begin(wire: Wire, channel: int, people: list[Person], **options: object) -> None:
    """A match that has begun."""
    await lobby(wire, channel, people, **options)
    started = await people[0].slash(channel, "start")
    assert not started.failed, started.text
    await wire.board_with(channel, Verb.HAND)


async def turn(
    wire: Wire, known: Known, rng: random.Random, *, dms: bool = False, typing: bool = False
) -> Answer:
    """Whoever is asked plays something; what they were told."""
    person = wire.people[known.asked[0]]
    if typing:
        said = await type_something(person, known.channel, rng)
        assert said is not None, "nothing was suggested"
        answer = said
    elif dms:
        question = known.question(known.actors[0])

        def asked() -> Shown | None:
            return next((p for p in person.dms() if asks(p, known.id, question)), None)

        answer = await press_something(person, await wire.until(asked), rng)
    else:
        answer = await press_something(person, await person.hand(known.channel), rng)
    assert not answer.failed
    return answer


async def play_on(
    wire: Wire, ledger: Ledger, channel: int, rng: random.Random, plies: int = 10_000, **how: bool
) -> Known:
    """Plays until the match is over, or so many times."""
    known = ledger.newest(channel)
    assert known is not None
    for _ in range(plies):
        if known.status != "running":
            break
        if known.between_rounds:
            for user in known.people.values():
                await wire.people[user].slash(channel, "start")
        elif known.closed:
            await wire.until(lambda: None if ledger.look(known.id).closed else known)
        elif known.passing:
            await wire.until(lambda: None if ledger.look(known.id).passing else known)
        else:
            before = len(known.log)
            answer = await turn(wire, known, rng, **how)
            assert len(ledger.look(known.id).log) > before, answer.text
        ledger.look(known.id)
    return known
