"""What a run has to reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run has to reach before it is left in peace."""

    seed: int = 1
    matches: int = 300
    kills: int = 200
    faults: int = 5_000
    channels: int = 32
    life: float = 3.0
    """Seconds between a start and the next kill, on average."""
    limit: float = 3_600.0
    """Seconds after which nothing is disturbed any more, whatever has been reached."""
    least: int = 0
    """So often every kind of fault and of deed has to occur."""
    soak: int = 3
    """Matches of each channel in the last, undisturbed life."""

    @property
    def command(self) -> str:
        """Repeats the run."""
        return (
            f"python -m tests.chaos --seed {self.seed} --matches {self.matches}"
            f" --kills {self.kills} --faults {self.faults} --channels {self.channels}"
            f" --life {self.life:g} --least {self.least} --soak {self.soak}"
        )


EACH: Final = Plan(matches=30, kills=30, faults=600, channels=16, limit=300.0, least=1, soak=2)
"""One of many seeds: forty of them reach what a run has to."""


def of_seed(seed: int) -> Plan:
    """The run of one of many seeds."""
    return replace(EACH, seed=seed)


SHORT: Final = Plan(
    seed=4, matches=30, kills=25, faults=400, channels=12, limit=120.0, least=3, soak=2
)
"""For every change."""
