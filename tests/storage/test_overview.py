"""Places and people of everything that is open."""

from __future__ import annotations

from bot.storage.database import Database
from bot.storage.overview import SqlOverview
from bot.storage.plans import SqlPlans
from bot.storage.tables import SqlTableStore
from bot.tables import plans
from bot.tables.plans import PlanState
from bot.tables.stored import Status
from tests.storage.test_plans import CHANNEL, GUILD, plan
from tests.storage.values import ANNA, BEN, CARLA, NOW, T1, T2, T3, change, stored


async def test_places_and_people_are_those_of_what_is_open(database: Database) -> None:
    tables, planned = SqlTableStore(database), SqlPlans(database)
    overview = SqlOverview(database)
    assert await overview.places() == []
    assert await overview.sitters() == []
    for table in (
        stored(T1, channel=501, people=(ANNA, BEN)),
        stored(T2, channel=502, people=(CARLA,), status=Status.RUNNING),
        stored(T3, channel=503, status=Status.STOPPED),
    ):
        await tables.commit(change(table))
    for number in (1, 2):
        await planned.add(plan(number))
    await planned.change(plan(2).id, lambda p: [plans.end(p, PlanState.OFF, NOW)])
    assert sorted(await overview.places()) == [(1, 501), (1, 502), (GUILD, CHANNEL)]
    await planned.change(plan(1).id, lambda p: [plans.end(p, PlanState.OFF, NOW)])
    assert sorted(await overview.places()) == [(1, 501), (1, 502)]
    assert await overview.sitters() == [(T1, 1, ANNA.id), (T1, 1, BEN.id), (T2, 1, CARLA.id)]
