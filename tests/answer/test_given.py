"""Values that people typed, chose or pressed: each is one that was offered, or is refused."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example
from hypothesis import given as anything
from hypothesis import strategies as st

from bot.answer import given
from bot.ids import MOST_ID
from bot.tables.model import TableError
from bot.tables.stored import Pace
from engine.players.levels import Level

ROOT = Path(__file__).parents[2]
ROOMS = ("cogs", "bot/answer")
READERS = {"int", "float", "Pace", "Level", "Period", "Whose", "Verb"}
"""What makes a value of a text, and fails if it is none."""

HEADERS = ("delivery.py", "float")
"""Discord's own words, not those of people."""


def readers() -> Iterator[tuple[str, str]]:
    """Where a text is made a value of outside the one parser: file and what does it."""
    for room in ROOMS:
        for file in sorted((ROOT / room).glob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                called = node.func if isinstance(node, ast.Call) else None
                if isinstance(called, ast.Name) and called.id in READERS:
                    yield file.name, called.id


def test_nothing_but_the_one_parser_reads_a_value() -> None:
    assert {(file, by) for file, by in readers() if file != "given.py"} <= {HEADERS}


def read(value: str) -> Iterator[object]:
    """What each way of reading makes of a value, as far as it makes anything."""
    refusals = set()
    for way in (
        lambda: given.number(value),
        lambda: given.page(value),
        lambda: given.switch(value),
        lambda: given.user(value),
        lambda: given.computers(value),
        lambda: given.one_of(Pace, value),
        lambda: given.one_of(Level, value),
    ):
        try:
            yield way()
        except TableError as refused:
            refusals.add(refused.code)
    assert refusals <= {"not_offered"}


@anything(st.text() | st.text("0123456789²٣- .", max_size=40))
@example("9" * 19)
@example("9" * 6000)
@example("99999999 easy")
def test_whatever_is_given_is_read_or_refused(value: str) -> None:
    for found in read(value):
        assert found is not None or value == ""
        if isinstance(found, int):
            assert found <= MOST_ID


@pytest.mark.parametrize("value", ["live60", "strong", "2 easy", "1", "17", "1" * 18])
def test_what_is_offered_is_read(value: str) -> None:
    assert list(read(value))
