"""What is known of people, and the language of a table."""

from __future__ import annotations

from dataclasses import replace

from bot.ids import TableId
from bot.storage.database import Database
from bot.storage.people import SqlPeople
from bot.storage.tables import SqlTableStore
from tests.storage.values import ANNA, BEN, CARLA, change, stored


async def test_the_locale_learnt_last_is_known(database: Database) -> None:
    people = SqlPeople(database)
    assert await people.locales([ANNA.id]) == {}
    await people.learn({ANNA.id: "da"})
    await people.learn({BEN.id: "es-419", ANNA.id: "pt-BR"})
    await people.learn({BEN.id: "es-419"})
    reopened = SqlPeople(database)
    both = {ANNA.id: "pt-BR", BEN.id: "es-419"}
    assert await reopened.locales([ANNA.id, BEN.id, CARLA.id]) == both
    assert await reopened.locales([BEN.id]) == {BEN.id: "es-419"}


async def test_a_table_keeps_its_locale(database: Database) -> None:
    await SqlTableStore(database).commit(change(replace(stored(), locale="pt-BR")))
    found = await SqlTableStore(database).load(TableId("T7Q2"))
    assert found is not None
    assert found[0].locale == "pt-BR"
