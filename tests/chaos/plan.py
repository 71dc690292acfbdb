"""What a run has to reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tests.chaos.kinds import COPIES, DATABASE, Trick


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
    shards: int = 1
    """Connections to the gateway."""
    restores: bool = False
    """Whether backups are put back."""
    postgres: bool = False
    """Whether the database is on a PostgreSQL server, behind a proxy, instead of in a file."""
    soak: int = 3
    """Matches of each channel in the last, undisturbed life."""

    @property
    def command(self) -> str:
        """Repeats the run."""
        return (
            (".ci/postgres " if self.postgres else "")
            + f"python -m tests.chaos --seed {self.seed} --matches {self.matches}"
            f" --kills {self.kills} --faults {self.faults} --channels {self.channels}"
            f" --life {self.life:g} --least {self.least} --soak {self.soak}"
            f" --shards {self.shards}"
            + (" --restores" if self.restores else "")
            + (" --postgres" if self.postgres else "")
        )

    @property
    def spared(self) -> frozenset[Trick]:
        """What cannot happen in it."""
        shards = () if self.shards > 1 else (Trick.SHARD,)
        copies = () if self.restores and not self.postgres else COPIES
        database = () if self.postgres else DATABASE
        return frozenset((*shards, *copies, *database))


EACH: Final = Plan(
    matches=110, kills=112, faults=2_100, channels=16, life=1.5, limit=1_500.0, least=1, soak=2
)
"""One of many seeds: nine of them reach what a run has to, and a tenth is for PostgreSQL."""


def of_seed(seed: int) -> Plan:
    """The run of one of many seeds: every fourth has shards, every third is restored."""
    return replace(EACH, seed=seed, shards=1 if seed % 4 else 2, restores=seed % 3 == 0)


def on_postgres(plan: Plan) -> Plan:
    """The same on PostgreSQL.

    Lives are longer: that a line is silent is noticed after seconds, and then it is tried again.
    """
    return replace(plan, postgres=True, life=2 * plan.life, limit=2 * plan.limit)


SHORT: Final = Plan(
    seed=4, matches=30, kills=20, faults=400, channels=12, limit=170.0, least=3, soak=1
)
"""Two minutes of it."""
