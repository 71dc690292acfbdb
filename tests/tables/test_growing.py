"""Sequences that grow without being copied."""

from __future__ import annotations

from random import Random

import pytest

from bot.tables.growing import Growing


def test_all_that_grew_from_one_another_stay_what_they_were() -> None:
    """Against tuples: any of them grows at any time."""
    rng = Random(1)
    pairs: list[tuple[Growing[int], tuple[int, ...]]] = [(Growing(), ())]
    for _ in range(400):
        growing, plain = rng.choice(pairs[-5:])
        more = tuple(rng.choices(range(9), k=rng.randrange(3)))
        pairs.append((growing.plus(*more), (*plain, *more)))
        for grown, wanted in pairs[-20:]:
            assert grown == wanted
            assert len(grown) == len(wanted)
            assert tuple(reversed(grown)) == wanted[::-1]
            assert grown[-6:] == wanted[-6:]
            assert grown[2:5] == wanted[2:5]
            assert (wanted[-1:] == ()) or grown[-1] == wanted[-1]
            assert hash(grown) == hash(wanted)


def test_what_others_have_added_is_not_there() -> None:
    one = Growing("ab")
    two = one.plus("c")
    for index in (2, -3):
        with pytest.raises(IndexError):
            one[index]
    assert two[2] == "c"
    assert one != two
    assert one.plus("d") == ("a", "b", "d")
    assert two == ("a", "b", "c")


def test_a_long_one_grows_as_quickly_as_a_short_one() -> None:
    """Nothing is copied: what has grown shares its list."""
    growing: Growing[int] = Growing(range(1000))
    assert growing.plus(1)._items is growing._items
    assert Growing.of(growing) is growing


def test_it_says_how_long_it_is_and_not_what_stands_in_it() -> None:
    assert "K" not in repr(Growing(["play RK"]))
