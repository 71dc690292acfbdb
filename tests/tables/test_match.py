"""The one door, rounds, results."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from bot.ids import QuestionId, TableId, UserId
from bot.tables import match
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.stored import DeadlineKind, Pace, Result, ResultRow, Status
from bot.tables.stories import figures
from engine.game import NotationError, RuleError
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, GUILD, House, refused
from tests.tables.outcomes import outcome_of


async def test_an_action_is_stored_in_canonical_notation_and_announced_after_that(
    house: House,
) -> None:
    table = await house.match(ANN, BEN)
    house.clock.forward(9)
    table = await house.service.act(table.id, QuestionId(1), ANN.id, "  PLAY   4 ", 501)
    assert table.log[1:] == house.store.changes[-1].entries
    entry = table.log[-1]
    assert (entry.ply, entry.seat, entry.text, entry.interaction) == (1, 0, "play 4", 501)
    assert entry.at == house.clock.now
    assert table.actors == (1,)
    assert house.announcer.calls == [table.id] * len(house.store.changes)


IN_A_MATCH: Final[dict[str, Callable[[House, Table, UserId], Awaitable[Table]]]] = {
    "play": lambda h, t, u: h.service.act(t.id, None, u, "play 1", None),
    "next round": lambda h, t, u: h.service.ready(t.id, u, None),
    "pass for the deal": lambda h, t, u: h.service.set_standing_pass(t.id, u, None, on=True),
    "choose ahead": lambda h, t, u: h.service.choose_ahead(t.id, u, QuestionId(1), "play 1"),
    "rest": lambda h, t, u: h.service.rest(t.id, u, resting=False),
    "pace": lambda h, t, u: h.service.choose_pace(t.id, u, Pace.DAILY),
    "take back": lambda h, t, u: h.service.take_back(t.id, u, QuestionId(2), None),
    "agree": lambda h, t, u: h.service.answer_take_back(t.id, u, QuestionId(2), None, agrees=True),
    "nudge": lambda h, t, u: h.service.nudge(t.id, u, QuestionId(1)),
    "seek": lambda h, t, u: h.service.seek(t.id, u, 1),
}


@pytest.mark.parametrize("wish", IN_A_MATCH)
async def test_only_in_a_match_that_runs_and_only_who_sits_there(house: House, wish: str) -> None:
    ask = IN_A_MATCH[wish]
    table = await house.lobby(ANN, BEN, seats=2)
    with refused("not_running"):
        await ask(house, table, ANN.id)
    await house.begin(table.id)
    with refused("not_seated"):
        await ask(house, table, EVE.id)
    await house.stop(table.id)
    with refused("ended"):
        await ask(house, table, ANN.id)


async def test_out_of_turn_is_refused_with_the_seat_whose_turn_it_is(house: House) -> None:
    table = await house.match(ANN, BEN)
    with refused("not_your_turn", seat=0) as refusal:
        await house.play(table.id, BEN)
    assert refusal[0].table == table


async def test_out_of_turn_among_several_actors_names_no_seat(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, secret=True)
    await house.play(table.id, ANN)
    with refused("not_your_turn", seat=-1):
        await house.play(table.id, ANN)


async def test_a_press_on_an_older_question_is_stale(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=2)
    await house.play_round(table.id)
    await house.next_round(table.id)
    with refused("stale") as refusal:
        await house.service.act(table.id, QuestionId(1), ANN.id, "play 3", 502)
    assert refusal[0].table is not None
    assert refusal[0].table.round == 2


async def test_what_the_game_refuses_is_not_stored(house: House) -> None:
    table = await house.match(ANN, BEN)
    with pytest.raises(NotationError):
        await house.play(table.id, ANN, "x" * 6000)
    with pytest.raises(RuleError) as info:
        await house.play(table.id, ANN, "play 12")
    assert info.value.code == "too_high"
    assert await house.service.table(table.id) == table
    assert house.store.rows[table.id][1] == table.log


async def test_an_interaction_is_applied_once_however_often_it_comes(house: House) -> None:
    table = await house.match(ANN, BEN)
    first = await house.service.act(table.id, QuestionId(1), ANN.id, "play 3", 503)
    again = await house.service.act(table.id, QuestionId(1), ANN.id, "play 3", 503)
    assert again == first
    assert len(house.store.rows[table.id][1]) == 2


async def test_an_interaction_that_another_process_applied_answers_with_the_present_state(
    house: House,
) -> None:
    table = await house.match(ANN, BEN)
    other = house.restarted()
    await other.service.act(table.id, QuestionId(1), ANN.id, "play 3", 503)
    answer = await house.service.act(table.id, QuestionId(1), ANN.id, "play 3", 503)
    assert answer == await other.service.table(table.id)
    house.agree()


async def test_of_two_presses_on_one_question_at_once_one_wins(house: House) -> None:
    table = await house.match(ANN, BEN)
    answers = await asyncio.gather(
        house.service.act(table.id, QuestionId(1), ANN.id, "play 3", 504),
        house.service.act(table.id, QuestionId(1), ANN.id, "play 4", 505),
        return_exceptions=True,
    )
    assert [isinstance(answer, BaseException) for answer in answers] == [False, True]
    assert [e.text for e in (await house.service.table(table.id)).log[1:]] == ["play 3"]


async def test_secret_choices_at_once_do_not_make_each_other_stale(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, secret=True)
    assert table.actors == (0, 1, 2)
    question = table.questions[2]
    await asyncio.gather(
        *(
            house.service.act(table.id, question, person.id, "play 2", 600 + person.id)
            for person in (CAT, ANN, BEN)
        )
    )
    table = await house.service.table(table.id)
    assert [entry.seat for entry in table.log[1:]] == [2, 0, 1]
    assert isinstance(table.phase, BetweenRounds)
    assert house.store.refusals == 0


async def test_only_tables_that_ask_wait_and_the_one_that_was_left_out_does_not(
    house: House,
) -> None:
    first = await house.match(ANN, BEN, CAT, channel=71)
    second = await house.match(ANN, BEN, CAT, channel=72)
    waiting = await house.service.waiting_for(ANN.id)
    assert {table.id for table in waiting} == {first.id, second.id}
    assert [t.id for t in await house.service.waiting_for(ANN.id, first.id)] == [second.id]
    assert await house.service.waiting_for(BEN.id) == []
    await house.service.rest(second.id, ANN.id, resting=False)
    await house.service.rest(second.id, BEN.id, resting=False)
    assert await house.service.waiting_for(ANN.id, first.id) == [], "it rests"


# Between rounds


async def test_the_next_round_begins_when_the_last_one_presses(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.play_round(table.id)
    await house.service.ready(table.id, CAT.id, QuestionId(4))
    table = await house.service.ready(table.id, ANN.id, QuestionId(4))
    assert table.stored.votes.ready == {ANN.id, CAT.id}
    assert isinstance(table.phase, BetweenRounds)
    table = await house.service.ready(table.id, BEN.id, QuestionId(4))
    assert isinstance(table.phase, Closing)
    assert table.stored.votes.ready == frozenset()
    table = await house.post(table.id)
    assert table.round == 2
    assert table.actors == (0,)
    assert table.stored.timing.deadline(DeadlineKind.NEXT_ROUND) is None
    assert [entry.seat for entry in house.store.changes[-1].entries] == [-1]


async def test_everybody_pressing_at_once_closes_the_seats_once(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    await house.play_round(table.id)
    await asyncio.gather(
        *(house.service.ready(table.id, p.id, QuestionId(4)) for p in (ANN, BEN, CAT))
    )
    table = await house.service.table(table.id)
    assert isinstance(table.phase, Closing)
    assert len(table.stored.shuffling.shuffles) == 3


async def test_next_round_pressed_too_late_or_too_early_is_refused(house: House) -> None:
    table = await house.match(ANN, BEN)
    with refused("round_running"):
        await house.service.ready(table.id, ANN.id, None)
    with refused("stale"):
        await house.service.ready(table.id, ANN.id, QuestionId(table.ply))
    await house.play_round(table.id)
    await house.next_round(table.id)
    with refused("stale"):
        await house.service.ready(table.id, ANN.id, QuestionId(3))


async def test_next_round_of_an_earlier_pause_is_stale_in_the_next_one(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=3)
    await house.play_round(table.id)
    await house.next_round(table.id)
    await house.play_round(table.id)
    with refused("stale"):
        await house.service.ready(table.id, ANN.id, QuestionId(3))
    assert (await house.service.table(table.id)).stored.votes.ready == frozenset()


# The end


async def finished(house: House) -> TableId:
    table = await house.match(ANN, BEN, CAT, rounds=2)
    await house.play_round(table.id, 9, 9, 9)
    await house.next_round(table.id)
    house.clock.forward(100)
    table = await house.play_round(table.id, 0, 5, 9)
    assert table.stored.status is Status.FINISHED
    assert outcome_of(table)
    return table.id


async def test_the_last_action_ends_the_match_and_writes_its_result_in_one_change(
    house: House,
) -> None:
    table = await house.service.table(await finished(house))
    outcome = outcome_of(table)
    change = house.store.changes[-1]
    assert change.stored.status is Status.FINISHED
    assert [entry.text for entry in change.entries] == ["play 9"]
    assert change.result == Result(
        table=table.id,
        guild=GUILD,
        game="stub",
        rounds=2,
        ended=house.clock.now,
        rows=tuple(
            ResultRow(
                p.id,
                p.name,
                seat,
                outcome.ranking[seat],
                outcome.scores[seat],
                True,
                *figures(table.stored, table.rounds, table.log)[seat],
            )
            for seat, p in enumerate((ANN, BEN, CAT))
        ),
        plays=6,
    )
    assert house.store.results == [change.result]
    assert table.stored.timing.deadlines == ()
    assert table.stored.ended == house.clock.now
    assert table.actors == ()


async def test_only_the_change_that_ends_a_match_carries_its_result(house: House) -> None:
    table = await house.service.table(await finished(house))
    assert sum(change.result is not None for change in house.store.changes) == 1
    later, _ = match.change(table, table)
    assert later.result is None


async def test_a_match_counts_for_who_began_it_and_not_for_who_finished_it(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=1)
    await house.service.leave(table.id, BEN.id)
    await house.service.sit(table.id, DAN)
    await house.play_round(table.id)
    assert [(row.user, row.seat) for row in house.store.results[0].rows] == [
        (ANN.id, 0),
        (BEN.id, 1),
    ]
