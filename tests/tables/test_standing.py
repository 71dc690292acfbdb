"""Passing for the whole deal."""

from __future__ import annotations

from bot.ids import QuestionId
from bot.tables.phase import BetweenRounds
from bot.tables.stored import DeadlineKind, Status
from bot.tables.waiting import SELF_ANSWER_TIME
from tests.tables.fakes import ANN, BEN, CAT, DAN, House, refused


def house_where(*passes: int) -> House:
    """Where these seats can pass."""
    house = House()
    house.game.passes = set(passes)
    return house


async def test_who_is_asked_later_is_answered_for_after_two_seconds() -> None:
    house = house_where(1)
    table = await house.match(ANN, BEN, CAT)
    table = await house.service.set_standing_pass(table.id, BEN.id, None, on=True)
    assert table.stored.votes.standing == {BEN.id}
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    house.clock.forward(100)
    table = await house.play(table.id, ANN)
    assert table.actors == (1,)
    assert table.answers_itself(1)
    assert not table.answers_itself(0)
    (waits,) = table.stored.timing.deadlines
    assert waits == (
        DeadlineKind.SELF_ANSWER,
        table.questions[1],
        house.clock.now + SELF_ANSWER_TIME,
    )
    assert (await house.later(table, 1.9)).actors == (1,)
    table = await house.later(table, 0.1)
    assert (table.log[-1].seat, table.log[-1].text) == (1, "play 0")
    assert table.log[-1].interaction is None
    assert table.actors == (2,)
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    house.agree()


async def test_who_is_asked_now_is_answered_for_at_once_in_the_same_commit() -> None:
    house = house_where(0)
    table = await house.match(ANN, BEN)
    changes = len(house.store.changes)
    table = await house.service.set_standing_pass(table.id, ANN.id, table.questions[0], on=True)
    assert table.log[-1].text == "play 0"
    assert table.stored.votes.standing == {ANN.id}
    assert len(house.store.changes) == changes + 1


async def test_a_press_on_an_older_question_of_the_deal_answers_no_newer_one_at_once() -> None:
    house = house_where(1)
    table = await house.match(ANN, BEN)
    asked = table.ply
    await house.play(table.id, ANN)
    table = await house.service.set_standing_pass(table.id, BEN.id, QuestionId(asked), on=True)
    assert table.actors == (1,)
    assert isinstance((await house.later(table, 2)).phase, BetweenRounds)


async def test_a_press_from_an_earlier_deal_is_stale() -> None:
    house = house_where(0, 1)
    table = await house.match(ANN, BEN, rounds=2)
    old = table.questions[0]
    await house.play_round(table.id)
    with refused("between_rounds"):
        await house.service.set_standing_pass(table.id, ANN.id, None, on=True)
    await house.next_round(table.id)
    for question in (old, QuestionId(2), QuestionId(3)):
        with refused("stale"):
            await house.service.set_standing_pass(table.id, ANN.id, question, on=True)
    assert (await house.service.table(table.id)).stored.votes.standing == frozenset()


async def test_who_has_something_to_say_is_asked_all_the_same() -> None:
    house = house_where()
    table = await house.match(ANN, BEN)
    table = await house.service.set_standing_pass(table.id, ANN.id, None, on=True)
    assert table.actors == (0,)
    assert not table.answers_itself(0)
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    assert (await house.play(table.id, ANN)).actors == (1,)


async def test_it_is_taken_back_before_the_answer_is_given() -> None:
    house = house_where(1)
    table = await house.match(ANN, BEN)
    await house.service.set_standing_pass(table.id, BEN.id, None, on=True)
    await house.play(table.id, ANN)
    table = await house.service.set_standing_pass(table.id, BEN.id, None, on=False)
    assert table.stored.votes.standing == frozenset()
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    assert (await house.later(table, 10)).actors == (1,)
    table = await house.play(table.id, BEN, "play 4")
    assert table.log[-1].text == "play 4"


async def test_the_time_of_a_question_answered_by_hand_is_not_the_time_of_the_next() -> None:
    house = house_where(1, 2)
    table = await house.match(ANN, BEN, CAT)
    for person in (BEN, CAT):
        await house.service.set_standing_pass(table.id, person.id, None, on=True)
    await house.play(table.id, ANN)
    house.clock.forward(1)
    table = await house.play(table.id, BEN, "play 4")
    assert table.actors == (2,)
    assert (await house.later(table, 1.5)).actors == (2,)
    assert isinstance((await house.later(table, 0.5)).phase, BetweenRounds)


async def test_it_holds_for_one_deal_only() -> None:
    house = house_where(0)
    table = await house.match(ANN, BEN, rounds=2)
    await house.service.set_standing_pass(table.id, ANN.id, None, on=True)
    await house.play(table.id, BEN)
    table = await house.next_round(table.id)
    assert table.stored.votes.standing == frozenset()
    assert (await house.later(table, 10)).actors == (0,)


async def test_it_leaves_with_its_person() -> None:
    house = house_where(1)
    table = await house.match(ANN, BEN)
    await house.service.set_standing_pass(table.id, BEN.id, None, on=True)
    await house.play(table.id, ANN)
    table = await house.service.leave(table.id, BEN.id)
    assert table.stored.votes.standing == frozenset()
    table = await house.service.sit(table.id, DAN)
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    assert (await house.later(table, 10)).actors == (1,)


async def test_of_several_asked_at_once_all_who_pass_are_answered_for_in_one_commit() -> None:
    house = house_where(0, 2)
    table = await house.match(ANN, BEN, CAT, secret=True)
    asked = table.questions[1]
    house.game.passes = set()
    for person in (ANN, CAT):
        await house.service.set_standing_pass(table.id, person.id, None, on=True)
    house.game.passes = {0, 2}
    table = await house.service.act(table.id, asked, BEN.id, "play 3", 1)
    changes = len(house.store.changes)
    table = await house.later(table, 2)
    assert len(house.store.changes) == changes + 1
    assert [(entry.seat, entry.text) for entry in table.log[1:]] == [
        (1, "play 3"),
        (0, "play 0"),
        (2, "play 0"),
    ]
    assert house.store.refusals == 0


async def test_the_last_answer_may_end_the_match() -> None:
    house = house_where(1)
    table = await house.match(ANN, BEN, rounds=1)
    await house.service.set_standing_pass(table.id, BEN.id, None, on=True)
    await house.play(table.id, ANN)
    table = await house.later(table, 2)
    assert table.stored.status is Status.FINISHED
    assert table.stored.votes.standing == frozenset()
    assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
    assert len(house.store.results) == 1
