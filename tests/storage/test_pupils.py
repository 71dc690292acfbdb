"""Who learns which game, and what they were told."""

from __future__ import annotations

from dataclasses import replace

from bot.ids import QuestionId, TableId
from bot.storage.database import Database
from bot.storage.people import SqlPeople, SqlPupils
from bot.storage.tables import SqlTableStore
from bot.tables.ports import Habits, Lesson, Pupil, TipShownAt
from bot.tables.preferences import Preferences
from bot.tables.stored import Status
from tests.storage.values import ANNA, BEN, CARLA, NOW, change, result, stored

NEW, KNOWS = Pupil(learns=True, told={}), Pupil(learns=False, told={})
LEAD = Lesson(ANNA.id, "aufundab", "tip_lead")
FIRST, SECOND = (TipShownAt(TableId(f"T{n}"), QuestionId(n)) for n in (3, 9))


async def test_everybody_is_new_until_they_finish_a_match_of_the_game(database: Database) -> None:
    pupils = SqlPupils(database)
    people = [ANNA.id, BEN.id, CARLA.id]
    assert await pupils.pupils(people, "aufundab") == dict.fromkeys(people, NEW)
    await pupils.teach({LEAD: FIRST, LEAD._replace(game="sticheln"): SECOND})
    assert (await pupils.pupils([ANNA.id], "aufundab"))[ANNA.id] == Pupil(
        learns=True, told={"tip_lead": FIRST}
    )
    played = result("T7Q2", (ANNA, 1, 3), (BEN, 2, 0), game="aufundab")
    await SqlTableStore(database).commit(
        change(stored(played.table, status=Status.FINISHED), result=played)
    )
    finished = {row.user for row in played.rows}
    assert ANNA.id in finished
    for user, pupil in (await pupils.pupils(people, "aufundab")).items():
        assert pupil == (KNOWS if user in finished else NEW)
    other = await pupils.pupils([ANNA.id], "sticheln")
    assert other == {ANNA.id: Pupil(learns=True, told={"tip_lead": SECOND})}, (
        "another game is not known by it"
    )


async def test_a_match_of_one_round_does_not_teach_a_game_and_the_next_does(
    database: Database,
) -> None:
    pupils, store = SqlPupils(database), SqlTableStore(database)
    await pupils.teach({LEAD: FIRST})
    first = result("T7Q2", (ANNA, 1, 3), (BEN, 2, 0), game="aufundab", rounds=1)
    await store.commit(change(stored(first.table, status=Status.FINISHED), result=first))
    found = await pupils.pupils([ANNA.id, BEN.id], "aufundab")
    assert found == {ANNA.id: Pupil(learns=True, told={"tip_lead": FIRST}), BEN.id: NEW}
    second = result("T7Q3", (ANNA, 1, 3), (CARLA, 2, 0), game="aufundab", rounds=1)
    await store.commit(change(stored(second.table, status=Status.FINISHED), result=second))
    found = await pupils.pupils([ANNA.id, BEN.id, CARLA.id], "aufundab")
    assert found == {ANNA.id: KNOWS, BEN.id: NEW, CARLA.id: NEW}


async def test_what_was_told_first_stays(database: Database) -> None:
    pupils = SqlPupils(database)
    await pupils.teach({LEAD: FIRST})
    await pupils.teach({LEAD: SECOND, LEAD._replace(kind="tip_follow"): SECOND})
    known = Pupil(learns=True, told={"tip_lead": FIRST, "tip_follow": SECOND})
    assert await SqlPupils(database).pupils([ANNA.id], "aufundab") == {ANNA.id: known}
    assert await pupils.pupils([], "aufundab") == {}


async def test_tips_are_put_away_at_every_game_and_the_language_stays(database: Database) -> None:
    pupils, people = SqlPupils(database), SqlPeople(database, lambda: NOW)
    await people.learn({ANNA.id: "da"})
    await pupils.teach({LEAD: FIRST})
    for user in (ANNA.id, BEN.id, ANNA.id):
        await people.change(user, "pt-BR", lambda now: replace(now, tips=False))
        await pupils.forget(user)
    for game in ("aufundab", "sticheln"):
        found = await pupils.pupils([ANNA.id, BEN.id, CARLA.id], game)
        assert found == {ANNA.id: KNOWS, BEN.id: KNOWS, CARLA.id: NEW}
    without = Preferences(tips=False)
    assert await people.habits([ANNA.id, BEN.id]) == {
        ANNA.id: Habits("da", without),
        BEN.id: Habits("pt-BR", without),
    }
    await people.learn({BEN.id: "es-ES"})
    assert (await pupils.pupils([BEN.id], "aufundab"))[BEN.id] == KNOWS
    await people.change(BEN.id, "pt-BR", lambda now: replace(now, tips=True))
    assert (await pupils.pupils([BEN.id], "aufundab"))[BEN.id] == NEW
    assert (await people.habits([BEN.id]))[BEN.id] == Habits("es-ES")
