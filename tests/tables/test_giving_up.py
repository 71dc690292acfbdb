"""Law: past half of a match nothing that somebody does ends better for them than conceding it.

People vote, leave, are voted out, go away and come back in any order.  Whoever gives a match up is
behind everybody who does not, nobody passes anybody whose points are better and who has not given
up, and the match counts.
"""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ids import UserId
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing, Round
from bot.tables.ports import Due
from bot.tables.stored import Pace, Person, Stop
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, House

BEGAN = (ANN, BEN, CAT, DAN)
ROUNDS = 6
LONGEST = 60
"""Most steps after which nobody does anything any more, and time must end the match."""


class Evening:
    """A match of which half is played, and what was seen of whom since."""

    def __init__(self, seed: int, pace: Pace) -> None:
        self.numbers = Random(seed)
        self.house = House()
        self.pace = pace
        self.left: set[UserId] = set()
        self.voted_out: set[UserId] = set()
        self.asked: set[UserId] = set()
        """Whose people were asked as the last time passed."""
        self.by_time = False
        """Whether the last that happened was time passing."""
        self.table: Table

    async def half(self) -> None:
        self.table = await self.house.match(*BEGAN, pace=self.pace, rounds=ROUNDS)
        for _ in range(ROUNDS // 2):
            numbers = self.numbers.choices(range(10), k=4)
            await self.house.play_round(self.table.id, *numbers)
            self.table = await self.house.next_round(self.table.id)

    async def deed(self) -> None:
        """Anything that somebody at the table, or who comes to it, may do; also what is refused."""
        service, table, seating = self.house.service, self.table.id, self.table.stored.seating
        who, whom = self.numbers.sample([*BEGAN, EVE, FAY], 2)
        match self.numbers.randrange(9):
            case 0:
                await service.leave(table, who.id)
                self.left.add(who.id)
            case 1:
                await service.left_server(table, who.id)
                if seating.place_of(who.id) is not None:
                    self.left.add(who.id)
            case 2 | 3:
                await service.sit(table, who)
            case 4 | 5:
                after = await service.kick(table, who.id, whom.id)
                if after.stored.seating.place_of(whom.id) is None:
                    self.voted_out.add(whom.id)
            case 6 | 7:
                await service.end(table, who.id, moderator=False)
            case _:
                await service.come_back(table, who.id)

    async def time(self) -> None:
        """Until something happens by itself."""
        self.asked = {
            place.person.id
            for seat in self.table.asked
            if (place := self.table.stored.seating.places[seat]).person is not None
        }
        self.by_time = True
        due = await self.house.store.earliest_deadline()
        assert due is not None
        self.house.clock.now = max(self.house.clock.now, due.deadline.due)
        await self.house.service.fire(Due(due.table, due.deadline))

    async def play(self) -> None:
        """Somebody answers what they are asked, or presses for the next round."""
        table, places = self.table, self.table.stored.seating.places
        people = [places[seat].person for seat in table.asked]
        match table.phase:
            case Closing():
                await self.house.post(table.id)
            case BetweenRounds():
                for person in table.stored.seating.present:
                    await self.house.service.ready(table.id, person.id, None)
            case Round() if people and people[0] is not None:
                await self.house.play(table.id, people[0], f"play {self.numbers.randrange(10)}")
            case _:
                await self.time()

    async def run(self, liveliness: float) -> None:
        awake = self.numbers.randrange(LONGEST)
        for step in range(LONGEST * 4):
            self.table = await self.house.service.find(self.table.id)
            if not self.table.stored.status.is_open:
                return
            chosen, self.by_time = self.numbers.random(), False
            try:
                if step < awake and chosen < liveliness:
                    await self.deed()
                elif step < awake and chosen < 0.8:
                    await self.play()
                else:
                    await self.time()
            except TableError:  # they may not, now
                continue
        raise AssertionError("it does not end")

    def gave_up(self) -> set[UserId]:
        """By what could be seen; nobody where all did."""
        stored, began = self.table.stored, {person.id for person in BEGAN}
        seats = {person.id: seat for seat, person in enumerate(BEGAN)}
        left = {one for one in self.left & began if stored.seating.place_of(one) != seats[one]}
        here = {person.id for person in stored.seating.people}
        also: set[UserId] = set()
        match stored.stop:
            case Stop.VOTE if not here | self.voted_out - left <= stored.votes.end_votes:
                also = set(stored.votes.end_votes)
            case Stop.IDLE:
                also = self.asked | stored.seating.absent
            case None:
                also = set(stored.seating.absent)
            case Stop.EMPTY if self.by_time:  # not where the last one there has left
                also = set(stored.seating.absent)
            case _:
                pass
        return left if left | also >= began else (left | also) & began


def places(evening: Evening) -> dict[Person, int]:
    (result,) = evening.house.store.results
    found = {row.user: row.place for row in result.rows}
    return {person: found[person.id] for person in BEGAN}


@pytest.mark.behaviour("Somebody gives up")
@pytest.mark.parametrize("pace", [Pace.LIVE60, Pace.NONE])
@settings(deadline=None)
@given(seed=st.integers(0, 2**32), liveliness=st.sampled_from([0.05, 0.3, 0.7]))
def test_past_half_nothing_ends_better_than_conceding(
    pace: Pace, seed: int, liveliness: float
) -> None:
    async def played() -> Evening:
        evening = Evening(seed, pace)
        await evening.half()
        await evening.run(liveliness)
        return evening

    evening = asyncio.run(played())
    found, gave_up = places(evening), evening.gave_up()
    scores = evening.table.game.scores(evening.table._state)
    for seat, one in enumerate(BEGAN):
        for other_seat, other in enumerate(BEGAN):
            if other.id in gave_up:
                continue
            if one.id in gave_up or scores[other_seat] > scores[seat]:
                assert found[one] > found[other], (one, other)
