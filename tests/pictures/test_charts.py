"""Charts: lines where they belong, nothing on anything else, and colours that can be told apart."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest

from bot.pictures.chart import SUITS, Curve, Curves, course_of, curves_picture, curves_plan, ticks
from bot.pictures.decks import DECKS, Deck
from bot.pictures.felt import MARGIN, WIDTH
from bot.pictures.leaders import LINES, Leader, Row, leaders_picture, leaders_plan
from bot.pictures.marks import MEDALS
from bot.pictures.pen import width_of
from bot.pictures.pieces import LETTERS, shade_of
from bot.pictures.scene import signed
from bot.pictures.suits import SHAPES
from tests.nightly import by_day
from tests.pictures.seeing import contrast

NAMES = ("Annabel", "Ben", "Charlotte of", "Dan", "Eve", "Иван")
SEEDS = 300


def course(seed: int) -> tuple[tuple[str, ...], list[tuple[int, ...]]]:
    rng = Random(seed)
    sides, rounds = rng.randint(1, 6), rng.choice((1, 2, 5, 9, 30, 100))
    low, high = rng.choice(((0, 9), (-40, 10), (0, 0), (-120, -1), (0, 1)))
    points = [tuple(rng.randint(low, high) for _ in range(sides)) for _ in range(rounds)]
    return NAMES[:sides], points


@pytest.mark.parametrize("seed", by_day(range(SEEDS), 6))
def test_every_line_and_every_name_is_in_the_picture(seed: int) -> None:
    names, rounds = course(seed)
    drawn = course_of(names, rounds)
    sums = [sum(points[side] for points in rounds) for side in range(len(names))]
    assert [curve.values[-1] for curve in drawn.curves] == sums
    for curve in drawn.curves:
        for number, value in enumerate(curve.values):
            x, y = drawn.at(number, value)
            assert drawn.left <= x <= drawn.width - 200
            assert 20 <= y <= drawn.height - 50
    labels = sorted(drawn.labels())
    assert all(after - before >= 36 for before, after in pairwise(labels))
    assert labels[0] >= LETTERS / 2
    assert labels[-1] <= drawn.height - LETTERS / 2 - 8
    places = [drawn.at(number, 0)[0] for number in drawn.named()]
    assert drawn.named()[-1] == len(rounds)
    for (one, x), (other, after) in pairwise(zip(drawn.named(), places, strict=True)):
        wide = width_of(str(one), LETTERS) / 2 + width_of(str(other), LETTERS) / 2
        assert after - x >= wide, (one, other)


@pytest.mark.parametrize("seed", range(6))
def test_better_is_higher_and_later_is_further_right(seed: int) -> None:
    drawn = course_of(*course(seed))
    assert drawn.at(0, 5)[1] < drawn.at(0, 4)[1]
    assert drawn.at(0, 4)[0] < drawn.at(1, 4)[0]


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 1), (-1, 0), (-999, 999), (3, 41), (0, 250)])
def test_numbers_beside_the_lines_are_few_and_reach_all(low: int, high: int) -> None:
    found = ticks(low, high)
    assert found[0] <= low
    assert found[-1] >= high
    assert 2 <= len(found) <= 7
    assert len({after - before for before, after in pairwise(found)}) == 1
    assert all(width_of(signed(step), LETTERS) < 120 for step in found)


def test_every_side_has_a_shape_of_its_own() -> None:
    assert len({SHAPES[code] for code in SUITS}) == len(SUITS) == 6


def test_of_nobody_and_of_too_many_there_is_no_leaderboard() -> None:
    deck = DECKS["standard"]
    assert leaders_picture(deck, ()) is None
    assert leaders_picture(deck, [Leader(1, "Ann", 1, 2, "1/2")] * (LINES + 1)) is None


@pytest.mark.parametrize(("lines", "near"), [(1, 0), (9, 0), (8, 3), (1, 1)])
def test_rows_of_a_leaderboard_lie_below_each_other_and_what_is_written_fits(
    lines: int, near: int
) -> None:
    leaders = [
        Leader(9 * n + 1, "W" * n, 100 * n, 111 * n, f"{100 * n}/{111 * n}")
        for n in range(1, lines + near + 1)
    ]
    plan = leaders_plan(leaders[:lines], leaders[lines:])
    assert [put.what.leader for put in plan.put if isinstance(put.what, Row)] == leaders
    assert plan.height <= 0.7 * WIDTH
    for one, other in combinations(plan.put, 2):
        assert abs(one.spot.top - other.spot.top) > one.size[1]
    for put in plan.put:
        assert put.spot.left == MARGIN
        assert put.spot.left + put.size[0] == WIDTH - MARGIN
        assert isinstance(put.what, Row)
        assert width_of(put.what.shown, LETTERS) <= 210


def test_a_leader_whose_name_our_font_does_not_have_has_a_place_all_the_same() -> None:
    assert Row(776, 52, Leader(1, "Иван", 1, 2, "1/2"), 2).shown == ""
    assert Row(776, 52, Leader(1, " Änn ", 1, 2, "1/2"), 2).shown == "Änn"


CURVES = (
    Curve("Auf und Ab", (0.0, 3.3, 1.1, 12.0), "12.0"),
    Curve("Sticheln", (0.0, -2.8), "−2.8"),
    Curve("Kaiserspiel", (0.0, 11.9), "11.9"),
)


def test_of_no_game_there_is_no_curve() -> None:
    assert curves_picture(DECKS["standard"], ()) is None
    assert curves_picture(DECKS["standard"], CURVES) is not None


def test_curves_end_at_the_right_and_names_stand_apart() -> None:
    (put,) = curves_plan(CURVES).put
    assert isinstance(put.what, Curves)
    found = put.what
    right = {found.at(3, value)[0] for value in (-2.8, 12.0)}
    assert len(right) == 1
    assert found.at(0, 0)[0] == pytest.approx(found.left)
    assert found.left < found.at(1, 0)[0] < right.pop()
    assert found.at(0, 12)[1] < found.at(0, -2.8)[1], "higher is better"
    labels = sorted(found.labels())
    assert all(after - before >= 40 for before, after in pairwise(labels))
    assert labels[0] >= 34
    assert labels[-1] <= found.height


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_what_is_written_on_charts_can_be_read(deck: Deck) -> None:
    assert contrast(deck.ink, deck.ground) >= 7
    assert contrast(deck.ground, shade_of(deck)) >= 4.5
    for medal in MEDALS.values():
        assert contrast(deck.ink, medal) >= 4.5
