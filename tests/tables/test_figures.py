"""What is remembered of a match for each who played it to its end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from bot.ids import Computer, QuestionId
from bot.tables.stored import Actor, Entry, Pace, Person, Place, StoredTable
from bot.tables.stories import Figures, figures
from bot.tables.votes import Hinted
from engine.game import Outcome
from engine.players.levels import Level
from tests.storage.values import ANNA, BEN, CARLA, altered, stored

NOW = datetime(2026, 3, 5, tzinfo=UTC)
ROUNDS = ((5, 0), (-2, 9), (8, 1))


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
        (0, Actor.PERSON),
        (0, Actor.CLOCK),
        (0, Actor.STANDING),
        (1, Actor.PERSON),
        (-1, Actor.PERSON),
    )
    assert figures(table, ROUNDS, played) == {
        0: Figures(8, -2, 6, 0, 2, 1),
        1: Figures(9, 0, 0, 2, 1, 1),
    }


def test_without_a_clock_nothing_was_in_time() -> None:
    table = altered(over(ANNA, BEN), pace=Pace.NONE)
    assert figures(table, ROUNDS, log((0, Actor.PERSON)))[0][-2:] == (0, 0)


def test_of_who_left_or_is_away_or_came_later_nothing_is_known() -> None:
    table = over(ANNA, BEN)
    places = (Place(CARLA), Place(BEN, away=True))
    assert figures(altered(table, places=places), ROUNDS, []) == {}
    with_computer = altered(table, starters=(ANNA, Computer(1, Level.EASY)))
    assert [*figures(with_computer, ROUNDS, [])] == [0]


def test_who_won_because_the_others_gave_up_has_caught_up_with_nobody() -> None:
    table = over(ANNA, BEN, scores=(20, 10))
    assert figures(table, ((0, 9),), [])[0].deficit == 0
    assert figures(table, (), [])[0] == Figures(None, None, 0, 0, 0, 0)
