"""What is known of people, and the language of a table."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.ids import UserId
from bot.storage.database import Database
from bot.storage.people import MAX_NEVER, SqlPeople
from bot.tables.lobby import Apart
from bot.tables.model import TableError
from bot.tables.ports import Habits
from bot.tables.preferences import HandBy, Preferences
from tests.storage.values import ANNA, BEN, CARLA, NOW


async def test_the_locale_learnt_last_is_known(database: Database) -> None:
    people = SqlPeople(database, lambda: NOW)
    assert await people.habits([ANNA.id]) == {}
    await people.learn({ANNA.id: "da"})
    await people.learn({BEN.id: "es-419", ANNA.id: "pt-BR"})
    await people.learn({BEN.id: "es-419"})
    reopened = SqlPeople(database, lambda: NOW)
    both = {ANNA.id: Habits("pt-BR"), BEN.id: Habits("es-419")}
    assert await reopened.habits([ANNA.id, BEN.id, CARLA.id]) == both
    assert await reopened.habits([BEN.id]) == {BEN.id: Habits("es-419")}


async def test_what_was_chosen_last_is_known_and_what_is_heard_later_leaves_it(
    database: Database,
) -> None:
    people = SqlPeople(database, lambda: NOW)
    anna = await people.change(ANNA.id, "da", lambda now: replace(now, deck="contrast"))
    await people.learn({ANNA.id: "pt-BR", BEN.id: "da"})
    await people.change(BEN.id, "pt-BR", lambda now: replace(now, deck="large"))
    await people.change(BEN.id, "pt-BR", lambda now: replace(now, deck="text"))
    ben = await people.change(BEN.id, "pt-BR", lambda now: replace(now, hand=HandBy.BUTTON))
    assert (anna, ben) == (Preferences("contrast"), Preferences("text", hand=HandBy.BUTTON))
    found = await SqlPeople(database, lambda: NOW).habits([ANNA.id, BEN.id, CARLA.id])
    assert found == {ANNA.id: Habits("pt-BR", anna), BEN.id: Habits("da", ben)}


async def test_what_two_menus_change_at_the_same_time_is_both_kept(database: Database) -> None:
    people = SqlPeople(database, lambda: NOW)
    await asyncio.gather(
        people.change(ANNA.id, "da", lambda now: replace(now, deck="large")),
        people.change(ANNA.id, "da", lambda now: replace(now, tips=False)),
    )
    found = await people.habits([ANNA.id])
    assert found == {ANNA.id: Habits("da", Preferences("large", tips=False))}


async def test_with_whom_people_never_want_to_play_is_kept(database: Database) -> None:
    people = SqlPeople(database, lambda: NOW)
    for on in (True, True, False, False, True):
        await people.block(ANNA.id, BEN.id, on=on)
        never = frozenset({BEN.id} if on else ())
        assert await SqlPeople(database, lambda: NOW).apart(ANNA.id) == Apart(never)
    await people.block(CARLA.id, BEN.id, on=True)
    assert await people.apart(BEN.id) == Apart(barred=frozenset({ANNA.id, CARLA.id}))


async def test_such_a_list_has_an_end(database: Database) -> None:
    people = SqlPeople(database, lambda: NOW)
    for other in range(1, MAX_NEVER + 1):
        await people.block(ANNA.id, UserId(other), on=True)
    await people.block(ANNA.id, UserId(1), on=True)
    with pytest.raises(TableError, match="never_full"):
        await people.block(ANNA.id, UserId(MAX_NEVER + 1), on=True)
    assert len((await people.apart(ANNA.id)).never) == MAX_NEVER
