"""Which of many tests that look at the same are run by day, and which at night (`.ci/nightly`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


def by_day(cases: Iterable[Any], every: int) -> list[ParameterSet]:
    """Every so many-th case as it is, the first among them; the others marked `nightly`."""
    made = []
    for number, case in enumerate(cases):
        known = case if isinstance(case, ParameterSet) else None
        values = known.values if known else case if isinstance(case, tuple) else (case,)
        marks = list(known.marks) if known else []
        if number % every:
            marks.append(pytest.mark.nightly)
        made.append(pytest.param(*values, marks=marks, id=known.id if known else None))
    return made
