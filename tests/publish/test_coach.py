"""Who is told what a decision is for: what is asked for and stored, and what if it cannot be."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from bot.ids import QuestionId, UserId
from bot.publish.coach import Coach
from bot.tables.model import Table
from bot.tables.ports import Lesson, Pupil, TipShownAt
from bot.views.values import HandView
from engine.layout import Phrase
from tests.publish.stage import QUICK, turns
from tests.render import samples
from tests.tables.fakes import ANN, BEN, CAT, House

NEW = Pupil(learns=True, told={})


class FakePupils:
    """Everybody is new to everything; `calls` says what was asked for or stored."""

    def __init__(self) -> None:
        self.known: dict[UserId, Pupil] = {}
        self.lessons: dict[Lesson, TipShownAt] = {}
        self.asked = 0
        self.stored = 0
        self.broken = False

    async def pupils(self, users: Collection[UserId], game: str) -> Mapping[UserId, Pupil]:
        self.asked += 1
        self._break()
        return {user: self.known.get(user, NEW) for user in users}

    async def teach(self, lessons: Mapping[Lesson, TipShownAt]) -> None:
        self.stored += 1
        self._break()
        self.lessons |= lessons

    async def forget(self, user: UserId) -> None:
        self._break()
        self.known[user] = Pupil(learns=False, told={})

    def _break(self) -> None:
        if self.broken:
            raise OSError("the database went away")


SLOW = replace(QUICK, store_lag=3600)


async def match() -> Table:
    return await House().match(ANN, BEN, CAT)


def hand(table: Table, question: int, kind: str | None = "tip_lead") -> HandView:
    """A hand at that table that asks for a decision of that kind."""
    view = samples.worst_hands()["form"]
    head = replace(view.head, table=table.id, game=table.stored.game)
    layout = replace(view.layout, tip=None if kind is None else Phrase(kind))
    return replace(view, head=head, layout=layout, question=QuestionId(question), away=False)


def is_told(coach: Coach, view: HandView, user: UserId = ANN.id) -> bool:
    return coach.shown(view, user).coached


async def test_each_kind_is_told_at_its_first_question_however_often_that_is_drawn() -> None:
    coach, table = Coach(FakePupils(), SLOW), await match()
    assert await coach.ask(table)
    for _ in range(3):
        assert is_told(coach, hand(table, 3))
    assert not is_told(coach, hand(table, 7))
    assert is_told(coach, hand(table, 7, "tip_follow"))
    assert is_told(coach, hand(table, 7), BEN.id), "everybody learns for themselves"
    assert is_told(coach, hand(table, 3)), "drawn late"


async def test_nobody_is_told_who_is_asked_nothing() -> None:
    coach, table = Coach(FakePupils(), SLOW), await match()
    assert not is_told(coach, hand(table, 3)), "nobody knows yet whether they learn it"
    await coach.ask(table)
    assert not is_told(coach, hand(table, 3, None))
    assert not is_told(coach, replace(hand(table, 3), question=None))
    assert not is_told(coach, replace(hand(table, 3), away=True))
    assert is_told(coach, hand(table, 4)), "that told nothing"


async def test_a_table_is_asked_for_once_and_only_when_cards_are_dealt() -> None:
    stored, house = FakePupils(), House()
    coach = Coach(stored, SLOW)
    lobby = await house.lobby(ANN, BEN, CAT)
    assert not await coach.ask(lobby)
    assert stored.asked == 0
    table = await house.begin(lobby.id)
    assert [await coach.ask(table) for _ in range(3)] == [True, False, False]
    assert stored.asked == 1


async def test_what_was_told_is_stored_together_a_moment_later_and_known_to_the_next_run() -> None:
    stored, table = FakePupils(), await match()
    coach = Coach(stored, replace(QUICK, store_lag=0))
    await coach.ask(table)
    for user in (ANN.id, BEN.id):
        assert is_told(coach, hand(table, 3), user)
    assert stored.stored == 0
    await turns()
    asked = TipShownAt(table.id, QuestionId(3))
    game = table.stored.game
    assert stored.lessons == {Lesson(who.id, game, "tip_lead"): asked for who in (ANN, BEN)}
    assert stored.stored == 1
    stored.known = {ANN.id: Pupil(learns=True, told={"tip_lead": asked})}
    again = Coach(stored, SLOW)
    await again.ask(table)
    assert is_told(again, hand(table, 3)), "asked still"
    assert not is_told(again, hand(table, 5))
    assert stored.stored == 1


async def test_tips_put_away_stay_away_and_what_waited_was_stored_before() -> None:
    stored, table = FakePupils(), await match()
    coach = Coach(stored, SLOW)
    await coach.ask(table)
    assert is_told(coach, hand(table, 3))
    await coach.put_away(ANN.id)
    assert stored.stored == 1
    assert not is_told(coach, hand(table, 3))
    other = Coach(stored, SLOW)
    await other.ask(table)
    assert not is_told(other, hand(table, 3))
    assert is_told(other, hand(table, 3), BEN.id)
    del stored.known[ANN.id]
    coach.bring_back(ANN.id)
    await coach.ask(table)
    assert is_told(coach, hand(table, 3))


async def test_without_a_database_hands_are_drawn_without_tips_and_closing_raises_nothing() -> None:
    stored, table = FakePupils(), await match()
    coach, stored.broken = Coach(stored, SLOW), True
    assert not await coach.ask(table)
    assert not is_told(coach, hand(table, 3))
    stored.broken = False
    assert await coach.ask(table), "tried again"
    assert is_told(coach, hand(table, 3))
    stored.broken = True
    await coach.aclose()
    assert stored.lessons == {}
