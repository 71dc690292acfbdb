"""Whole matches of every game, played at random, whose rounds are looked through."""

from __future__ import annotations

from random import Random

from bot.ids import ChannelId, GuildId
from bot.tables.model import Table
from bot.tables.plans import Wish
from bot.tables.stored import Status
from engine.game import Options
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, House
from tests.tables.test_real_game import one_step

PEOPLE = (ANN, BEN, CAT, DAN, EVE, FAY)


async def match(house: House, game: str, seats: int, given: Options, seed: int = 3) -> Table:
    """A match of these options played to its end."""
    table = await begun(house, game, seats, given)
    numbers = Random(seed)
    while table.stored.status is Status.RUNNING:
        table = await step(house, table, numbers)
    return table


async def step(house: House, table: Table, numbers: Random) -> Table:
    """One thing that somebody does.

    Half of the answers are the game's own default, which keeps raises and offers from ending most
    rounds before a card is played.
    """
    if not table.actors or numbers.random() < 0.5:
        return await one_step(house.service, table, numbers)
    seat = numbers.choice(table.actors)
    text = table.game.format_action(table.game.default_action(table.observe(seat)))
    by = table.stored.seating.people[seat].id
    return await house.service.act(table.id, table.questions[seat], by, text, None)


async def begun(house: House, game: str, seats: int, given: Options) -> Table:
    """A match that has just begun."""
    table = await house.service.open(Wish(game, seats, given), GuildId(1), ChannelId(2), ANN)
    for person in PEOPLE[1:seats]:
        await house.service.sit(table.id, person)
    return await house.service.start(table.id, ANN.id)
