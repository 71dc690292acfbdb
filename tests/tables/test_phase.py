"""The phases of a table, each with what is valid in it."""

from __future__ import annotations

from datetime import timedelta

from bot.ids import QuestionId
from bot.tables.lobby import LOBBY_TIME
from bot.tables.phase import Closing, Expired, Lobby, Over, Pause, Round, Unreadable
from bot.tables.stored import Stop
from tests.tables.fakes import ANN, BEN, House, refused
from tests.tables.outcomes import outcome_of
from tests.tables.stub import StubGame


async def test_a_match_goes_from_the_lobby_to_its_end(house: House) -> None:
    table = await house.lobby(ANN, BEN, rounds=2)
    assert table.phase == Lobby()
    table = await house.service.start(table.id, ANN.id)
    assert table.phase == Closing(1)
    table = await house.post(table.id)
    assert table.phase == Round(1, 0, {0: QuestionId(1)})
    await house.play(table.id, ANN)
    table = await house.play(table.id, BEN)
    (points,) = table.rounds
    assert table.phase == Pause(1, 0, QuestionId(3), points, points)
    for person in (ANN, BEN):
        table = await house.service.ready(table.id, person.id, QuestionId(3))
    assert table.phase == Closing(2)
    table = await house.post(table.id)
    assert table.phase == Round(2, 3, {0: QuestionId(4)})
    await house.play(table.id, ANN)
    table = await house.play(table.id, BEN)
    assert table.phase == Over(outcome_of(table), None)


async def test_a_match_that_is_stopped_is_over_without_an_outcome(house: House) -> None:
    table = await house.match(ANN, BEN)
    table = await house.stop(table.id)
    assert table.phase == Over(None, Stop.MODERATOR)


async def test_secret_choosers_have_a_question_each(house: House) -> None:
    table = await house.match(ANN, BEN, secret=True)
    assert table.phase == Round(1, 0, {0: QuestionId(1), 1: QuestionId(1)})
    assert (await house.play(table.id, ANN)).phase == Round(1, 0, {1: QuestionId(1)})


async def test_a_lobby_expires(house: House) -> None:
    table = await house.lobby(ANN)
    house.clock.now += LOBBY_TIME + timedelta(seconds=1)
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).phase == Expired(None)


async def test_a_log_of_other_rules_is_unreadable_and_can_be_ended(house: House) -> None:
    table = await house.match(ANN, BEN)
    house = house.restarted(StubGame(rules_version=2))
    assert (await house.service.find(table.id)).phase == Unreadable(is_open=True)
    with refused("unreadable", id=table.id):
        await house.play(table.id, ANN)
    table = await house.service.end(table.id, ANN.id, moderator=False)
    assert table.phase == Unreadable(is_open=False)
