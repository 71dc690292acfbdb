"""Where people sit is kept in memory, and always what the store would say."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import pytest

from bot.tables.model import TableError
from tests.tables.fakes import ANN, BEN, CAT, DAN, MODERATOR, House


async def knows(house: House) -> None:
    sitting = house.service._loaded.sitting
    for person in (ANN, BEN, CAT, DAN):
        stored = tuple(await house.store.open_of(person.id))
        assert await sitting.tables_of(person.id) == stored


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_people_do_it_is_known_where_they_sit(seed: int) -> None:
    rng, house = Random(seed), House()
    service = house.service
    made = [(await house.lobby(ANN, channel=70 + n)).id for n in range(3)]
    for _ in range(60):
        table, person = rng.choice(made), rng.choice((ANN, BEN, CAT, DAN))
        deeds = (
            lambda t=table, p=person: service.sit(t, p),
            lambda t=table, p=person: service.leave(t, p.id),
            lambda t=table, p=person: service.start(t, p.id),
            lambda t=table: service.posted(t, 1, None),
            lambda t=table, p=person: service.kick(t, MODERATOR.id, p.id, moderator=True),
            lambda t=table: service.end(t, MODERATOR.id, moderator=True),
        )
        weights = (6, 3, 2, 2, 1, 0.2)
        with suppress(TableError):
            await rng.choices(deeds, weights)[0]()
        await knows(house)
    house.service._loaded.forget()
    await knows(house)


async def test_what_was_read_before_somebody_moved_is_not_kept(house: House) -> None:
    table = await house.lobby(ANN)
    sitting, read = house.service._loaded.sitting, house.store.open_of

    async def meanwhile(user: int) -> object:
        found = await read(user)
        await house.service.sit(table.id, BEN)
        return found

    house.store.open_of = meanwhile  # type: ignore[method-assign, assignment]  # a slow read
    assert await sitting.tables_of(BEN.id) == ()
    house.store.open_of = read  # type: ignore[method-assign]  # as it was
    assert await sitting.tables_of(BEN.id) == (table.id,)


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
