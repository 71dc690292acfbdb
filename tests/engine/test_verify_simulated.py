"""What is simulated is clean: every game, number of seats and variant."""

from __future__ import annotations

import pytest

from engine.playout import simulate
from engine.record import to_text
from engine.verify import verify_text
from tests.engine.records import Configuration, configurations, named, other_lengths

EVERY = [*configurations(), *other_lengths()]


@pytest.mark.parametrize("one", [pytest.param(c, id=named(c)) for c in EVERY])
@pytest.mark.parametrize(("legal", "proof"), [(True, True), (False, False)])
def test_simulated_records_are_clean(one: Configuration, legal: bool, proof: bool) -> None:
    made = simulate(one.game, one.seats, one.options, 5, 2, legal=legal, proof=proof)
    for number, each in enumerate(made, 1):
        assert verify_text(to_text(each), number) == []
