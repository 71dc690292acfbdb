"""Law: a place in a rematch belongs to whoever is awaited there, whoever presses first.

People leave the match, are sent away, substitute and wait in line; then everybody presses *Rematch*
in any order, while its host draws the seats by lot or changes their number.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.tables.lots import next_match
from bot.tables.model import Table, TableError
from bot.tables.new_tables import opening_place
from bot.tables.stored import Pace
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, House, refused

EVERYBODY: Final = (ANN, BEN, CAT, DAN, EVE, FAY)
DEEDS: Final = ("leaves", "sits", "is sent away", "leaves the server")
MOVES: Final = ("", "lot", "2", "3", "4")
"""What the host does to the seats after a press; a number: so many seats."""


class Evening:
    """A match, and what becomes of its people's places in the rematch."""

    def __init__(self) -> None:
        self.house = House()
        self.old: Table
        self.new: Table | None = None

    async def play(self, people: int, deeds: Sequence[tuple[str, int]]) -> None:
        service = self.house.service
        table = await self.house.match(*EVERYBODY[:people], pace=Pace.DAILY)
        for deed, who in deeds:
            one = EVERYBODY[who]
            try:
                match deed:
                    case "leaves":
                        await service.leave(table.id, one.id)
                    case "sits":
                        await service.sit(table.id, one)
                    case "is sent away":
                        await self.house.send_away(table.id, one)
                    case _:
                        await service.left_server(table.id, one.id)
            except TableError:
                continue
        self.old = await service.table(table.id)
        if self.old.running:
            self.old = await self.house.stop(table.id)

    async def press(self, who: int) -> None:
        following, one = next_match(self.old), EVERYBODY[who]
        theirs = next((at for at, person in following.places.items() if person == one), None)
        before, refused_as = self.new, ""
        try:
            self.new = await self.house.service.rematch(self.old.id, one)
        except TableError as refusal:
            refused_as = refusal.code
        if refused_as or self.new is None:
            assert theirs is None, refused_as
            taken = following.places.keys() | following.computers.keys()
            full = taken == {*range(following.seats)}
            assert full or refused_as != "gave_way", "that says that there are too many people"
            return
        seating = self.new.stored.seating
        place = seating.place_of(one.id)
        if before is not None:
            held = before.stored.seating.kept_for(one.id)
            assert held in (None, place), "it was held for them"
            return
        assert place is not None
        assert seating.host == one.id
        assert following.places.get(place, one) == one, "another is awaited there"
        awaited = {at: person for at, person in following.places.items() if at != theirs}
        assert awaited.items() <= seating.kept.items()

    async def move(self, move: str) -> None:
        if self.new is None or not move:
            return
        service, stored = self.house.service, self.new.stored
        host = stored.seating.host
        if move == "lot":
            self.new = await service.shuffle_seats(stored.id, host)
            return
        with suppress(TableError):  # there are more people than that
            self.new = await service.change_options(
                stored.id, host, stored.given, stored.customs, None, int(move)
            )

    def over(self) -> None:
        """Everybody has pressed."""
        if self.new is None:
            return
        seating = self.new.stored.seating
        awaited = {one.id for one in next_match(self.old).places.values()}
        assert all(seating.place_of(user) is not None for user in awaited)


async def evening(
    people: int, deeds: Sequence[tuple[str, int]], order: Sequence[int], moves: Sequence[str]
) -> None:
    one = Evening()
    await one.play(people, deeds)
    for who, move in zip(order, moves, strict=True):
        await one.press(who)
        await one.move(move)
    one.over()


STILL: Final = ("",) * len(EVERYBODY)


@pytest.mark.behaviour("Not everybody comes to a rematch at once")
@settings(max_examples=100, deadline=None)
@given(
    people=st.integers(2, 4),
    deeds=st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 5)), max_size=8),
    order=st.permutations(range(len(EVERYBODY))),
    moves=st.lists(st.sampled_from(MOVES), min_size=len(EVERYBODY), max_size=len(EVERYBODY)),
)
@example(people=3, deeds=[("leaves", 2), ("sits", 3)], order=[2, 0, 1, 3, 4, 5], moves=STILL)
@example(
    people=4,
    deeds=[("is sent away", 3), ("leaves", 2), ("sits", 4)],
    order=[2, 0, 1, 3, 4, 5],
    moves=STILL,
)
@example(
    people=4,
    deeds=[("is sent away", 3)],
    order=[0, 1, 2, 3, 4, 5],
    moves=["lot", "lot", "lot", "", "", ""],
)
def test_whoever_presses_first_everybody_gets_the_place_where_they_are_awaited(
    people: int, deeds: Sequence[tuple[str, int]], order: Sequence[int], moves: Sequence[str]
) -> None:
    asyncio.run(evening(people, deeds, order, moves))


async def test_whoever_left_gives_way_to_who_took_their_seat(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    await house.service.leave(table.id, CAT.id)
    await house.service.sit(table.id, DAN)
    old = await house.stop(table.id)
    with refused("gave_way"):
        await house.service.rematch(old.id, CAT)
    new = await house.service.rematch(old.id, ANN)
    assert new.stored.seating.kept == {1: BEN, 2: DAN}
    new = await house.service.rematch(old.id, CAT)
    assert new.stored.seating.waiting == (CAT,), "as the refusal said"
    new = await house.service.rematch(old.id, DAN)
    assert new.stored.seating.place_of(DAN.id) == 2


async def test_where_nobody_is_awaited_at_a_place_whoever_left_may_open_it_there(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT, FAY, pace=Pace.DAILY)
    await house.send_away(table.id, FAY)
    await house.service.leave(table.id, CAT.id)
    await house.service.sit(table.id, DAN, 2)
    old = await house.stop(table.id)
    assert opening_place(old, CAT.id) == 3
    new = await house.service.rematch(old.id, CAT)
    assert new.stored.seating.kept == {0: ANN, 1: BEN, 2: DAN}


@pytest.mark.parametrize("draws", range(1, 6))
async def test_the_place_that_was_drawn_for_somebody_is_theirs(draws: int, house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.DAILY)
    await house.send_away(table.id, DAN)
    old = await house.stop(table.id)
    new = await house.service.rematch(old.id, ANN)
    for _ in range(draws):
        new = await house.service.shuffle_seats(new.id, ANN.id)
    held = {one.id: place for place, one in new.stored.seating.kept.items()}
    for one in (CAT, BEN):
        new = await house.service.rematch(old.id, one)
        assert new.stored.seating.place_of(one.id) == held[one.id]
