"""The phases of a table, each with what is valid in it."""

from __future__ import annotations

from bot.ids import QuestionId
from bot.tables.phase import BetweenRounds, Closing, Lobby, Over, Round
from tests.tables.fakes import ANN, BEN, House
from tests.tables.outcomes import outcome_of


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
    assert table.phase == BetweenRounds(1, 0, QuestionId(3), points, points)
    for person in (ANN, BEN):
        table = await house.service.ready(table.id, person.id, QuestionId(3))
    assert table.phase == Closing(2)
    table = await house.post(table.id)
    assert table.phase == Round(2, 3, {0: QuestionId(4)})
    await house.play(table.id, ANN)
    table = await house.play(table.id, BEN)
    assert table.phase == Over(outcome_of(table), None)
