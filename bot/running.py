"""The running program: starts its parts in order, wakes the tables, stops everything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from datetime import timedelta
from time import monotonic
from typing import Any, Final

import structlog

from bot.answer.context import Context
from bot.answer.reply import wait_for_answers
from bot.ids import Ids, TableId
from bot.operate.health import Health, Parts, WriteCheck
from bot.operate.metrics import Metrics
from bot.publish.coach import Coach
from bot.publish.doors import Doors, ServerRights
from bot.publish.openings import Openings
from bot.publish.picture_cache import PictureCache
from bot.publish.planned import PlanBoards
from bot.publish.publisher import Publisher
from bot.publish.readers import Readers
from bot.publish.requests import Letters
from bot.publish.source import Source
from bot.publish.timings import Timings
from bot.publish.vanished import Vanished
from bot.sharding import Sharded, asked_for_a_sign
from bot.storage import Database, SqlMeta, SqlResults, SqlSurfaces, SqlTableStore
from bot.storage.bests import SqlMemories
from bot.storage.history import SqlHistory
from bot.storage.overview import SqlOverview
from bot.storage.people import SqlFollowers, SqlPeople, SqlPupils
from bot.storage.personal_data import SqlPersonalData
from bot.storage.plans import SqlPlans
from bot.storage.retention import Retention
from bot.storage.schema import plan_surfaces
from bot.storage.servers import SqlDepartures, SqlServers
from bot.tables.downtime import Downtime
from bot.tables.planning import Planning
from bot.tables.ports import Chance, Clock, Computers
from bot.tables.servers import Servers
from bot.tables.service import TableService
from engine.game import AnyGame
from engine.registry import games

logger = structlog.get_logger(__name__)

WAKE_BATCH: Final = 20
"""Number of tables drawn at once after a start; the next ones follow after `WAKE_PAUSE`."""

WAKE_PAUSE: Final = 0.5
"""Seconds.  So fast is Discord's limit reached, and people's presses are not kept waiting."""

RETRY_PAUSE: Final = 5.0
"""Seconds after which is tried again what the database refused."""

STUCK_AFTER: Final = 100.0
"""Seconds without a look at the stored deadlines after which something is wrong."""

STOP_TIME: Final = 9.0
"""Seconds that a stop may take in all, of the ten that hosts grant."""

ANSWER_TIME: Final = 3.0
"""Seconds for answers under way: Discord waits that long for one."""

FAREWELL_TIME: Final = 2.5
"""Seconds for saying at the tables that the program will be back."""

CLOSE_TIME: Final = 0.7
"""Seconds that each of the last steps has, however late it is; most take next to none."""

RESERVE: Final = 3 * CLOSE_TIME
"""Seconds kept for the steps that follow one that takes its time."""


class Running:
    """The parts of the program while it runs, over one open database that they close.

    A stop is `begin_stop`, `finish_work` and `close`, with the connection closed before the last.
    """

    def __init__(
        self,
        client: Sharded,
        database: Database,
        clock: Clock,
        steady: Callable[[], float],
        chance: Chance,
        timings: Timings,
        metrics: Metrics,
        computers: Computers,
        computer_time: timedelta,
        *,
        pictures: bool = True,
        source_url: str | None = None,
    ) -> None:
        """Within a running event loop: deadlines and heartbeats are tasks from now on."""
        self._client, self._database, self.meta = client, database, SqlMeta(database)
        self._surfaces, self._overview = SqlSurfaces(database), SqlOverview(database)
        found, people = games(), SqlPeople(database, clock)
        self._servers = Servers(SqlServers(database), clock)
        self.tables = TableService(
            SqlTableStore(database, metrics), games=found, clock=clock, chance=chance,
            announcer=self, counts=metrics, computers=computers, computer_time=computer_time,
            servers=self._servers, blocks=people,
            quiet_of=lambda user: self._readers.preferences(user).quiet,
        )  # fmt: skip
        self._coach, self._doors = Coach(SqlPupils(database), timings), Doors(client, self._servers)
        self._readers = Readers(people, self._servers, timings, clock)
        memories, letters = SqlMemories(database), Letters(clock, timings)
        source = Source(self.tables, self._coach, self._readers, letters, clock, memories, people)
        self._pictures = PictureCache(self._readers, timings, draws=pictures)
        self.publisher = Publisher(
            client, source, self._surfaces, self._readers, self._servers, self._pictures, clock,
            timings=timings, counts=metrics,
        )  # fmt: skip
        self._planning = Planning(
            SqlPlans(database), self.tables, games=found, clock=clock, chance=chance, blocks=people,
            rights=ServerRights(self.publisher.requests, self._doors),
        )  # fmt: skip
        self._followers, plan_rows = SqlFollowers(database), SqlSurfaces(database, plan_surfaces)
        self._openings = Openings(self.tables, self._followers, people, self.publisher, self._doors)
        self._planned = PlanBoards(
            self._planning, self.tables, self.publisher, self._openings, plan_rows
        )
        self.context = self._context(database, people, source, found, clock, source_url)
        """The parts that the cogs work with."""
        self.downtime = Downtime(self.tables, asked_for_a_sign, clock, steady)
        self._tasks: list[asyncio.Task[None]] = []
        self.health = Health(self._spawn_parts(clock), metrics)
        """The endpoint for health and metrics; closed until `Health.open`."""
        self._gently = self._woken = False
        """Whether tables that changed while the program was not connected are being drawn."""
        self._end: float | None = None
        """When the end must be over, by the loop's clock."""

    def _context(
        self,
        database: Database,
        people: SqlPeople,
        source: Source,
        found: Mapping[str, AnyGame],
        clock: Clock,
        source_url: str | None,
    ) -> Context:
        return Context(
            tables=self.tables,
            publisher=self.publisher,
            results=SqlResults(database),
            history=SqlHistory(database),
            memories=SqlMemories(database),
            games=found,
            clock=clock,
            blocks=people,
            followers=self._followers,
            personal_data=SqlPersonalData(database),
            coach=self._coach,
            readers=self._readers,
            servers=self._servers,
            doors=self._doors,
            picture_cache=self._pictures,
            planning=self._planning,
            planned=self._planned,
            openings=self._openings,
            vanished=Vanished(
                self.tables,
                self._planning,
                self.publisher,
                self._overview,
                SqlDepartures(database, clock),
            ),
            untold=source.untold,
            drop=self._drop,
            source_url=source_url,
        )

    def changed(self, table: TableId) -> None:
        """Port `Announcer` of the tables, which are built before the publisher that draws them."""
        self.publisher.changed(table)

    def _drop(self, ids: Ids) -> None:
        """These tables, plans, people and servers were forgotten: nobody knows them by heart."""
        if ids:
            for part in (
                self.tables, self._servers, self._coach, self._readers, self.publisher,
                self._planned, self._openings,
            ):  # fmt: skip
                part.drop(ids)

    @property
    def stopping(self) -> bool:
        """Whether a stop has begun."""
        return self._gently

    def _spawn_parts(self, clock: Clock) -> Parts:
        """Starts what runs beside the people: it fires deadlines, writes now and then, tidies up.

        Returns what `/health` and `/metrics` ask: both of the first, the connections and the
        database.
        """
        self.spawn(self.downtime.run(), "downtime")
        retention = Retention(
            self._database, clock, connected=lambda: self.downtime.up, forgot=self._drop
        )
        self.spawn(retention.run(), "retention")
        beat, turning = WriteCheck(self._database), self.tables.deadlines
        firing = self.spawn(turning.run(), "deadlines")
        self.spawn(beat.run(), "beat")
        return Parts(
            self._overview,
            writes=lambda: beat.stands,
            gateway=lambda: self.downtime.up,
            deadlines=lambda: not firing.done() and monotonic() - turning.last_turn <= STUCK_AFTER,
            shards=lambda: self._client.connections.states,
        )

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Does some work until the program ends."""
        task = asyncio.create_task(work, name=name)
        self._tasks.append(task)
        return task

    # The connection

    async def heard_again(self) -> None:
        """Give the missed time back to the tables, and let their clocks run.

        Clocks wait for the connections of all servers with an open table, and for the first
        connection, over which people press in direct messages.  The first time it also draws tables
        that changed while the program was not connected.
        """
        while not self._ends():
            try:
                if not self._client.connections.reach(await self._overview.guilds()):
                    return  # the next connection begins anew
                await self.downtime.back()
                break
            except Exception as error:  # the database: nothing else goes on without it either
                logger.error("time_not_given_back", kind=type(error).__name__)
                await asyncio.sleep(RETRY_PAUSE)
        if not self._woken and not self._ends():
            self._woken = True
            self.spawn(self._wake(), "waking")

    def _ends(self) -> bool:
        return self.stopping or self._client.is_closed()

    async def _wake(self) -> None:
        """Draw tables that changed while the program was not connected; others are not even
        loaded."""
        while not self._ends():
            try:
                changed = await self._undrawn()
                await self._planned.wake()
                break
            except Exception as error:  # the database: whoever waits for a board goes on waiting
                logger.error("changes_not_found", kind=type(error).__name__)
                await asyncio.sleep(RETRY_PAUSE)
        else:
            return
        logger.info("tables_woken", changed=len(changed))
        for place, table in enumerate(changed, 1):
            self.publisher.changed(table)
            if place % WAKE_BATCH == 0:
                await asyncio.sleep(WAKE_PAUSE)

    async def _undrawn(self) -> list[TableId]:
        """Tables whose messages are out of date; first those with the least time left.

        Raises what the database raises.
        """
        hurry = {table: place for place, table in enumerate(await self.tables.clocked())}
        stale = await self._surfaces.stale()
        stale = sorted(stale, key=lambda table: hurry.get(table, len(hurry)))
        return list(dict.fromkeys([*stale, *await self._surfaces.behind()]))

    # The end

    async def begin_stop(self) -> None:
        """Begin the end, of which people notice little; it is over `STOP_TIME` seconds from now.

        No new tables are opened; presses are answered until the end; tables with a clock say that
        the program will be back.
        """
        self._gently = True
        self._begin_end()
        self.tables.drain()
        logger.info("stopping")  # from here on no table is opened
        self.tables.deadlines.hold()
        seen = within(ANSWER_TIME, self.downtime.beat(), "last seen")
        all_answered, _ = await asyncio.gather(wait_for_answers(self._client, ANSWER_TIME), seen)
        if not all_answered:
            logger.warning("given_up", what="answers")
        await within(FAREWELL_TIME + CLOSE_TIME, self._say_farewell(), "farewell")

    async def _say_farewell(self) -> None:
        await self.publisher.farewell(await self.tables.clocked(), FAREWELL_TIME)

    async def finish_work(self) -> None:
        """Stop the clock and draw queued tables, while the connection is up."""
        self._begin_end()
        tasks, self._tasks = self._tasks, []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_TIME)
        await within(CLOSE_TIME, self._planned.aclose(0), "plans")
        await within(CLOSE_TIME, self._openings.aclose(), "openings")
        left = self.left()
        await within(left + CLOSE_TIME, self.publisher.aclose(left), "draws")
        await wait_for_answers(self._client, CLOSE_TIME / 2)

    async def close(self) -> None:
        """Wait for writes under way, and close the database."""
        self._pictures.close()
        await within(self.left(), self.tables.aclose(), "writes")
        # What the last answers drew is noted after all else was drawn.
        stored = asyncio.gather(self.publisher.store(), self._planned.store())
        await within(self.left(), stored, "messages")
        await within(self.left(), self._coach.aclose(), "lessons")
        await within(self.left(), self.health.close(), "health")
        await within(self.left(), self._database.close(), "database")

    def left(self) -> float:
        """Seconds that a step of the end may take: a slow disk or a busy machine is no fault."""
        now = asyncio.get_running_loop().time()
        end = now if self._end is None else self._end
        return max(CLOSE_TIME, end - now - RESERVE)

    def _begin_end(self) -> None:
        """The end is over `STOP_TIME` seconds from now, or from when it began."""
        if self._end is None:
            self._end = asyncio.get_running_loop().time() + STOP_TIME


async def within(seconds: float, work: Awaitable[object], what: str) -> None:
    """Do a part of a stop, or give it up after that many seconds, so that the other parts are done.

    Exceptions of the part are logged and not raised.
    """
    try:
        async with asyncio.timeout(max(0.0, seconds)):
            await work
    except TimeoutError:
        logger.warning("given_up", what=what)
    except Exception as error:
        logger.error("not_ended", what=what, kind=type(error).__name__)
