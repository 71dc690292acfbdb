"""People who call themselves the same, or otherwise since: a result tells them apart as people."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from bot.i18n import texts
from bot.ids import UserId
from bot.render.channel import channel_message
from bot.tables.lots import next_match
from bot.tables.model import Table
from bot.tables.stored import Person
from bot.views.building import channel_view, verify_view
from bot.views.values import ResultView
from tests.render.limits import text
from tests.tables.fakes import ANN, BEN, CAT, DAN, House

SECOND, THIRD = (Person(UserId(number), "Ann") for number in (77, 78))
RENAMED = Person(ANN.id, "Queen of Hearts")

Change: TypeAlias = tuple[Person, Person]
"""Somebody who leaves their seat, and who takes it."""


def result(table: Table) -> ResultView:
    view = channel_view(table)
    assert isinstance(view, ResultView)
    return view


@pytest.mark.behaviour("Two people at a table call themselves the same")
@pytest.mark.parametrize(
    ("began", "changes", "took"),
    [
        ((ANN, SECOND, BEN), [(SECOND, CAT)], ["Cat took Ann (2)'s"]),
        ((ANN, BEN, CAT), [(BEN, SECOND)], ["Ann (2) took Ben's"]),
        ((ANN, BEN, CAT), [(ANN, SECOND)], ["Ann (1) took Ann's"]),
        (
            (ANN, SECOND, CAT), [(ANN, DAN), (SECOND, THIRD)],
            ["Dan took Ann (1)'s", "Ann (2) took Ann's"],
        ),
        ((ANN, BEN, CAT), [(ANN, RENAMED)], []),
    ],
)  # fmt: skip
async def test_a_result_says_who_took_the_seat_of_another_and_of_nobody_else(
    began: tuple[Person, ...], changes: list[Change], took: list[str], house: House
) -> None:
    table = await house.match(*began, rounds=1)
    for left, came in changes:
        seat = table.stored.seating.place_of(left.id)
        await house.service.leave(table.id, left.id)
        await house.service.sit(table.id, came, seat)
    said = text(channel_message(result(await house.play_round(table.id)), texts("en")))
    lines = [line for line in said.splitlines() if "seat after the start" in line]
    assert [line.removeprefix("-# ").partition(" seat")[0] for line in lines] == took


@pytest.mark.behaviour("Two people at a table call themselves the same")
async def test_whoever_sits_out_comes_or_waits_has_the_number_of_their_seat_or_none(
    house: House,
) -> None:
    table = await house.match(ANN, SECOND, BEN, CAT, rounds=1)
    for person in (THIRD, DAN):
        table = await house.service.sit(table.id, person)
    assert channel_view(table).head.waiting == ("Ann", "Dan")
    table = await house.play_round(table.id)
    view, lot = result(table), verify_view(table, 0).lot
    named = ("Ann (1)", "Ann (2)", "Ben", "Cat")
    seated = dict(zip((ANN, SECOND, BEN, CAT), named, strict=True))
    assert (view.head.names, view.starters) == (named, named)
    assert view.next is not None
    assert view.next.comes == ("Ann", "Dan")
    assert view.next.sits_out == tuple(seated[one] for one in next_match(table).sits_out)
    assert lot is not None
    assert [name for name, _ in lot.people] == [seated[one.person] for _, one in lot.people]
