"""Whole matches of Auf und Ab through the one door, with restarts, the store in memory."""

from __future__ import annotations

from random import Random

import pytest

from bot.tables.model import ByPerson, Person, Status, Table
from bot.tables.service import TableService
from engine.games.aufundab import GAME
from tests.tables.fakes import ANN, BEN, CAT, DAN, FakeClock, FakeStore, Recorder, SeededChance


def service(store: FakeStore, clock: FakeClock, chance: SeededChance) -> TableService:
    return TableService(
        store, clock=clock, chance=chance, announcer=Recorder(), games={GAME.info.id: GAME}
    )


@pytest.mark.parametrize("people", [(ANN, BEN, CAT), (ANN, BEN, CAT, DAN)])
async def test_a_whole_match_of_auf_und_ab_survives_a_restart_at_every_tenth_ply(
    people: tuple[Person, ...],
) -> None:
    store, clock, chance, numbers = FakeStore(), FakeClock(), SeededChance(), Random(3)
    tables = service(store, clock, chance)
    table = await tables.open(
        guild=1, channel=2, host=ANN, game=GAME.info.id, seats=None, given={}, private=False
    )
    for person in people[1:]:
        await tables.sit(table.id, person)
    table = await tables.start(table.id, ANN.id)
    while table.record.status is Status.RUNNING:
        if table.ply % 10 == 0:
            tables = service(store, clock, chance)
            again = await tables.table(table.id)
            assert again == table
            assert [again.observe(s) for s in range(len(people))] == [
                table.observe(s) for s in range(len(people))
            ]
        table = await one_step(tables, table, numbers)
    assert table.outcome is not None
    assert len(table.rounds) == table.round == len(people)
    assert tuple(map(sum, zip(*table.rounds, strict=True))) == table.scores
    assert [row.user for row in store.results[0].rows] == [person.id for person in people]
    assert await service(store, clock, chance).table(table.id) == table


async def one_step(tables: TableService, table: Table, numbers: Random) -> Table:
    """Everybody presses Next round, or the one to act does anything legal."""
    if table.between_rounds:
        question = table.ply
        for person in table.record.people:
            table = await tables.ready(table.id, person.id, question)
        return table
    (seat,) = table.actors
    legal = GAME.legal_actions(table._state, seat)
    text = GAME.format_action(numbers.choice(legal))
    by = ByPerson(table.record.people[seat].id)
    return await tables.act(table.id, table.question(seat), by, text, 10_000 + table.ply)
