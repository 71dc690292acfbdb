"""A run of the suite: many channels at once, the monkey among them, and the reckoning."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.render.custom_ids import Verb
from tests.chaos.monkey import LONGEST_STOP, Monkey
from tests.chaos.table import Channel
from tests.chaos.watch import Watch
from tests.wire.faults import Fault, Kind
from tests.wire.front import Front, Request
from tests.wire.ledger import OPEN, Known, Ledger
from tests.wire.people import Person, Wire
from tests.wire.program import Program

NAMES: Final = ("Anna", "Bert", "Cora", "Dirk", "Edda", "Finn")
CHANNELS_OF_A_GUILD: Final = 2
"""A server's limit of new tables must not be what is tested here."""

CLOSED_DMS: Final = 0.5
"""So many of the people get no hand by DM."""

CALM: Final = 90.0
"""Seconds within which every open match is played to its end once all is well."""

NONCES_HOLD: Final = 3.0
"""Seconds that a nonce is remembered: mostly not until the program is up again."""

SUGGESTION: Final = "exception in autocomplete"
"""What discord.py logs as an error when suggestions cannot be delivered: nothing is lost."""

SOAK: Final = 3
"""Matches of each channel in the last, undisturbed life."""

TIDY: Final = 3.0
"""Seconds in which a program that still has something to delete deletes something."""

MAY_GROW: Final = 8.0
"""Megabytes that the program may grow by from the first of them to the last."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run has to reach."""

    seed: int = 1
    matches: int = 300
    kills: int = 200
    faults: int = 5_000
    channels: int = 32
    life: float = 3.0
    """Seconds between a start and the next kill, on average."""
    limit: float = 3_600.0
    """Seconds after which nothing is disturbed any more, whatever has been reached."""

    @property
    def command(self) -> str:
        """Repeats the run."""
        return (
            f"python -m tests.chaos --seed {self.seed} --matches {self.matches}"
            f" --kills {self.kills} --faults {self.faults} --channels {self.channels}"
            f" --life {self.life:g}"
        )


@dataclass
class Summary:
    """What came of it."""

    matches: int = 0
    finished: int = 0
    kills: int = 0
    stops: int = 0
    faults: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    leaked: int = 0
    stuck: int = 0
    orphans: int = 0
    """Messages of the program that still look alive beside the one that is."""
    errors: int = 0
    """Lines of the program's log at level error, and lives that ended by themselves."""
    malformed: int = 0
    """Kinds of bodies that Discord's description does not allow."""
    seconds: float = 0.0
    plies: int = 0
    by: dict[str, int] = field(default_factory=dict)
    """Who brought the actions."""
    longest_stop: float = 0.0
    memory_mb: dict[str, float] = field(default_factory=dict)
    of_what: dict[str, int] = field(default_factory=dict)
    """The faults, by kind."""
    looked: dict[str, int] = field(default_factory=dict)
    command: str = ""
    notes: list[str] = field(default_factory=list)
    """What exactly was wrong, at most a few of each kind."""

    @property
    def good(self) -> bool:
        """Whether everything holds that must hold."""
        wrong = (
            self.lost,
            self.doubled,
            self.leaked,
            self.stuck,
            self.orphans,
            self.errors,
            self.malformed,
        )
        soaked = [size for name, size in self.memory_mb.items() if name.startswith("soak")]
        flat = not soaked or soaked[-1] - soaked[0] <= MAY_GROW
        return not any(wrong) and flat and self.longest_stop <= LONGEST_STOP


class Run:
    """One run."""

    def __init__(self, plan: Plan, front: Front, program: Program, say: Say) -> None:
        self.plan = plan
        self._front = front
        self._program = program
        self._say = say
        self._rng = random.Random(plan.seed)
        self._wire = Wire(front)
        self._ledger = Ledger(program.database)
        self._homes: dict[int, int] = {}
        self._watch = Watch(front, self._ledger, self._homes)
        self._monkey = Monkey(front, program, random.Random(self._rng.random()))
        self._channels = [self._channel(number) for number in range(plan.channels)]
        self._errors: list[str] = []
        self._suggestions = 0
        self._enough = asyncio.Event()
        self._begun = time.monotonic()
        self._requests = 0
        front.seen.append(self._count)

    async def go(self) -> Summary:
        """Plays, disturbs, calms down, plays to the end, and reckons up."""
        await self._monkey.start()
        self._monkey.begin(self.plan.seed)
        self._front.nonces_hold = NONCES_HOLD
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
        """A channel with six people of its own, and a stranger; some take no DMs."""
        if number % CHANNELS_OF_A_GUILD == 0:
            self._wire.guild(f"Stammtisch {number}")
        channel = self._wire.channel(name=f"karten-{number}")
        people = self._wire.join(None, *NAMES)
        (stranger,) = self._wire.join(None, "Zora")
        for person in [*people, stranger]:
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
        while not self._enough.is_set():
            await channel.match()

    async def _disturb(self, evenings: list[asyncio.Task[None]]) -> None:
        """Lives of the program, until enough has happened."""
        plan, told = self.plan, 0.0
        while not self._reached() and time.monotonic() - self._begun < plan.limit:
            life = random.Random(self._rng.random()).uniform(0.4, 1.6) * plan.life
            await self._monkey.live(life)
            self._read_log()
            for evening in evenings:
                if evening.done():
                    evening.result()
            if time.monotonic() - told > 10:
                told = time.monotonic()
                self._say(self._progress())
            if not self._reached():
                await self._monkey.restart()

    def _reached(self) -> bool:
        done = sum(len(channel.ended) for channel in self._channels)
        enough = done >= self.plan.matches and self._monkey.kills >= self.plan.kills
        return enough and self._monkey.faults >= self.plan.faults

    def _progress(self) -> str:
        done = sum(len(channel.ended) for channel in self._channels)
        seconds = time.monotonic() - self._begun
        watch = self._watch
        wrong = len(watch.leaks) + len(watch.unbacked) + len(self._errors)
        return (
            f"{seconds:5.0f} s: {done} matches, {self._monkey.kills} kills,"
            f" {self._monkey.faults} faults, {len(watch.acknowledged)} acknowledged,"
            f" {self._requests} requests, {wrong} wrong"
        )

    # Calm

    async def _settle(self, evenings: list[asyncio.Task[None]]) -> list[str]:
        """Ids of the matches that were not played to their end."""
        await asyncio.wait(evenings, timeout=CALM)
        stuck = []
        for evening, channel in zip(evenings, self._channels, strict=True):
            if evening.done():
                evening.result()
                continue
            evening.cancel()
            known = self._newest(channel.id)
            if known is not None and known.status in OPEN:
                stuck.append(known.id)
        await asyncio.wait(evenings)
        return stuck

    async def _soak(self, stuck: list[str]) -> dict[str, float]:
        """Some undisturbed matches in each channel: what memory does over them, in MB."""
        found = {"after chaos": self._program.rss() / 1e6}
        for number in range(SOAK):
            if stuck:
                break
            await asyncio.wait(
                [asyncio.create_task(channel.match()) for channel in self._channels],
                timeout=CALM,
            )
            found[f"soak {number + 1}"] = self._program.rss() / 1e6
        return found

    async def _end(self) -> None:
        """The last stop, once nothing more is tidied up in the channels."""
        left, before = len(self._all_orphans()), -1
        while left and left != before:
            await asyncio.sleep(TIDY)
            left, before = len(self._all_orphans()), left
        self._monkey.stops.append(await self._program.terminate())
        self._read_log()

    # Reckoning

    def _reckon(self, stuck: list[str], memory: dict[str, float]) -> Summary:
        watch, monkey = self._watch, self._monkey
        lost, doubled = self._compare()
        orphans = self._all_orphans()
        tables = self._ledger.rows("SELECT status, count(*) n FROM tables GROUP BY status")
        ends = {row["status"]: row["n"] for row in tables}
        lives = [size / 1e6 for size in monkey.memory] or [0.0]
        notes = [*lost[:5], *doubled[:5], *watch.leaks[:5], *watch.malformed[:5]]
        notes += [f"stuck: {table}" for table in stuck[:5]]
        notes += [*self._errors[:10], *monkey.deaths[:3], *orphans[:5]]
        by = self._ledger.rows("SELECT by, count(*) n FROM entries WHERE seat >= 0 GROUP BY by")
        return Summary(
            matches=sum(ends.values()) - ends.get("lobby", 0) - ends.get("expired", 0),
            finished=ends.get("finished", 0),
            kills=monkey.kills,
            stops=len(monkey.stops),
            faults=monkey.faults,
            acknowledged=len(watch.acknowledged),
            lost=len(lost),
            doubled=len(doubled),
            leaked=len(watch.leaks),
            stuck=len(stuck),
            orphans=len(orphans),
            errors=len(self._errors) + len(monkey.deaths),
            malformed=len(watch.malformed),
            seconds=round(time.monotonic() - self._begun, 1),
            plies=sum(row["n"] for row in by),
            by={row["by"]: row["n"] for row in by},
            longest_stop=round(max(monkey.stops, default=0.0), 2),
            memory_mb={
                "lives, least": round(min(lives), 1),
                "lives, most": round(max(lives), 1),
                **{name: round(size, 1) for name, size in memory.items()},
            },
            of_what={str(k): n for k, n in sorted(self._front.faults.injected.items())}
            | dict(sorted(monkey.tricks.items())),
            looked=dict(watch.looked)
            | {"requests": self._requests}
            | {"bodies": watch.checked, "suggestions lost": self._suggestions},
            command=self.plan.command,
            notes=notes,
        )

    def _compare(self) -> tuple[list[str], list[str]]:
        """What was acknowledged, and what was ever read, against what is there now."""
        path = self._program.database.partition("///")[2]
        lost, doubled = list(self._watch.unbacked), list(self._watch.illegal)
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as store:
            times = Counter(
                number
                for (number,) in store.execute(
                    "SELECT interaction_id FROM entries WHERE interaction_id IS NOT NULL"
                )
            )
            lost += [f"lost: {n}" for n in self._watch.acknowledged if not times[n]]
            doubled += [f"doubled: {number}" for number, n in times.items() if n > 1]
            for table in self._ledger.tables():
                known = self._watch.look(table)
                lines = store.execute(
                    "SELECT seat, text FROM entries WHERE table_id = ? ORDER BY ply", (table,)
                ).fetchall()
                if [(line.seat, line.text) for line in known.log] != lines:
                    lost.append(f"lost: the log of {table} is not what was read before")
                doubled += _wrong_results(store, table, known.status)
        store.close()
        for channel in self._channels:
            doubled += [
                line
                for line in self._twice(channel.id, "doubled: results", Verb.REMATCH)
                if not any(table in line for table in channel.asked_for)
            ]
        return lost, doubled

    def _all_orphans(self) -> list[str]:
        return [line for channel in self._channels for line in self._orphans(channel.id)]

    def _orphans(self, channel: int) -> list[str]:
        """Tables with more than one live message in their channel."""
        return self._twice(channel, "orphans", Verb.REMATCH, Verb.HAND)

    def _twice(self, channel: int, what: str, *verbs: Verb) -> list[str]:
        """A line for each message beyond the first of a table that has a button of these verbs."""
        found: dict[str, list[str]] = {}
        for shown in self._wire.messages(channel):
            for table in {press.table for press, _ in shown.presses(*verbs)}:
                found.setdefault(table, []).append(f"{shown.id} {shown.text[:60]!r}")
        return [
            f"{what}: messages of {table}: {shown}"
            for table, shown in found.items()
            for _ in shown[1:]
        ]

    def _count(self, request: Request) -> None:
        self._requests += 1

    def _read_log(self) -> None:
        """Errors of the life that just ended."""
        for event in self._program.events():
            if SUGGESTION in str(event.get("event")):
                self._suggestions += 1
            elif event.get("level") in ("error", "critical"):
                self._errors.append(f"life {self._program.lives}: {event}"[:1500])


def _wrong_results(store: sqlite3.Connection, table: str, status: str) -> list[str]:
    """A finished match counts once for each of its people, another not at all."""
    matches = store.execute("SELECT count(*) FROM matches WHERE table_id = ?", (table,))
    rows = store.execute(
        "SELECT count(*), count(DISTINCT seat) FROM results WHERE table_id = ?", (table,)
    )
    number, (results, seats) = matches.fetchone()[0], rows.fetchone()
    good = (number == 1 and results == seats > 0) if status == "finished" else not number
    return [] if good else [f"doubled: {table} ({status}): {number} matches, {results} results"]


async def run(plan: Plan, folder: Path, say: Say) -> Summary:
    """A run of its own in an empty folder."""
    async with (
        Front(keep=200) as front,
        Program(front, folder, LOG_LEVEL="INFO") as program,
    ):
        return await Run(plan, front, program, say).go()


def as_json(summary: Summary) -> dict[str, Any]:
    return asdict(summary)
