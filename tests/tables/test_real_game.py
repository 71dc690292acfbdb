"""Whole matches of every game through the one door, with restarts, the store in memory."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from bot.ids import ChannelId, GuildId, MessageId, QuestionId
from bot.tables.deals import Check, check, match_record, public_deals
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.plans import Wish
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind, Status
from bot.tables.waiting import SELF_ANSWER_TIME
from engine.game import AnyGame
from engine.layout import Standing
from engine.record import to_text
from engine.registry import games
from engine.verify import verify_text
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, FAY, House
from tests.tables.outcomes import outcome_of

PEOPLE = (ANN, BEN, CAT, DAN, EVE, FAY)

CONFIGURATIONS = [(game, seats) for game in games().values() for seats in game.info.seats]


@pytest.mark.parametrize(
    ("game", "seats"), CONFIGURATIONS, ids=[f"{g.info.id}-{n}" for g, n in CONFIGURATIONS]
)
async def test_a_whole_match_survives_restarts_and_its_record_is_verified(
    game: AnyGame, seats: int
) -> None:
    house, numbers = House(games=games()), Random(3)
    tables = house.service
    people = PEOPLE[:seats]
    table = await tables.open(Wish(game.info.id, seats, {}), GuildId(1), ChannelId(2), ANN)
    for person in people[1:]:
        await tables.sit(table.id, person)
    bound = table.commitment
    table = await tables.start(table.id, ANN.id)
    steps = 0
    while table.stored.status is Status.RUNNING:
        if steps % 40 == 0:
            tables = house.restarted().service
            again = await tables.table(table.id)
            assert (again.stored, again.ply, again.phase) == (table.stored, table.ply, table.phase)
            assert again._state == table._state
            assert [again.observe(s) for s in range(seats)] == [
                table.observe(s) for s in range(seats)
            ]
        table = await one_step(tables, table, numbers)
        steps += 1
    outcome = outcome_of(table)
    assert len(table.rounds) == table.round
    assert tuple(map(sum, zip(*table.rounds, strict=True))) == outcome.scores
    rows = house.store.results[0].rows
    assert [row.user for row in rows] == [person.id for person in people]
    assert [row.place for row in rows] == list(outcome.ranking)
    again = await house.restarted().service.table(table.id)
    assert (again.stored, again.phase, again._state) == (table.stored, table.phase, table._state)
    assert verify_text(to_text(match_record(table)), 1) == []
    assert {deal.commitment for deal in public_deals(table)} == {bound}
    assert check(table) == Check(table.round, fits=True)
    assert all(deal.seed for deal in public_deals(table)[: table.round])


async def one_step(tables: TableService, table: Table, numbers: Random) -> Table:
    """The message of the round, a pause with words, or anything legal by one of those asked."""
    if isinstance(table.phase, Closing):
        post = numbers.choice([None, MessageId(1_000 + table.round)])
        return await tables.posted(table.id, table.round + 1, post)
    if isinstance(table.phase, BetweenRounds):
        await tables.cut(
            table.id, numbers.choice(table.stored.seating.people).id, f"w{table.round}"
        )
        question = table.ply
        for person in table.stored.seating.people:
            table = await tables.ready(table.id, person.id, QuestionId(question))
        return table
    seat = numbers.choice(table.actors)
    asked = {other: table.questions[other] for other in table.actors if other != seat}
    text = numbers.choice(list(table.legal_texts(seat)))
    by = table.stored.seating.people[seat].id
    after = await tables.act(table.id, table.questions[seat], by, text, 10_000 + table.ply)
    # What others are asked at the same time is no other question for it.
    assert asked.items() <= {s: after.questions[s] for s in after.actors}.items()
    return after


@pytest.mark.parametrize("game", games().values(), ids=games())
async def test_a_match_in_which_everybody_passes_for_the_whole_deal_comes_to_its_end(
    game: AnyGame,
) -> None:
    house, numbers = House(games=games()), Random(8)
    tables = house.service
    seats = game.info.seats[0]
    table = await tables.open(Wish(game.info.id, seats, {}), GuildId(1), ChannelId(2), ANN)
    for person in PEOPLE[1:seats]:
        await tables.sit(table.id, person)
    table = await tables.start(table.id, ANN.id)
    offered = answered = 0
    while table.stored.status is Status.RUNNING:
        if table.actors and not table.stored.votes.standing:
            for seat, person in enumerate(PEOPLE[:seats]):
                controls = game.layout(table.observe(seat)).controls
                offered += any(isinstance(control, Standing) for control in controls)
                table = await tables.set_standing_pass(table.id, person.id, None, on=True)
                if isinstance(table.phase, BetweenRounds) or not table.actors:
                    break
            continue
        if any(table.answers_itself(seat) for seat in table.actors):
            lasts = 0 if all(map(table.hides_nothing, table.actors)) else SELF_ANSWER_TIME.seconds
            before, asked = len(table.log), house.clock.now
            table = await house.later(table, lasts)
            assert table.log[before].at == asked + timedelta(seconds=lasts)
            answered += 1
            continue
        assert table.stored.timing.deadline(DeadlineKind.SELF_ANSWER) is None
        table = await one_step(tables, table, numbers)
    assert bool(answered) == bool(offered)
    assert verify_text(to_text(match_record(table)), 1) == []
