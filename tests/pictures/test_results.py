"""Results as pictures: everything of them is there, nothing lies on anything else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from bot.i18n import texts
from bot.operate.gallery import made_up_results
from bot.pictures.chart import Course
from bot.pictures.decks import DECKS, deck_for
from bot.pictures.felt import MARGIN, WIDTH, Card
from bot.pictures.pen import fitted
from bot.pictures.pieces import LOW
from bot.pictures.result import (
    BESIDE,
    Finish,
    Numbers,
    Owner,
    Ranked,
    Result,
    Row,
    finish_of,
    result_picture,
    result_plan,
)
from bot.render.ended import drawn_result
from engine.layout import Laid, Layout, Trick
from engine.registry import games
from tests.nightly import by_day
from tests.pictures.looking import opened

NAMES = ("Annabel", "Ben", "Friedrich-Wilhelm der Grosse", "Computer 1", "#5", "W" * 32)
SEEDS = 200


def drawn(seed: int) -> Result:
    """A result with any number of sides and rounds, and with any end there may be."""
    rng = Random(seed)
    sides, rounds = rng.randint(2, 6), rng.choice((1, 2, 5, 6, 12, 40))
    rows = tuple(
        Ranked(side + 1, NAMES[side], rng.randint(-870, 870), (rng.randint(-99, 99),) * rounds)
        for side in range(sides)
    )
    (finish,) = rng.choices((None, *ends(sides, rng)))
    return Result(rows, rng.choice((None, rounds)), finish)


def ends(sides: int, rng: Random) -> Iterator[Finish]:
    trick = Trick("last", tuple(Laid(seat, f"R{seat + 2}") for seat in range(sides)))
    made = finish_of("sticheln", Layout((trick,)), NAMES)
    assert made is not None
    yield made
    yield made._replace(cards=made.cards[:1] * rng.randint(1, 12), owners=("Ben",))


@pytest.mark.parametrize("seed", by_day(range(SEEDS), 8))
def test_everybody_is_there_once_and_nothing_lies_on_anything_else(seed: int) -> None:
    result = drawn(seed)
    plan = result_plan(result)
    pieces = [put.what for put in plan.put]
    shown = [piece.ranked for piece in pieces if isinstance(piece, Row)]
    assert [(row.place, row.name, row.total) for row in shown] == [
        (row.place, row.name, row.total) for row in result.rows
    ]
    table, curve = 1 < result.rounds <= BESIDE, result.rounds > BESIDE
    assert any(isinstance(piece, Numbers) for piece in pieces) == table
    assert any(isinstance(piece, Course) for piece in pieces) == curve
    assert all(bool(row.points) == table for row in shown)
    cards = [piece for piece in pieces if isinstance(piece, Card)]
    finish = None if curve else result.finish
    assert [card.face for card in cards] == [face for face, _ in (finish.cards if finish else ())]
    owners = tuple(piece.label for piece in pieces if isinstance(piece, Owner))
    assert owners == (finish.owners if finish else ())
    boxes = [(*put.spot, put.spot.left + put.size[0], put.spot.top + put.size[1])
             for put in plan.put]  # fmt: skip
    for left, top, right, low in boxes:
        assert MARGIN - 4 <= left < right <= WIDTH - MARGIN + 4
        assert 0 <= top < low <= plan.height
    for one, other in combinations(boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


def test_names_have_room_for_some_letters_however_many_rounds_stand_beside_them() -> None:
    row = Row(WIDTH - 2 * MARGIN, 58, Ranked(1, NAMES[-1], 0, (0,) * BESIDE), None)
    assert len(fitted("Friedrich", 30, LOW, row.room)[0]) == len("Friedrich")


@pytest.mark.parametrize("game", games())
def test_results_are_small_and_as_large_as_they_say(game: str) -> None:
    for deck in (deck_for(name, game) for name in DECKS):
        if deck is None:
            continue
        for view in made_up_results(games()[game]):
            result = drawn_result(view, texts("en"))
            assert result is not None
            assert result.finish is not None
            picture = result_picture(game, result, deck)
            assert picture.height <= WIDTH
            assert opened(picture).size == (picture.width, picture.height)
            assert len(picture.png) <= 80_000


def test_a_card_that_its_owner_alone_still_sees_lies_face_down() -> None:
    trick = Trick("last", (Laid(0, "RK", ("down",)), Laid(1, "R2", ("winning",))))
    finish = finish_of("kaiserspiel", Layout((trick,)), NAMES)
    assert finish is not None
    assert [face.code for face, _ in finish.cards] == ["", "R2"]
    assert [wins for _, wins in finish.cards] == [False, True]
