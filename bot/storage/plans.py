"""Planned tables, and the time zones of people."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog
from pydantic import TypeAdapter, ValidationError
from sqlalchemy import ColumnElement, Select, delete, exists, func, insert, select, update
from sqlalchemy.engine import Connection, RowMapping

from bot.ids import ChannelId, GuildId, PlanId, UserId
from bot.storage.database import Repository
from bot.storage.forgetting import plans_naming
from bot.storage.schema import plan_surfaces, plans, zones
from bot.storage.surfaces import UNDONE
from bot.storage.upsert import put
from bot.surfaces import Kind
from bot.tables.model import TableCode, TableError
from bot.tables.plans import (
    EVENT_TO_COME,
    MAX_NEW_PLANS,
    MAX_PLANS,
    MAX_SERVER_PLANS,
    OFF_STATES,
    OPEN_STATES,
    PLANNING_WINDOW,
    Calling,
    Decide,
    Lapse,
    Line,
    Plan,
    PlanState,
    Room,
    Tick,
    Wish,
)
from bot.tables.stored import Person
from bot.tables.when import When

logger = structlog.get_logger(__name__)

KEPT: Final = timedelta(days=7)
"""How long a plan is kept after its end; its message answers for that long."""

_WISH: Final = TypeAdapter(Wish)

IS_OPEN: Final = plans.c.state.in_([state.value for state in OPEN_STATES])
_IS_OFF: Final = plans.c.state.in_([state.value for state in OFF_STATES])


class SqlPlans(Repository):
    """Port `PlanStore` of the tables."""

    async def add(self, plan: Plan) -> None:
        def work(connection: Connection) -> None:
            here = plans.c.guild_id == plan.guild
            mine = plans.c.user_id == plan.by.id
            # A clock may be set back.
            since = plans.c.created > plan.created - PLANNING_WINDOW
            until = plans.c.created < plan.created + PLANNING_WINDOW

            def count(*which: ColumnElement[bool]) -> int:
                query = select(func.count()).select_from(plans).where(here, *which)
                return connection.execute(query).scalar_one()

            own = count(mine, IS_OPEN)
            # What all plan together keeps nobody from their first: else some could close a server.
            full = own > 0 and count(IS_OPEN) >= MAX_SERVER_PLANS
            limits: tuple[tuple[TableCode, int, bool], ...] = (
                ("too_many_plans", MAX_PLANS, own >= MAX_PLANS),
                ("server_plans", MAX_SERVER_PLANS, full),
                ("plans_too_fast", MAX_NEW_PLANS, count(mine, since, until) >= MAX_NEW_PLANS),
            )
            for code, limit, reached in limits:
                if reached:
                    raise TableError(code, limit=limit)
            connection.execute(insert(plans).values(_row(plan)))

        await self._database.write(work)

    async def find(self, plan: PlanId) -> Plan | None:
        return await self._database.read(lambda reading: _find(reading, plan))

    async def change(self, plan: PlanId, decide: Decide) -> Plan | None:
        def work(connection: Connection) -> Plan | None:
            found = _find(connection, plan, locked=True)
            if found is None:
                return None
            for after in decide(found):
                if after.id != found.id:
                    connection.execute(insert(plans).values(_row(after)))
                elif after != found:
                    connection.execute(update(plans).where(plans.c.id == plan).values(_row(after)))
                    found = after
            return found

        return await self._database.write(work)

    async def listed(self, plan: PlanId, event: int | None) -> None:
        change = update(plans).where(plans.c.id == plan).values(event_id=event)
        await self._database.execute(change)

    async def earliest(self, skip: Collection[PlanId] = ()) -> Plan | None:
        query = select(plans).where(IS_OPEN, plans.c.id.not_in(skip))
        query = query.order_by(plans.c.again, plans.c.id).limit(1)
        return await self._database.read(lambda reading: _first(reading, query))

    async def open_in(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> Sequence[PlanId]:
        query = select(plans.c.id).where(IS_OPEN)
        if guild is not None:
            query = query.where(plans.c.guild_id == guild)
        if channel is not None:
            query = query.where(plans.c.channel_id == channel)
        return await self._ids(query)

    async def naming(self, user: UserId) -> Sequence[PlanId]:
        found = await self._database.read(lambda reading: plans_naming(reading, user))
        return [row["id"] for row in found if row["state"] in OPEN_STATES]

    async def undrawn(self) -> Sequence[PlanId]:
        of_plan = plan_surfaces.c.table_id == plans.c.id
        board = exists().where(of_plan, plan_surfaces.c.kind == Kind.BOARD)
        drawn = board.where(plan_surfaces.c.drawn == plans.c.version)
        undone = exists().where(of_plan, plan_surfaces.c.kind.in_(UNDONE))
        calls = exists().where(of_plan, plan_surfaces.c.kind == Kind.CALL)
        # What is over and stands nowhere need not; a channel may have been hidden meanwhile.
        behind = (
            ~drawn & (IS_OPEN | board)
            | undone
            | (_IS_OFF & calls)
            | (IS_OPEN & (plans.c.event_id != EVENT_TO_COME))
        )
        return await self._ids(select(plans.c.id).where(behind))

    async def zone(self, user: UserId) -> str | None:
        return await self._database.scalar(select(zones.c.zone).where(zones.c.user_id == user))

    async def learn_zone(self, user: UserId, zone: str) -> None:
        row = {"user_id": user, "zone": zone}
        await self._database.write(lambda writing: put(writing, zones, [row]))

    async def _ids(self, query: Select[PlanId]) -> Sequence[PlanId]:
        return await self._database.scalars(query.order_by(plans.c.again, plans.c.id))


def forget(connection: Connection, now: datetime) -> Sequence[PlanId]:
    """Forgets the plans that are over for `KEPT`, within a transaction; returns which."""
    over = plans.c.ended < now - KEPT
    found = connection.execute(select(plans.c.id).where(over)).scalars().all()
    connection.execute(delete(plans).where(over, plans.c.id.in_(found)))
    return found


def _find(connection: Connection, plan: PlanId, *, locked: bool = False) -> Plan | None:
    query = select(plans).where(plans.c.id == plan)
    return _first(connection, query.with_for_update() if locked else query)


def _first(connection: Connection, query: Select[Any]) -> Plan | None:
    row = connection.execute(query).mappings().first()
    return None if row is None else _plan(row)


def _row(plan: Plan) -> dict[str, Any]:
    return {
        "id": plan.id,
        "version": plan.version,
        "guild_id": plan.guild,
        "channel_id": plan.channel,
        "user_id": plan.by.id,
        "name": plan.by.name,
        "wish": _WISH.dump_python(plan.wish, mode="json", fallback=dict, warnings=False),
        "due": plan.when.due,
        "zone": plan.when.zone or "",
        "weekly": plan.when.weekly,
        "local": plan.when.local,
        "again": plan.again,
        "state": plan.state.value,
        "coming": [[person.id, person.name] for person in plan.coming],
        "cannot": [[person.id, person.name] for person in plan.cannot],
        "pressed": sorted(plan.pressed),
        "invited": sorted(plan.invited),
        "table_id": plan.table,
        "event_id": plan.event,
        "created": plan.created,
        "ended": plan.ended,
        "lapse": None if plan.lapse is None else plan.lapse.value,
        "called": sorted(plan.called),
        "times": _seconds(plan.times),
        "ticks": [
            {"person": [tick.person.id, tick.person.name], "times": _seconds(tick.times)}
            for tick in plan.ticks
        ],
        "regulars": sorted(plan.regulars),
        "lines": [{"why": line.why.value, "people": list(line.people)} for line in plan.lines],
        "seats": None if plan.room is None else plan.room.most,
        "enough": None if plan.room is None else plan.room.enough,
    }


def _plan(row: RowMapping) -> Plan:
    return Plan(
        id=row["id"],
        version=row["version"],
        guild=row["guild_id"],
        channel=row["channel_id"],
        by=Person(row["user_id"], row["name"]),
        wish=_wish(row["wish"]),
        when=When(row["due"], row["zone"] or None, row["weekly"], row["local"]),
        again=row["again"],
        state=PlanState(row["state"]),
        coming=tuple(Person(user, name) for user, name in row["coming"]),
        cannot=tuple(Person(user, name) for user, name in row["cannot"]),
        pressed=frozenset(row["pressed"]),
        invited=frozenset(row["invited"]),
        table=row["table_id"],
        event=row["event_id"],
        created=row["created"],
        ended=row["ended"],
        lapse=None if row["lapse"] is None else Lapse(row["lapse"]),
        called=frozenset(row["called"]),
        times=_moments(row["times"]),
        ticks=tuple(
            Tick(Person(*tick["person"]), _moments(tick["times"])) for tick in row["ticks"]
        ),
        regulars=frozenset(row["regulars"]),
        lines=tuple(Line(Calling(line["why"]), tuple(line["people"])) for line in row["lines"]),
        room=None if row["seats"] is None else Room(row["seats"], row["enough"]),
    )


def _seconds(times: Iterable[datetime]) -> list[int]:
    """Moments as Discord has them too."""
    return [int(time.timestamp()) for time in times]


def _moments(seconds: Iterable[int]) -> tuple[datetime, ...]:
    return tuple(datetime.fromtimestamp(one, UTC) for one in seconds)


def _wish(stored: Mapping[str, Any]) -> Wish:
    """The stored wish; an unknown value, of a pace, say, gives a table without seats, which never
    opens."""
    try:
        return _WISH.validate_python(stored)
    except ValidationError:
        logger.warning("wish_unreadable")
        return Wish(str(stored.get("game", "")), 0, {})
