"""Long tests begin first at every worker, and what is left out of `.ci/run` is run nightly."""

from __future__ import annotations

import os
import tomllib
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import long_first, other_cases

ROOT = Path(__file__).parents[2]


@given(are_long=st.lists(st.booleans(), max_size=30), workers=st.integers(1, 4))
def test_every_worker_begins_with_its_share_of_the_long_tests(
    are_long: list[bool], workers: int
) -> None:
    numbers = list(range(len(are_long)))
    ordered = long_first(numbers, are_long, workers)
    assert sorted(ordered) == numbers
    quick = [number for number in ordered if not are_long[number]]
    assert quick == sorted(quick)
    if sum(are_long) > len(numbers) // 2:
        return  # the stretches of the list hold hardly anything else
    ends = [len(numbers) * worker // workers for worker in range(workers + 1)]
    shares = [[are_long[number] for number in ordered[begin:end]] for begin, end in pairwise(ends)]
    assert max(map(sum, shares)) - min(map(sum, shares)) <= 1
    assert all(share == sorted(share, reverse=True) for share in shares)


@given(st.lists(st.one_of(st.none(), st.text(max_size=2))))
def test_of_several_cases_of_a_test_one_is_run_before_a_change(tests: list[str | None]) -> None:
    others = other_cases(tests)
    run = [test for number, test in enumerate(tests) if number not in others]
    named = [test for test in run if test is not None]
    assert sorted(named) == sorted({test for test in tests if test is not None})
    assert run.count(None) == tests.count(None)


def test_what_is_left_out_before_a_change_is_run_nightly() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    options = project["tool"]["pytest"]["ini_options"]["addopts"]
    assert options[options.index("-m") + 1] == "not nightly"
    nightly = ROOT / ".ci" / "nightly"
    text = nightly.read_text(encoding="utf-8")
    assert os.access(nightly, os.X_OK)
    assert "pytest -m nightly" in text
    assert all(f"python -m tests.chaos --{kind}" in text for kind in ("short", "seeds"))
    assert all(f"--short --{kind}" in text for kind in ("restores", "postgres"))
