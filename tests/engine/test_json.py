"""Comparing decoded JSON strictly, and naming where it differs."""

from __future__ import annotations

import pytest

from engine.notation import difference, same, show


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (True, 1),
        (1, True),
        (1.0, 1),
        ("1", 1),
        (None, 0),
        ([1, True], [1, 1]),
        ([], {}),
        (["a"], ["a", "b"]),
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": {"b": [0, False]}}, {"a": {"b": [0, 0]}}),
    ],
)
def test_what_is_not_the_same(given: object, wanted: object) -> None:
    assert not same(given, wanted)
    assert same(given, given)
    assert same(wanted, wanted)


@pytest.mark.parametrize(
    ("given", "wanted", "found"),
    [
        ({"hands": [["R1", "R3"]]}, {"hands": [["R1", "R2"]]}, ("hands[0][1]", "'R3'", "'R2'")),
        ({"pack": ["AK"]}, {"pack": ["AK", "AO"]}, ("pack", "a list of 1", "a list of 2")),
        ({}, {"reveal": [0, 1]}, ("reveal", "missing", "[0, 1]")),
        ({"a": 1, "x": 2}, {"a": 1}, ("x", "there", "absent")),
        ({"a": "R1"}, {"a": ["R1"]}, ("a", "'R1'", "a list")),
        ([[]], [{}], ("[0]", "[]", "an object")),
    ],
)
def test_the_first_difference_is_named(
    given: object, wanted: object, found: tuple[str, str, str]
) -> None:
    assert difference(given, wanted) == found


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([0, True, None], "[0, true, null]"),
        ({"scores": [1, 2]}, "{'scores': [1, 2]}"),
        ([[1], [2]], "a list"),
        ([1] * 7, "a list"),
        ({"a": {"b": {}}}, "an object"),
        (10**30, "a huge number"),
        (1.5, "1.5"),
        ("x" * 99, repr("x" * 29 + "…")),
    ],
)
def test_a_value_is_shown_in_short(value: object, shown: str) -> None:
    assert show(value) == shown
