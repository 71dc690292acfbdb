"""Everything that goes wrong: faults of Discord's, and the death of the process."""

from __future__ import annotations

import asyncio
import random
import re
import signal
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from tests.chaos.kinds import AT_A_COMMIT, Deed, Tally, Trick
from tests.chaos.line import DatabaseLine
from tests.chaos.plan import Plan
from tests.chaos.watch import Watch
from tests.wire.deck import Deck
from tests.wire.faults import EVERYTHING
from tests.wire.front import Front, Request
from tests.wire.ledger import Ledger
from tests.wire.offspring import Offspring, outliving, thinkers
from tests.wire.program import Program, ProgramEnded

FAULTY: Final = 0.07
"""The share of requests that go wrong."""

LOGIN: Final = (r"^/users/@me$", r"^/oauth2/", r"^/applications/")
"""Paths of a start, which a fault would only make longer, or end with a sentence."""

ENDS: Final = {
    Trick.KILL: 3,
    Trick.KILL_BEFORE: 2,
    Trick.KILL_AT: 2,
    Trick.KILL_DECIDED: 1,
    Trick.TERM: 1,
    Trick.RESTORE: 1,
}
"""How lives end: so many of every ten."""

TROUBLE: Final = {
    Trick.DROP: 2,
    Trick.RECONNECT: 1,
    Trick.REFUSED: 1,
    Trick.INVALID: 1,
    Trick.STOPPED: 1,
    Trick.CLOCK: 2,
    Trick.SHARD: 2,
    Trick.BACKUP: 1,
    Trick.WORKER: 2,
    Trick.DATABASE_CUT: 2,
    Trick.DATABASE_AWAY: 1,
    Trick.DATABASE_SLOW: 1,
    Trick.DATABASE_SILENT: 2,
    **dict.fromkeys(AT_A_COMMIT, 2),
}
"""What happens while the program lives."""

STEPS: Final = (-3_600.0, -60.0, -7.0, 7.0, 60.0, 3_600.0, 40_000_000.0)
"""Seconds by which the wall clock may be wrong; the last is more than a year."""

DELIVERY: Final = {Trick.TWICE: 16, Trick.LATE: 16, Trick.TOO_LATE: 1}
"""What happens to a tenth of the interactions."""

LOST_AT_A_START: Final = 0.15
"""The share of starts at which the database is away."""

BRIEFLY: Final = 1.5
"""Seconds for which it is, if the program does not end before."""

PLAYED: Final = 3
"""So many actions are acknowledged in a life with a database on a server, if it lasts that long."""

LONGEST_LIFE: Final = 30.0
"""Seconds that are added to such a life at most: where nothing is played, nothing is tested."""

SOON: Final = 1.5
"""Seconds in which somebody thinks for a computer player, mostly."""

LOOKS: Final = 20
"""So often it is looked whether they think before it is looked who they are."""

LONG_AGO: Final = timedelta(minutes=1)
"""So long time is up: before the program ended, or it would be given back."""

OUTLIVED: Final = 5.0
"""Seconds in which all that the program has started has ended, once it has."""

OTHER_STATUS: Final = 1
"""With which the program ends where trying again may help."""

_ALL_DUE: Final = (
    "UPDATE deadlines SET due = ? WHERE table_id = ?"
    " AND kind IN ('turn', 'warn', 'next_round', 'voted')"
)
_WARNED: Final = "UPDATE deadlines SET due = ? WHERE table_id = ? AND kind = 'warn'"
_MISSED: Final = (
    """UPDATE tables SET document = replace(document, '"misses":0', '"misses":1') WHERE id = ?"""
)


class Monkey:
    """Kills the program and lies to it."""

    def __init__(
        self,
        front: Front,
        program: Program,
        rng: random.Random,
        tally: Tally,
        plan: Plan,
        watch: Watch,
        ledger: Ledger,
        line: DatabaseLine | None,
    ) -> None:
        """`line` leads to a database on a server."""
        self.stops: list[float] = []
        """Seconds that each SIGTERM took."""
        self.memory: list[int] = []
        """Bytes that each life held at its end."""
        self.deaths: list[str] = []
        """Lives that ended by themselves."""
        self.left: list[str] = []
        """Processes that have outlived the program that had started them."""
        self.thinking = 0
        """SIGKILLs of the program while somebody thought for a computer player."""
        self.up = asyncio.Event()
        self._front = front
        self._program = program
        self._rng = rng
        self._tricks = tally.tricks
        self._deeds = tally.deeds
        self._watch = watch
        self._ledger = ledger
        self._line = line
        self._ends = Deck(rng, _without(ENDS, plan.spared))
        self._troubles = Deck(rng, _without(TROUBLE, plan.spared))
        self._shards = plan.shards
        self._least = plan.least
        self._saved: frozenset[int] | None = None
        """What was acknowledged before the newest backup; None while there is none."""
        self._deliveries = Deck(rng, DELIVERY)

    def begin(self, seed: int) -> None:
        """From now on things go wrong."""
        self._front.faults.spared = [re.compile(path) for path in LOGIN]
        self._front.faults.by_chance(seed, FAULTY, EVERYTHING)
        self._front.gateway.delivery = self._delivered

    def stop(self) -> None:
        """Discord has a good day again."""
        self._front.faults.stop()
        self._front.gateway.delivery = lambda event, payload: (0.0,)
        self._program.set_clock(0.0)
        if self._line is not None:
            self._line.heal()

    async def start(self) -> None:
        if self._program.lives == 0:
            self._program.set_clock(0.0)  # from now on it can be set
        self._watch.start()
        await self._program.start()
        self.up.set()

    async def _start_in_vain(self, line: DatabaseLine) -> None:
        """Starts it while there is no database: it runs in the end, or says that it cannot."""
        line.refuse()
        healing = asyncio.get_running_loop().call_later(BRIEFLY, line.heal)
        try:
            await self.start()
        except ProgramEnded as ended:
            if ended.status != OTHER_STATUS:
                raise
        finally:
            healing.cancel()
            line.heal()
        self._tricks[Trick.DATABASE_START] += 1

    async def live(self, seconds: float) -> None:
        """One life of so many seconds, with trouble at the gateway, to its end."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        least = len(self._watch.acknowledged) + (PLAYED if self._line is not None else 0)
        latest = end + LONGEST_LIFE
        while self._program.running:
            played = len(self._watch.acknowledged) >= least
            left = (end if played else latest) - loop.time()
            if left <= 0:
                break
            await asyncio.sleep(min(left, self._rng.uniform(0.3, 1.5)))
            if self._rng.random() < 0.4:
                await self._trouble()
        if not self._program.running:
            self.deaths.append(self._program.log()[-2000:])
            await self._program.ended()
            await self.see_off()
            return
        self.memory.append(self._program.rss())
        await self._die()

    async def restart(self) -> None:
        """Up again, after some time for some tables."""
        await self._let_time_pass()
        line = self._line
        if line is not None and self._rng.random() < LOST_AT_A_START:
            await self._start_in_vain(line)
        if not self._program.running:
            await self.start()

    @property
    def _are_too_few_away(self) -> bool:
        """Whether what is done about somebody who is away was not done often enough yet."""
        return any(self._deeds[deed] < self._least for deed in (Deed.BACK, Deed.VOTE_OUT))

    def _wanted(self, deck: Deck[Trick]) -> list[Trick]:
        """What of that deck has not happened often enough yet."""
        return [trick for trick in deck.kinds if self._tricks[trick] < self._least]

    async def _die(self) -> None:
        """SIGKILL at any moment, at an answer or at a decision; SIGTERM now and then."""
        way = self._ends.draw(self._wanted(self._ends))
        if way is Trick.RESTORE and self._saved is None:
            self._ends.put_back(way)
            way = Trick.KILL
        if way is Trick.KILL_DECIDED and not await self._a_decision():
            self._ends.put_back(way)
            way = Trick.KILL
        if way is Trick.TERM:
            self.up.clear()
            self.stops.append(await self._program.terminate())
        else:
            if way in (Trick.KILL_BEFORE, Trick.KILL_AT):
                await self._kill_at_a_request(before=way is Trick.KILL_BEFORE)
            self.up.clear()
            self.thinking += any(one.busy for one in thinkers(self._program.mark))
            await self._program.kill()
            if way is Trick.RESTORE:
                self._restore()
        self._tricks[way] += 1
        await self.see_off()

    async def see_off(self) -> None:
        """Nobody whom the program has started outlives it: whoever does is counted, and killed."""
        for one in await outliving(self._program.mark, OUTLIVED):
            self.left.append(f"left: process {one.pid} outlives life {self._program.lives}")
            one.kill()

    async def _kill_at_a_request(self, *, before: bool) -> None:
        """In the moment in which a request has been applied and is not answered yet."""
        hit = asyncio.Event()

        def aim(request: Request) -> None:
            wanted = "/interactions/" in request.path or request.method == "POST"
            if not hit.is_set() and (wanted or before):
                hit.set()
                self._program.send(signal.SIGKILL)

        self._front.seen.append(aim)
        try:
            async with asyncio.timeout(1.0):
                await hit.wait()
        except TimeoutError:
            pass
        finally:
            self._front.seen.remove(aim)

    async def _trouble(self) -> None:
        gateway = self._front.gateway
        if not gateway.connected:
            return
        trick = self._troubles.draw(self._wanted(self._troubles))
        match trick:
            case Trick.RECONNECT:
                await gateway.ask_to_reconnect()
            case Trick.REFUSED:
                gateway.refuse_resume = 1
                await gateway.drop()
            case Trick.INVALID:
                await gateway.invalidate()
            case Trick.STOPPED:
                await self._stand_still()
            case Trick.CLOCK:
                self._set_clock()
            case Trick.SHARD:
                await gateway.drop(shard=self._rng.randrange(self._shards))
            case Trick.BACKUP:
                if not await self._back_up():
                    self._troubles.put_back(trick)
                    return
            case Trick.WORKER:
                if not await self._kill_a_worker():
                    self._troubles.put_back(trick)
                    return
            case Trick.DROP:
                await gateway.drop()
            case _:
                if self._line is None or not await self._line.disturb(trick):
                    self._troubles.put_back(trick)
                    return
        self._tricks[trick] += 1

    async def _stand_still(self) -> None:
        """As when its machine is suspended, or has no time for it."""
        self._program.send(signal.SIGSTOP)
        try:
            await asyncio.sleep(self._rng.uniform(0.5, 5.0))
        finally:
            self._program.send(signal.SIGCONT)

    async def _kill_a_worker(self) -> bool:
        """In the middle of a thought: who thinks, or now and then whom all of those come from.

        Whether anybody thought soon.
        """
        busy = await self._a_thinker()
        if busy is None:
            return False
        origin = busy._replace(pid=busy.parent)
        (origin if self._rng.random() < 0.2 else busy).kill()
        return True

    async def _a_decision(self) -> bool:
        """Waits until somebody has thought to the end; whether anybody did so soon."""
        busy = await self._a_thinker()
        if busy is None:
            return False
        loop = asyncio.get_running_loop()
        end = loop.time() + SOON
        while busy.busy:
            if loop.time() > end:
                return False
            await asyncio.sleep(0.0002)  # a decision is stored within milliseconds
        return True

    async def _a_thinker(self) -> Offspring | None:
        """A process in the middle of a thought; None if nobody thought soon."""
        loop = asyncio.get_running_loop()
        end = loop.time() + SOON
        while self._program.running and loop.time() < end:
            workers = thinkers(self._program.mark)
            for _ in range(LOOKS):
                busy = next((one for one in workers if one.busy), None)
                if busy is not None:
                    return busy
                await asyncio.sleep(0.002)
        return None

    def _set_clock(self) -> None:
        """Every other step is back to the right time."""
        wrong = self._rng.choice(STEPS)
        self._program.set_clock(0.0 if self._program.ahead else wrong)

    async def _back_up(self) -> bool:
        """What was acknowledged before it begins must be in it."""
        acknowledged = frozenset(self._watch.acknowledged)
        file = self._program.folder / "backup.sqlite3"
        status, said = await self._program.command("db", "backup", "--force", str(file))
        if status == 0:
            self._saved = acknowledged
        elif self._program.running:
            self.deaths.append(f"no backup: {said}")
        return status == 0

    def _restore(self) -> None:
        """The database as it was at the backup; what was acknowledged since is nobody's loss."""
        assert self._saved is not None, "there is a backup"
        file = self._program.folder / "backup.sqlite3"
        self._watch.let_go()
        status, said = self._program.command_at_once("db", "restore", str(file))
        if status != 0:
            self.deaths.append(f"not restored: {said}")
            return
        self._watch.cut_back(self._saved)
        self._saved = None  # the next one is of what is played from now on

    def _delivered(self, event: str, payload: Any) -> Sequence[float]:
        if event != "INTERACTION_CREATE" or self._rng.random() >= 0.1:
            return (0.0,)
        trick = self._deliveries.draw()
        self._tricks[trick] += 1
        match trick:
            case Trick.TWICE:
                return (0.0, self._rng.uniform(0.0, 0.3))
            case Trick.LATE:
                return (self._rng.uniform(0.05, 0.5),)
            case _:
                return (3.2,)

    async def _let_time_pass(self) -> None:
        """For some tables whoever is asked has run out of time while nobody looked.

        For some of those not for the first time, so that a stand-in takes over.
        """
        due = self._program.now - LONG_AGO
        found = self._ledger.rows(
            "SELECT table_id, kind FROM deadlines WHERE kind IN ('turn', 'next_round')"
        )
        changes: list[tuple[str, Sequence[object]]] = []
        hurry = 4 if self._are_too_few_away else 1
        for table, kind in found:
            way = self._rng.random() / (hurry if kind == "turn" else 1)
            if way >= 0.35:
                continue
            changes.append((_ALL_DUE if way < 0.25 else _WARNED, (due, table)))
            if way < 0.15:
                changes.append((_MISSED, (table,)))
            self._tricks[Trick.TIME] += 1
        # In a thread: what the program has said last still passes the proxy, and ends its locks.
        await asyncio.to_thread(self._ledger.change, *changes)


def _without(kinds: Mapping[Trick, int], spared: Collection[Trick]) -> dict[Trick, int]:
    return {kind: number for kind, number in kinds.items() if kind not in spared}
