"""What is known of people, and the language of a table."""

from __future__ import annotations

from bot.storage.database import Database
from bot.storage.people import SqlPeople
from bot.tables.ports import Habits
from tests.storage.values import ANNA, BEN, CARLA


async def test_the_locale_learnt_last_is_known(database: Database) -> None:
    people = SqlPeople(database)
    assert await people.habits([ANNA.id]) == {}
    await people.learn({ANNA.id: "da"})
    await people.learn({BEN.id: "es-419", ANNA.id: "pt-BR"})
    await people.learn({BEN.id: "es-419"})
    reopened = SqlPeople(database)
    both = {ANNA.id: Habits("pt-BR"), BEN.id: Habits("es-419")}
    assert await reopened.habits([ANNA.id, BEN.id, CARLA.id]) == both
    assert await reopened.habits([BEN.id]) == {BEN.id: Habits("es-419")}


async def test_the_deck_chosen_last_is_known_and_what_is_heard_later_leaves_it(
    database: Database,
) -> None:
    people = SqlPeople(database)
    await people.choose_deck(ANNA.id, "contrast", "da")
    await people.learn({ANNA.id: "pt-BR", BEN.id: "da"})
    await people.choose_deck(BEN.id, "large", "pt-BR")
    await people.choose_deck(BEN.id, "text", "pt-BR")
    found = await SqlPeople(database).habits([ANNA.id, BEN.id, CARLA.id])
    assert found == {ANNA.id: Habits("pt-BR", "contrast"), BEN.id: Habits("da", "text")}


async def test_from_whom_people_want_no_invitations_is_kept(database: Database) -> None:
    people = SqlPeople(database)
    for on in (True, True, False, False, True):
        await people.block(ANNA.id, BEN.id, on=on)
        assert await SqlPeople(database).blocks(ANNA.id, BEN.id) is on
        assert not await people.blocks(BEN.id, ANNA.id)
