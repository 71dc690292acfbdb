"""Positions of a round: what seats saw in play, when all may see them, and how they are kept."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from random import Random

import pytest

from bot.tables.computer_answers import Advising
from bot.tables.deals import is_published
from bot.tables.fold import fold
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Round
from bot.tables.ports import Advice, Thought
from bot.tables.review import ReviewedRound, open_rounds, require_open, reviewed, starts
from bot.tables.stored import Status
from engine.game import AnyGame
from engine.layout import SeatName
from engine.players.player import Considered
from engine.registry import games
from tests.lengths import length
from tests.tables.fakes import ANN, BEN, FakeComputers, House, refused
from tests.tables.looked_through import begun, match, step

CONFIGURATIONS = [(game, seats) for game in games().values() for seats in game.info.seats]
EACH = pytest.mark.parametrize(
    ("game", "seats"), CONFIGURATIONS, ids=[f"{g.info.id}-{n}" for g, n in CONFIGURATIONS]
)


def through(table: Table) -> list[ReviewedRound]:
    """All open rounds."""
    known = starts(table)
    return [reviewed(table, number, known) for number in open_rounds(table)]


@EACH
async def test_each_position_is_what_each_seat_saw_in_play(game: AnyGame, seats: int) -> None:
    house = House(games=games())
    table = await begun(house, game.info.id, seats, length(game.info.id, 2, 40))
    seen, numbers = [], Random(5)
    while table.stored.status is Status.RUNNING:
        if isinstance(table.phase, Round):
            seen.append([table.observe(seat) for seat in (None, *range(seats))])
        table = await step(house, table, numbers)
    rounds = through(table)
    assert [shown.number for shown in rounds] == list(range(1, table.round + 1))
    shown = [
        [one.seen(position, seat) for seat in (None, *range(seats))]
        for one in rounds
        for position in range(one.last)
    ]
    assert shown == seen
    assert [one.points for one in rounds] == list(table.rounds)
    assert rounds[-1].totals == game.scores(table._state)


@EACH
async def test_what_was_done_is_told_first_and_secrets_are_its_own(
    game: AnyGame, seats: int
) -> None:
    table = await match(House(games=games()), game.info.id, seats, length(game.info.id, 2, 40))
    for shown in through(table):
        for position, one in enumerate(shown.steps):
            told = [phrase for phrase in one.told if not phrase.code.startswith("table.")]
            assert told[0].params["seat"] == SeatName(one.seat)
            assert one.seat in game.actors(shown._states[position])
            view = shown.seen(position + 1, None)
            public = game.public_action(view, one.seat, game.parse_action(one.text))
            assert set(one.secret).isdisjoint(public.split())
            assert shown.secrets(0) == ((),) * seats
        assert shown.leads[-1] == shown.last
        assert all(first < second for first, second in pairwise(shown.leads))
        at, visited = 0, []
        while at < shown.last:
            at = shown.next_lead(at)
            visited.append(at)
        assert visited == [lead for lead in shown.leads if lead]


@pytest.mark.parametrize("game", games().values(), ids=games())
async def test_a_round_is_looked_through_as_soon_as_its_seed_is_published_and_not_before(
    game: AnyGame,
) -> None:
    house, numbers = House(games=games()), Random(5)
    seats = game.info.seats[0]
    table = await begun(house, game.info.id, seats, length(game.info.id, 3, 150))
    with refused("review_nothing"):
        await house.service.reviewed(table, None)
    sealed = "review_sealed" if game.info.seeds_after == "round" else "review_sealed_match"
    while table.round < 3 and table.stored.status is Status.RUNNING:
        table = await step(house, table, numbers)
        for number in range(1, table.round + 1):
            if is_published(table, number):
                assert (await house.service.reviewed(table, number)).number == number
            else:
                with refused(sealed):
                    await house.service.reviewed(table, number)
        if isinstance(table.phase, BetweenRounds):
            assert (table.round in open_rounds(table)) == (game.info.seeds_after == "round")
    with refused("review_none", rounds=table.round):
        require_open(table, table.round + 1)
    table = await house.service.end(table.id, ANN.id, moderator=True)
    if table.stored.status is Status.STOPPED:
        last = await house.service.reviewed(table, None)
        assert (last.number, last.last) == (table.round, table.ply - last.first)


async def test_positions_are_kept_and_after_a_restart_they_are_the_same() -> None:
    house = House(games=games())
    table = await match(house, "aufundab", 3, {"hands": 2})
    first = await house.service.reviewed(table, 1)
    assert await house.service.reviewed(table, 1) is first
    again = house.restarted().service
    stored, log = house.store.rows[table.id]
    assert fold(stored, games()["aufundab"], log) == await again.table(table.id)
    assert await again.reviewed(await again.table(table.id), 1) == first


def counted(thought: Thought) -> Advice:
    game = games()[thought.game]
    return (Considered(game.format_action(thought.view.legal_actions[0]), 4.2, 0.6, 600),)


async def test_a_computer_player_is_asked_once_with_what_the_seat_knew_and_nothing_more() -> None:
    house = House(games=games(), computers=FakeComputers(think=counted))
    table = await match(house, "sticheln", 3, {"rounds": 1})
    house.computers.thoughts.clear()
    shown = await house.service.reviewed(table, 1)
    open_to_choice = [at for at in range(shown.last) if shown.forced(at) is None]
    for position in open_to_choice[:12]:
        for _ in range(2):
            found = await house.service.opinion(shown, position, ANN.id)
            assert found.best is not None
        thought = house.computers.thoughts[-1]
        assert thought.view == shown.seen(position, shown.steps[position].seat)
    assert len(house.computers.thoughts) == 12
    forced = next(at for at in range(shown.last) if shown.forced(at) is not None)
    assert (await house.service.opinion(shown, forced, ANN.id)).only
    assert len(house.computers.thoughts) == 12


async def test_a_review_says_what_a_hint_said_at_the_same_question() -> None:
    """It is asked with the same seed, and nothing is thought about twice."""
    house = House(games=games(), computers=FakeComputers(think=counted))
    table, numbers, hinted = await begun(house, "sticheln", 3, {"rounds": 1}), Random(3), {}
    while table.stored.status is Status.RUNNING:
        seat = next(iter(table.actors), None)
        if seat is not None and table.only_action(seat) is None:
            await house.service.hint(table, table.stored.seating.people[seat].id, None)
            hinted[table.questions[seat], seat] = house.computers.thoughts[-1]
        table = await step(house, await house.service.table(table.id), numbers)
    asked = len(house.computers.thoughts)
    shown, found = await house.service.reviewed(table, 1), 0
    for position in range(shown.last):
        _, seat, question = shown.asked(position)
        if (hint := hinted.get((question, seat))) is not None:
            assert shown.thought(position) == hint
            assert (await house.service.opinion(shown, position, ANN.id)).best is not None
            found += 1
    assert found > 20
    assert len(house.computers.thoughts) == asked


async def test_what_another_position_was_told_is_not_remembered() -> None:
    """A play that is taken back leaves its questions' numbers to others."""
    computers = FakeComputers(think=counted)
    house = House(games=games())
    shown = await house.service.reviewed(await match(house, "sticheln", 3, {"rounds": 1}), 1)
    advising, asked = Advising(computers), shown.asked(9)
    for position in (9, 9, 12):
        await advising.about(asked, shown.thought(position))
    assert computers.thoughts == [shown.thought(9), shown.thought(12)]
    await advising.aclose()


async def test_one_position_is_thought_about_at_a_time_for_each_person() -> None:
    house = House(games=games(), computers=FakeComputers(think=counted))
    table = await match(house, "sticheln", 3, {"rounds": 1})
    shown = await house.service.reviewed(table, 1)
    first, second = [at for at in range(shown.last) if shown.forced(at) is None][:2]
    house.computers.gate = asyncio.Event()
    thinking = asyncio.create_task(house.service.opinion(shown, first, ANN.id))
    await asyncio.sleep(0)
    with refused("review_busy"):
        await house.service.opinion(shown, second, ANN.id)
    other = asyncio.create_task(house.service.opinion(shown, second, BEN.id))
    await asyncio.sleep(0)
    house.computers.gate.set()
    assert (await thinking).best is not None
    assert (await other).best is not None
    assert (await house.service.opinion(shown, second, ANN.id)).best is not None
    await house.service.aclose()
