"""The benchmark of the twins: whole rounds are played, and a figure below its target is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.registry import games
from tests.bench import twins
from tests.bench._playing_twins import AT_ONCE, played, playing
from tests.bench.playouts import measure, serving, show


@pytest.mark.parametrize(("seats", "hand"), [(3, 15), (4, 15)])
def test_a_playout_is_a_whole_round(seats: int, hand: int) -> None:
    assert playing("sticheln", seats)() == seats * hand * AT_ONCE


def test_every_game_is_played_with_every_number_of_its_seats() -> None:
    every = {f"{name}-{seats}" for name in games() for seats in games()[name].info.seats}
    assert played().keys() == every
    assert twins.TARGETS.keys() == games().keys()
    assert playing("kaiserspiel", 4)() >= 32 * AT_ONCE


PLAYER = """
from tests.bench.peers import serve
serve({"slow": lambda: lambda: 1, "quick": lambda: lambda: 1_000_000})
"""


def test_a_ratio_is_of_speeds_that_were_measured_in_turns(
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = str(Path(__file__).parents[2])
    with serving([sys.executable, "-c", PLAYER], PYTHONPATH=root) as peers:
        speed, ratios = measure(
            peers, ["slow"], lambda: peers.plies_per_second("quick", 0.01), 3, 0.01
        )
    assert speed > 1_000_000
    assert 100_000 < ratios["slow"] < 10_000_000
    assert show("ours", speed, {"slow": 1.9, "even": 1.0}, {"slow": 2.0, "even": None}) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("1.90 × slow      (target ≥ 2 ×)  BELOW")
    assert second.endswith("1.00 × even     ")
