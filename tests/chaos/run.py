"""A run of the suite: many channels at once, the monkey among them, then peace."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from traceback import extract_tb
from typing import Final

from tests.chaos.channel import Channel
from tests.chaos.deeds import AT_A_TABLE, IN_A_LOBBY
from tests.chaos.kinds import KILLS, Deed, Tally
from tests.chaos.line import DatabaseLine
from tests.chaos.monkey import Monkey
from tests.chaos.plan import Plan
from tests.chaos.reckon import counted, due, orphans, reckon
from tests.chaos.summary import Summary
from tests.chaos.table import Evening
from tests.chaos.watch import Watch
from tests.wire.deck import Deck
from tests.wire.faults import Fault, Kind
from tests.wire.front import Front, Request
from tests.wire.ledger import OPEN, Known, Ledger
from tests.wire.people import Person, Wire
from tests.wire.postgres import VARIABLE, Behind, behind_a_proxy, own_database, server
from tests.wire.program import Program

NAMES: Final = ("Anna", "Bert", "Cora", "Dirk", "Edda", "Finn")
CHANNELS_OF_A_GUILD: Final = 2
"""A server's limit of new tables must not be what is tested here."""

CLOSED_DMS: Final = 0.5
"""So many of the people get no hand by DM."""

CALM: Final = 45.0
"""Seconds within which something is played at an open table once all is well, if any can be."""

SUGGESTION: Final = "exception in autocomplete"
"""What discord.py logs as an error when suggestions cannot be delivered: nothing is lost."""

RECONNECTS: Final = re.compile(r"^Attempting a reconnect ")
"""What discord.py logs as an error when a connection to the gateway breaks that has just begun."""

AWAY: Final = re.compile(
    r"Unavailable|NotWritten|not_stored|unsure|nothing_written"
    r"|Exception (closing|terminating) connection"
)
"""What the program says, as an error, of a database to which the way is disturbed."""

ANSWERED_BEFORE: Final = "another_program_has_this_token"
"""What the program says of an interaction that was answered in a life before, if that seems to have
come after its start: its clock was behind then."""

ENVIRONMENT: Final = {
    "LOG_LEVEL": "INFO",
    "COMPUTER_SECONDS": "0",  # it is always a thought that is waited for
    "COMPUTER_WORKERS": "1",
    "NUMBA_DISABLE_JIT": "1",  # a life is over before anything is compiled
}
"""Settings of the program."""

TIDY: Final = 3.0
"""Seconds between two looks at what the program still has to do."""

DUE: Final = 400.0
"""Seconds in which it has done that, whatever has failed before: minutes pass between its tries."""

NONCES: Final = 30.0
"""Seconds that Discord knows a nonce at least; it says *a few minutes*."""

Say = Callable[[str], None]


class Run:
    """One run."""

    def __init__(
        self,
        plan: Plan,
        front: Front,
        program: Program,
        ledger: Ledger,
        say: Say,
        line: DatabaseLine | None = None,
    ) -> None:
        """`line` leads from the program to its database, if that is on a server."""
        self.plan = plan
        self._front = front
        self._program = program
        self._say = say
        self._rng = random.Random(plan.seed)
        self._wire = Wire(front)
        self._ledger = ledger
        self._homes: dict[int, int] = {}
        self._watch = Watch(front, self._ledger, self._homes)
        self._tally = Tally()
        self._monkey = Monkey(
            front,
            program,
            random.Random(self._rng.random()),
            self._tally,
            plan,
            self._watch,
            ledger,
            line,
        )
        self._deeds = Deck(self._rng, AT_A_TABLE)
        self._lobby_deeds = Deck(self._rng, IN_A_LOBBY)
        self._channels = [self._channel(number) for number in range(plan.channels)]
        self._errors: list[str] = []
        self._suggestions = 0
        self._reconnects = 0
        self._away = 0
        self._enough = asyncio.Event()
        self._begun = time.monotonic()
        self._requests = 0
        front.seen.append(self._count)

    async def go(self) -> Summary:
        """Plays, disturbs, calms down, plays to the end, and reckons up."""
        gateway = self._front.gateway
        gateway.shards = gateway.concurrency = self.plan.shards
        await self._monkey.start()
        self._monkey.begin(self.plan.seed)
        evenings = [asyncio.create_task(self._evening(c)) for c in self._channels]
        await self._disturb(evenings)
        self._enough.set()
        if not self._program.running:
            await self._monkey.restart()
        self._say("calm: every open match is played to its end")
        self._monkey.stop()
        for channel in self._channels:
            channel.calm = True
        stuck = await self._settle(evenings)
        memory = await self._soak(stuck)
        await self._end()
        return self._reckon(stuck, memory)

    # Play

    def _channel(self, number: int) -> Channel:
        """A channel with six people, a stranger and a moderator of its own; some take no DMs."""
        if number % CHANNELS_OF_A_GUILD == 0:
            self._wire.guild(f"Stammtisch {number}")
        channel = self._wire.channel(name=f"karten-{number}")
        people = self._wire.join(None, *NAMES)
        stranger, moderator = self._wire.join(None, "Zora", "Mona")
        self._wire.make_moderator(moderator, channel)
        for person in [*people, stranger, moderator]:
            self._homes[person.id] = channel
            if self._rng.random() < CLOSED_DMS:
                self._close_dms(person)
        return Channel(
            wire=self._wire,
            look=self._watch.look,
            newest=self._newest,
            up=self._monkey.up,
            rng=random.Random(self._rng.random()),
            id=channel,
            people=people,
            stranger=stranger,
            moderator=moderator,
            tally=self._tally,
            deeds=self._deeds,
            lobby_deeds=self._lobby_deeds,
            least=self.plan.least,
        )

    def _close_dms(self, person: Person) -> None:
        dm = self._front.backend.get_dm_channel(person.id).id
        refused = Fault(Kind.REFUSED, status=403, code=50007)
        self._front.faults.plan(refused, "POST", f"^/channels/{dm}/messages", times=1_000_000)

    def _newest(self, channel: int) -> Known | None:
        known = self._ledger.newest(channel)
        return None if known is None else self._watch.look(known.id)

    async def _evening(self, channel: Channel) -> None:
        """Match after match until it is enough."""
        evening = Evening(channel)
        while not self._enough.is_set():
            # A restored database does not know the table any more.
            await self._told(evening.match(), but_for=LookupError)

    async def _disturb(self, evenings: list[asyncio.Task[None]]) -> None:
        """Lives of the program, until enough has happened."""
        plan, told = self.plan, 0.0
        while not self._reached() and time.monotonic() - self._begun < plan.limit:
            life = random.Random(self._rng.random()).uniform(0.4, 1.6) * plan.life
            await self._told(self._monkey.live(life))
            self._read_log()
            if time.monotonic() - told > 10:
                told = time.monotonic()
                self._say(self._progress())
            if not self._reached():
                await self._told(self._monkey.restart())

    async def _told(
        self, doing: Awaitable[None], but_for: type[Exception] | tuple[()] = ()
    ) -> None:
        """What fails in the suite itself is told among the errors, and the run goes on."""
        try:
            await doing
        except but_for:
            pass
        except Exception as error:  # the rest of the run says more than its end
            frames = [f"{one.name}:{one.lineno}" for one in extract_tb(error.__traceback__)]
            self._errors.append(f"suite: {error!r:.300} in {' > '.join(frames[-6:])}")

    def _reached(self) -> bool:
        plan, done = self.plan, sum(len(channel.ended) for channel in self._channels)
        enough = done >= plan.matches and self._kills >= plan.kills
        return enough and self._faults >= plan.faults and not self._missing()

    @property
    def _kills(self) -> int:
        return sum(self._tally.tricks[kill] for kill in KILLS)

    @property
    def _faults(self) -> int:
        return self._tally.number(self._front.faults.injected)

    def _missing(self) -> list[str]:
        plan = self.plan
        return self._tally.missing(self._front.faults.injected, plan.least, plan.spared)

    def _progress(self) -> str:
        done = sum(len(channel.ended) for channel in self._channels)
        seconds = time.monotonic() - self._begun
        watch = self._watch
        wrong = len(watch.leaks) + len(watch.unbacked) + len(self._errors)
        return (
            f"{seconds:5.0f} s: {done} matches, {self._kills} kills,"
            f" {self._faults} faults, {len(watch.acknowledged)} acknowledged,"
            f" {self._requests} requests, {wrong} wrong"
        )

    # Calm

    async def _settle(self, evenings: list[asyncio.Task[None]]) -> list[str]:
        """Ids of the matches that were not played to their end."""
        await self._while_played(evenings)
        stuck = []
        for evening, channel in zip(evenings, self._channels, strict=True):
            if evening.done():
                continue
            evening.cancel()
            known = self._newest(channel.id)
            if known is not None and known.status in OPEN:
                stuck.append(known.id)
        await asyncio.wait(evenings)
        return stuck

    async def _while_played(self, playing: list[asyncio.Task[None]]) -> set[asyncio.Task[None]]:
        """Waits as long as something is played, however slow the machine; returns who is left."""
        left, before = set(playing), -1
        while left and (plies := self._plies()) != before:
            before = plies
            _, left = await asyncio.wait(playing, timeout=CALM)
        return left

    def _plies(self) -> int:
        return int(self._ledger.rows("SELECT count(*) AS n FROM entries")[0]["n"])

    async def _soak(self, stuck: list[str]) -> dict[str, float]:
        """Some undisturbed matches in each channel: what memory does over them, in MB."""
        found = {"after chaos": self._program.rss() / 1e6}
        for number in range(self.plan.soak):
            if stuck:
                break
            matches = [
                asyncio.create_task(self._told(Evening(one).match())) for one in self._channels
            ]
            for match in await self._while_played(matches):
                match.cancel()  # or it would end in the middle of the last stop
            await asyncio.wait(matches)
            found[f"soak {number + 1}"] = self._program.rss() / 1e6
        return found

    async def _end(self) -> None:
        """The last stop, once nothing is due in the channels any more as far as is stored."""
        end = time.monotonic() + DUE
        while self._orphans() and time.monotonic() < end:
            more = due(self._ledger)
            await asyncio.sleep(TIDY)
            if not more:
                break
        self._monkey.stops.append(await self._program.terminate())
        await self._monkey.see_off()
        self._read_log()

    def _orphans(self) -> list[str]:
        known = counted(self._watch, self._ledger)
        return orphans(self._wire, self._channels, self._ledger, known)

    # Reckoning

    def _reckon(self, stuck: list[str], memory: dict[str, float]) -> Summary:
        watch, monkey = self._watch, self._monkey
        found = reckon(watch, self._ledger, self._wire, self._channels)
        tables = self._ledger.rows("SELECT status, count(*) AS n FROM tables GROUP BY status")
        ends = {row["status"]: row["n"] for row in tables}
        lives = [size / 1e6 for size in monkey.memory] or [0.0]
        wrong = [*found, watch.leaks, watch.malformed, watch.called, monkey.left]
        wrong += [[f"stuck: {table}" for table in stuck], self._errors, monkey.deaths]
        notes = [note for kind in wrong for note in kind[:5]]
        query = "SELECT by, count(*) AS n FROM entries WHERE seat >= 0 GROUP BY by"
        by = {row["by"]: row["n"] for row in self._ledger.rows(query)}
        return Summary(
            seed=self.plan.seed,
            database="postgresql" if self.plan.postgres else "sqlite",
            shards=self.plan.shards,
            matches=sum(ends.values()) - ends.get("lobby", 0) - ends.get("expired", 0),
            finished=ends.get("finished", 0),
            kills=self._kills,
            stops=len(monkey.stops),
            faults_total=self._faults,
            acknowledged=len(watch.acknowledged),
            lost=len(found.lost),
            doubled=len(found.doubled),
            denied=len(found.denied),
            leaked=len(watch.leaks),
            stuck=len(stuck),
            orphans=len(found.orphans),
            errors=len(self._errors) + len(monkey.deaths),
            malformed=len(watch.malformed),
            called=len(watch.called),
            left=len(monkey.left),
            missing=self._missing(),
            seconds=round(time.monotonic() - self._begun, 1),
            plies=sum(by.values()),
            by=by,
            longest_stop=round(max(monkey.stops, default=0.0), 2),
            memory_mb={
                "lives, least": round(min(lives), 1),
                "lives, most": round(max(lives), 1),
                **{name: round(size, 1) for name, size in memory.items()},
            },
            faults=self._tally.faults(self._front.faults.injected),
            deeds={str(deed): self._tally.deeds[deed] for deed in Deed},
            looked=dict(watch.looked)
            | {"requests": self._requests}
            | {"bodies": watch.checked, "suggestions lost": self._suggestions}
            | {"told that nothing was accepted": len(watch.denied)}
            | {"told that the database is away": self._away}
            | {"connections that broke at once": self._reconnects}
            | {"kills during a thought": monkey.thinking},
            command=self.plan.command,
            notes=notes,
        )

    def _count(self, request: Request) -> None:
        self._requests += 1

    def _read_log(self) -> None:
        """Errors of the life that just ended."""
        for event in self._program.events():
            if SUGGESTION in str(event.get("event")):
                self._suggestions += 1
            elif RECONNECTS.search(str(event.get("event"))):
                self._reconnects += 1
            elif event.get("level") not in ("error", "critical"):
                continue
            elif self.plan.postgres and AWAY.search(json.dumps(event)):
                self._away += 1
            elif event["event"] == ANSWERED_BEFORE and self._program.ahead_at_start < 0:
                continue
            else:
                self._errors.append(f"life {self._program.lives}: {event}"[:1500])


async def run(plan: Plan, folder: Path, say: Say) -> Summary:
    """A run of its own in an empty folder.  Raises LookupError without the server it needs."""
    async with AsyncExitStack() as stack:
        front = await stack.enter_async_context(Front(keep=200))
        front.nonces_hold = NONCES
        there = await stack.enter_async_context(_served()) if plan.postgres else None
        through = None if there is None else there.through
        program = Program(front, folder, database=through, **ENVIRONMENT)
        await stack.enter_async_context(program)
        direct = program.database if there is None else there.url
        ledger = stack.enter_context(closing(Ledger(direct)))
        rng = random.Random(plan.seed)
        line = None if there is None else DatabaseLine(there.proxy, rng)
        return await Run(plan, front, program, ledger, say, line).go()


@asynccontextmanager
async def _served() -> AsyncIterator[Behind]:
    """A database of its own behind a proxy."""
    on = server()
    if on is None:
        raise LookupError(f"{VARIABLE} names no PostgreSQL server: .ci/postgres COMMAND …")
    async with own_database(on) as url, behind_a_proxy(url) as there:
        yield there
