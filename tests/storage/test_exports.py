"""A law of exports: who asks for what is stored of them learns nothing of a match that runs."""

from __future__ import annotations

import json
from typing import Final

import pytest

from bot.ids import UserId
from bot.storage.database import Database
from bot.storage.personal_data import SqlPersonalData
from bot.storage.tables import SqlTableStore
from bot.tables.stored import Actor, Status
from engine.game import AnyGame
from engine.registry import games
from tests.tables.test_laws import PEOPLE
from tests.tables.test_secrets import Hopping

STEPS: Final = 160
EVERY: Final = 10
"""Steps of an evening, and after how many of them everybody asks for their data."""


class Exporting(Hopping):
    """An evening of people who change their seats, which is stored, and who has played what."""

    def __init__(self, game: AnyGame, database: Database) -> None:
        super().__init__(game, 1)
        self.database = SqlTableStore(database)
        self.data = SqlPersonalData(database)
        self.written = 0
        self.authors: dict[int, UserId] = {}
        """Who has played which line of the log, by ply, though others sat there before or since."""
        self.foreign = 0
        """How often somebody asked who sat where another person had played."""

    async def turn(self) -> bool:
        """A step; returns whether the match goes on."""
        before = await self.table()
        await self.step(before)
        after = await self.table()
        for entry in after.log[before.ply :]:
            if entry.by is Actor.PERSON and not entry.is_deal:
                person = before.stored.seating.places[entry.seat].person
                assert person is not None
                self.authors[entry.ply] = person.id
        return after.stored.status is Status.RUNNING

    async def export(self) -> None:
        """Nobody is given out what another person played."""
        changes = self.store.changes
        for change in changes[self.written :]:
            await self.database.commit(change)
        self.written = len(changes)
        table = await self.table()
        for user in (person.id for person in PEOPLE):
            seat = table.stored.seating.place_of(user)
            there = [entry.ply for entry in table.log if entry.seat == seat]
            self.foreign += any(self.authors.get(ply, user) != user for ply in there)
            found = json.loads(await self.data.export(user, self.clock()))
            told = {ply for row in found["entries"] for ply, *_ in row["actions"]}
            others = {ply for ply in told if self.authors[ply] != user}
            assert not others, f"{user} was told {[table.log[ply] for ply in others]}"


@pytest.mark.parametrize("game", games().values(), ids=games())
async def test_while_a_match_runs_nobody_is_given_out_what_another_person_played(
    game: AnyGame, database: Database
) -> None:
    evening = Exporting(game, database)
    await evening.begin()
    for step in range(STEPS):
        if not await evening.turn():
            break
        if step % EVERY == 0:
            await evening.export()
    assert evening.foreign, "nobody sat where another had played"
