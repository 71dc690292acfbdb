"""The benchmark of computer players at tables: what it reads of the program, and its marks."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from bot.operate.metrics import Metrics
from tests.bench.computers import PLAYOUTS, bound, missed, read


def text(metrics: Metrics) -> str:
    return metrics.text({}, None, None, {}).decode()


def test_what_the_program_counts_is_read_since_a_moment() -> None:
    metrics = Metrics()
    metrics.decided("level", 0.3)
    metrics.looked(100)
    before = read(text(metrics))
    for seconds in (0.04, 0.04, 0.9):
        metrics.decided("level", seconds)
    metrics.decided("greedy", 0.1)
    for playouts in (1_000, 1_000, 700):
        metrics.looked(playouts)
    found = read(text(metrics)) - before
    totals = {name: count for (name, le), count in found.items() if le == inf}
    assert totals == {"level": 3, "greedy": 1, PLAYOUTS: 3}
    assert [bound(found, "level", share) for share in (50, 99)] == [0.05, 1.0]
    assert [bound(found, PLAYOUTS, share) for share in (10, 50)] == [700, 1_000]
    assert bound(found, "nobody", 50) is None


GOOD: dict[str, Any] = {
    "first_s": {"sticheln": 1.9},
    "answer_ms": {"p99": 299.0},
    "unanswered": 0,
    "playouts": {"p50": 1_000.0},
    "worker_mb": 150.0,
    "compiler_ended": True,
}


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        ("first_s", {"sticheln": 1.9, "aufundab": 2.1}),
        ("first_s", {"sticheln": None}),
        ("answer_ms", {"p99": 301.0}),
        ("answer_ms", {"p99": None}),
        ("unanswered", 1),
        ("playouts", {"p50": 999.0}),
        ("playouts", {"p50": None}),
        ("worker_mb", 201.0),
        ("worker_mb", 0.0),
        ("compiler_ended", False),
    ],
)
def test_what_misses_its_mark_is_named(figure: str, value: object) -> None:
    assert missed(GOOD) == []
    assert missed({**GOOD, figure: value}) == [figure]
