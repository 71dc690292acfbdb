"""What is remembered of a match for each who played it to its end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.ids import Computer, QuestionId, TableId
from bot.tables.stored import (
    Actor,
    Entry,
    Hinted,
    Pace,
    Person,
    Place,
    ResultRow,
    Stop,
    StoredTable,
)
from bot.tables.stories import Figures, figures
from engine.game import CHANCE, Outcome
from engine.players.levels import Level
from tests.storage.values import ANNA, BEN, CARLA, altered, stored
from tests.tables import fakes
from tests.tables.fakes import EVE, House

NOW = datetime(2026, 3, 5, tzinfo=UTC)
ROUNDS = ((5, 0), (-2, 9), (8, 1))
DEAL = CHANCE, Actor.PERSON
DEALT = (DEAL,) * len(ROUNDS)
"""The log of three rounds in which nobody was asked anything."""


def log(*by: tuple[int, Actor]) -> list[Entry]:
    return [Entry(ply, seat, "play", NOW, by=actor) for ply, (seat, actor) in enumerate(by)]


def over(*people: Person, scores: tuple[int, ...] = (11, 10)) -> StoredTable:
    found = altered(
        stored(people=people),
        places=tuple(map(Place, people)),
        starters=people,
        pace=Pace.LIVE60,
    )
    return replace(found, outcome=Outcome.of(scores))


def test_rounds_deficit_hints_and_answers() -> None:
    table = replace(over(ANNA, BEN), hinted={BEN.id: Hinted("Ben", 2, QuestionId(3))})
    played = log(
        DEAL,
        (0, Actor.PERSON),
        (0, Actor.CLOCK),
        DEAL,
        (0, Actor.STANDING),
        (1, Actor.PERSON),
        DEAL,
    )
    assert figures(table, ROUNDS, played) == {
        0: Figures(8, -2, 6, 0, 2, 1),
        1: Figures(9, 0, 0, 2, 1, 1),
    }


@pytest.mark.parametrize(
    ("pace", "clock_changes", "of_three"),
    [
        (Pace.LIVE60, (), (3, 2)),
        (Pace.LIVE60, (3,), (1, 0)),
        (Pace.LIVE60, (2, 3), (2, 1)),
        (Pace.NONE, (), (0, 0)),
        (Pace.NONE, (3,), (2, 2)),
    ],
)
def test_decisions_count_as_long_as_there_is_a_clock(
    pace: Pace, clock_changes: tuple[int, ...], of_three: tuple[int, int]
) -> None:
    table = altered(over(ANNA, BEN), pace=pace, clock_changes=clock_changes)
    played = log(DEAL, (0, Actor.PERSON), (0, Actor.PERSON), (0, Actor.CLOCK), DEAL, DEAL)
    assert figures(table, ROUNDS, played)[0][-2:] == of_three


@pytest.mark.parametrize("voted", [False, True])
async def test_a_clock_that_is_switched_counts_from_there_on(house: House, voted: bool) -> None:
    """By the votes of both, or because one leaves the other alone in a channel."""
    table = await house.match(fakes.ANN, fakes.BEN, pace=Pace.NONE, rounds=3)
    await house.play_round(table.id)
    if voted:
        for pace in (Pace.LIVE60, Pace.NONE, Pace.LIVE60):
            for person in (fakes.ANN, fakes.BEN):
                table = await house.service.choose_pace(table.id, person.id, pace)
    else:
        table = await house.service.leave(table.id, fakes.BEN.id)
        await house.service.sit(table.id, fakes.BEN, 1)
    for _ in range(2):
        await house.next_round(table.id)
        await house.play_round(table.id)
    (result,) = house.store.results
    assert [(row.asked, row.in_time) for row in result.rows] == [(2, 2), (2, 2)]


async def test_a_missed_decision_is_not_struck_out_by_a_vote_for_no_clock(house: House) -> None:
    """Nor where the match ends before its rules end it."""
    table = await house.match(fakes.ANN, fakes.BEN, pace=Pace.LIVE60, rounds=3)
    await house.later(table, 60)
    await house.play(table.id, fakes.BEN)
    for person in (fakes.ANN, fakes.BEN):
        await house.service.choose_pace(table.id, person.id, Pace.NONE)
    await house.next_round(table.id)
    await house.play_round(table.id)
    for person in (fakes.ANN, fakes.BEN):
        table = await house.service.end(table.id, person.id, moderator=False)
    assert table.stored.stop is Stop.VOTE
    (result,) = house.store.results
    assert [(row.asked, row.in_time) for row in result.rows] == [(1, 0), (1, 1)]


def test_of_who_left_or_is_away_or_came_later_nothing_is_known() -> None:
    table = over(ANNA, BEN)
    places = (Place(CARLA), Place(BEN, away=True))
    assert figures(altered(table, places=places), ROUNDS, []) == {}
    with_computer = altered(table, starters=(ANNA, Computer(1, Level.EASY)))
    assert [*figures(with_computer, ROUNDS, log(*DEALT))] == [0]


def test_who_won_because_the_others_gave_up_has_caught_up_with_nobody() -> None:
    table = over(ANNA, BEN, scores=(20, 10))
    assert figures(table, ((0, 9),), log(DEAL))[0].deficit == 0
    assert figures(table, (), [])[0] == Figures(None, None, 0, 0, 0, 0)


def test_a_draw_is_nobodys_comeback() -> None:
    rounds, even = ((0, 8), (9, 1)), over(ANNA, BEN, scores=(9, 9))
    assert [one.deficit for one in figures(even, rounds, log(DEAL, DEAL)).values()] == [0, 0]
    three = over(ANNA, BEN, CARLA, scores=(9, 9, 3)), ((0, 8, 0), (9, 1, 3)), log(DEAL, DEAL)
    assert figures(*three)[0].deficit == 8, "two of three have won"


@pytest.mark.parametrize(("scores", "deficit"), [((9, 9), 0), ((9, 8), 8)])
def test_teams_draw_though_one_of_them_has_conceded(scores: tuple[int, int], deficit: int) -> None:
    """They are behind their partner, who has won no more than the other team."""
    best, other, _, _ = Outcome.of(scores * 2).ranking
    ranking = (best, other, 4, other)
    table = over(ANNA, BEN, CARLA, fakes.DAN)
    table = replace(table, outcome=Outcome(scores * 2, ranking))
    rounds = ((0, 8) * 2, (9, scores[1] - 8) * 2)
    teams = ((0, 2), (1, 3))
    assert figures(table, rounds, log(DEAL, DEAL), teams)[0].deficit == deficit


def test_what_was_played_before_they_sat_down_is_not_known_to_be_theirs() -> None:
    """Anna sits there since the second round, which she has not begun."""
    table = altered(over(ANNA, BEN), places=(Place(ANNA, since=3), Place(BEN)))
    played = log(DEAL, (0, Actor.CLOCK), DEAL, (0, Actor.PERSON), DEAL, (0, Actor.PERSON))
    assert figures(table, ROUNDS, played)[0] == Figures(8, 8, 6, 0, 2, 2)
    assert figures(table, ROUNDS, played)[1][:2] == (9, 0)


def test_a_round_in_which_a_stand_in_played_is_not_theirs() -> None:
    played = log(DEAL, (0, Actor.PERSON), DEAL, (0, Actor.CLOCK_AWAY), (0, Actor.STAND_IN), DEAL)
    assert figures(over(ANNA, BEN), ROUNDS, played)[0] == Figures(8, 5, 6, 0, 2, 1)


def test_a_comeback_is_of_whoever_played_every_round_of_it() -> None:
    """Behind by 6 after the second round; of the third a stand-in plays some."""
    played = log(DEAL, DEAL, DEAL, (0, Actor.STAND_IN))
    assert figures(over(ANNA, BEN), ROUNDS, played)[0].deficit == 0
    later = (*ROUNDS[:2], (4, 1), (4, 0))
    assert figures(over(ANNA, BEN), later, [*played, *log(DEAL)])[0].deficit == 3


async def row_of_ann(house: House, table: TableId) -> ResultRow:
    """Her part of the match, of which three rounds are left and played now."""
    for _ in range(3):
        await house.next_round(table)
        await house.play_round(table)
    (result,) = house.store.results
    return next(row for row in result.rows if row.user == fakes.ANN.id)


async def test_who_comes_back_is_told_nothing_of_what_a_substitute_played(house: House) -> None:
    """Eve lets her time run out in the second round."""
    table = await house.match(fakes.ANN, fakes.BEN, pace=Pace.LIVE60, rounds=5)
    await house.play_round(table.id, 9, 1)
    await house.next_round(table.id)
    await house.service.leave(table.id, fakes.ANN.id)
    table = await house.service.sit(table.id, EVE, 0)
    await house.later(table, 60)
    await house.play(table.id, fakes.BEN)
    await house.service.leave(table.id, EVE.id)
    await house.service.sit(table.id, fakes.ANN, 0)
    row = await row_of_ann(house, table.id)
    points = [one[0] for one in (await house.service.table(table.id)).rounds[2:]]
    assert (row.best_round, row.worst_round) == (max(points), min(points))
    assert (row.asked, row.in_time) == (3, 3)


async def test_who_was_away_is_not_told_what_a_stand_in_played(house: House) -> None:
    """Her time is up twice, and a stand-in plays the third round."""
    house.computers.say = lambda thought: "play 9"
    table = await house.match(fakes.BEN, fakes.ANN, pace=Pace.LIVE60, rounds=6)
    for _ in range(2):
        await house.play(table.id, fakes.BEN)
        table = await house.later(table, 60)
        await house.later(table, 60)  # the pause, in which she presses nothing
        table = await house.post(table.id)
    await house.play(table.id, fakes.BEN)
    table = await house.later(table, 3)
    assert len(table.rounds) == 3
    await house.service.come_back(table.id, fakes.ANN.id)
    row = await row_of_ann(house, table.id)
    every = [one[1] for one in (await house.service.table(table.id)).rounds]
    assert (row.best_round, every[2]) == (max([*every[:2], *every[3:]]), max(every))
    assert (row.asked, row.in_time) == (5, 3)
