"""Taking a play back: who is asked, what ends it, and what the log then means."""

from __future__ import annotations

from typing import Any

import pytest

from bot.answer.refusals import second_press
from bot.i18n import texts
from bot.ids import QuestionId
from bot.tables.deals import match_record
from bot.tables.fold import UnreadableLogError, fold
from bot.tables.model import Table
from bot.tables.stored import Actor, DeadlineKind, Entry, Pace, Person
from bot.tables.undo import MOST_A_ROUND, refusal
from engine.layout import Phrase, SeatName
from tests.tables.fakes import ANN, BEN, CAT, DAN, House, deadline_of, refused


async def asks(house: House, table: Table, person: Person, interaction: int | None = None) -> Table:
    return await house.service.take_back(table.id, person.id, QuestionId(table.ply), interaction)


async def says(
    house: House, table: Table, person: Person, interaction: int | None = None, *, agrees: bool
) -> Table:
    wish = table.take_back
    assert wish is not None
    return await house.service.answer_take_back(
        table.id, person.id, wish.question, interaction, agrees=agrees
    )


def folded(table: Table) -> Any:
    return fold(table.stored, table.game, table.log).played


async def test_once_everybody_has_agreed_the_question_is_put_again_with_a_new_number(
    house: House,
) -> None:
    dealt = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    played = await house.play(dealt.id, ANN, "play 7")
    asked = await asks(house, played, ANN)
    assert asked.ply == played.ply, "nothing is undone before they agree"
    asked = await says(house, asked, CAT, agrees=True)
    assert asked.ply == played.ply
    house.clock.forward(20)
    undone = await says(house, asked, BEN, 900, agrees=True)
    entry = undone.log[-1]
    assert (entry.ply, entry.seat, entry.text, entry.interaction) == (2, 0, "undo to 1", 900)
    assert undone.questions == {0: QuestionId(3)}
    assert undone.played is not None
    assert dealt.played is not None
    assert (undone.played.state, undone.played.actions) == (dealt.played.state, ())
    assert undone.told == (*dealt.told, Phrase("table.taken_back", {"seat": SeatName(0)}))
    assert undone.take_back is None
    turn = deadline_of(undone, DeadlineKind.TURN)
    assert turn.question == QuestionId(3)
    assert (turn.due - house.clock()).total_seconds() == 60
    assert folded(undone) == undone.played
    again = house.restarted()
    with refused("stale"):
        await again.service.act(dealt.id, QuestionId(1), ANN.id, "play 2", 901)
    after = await again.service.act(dealt.id, QuestionId(3), ANN.id, "play 2", 902)
    assert after.questions == {1: QuestionId(4)}
    assert after.played is not None
    assert after.played.actions == ((0, "play 2"),)
    assert folded(after) == after.played


async def test_the_press_that_completes_it_does_nothing_twice(house: House) -> None:
    table = await house.play((await house.match(ANN, BEN)).id, ANN)
    table = await asks(house, table, ANN, 900)
    undone = await house.service.answer_take_back(
        table.id, BEN.id, QuestionId(table.ply), 901, agrees=True
    )
    again = await house.service.answer_take_back(
        table.id, BEN.id, QuestionId(table.ply), 901, agrees=True
    )
    assert again == undone
    with refused("undo_gone"):
        await house.service.answer_take_back(
            table.id, BEN.id, QuestionId(table.ply), 902, agrees=True
        )


async def test_one_no_ends_it_and_nobody_asks_again_about_that_play(house: House) -> None:
    table = await house.play((await house.match(ANN, BEN, CAT)).id, ANN)
    table = await says(house, await asks(house, table, ANN), BEN, agrees=False)
    with refused("undo_gone"):
        await says(house, table, CAT, agrees=True)
    with refused("undo_refused"):
        await asks(house, table, ANN)
    assert (await house.service.table(table.id)).ply == 2


async def test_the_next_play_ends_it(house: House) -> None:
    table = await asks(house, await house.play((await house.match(ANN, BEN, CAT)).id, ANN), ANN)
    after = await house.play(table.id, BEN)
    assert after.take_back is None
    with refused("undo_gone"):
        await says(house, table, CAT, agrees=True)
    with refused("undo_moved"):
        await asks(house, after, ANN)
    with refused("undo_moved"):
        await house.service.take_back(table.id, BEN.id, QuestionId(table.ply), None)


async def test_against_computers_and_stand_ins_it_happens_at_once(house: House) -> None:
    table = await house.play((await house.against(ANN, computers=2)).id, ANN)
    undone = await asks(house, table, ANN, 900)
    assert undone.log[-1].text == "undo to 1"
    assert await asks(house, table, ANN, 900) == undone
    assert undone.actors == (0,)
    assert undone.stored.timing.deadline(DeadlineKind.COMPUTER) is None
    after = await house.later(undone, 60)
    assert after.ply == undone.ply, "no computer player answers what was undone"


async def test_whoever_leaves_or_comes_while_it_is_asked_is_no_obstacle_and_is_asked(
    house: House,
) -> None:
    table = await asks(house, await house.play((await house.match(ANN, BEN, CAT)).id, ANN), ANN)
    table = await says(house, table, BEN, agrees=True)
    undone = await house.service.leave(table.id, CAT.id)
    assert undone.log[-1].text == "undo to 1"
    played = await house.play(table.id, ANN)
    table = await asks(house, played, ANN)
    assert table.ply == played.ply
    gone = await house.service.leave(table.id, ANN.id)
    assert gone.take_back is None
    assert gone.ply == played.ply


async def test_what_the_clock_or_nobody_has_played_stands(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    with refused("undo_none"):
        await asks(house, table, ANN)
    late = await house.later(table, 61)
    assert late.log[-1].by is Actor.CLOCK
    with refused("undo_not_pressed"):
        await asks(house, late, ANN)
    over = await house.play(table.id, BEN)
    with refused("undo_over"):
        await asks(house, over, BEN)
    assert refusal(over, BEN.id) == "undo_over"


async def test_who_takes_a_seat_takes_back_only_what_they_have_played_in_it(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, rounds=2)
    table = await house.play(table.id, ANN, "play 9")
    await house.service.leave(table.id, ANN.id)
    table = await house.service.sit(table.id, DAN, 0)
    assert table.log[-1].seat == 0
    with refused("undo_not_pressed"):
        await asks(house, table, DAN)
    old = second_press(texts("en"), table, DAN.id, QuestionId(1))
    assert old is None, "they have answered nothing yet"
    for person in (BEN, CAT):
        await house.play(table.id, person)
    for person in (DAN, BEN, CAT):
        await house.service.ready(table.id, person.id, None)
    table = await house.play((await house.post(table.id)).id, DAN)
    table = await asks(house, table, DAN)
    for person in (BEN, CAT):
        table = await says(house, table, person, agrees=True)
    assert table.log[-1].is_undo


async def test_a_play_is_taken_back_once_and_not_without_end(house: House) -> None:
    table = await house.against(ANN)
    for number in range(MOST_A_ROUND):
        table = await house.play(table.id, ANN, f"play {number % 10}")
        table = await asks(house, table, ANN)
        with refused("undo_none"):
            await asks(house, table, ANN)
    table = await house.play(table.id, ANN)
    with refused("undo_often"):
        await asks(house, table, ANN)
    assert folded(table) == table.played
    assert table.played is not None
    assert table.played.taken_back == MOST_A_ROUND


async def test_others_who_choose_at_the_same_time_keep_their_questions(house: House) -> None:
    dealt = await house.match(ANN, BEN, CAT, secret=True)
    assert set(dealt.questions.values()) == {QuestionId(1)}
    table = await house.play(dealt.id, BEN, "play 3")
    table = await asks(house, table, BEN)
    for person in (ANN, CAT):
        table = await says(house, table, person, agrees=True)
    assert table.questions == {0: QuestionId(1), 1: QuestionId(3), 2: QuestionId(1)}
    table = await house.service.act(table.id, QuestionId(1), CAT.id, "play 4", None)
    with refused("stale"):
        await house.service.act(table.id, QuestionId(1), BEN.id, "play 4", None)
    assert folded(table) == table.played


async def test_a_record_has_only_what_stands_and_the_next_deal_mixes_that(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=2)
    table = await house.play(table.id, ANN, "play 9")
    table = await says(house, await asks(house, table, ANN), BEN, agrees=True)
    await house.play(table.id, ANN, "play 2")
    await house.play(table.id, BEN, "play 3")
    await house.service.ready(table.id, ANN.id, None)
    await house.service.ready(table.id, BEN.id, None)
    table = await house.post(table.id)
    assert table.round == 2
    table = await house.stop(table.id)
    record: Any = match_record(table)
    first, _ = record["rounds"]
    assert first["actions"] == [{"seat": 0, "do": "play 2"}, {"seat": 1, "do": "play 3"}]
    assert folded(table) == table.played


@pytest.mark.parametrize("text", ["undo to 0", "undo to 2", "undo to x"])
async def test_a_log_that_takes_anything_else_back_cannot_be_read(house: House, text: str) -> None:
    table = await house.play((await house.match(ANN, BEN)).id, ANN)
    line = Entry(table.ply, 0, text, house.clock())
    with pytest.raises(UnreadableLogError):
        fold(table.stored, table.game, (*table.log, line))
