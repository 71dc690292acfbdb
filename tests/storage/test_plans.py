"""Plans and time zones, as they are stored."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from bot.ids import ChannelId, GuildId, MessageId, PlanId, TableId, UserId
from bot.storage.backup import end_open_tables, note_restored
from bot.storage.database import Database
from bot.storage.overview import SqlOverview
from bot.storage.plans import KEPT, SqlPlans
from bot.storage.retention import Retention
from bot.storage.schema import plan_surfaces
from bot.storage.schema import plans as rows
from bot.storage.surfaces import SqlSurfaces
from bot.surfaces import Row
from bot.tables import plans
from bot.tables.customs import Customs
from bot.tables.model import TableError
from bot.tables.plans import (
    EVENT_TO_COME,
    MAX_NEW_PLANS,
    MAX_PLANS,
    MAX_SERVER_PLANS,
    Lapse,
    Plan,
    PlanState,
    Room,
    Wish,
)
from bot.tables.stored import Pace, Person
from bot.tables.when import When
from engine.players.levels import Level
from tests.storage.values import ANNA, BEN, CARLA, NOW

GUILD, CHANNEL = GuildId(2**62), ChannelId(2**62 + 1)
HOUR = timedelta(hours=1)
WISH = Wish("aufundab", 4, {"hands": 3}, private=True, pace=Pace.DAILY, locale="de")


def plan(number: int, by: Person = ANNA, hours: int = 2) -> Plan:
    due = NOW + timedelta(hours=hours)
    when = When(due, "Europe/Zurich", weekly=True, local=due.replace(tzinfo=None))
    return plans.new_plan(PlanId(f"P{number}"), GUILD, CHANNEL, by, WISH, when, NOW)


def asking(number: int, *times: timedelta, event: bool = False) -> Plan:
    due = [NOW + time for time in times]
    new, when, room = PlanId(f"P{number}"), When(due[-1], None), Room(4, 3)
    made = plans.new_plan(new, GUILD, CHANNEL, ANNA, WISH, when, NOW, event=event, room=room)
    return plans.asking(made, due)


async def test_a_plan_is_read_back_as_it_was_stored(database: Database) -> None:
    store = SqlPlans(database)
    made = plan(1)
    when = When(made.when.due, None)
    once = replace(plan(2), wish=replace(made.wish, computers=(2, Level.STRONG)), when=when)
    await store.add(once)
    assert await SqlPlans(database).find(once.id) == once
    await store.add(made)
    assert await SqlPlans(database).find(made.id) == made
    made = plans.invite(made, ANNA.id, BEN.id)
    whole = replace(
        plans.answer(plans.answer(made, BEN, comes=True), ANNA, comes=False),
        state=PlanState.OPENED,
        table=TableId("T7Q2"),
        called=frozenset({ANNA.id, BEN.id}),
        event=2**62,
        ended=NOW,
        lapse=Lapse.NO_ZONE,
    )
    assert await store.change(made.id, lambda _: [whole]) == whole
    assert await SqlPlans(database).find(made.id) == whole
    evening = asking(3, HOUR, 2 * HOUR, event=True)
    evening = plans.invite(plans.invite(evening, ANNA.id, BEN.id), ANNA.id, CARLA.id)
    evening = plans.tick(evening, BEN, evening.times[1:], NOW)
    await store.add(evening)
    assert await SqlPlans(database).find(evening.id) == evening
    asked = plans.look(evening, evening.again)
    assert asked.lines
    await store.change(evening.id, lambda _: [replace(asked, regulars=frozenset({BEN.id}))])
    assert await SqlPlans(database).find(evening.id) == replace(asked, regulars=frozenset({BEN.id}))
    assert await store.find(PlanId("other")) is None
    assert await store.change(PlanId("other"), lambda p: [p]) is None


async def test_a_refused_change_changes_nothing_and_the_next_plan_comes_with_it(
    database: Database,
) -> None:
    store = SqlPlans(database)
    await store.add(plan(1))
    with pytest.raises(TableError, match="not_planner"):
        await store.change(
            PlanId("P1"), lambda p: [plans.call_off(p, BEN.id, NOW, moderator=False)]
        )
    assert await store.find(PlanId("P1")) == plan(1)
    over = plans.end(plan(1), PlanState.LATE, NOW)
    await store.change(PlanId("P1"), lambda p: [over, plan(2, hours=9)])
    earliest = await store.earliest()
    assert earliest == plan(2, hours=9)
    assert await store.earliest([PlanId("P2")]) is None
    assert await store.open_in(GUILD) == await store.open_in(channel=CHANNEL) == ["P2"]
    assert await store.open_in(channel=ChannelId(1)) == []


async def test_what_asks_for_a_time_is_open_like_any_other(database: Database) -> None:
    store = SqlPlans(database)
    evening = asking(1, 4 * HOUR)
    await store.add(evening)
    await store.add(plan(2, hours=3))
    assert await store.earliest() == evening, "half-way it is looked at"
    assert await store.open_in(GUILD) == await store.undrawn() == ["P1", "P2"]
    assert await store.naming(ANNA.id) == ["P1", "P2"]
    assert await SqlOverview(database).places() == [(GUILD, CHANNEL)]
    await store.change(PlanId("P2"), lambda p: [plans.end(p, PlanState.LATE, NOW)])
    assert await store.open_in(GUILD) == ["P1"]
    await database.write(note_restored)
    await end_open_tables(database, NOW)
    found = await store.find(PlanId("P1"))
    assert found is not None
    assert (found.state, found.version) == (PlanState.RESTORED, 2)
    assert await store.open_in(GUILD) == []


async def test_what_is_not_drawn_as_it_is_is_known(database: Database) -> None:
    store = SqlPlans(database)
    await store.add(plan(1))
    assert await store.undrawn() == ["P1"]
    one, messages = PlanId("P1"), SqlSurfaces(database, plan_surfaces)

    async def put(kind: str, row: Row | None) -> None:
        await messages.save({(one, kind, 0): row}, {})

    row: Row = ("board", 0, CHANNEL, MessageId(5), NOW, 0, None, False, "", "", 0)
    await put("board", row)
    assert await store.undrawn() == ["P1"]
    await messages.save({}, {one: 1})
    assert await store.undrawn() == []
    assert await messages.all_of(one) == [row]
    await put("sending", ("sending", *row[1:]))
    assert await store.undrawn() == ["P1"], "nobody knows whether it arrived"
    await put("sending", None)
    await store.listed(one, 2**62)
    assert await store.undrawn() == ["P1"], "its channel may be hidden by now"
    await store.listed(one, EVENT_TO_COME)
    assert await store.undrawn() == []
    await store.change(one, lambda p: [plans.answer(p, ANNA, comes=False)])
    assert await store.undrawn() == ["P1"]
    await store.change(one, lambda p: [plans.end(p, PlanState.LATE, NOW)])
    assert await store.undrawn() == ["P1"]
    await put("board", None)
    assert await store.undrawn() == [], "what is over need not stand anywhere"
    await put("call", ("call", *row[1:]))
    assert await store.undrawn() == ["P1"], "nobody is called to it any more"


async def test_one_person_and_one_server_plan_so_many_and_no_more(database: Database) -> None:
    store = SqlPlans(database)
    for number in range(MAX_NEW_PLANS):
        await store.add(plan(number))
        if number % MAX_PLANS == MAX_PLANS - 1:
            with pytest.raises(TableError, match="too_many_plans"):
                await store.add(plan(99))
            for one in await store.open_in(GUILD):
                await store.change(
                    one, lambda p: [plans.call_off(p, ANNA.id, NOW, moderator=False)]
                )
    with pytest.raises(TableError, match="plans_too_fast"):
        await store.add(plan(99))
    for number in range(MAX_SERVER_PLANS):
        await store.add(plan(100 + number, Person(UserId(BEN.id + number), "B")))
    with pytest.raises(TableError, match="server_plans"):
        await store.add(plan(999, BEN))
    # However many there are, nobody is kept from their first.
    await store.add(plan(999, Person(UserId(BEN.id + 999), "B")))


async def test_what_was_planned_before_the_clock_was_set_back_limits_nobody(
    database: Database,
) -> None:
    store = SqlPlans(database)
    for number in range(MAX_NEW_PLANS):
        ahead = NOW + timedelta(days=1, seconds=number)
        await store.add(replace(plan(number), created=ahead))
        await store.change(
            PlanId(f"P{number}"), lambda p: [plans.call_off(p, ANNA.id, NOW, moderator=False)]
        )
    with pytest.raises(TableError, match="plans_too_fast"):
        await store.add(replace(plan(98), created=NOW + timedelta(days=1)))
    await store.add(plan(99))


async def test_what_is_over_for_a_week_is_forgotten(database: Database) -> None:
    store = SqlPlans(database)
    await store.add(plan(1))
    await store.add(plan(2))
    await store.change(PlanId("P1"), lambda p: [plans.call_off(p, ANNA.id, NOW, moderator=False)])
    await Retention(database, lambda: NOW + KEPT).step()
    assert await store.find(PlanId("P1")) is not None
    await Retention(database, lambda: NOW + KEPT + timedelta(seconds=1)).step()
    assert await store.find(PlanId("P1")) is None
    assert await store.find(PlanId("P2")) == plan(2)


async def test_the_zone_named_last_is_known(database: Database) -> None:
    store = SqlPlans(database)
    assert await store.zone(ANNA.id) is None
    for zone in ("Europe/Zurich", "UTC"):
        await store.learn_zone(ANNA.id, zone)
        assert await SqlPlans(database).zone(ANNA.id) == zone
    assert await store.zone(BEN.id) is None


@pytest.mark.parametrize(
    "gone", [{"pace": "glacial"}, {"computers": [1, "godlike"]}, {"customs": None}]
)
async def test_a_plan_that_is_not_understood_any_more_stops_no_other(
    gone: dict[str, object], database: Database
) -> None:
    store = SqlPlans(database)
    await store.add(plan(1))
    await store.add(plan(2, hours=3))
    wish = await database.read(
        lambda reading: reading.execute(select(rows.c.wish).where(rows.c.id == "P1")).scalar_one()
    )
    change = update(rows).where(rows.c.id == "P1").values(wish={**wish, **gone})
    await database.write(lambda writing: writing.execute(change))
    found = await store.earliest()
    assert found is not None
    assert (found.id, found.wish) == ("P1", Wish("aufundab", 0, {})), "no table has no seats"
    assert await store.earliest([found.id]) == plan(2, hours=3)


STORED = {
    "game": "aufundab",
    "seats": 4,
    "given": {"hands": 3},
    "private": True,
    "pace": "daily",
    "locale": "de",
    "customs": {
        "hints": True,
        "passes": False,
        "forced": True,
        "counts": True,
        "drawn": False,
        "rotates": False,
    },
    "computers": [1, "strong"],
}
"""A wish as it has been stored from the beginning, with what was added since."""


async def test_a_wish_is_stored_as_ever(database: Database) -> None:
    wish = replace(WISH, customs=Customs(forced=True), computers=(1, Level.STRONG))
    await SqlPlans(database).add(replace(plan(1), wish=wish))
    assert [*await database.scalars(select(rows.c.wish))] == [STORED]


@pytest.mark.parametrize("name", [field.name for field in fields(Customs)])
async def test_customs_come_back_from_what_is_stored(name: str, database: Database) -> None:
    usual: bool = getattr(Customs(), name)
    wish = replace(WISH, customs=replace(Customs(), **{name: not usual}))
    await SqlPlans(database).add(replace(plan(1), wish=wish))
    found = await SqlPlans(database).find(PlanId("P1"))
    assert found is not None
    assert found.wish == wish


@pytest.mark.parametrize(
    ("stored", "known"), [({}, Customs()), ({"forced": True, "signs": False}, Customs(forced=True))]
)
async def test_customs_that_were_not_known_then_are_as_by_default_and_old_ones_are_left_out(
    stored: dict[str, bool], known: Customs, database: Database
) -> None:
    await SqlPlans(database).add(plan(1))
    await database.execute(update(rows).values(wish={**STORED, "customs": stored}))
    found = await SqlPlans(database).find(PlanId("P1"))
    assert found is not None
    assert found.wish == replace(WISH, customs=known, computers=(1, Level.STRONG))


async def test_a_plan_of_before_knows_of_no_computer_players(database: Database) -> None:
    await SqlPlans(database).add(plan(1))
    whole = await database.read(lambda reading: reading.execute(select(rows.c.wish)).scalar_one())
    before = {key: value for key, value in whole.items() if key != "computers"}
    assert before != whole
    await database.write(lambda writing: writing.execute(update(rows).values(wish=before)))
    found = await SqlPlans(database).find(PlanId("P1"))
    assert found is not None
    assert found.wish.computers == (0, Level.NORMAL)
