"""What a run has to reach."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from tests.chaos.kinds import COPIES, DATABASE, Trick
from tests.wire.postgres import VARIABLE

ABOUT: Final = "about"
"""Where a field says what it is."""


def _option(default: Any, about: str) -> Any:
    return field(default=default, metadata={ABOUT: about})


@dataclass(frozen=True)
class Plan:
    """What a run has to reach before it is left in peace; each is an option of the command."""

    seed: int = _option(1, "of the choices and the faults")
    matches: int = _option(300, "matches that have to end")
    kills: int = _option(200, "SIGKILLs that have to happen")
    faults: int = _option(5_000, "faults that have to happen")
    channels: int = _option(32, "tables at the same time")
    life: float = _option(3.0, "seconds between a start and the next kill, on average")
    limit: float = _option(3_600.0, "seconds after which nothing is disturbed any more")
    least: int = _option(0, "so often every kind of fault and of deed has to occur")
    shards: int = _option(1, "connections to the gateway")
    restores: bool = _option(default=False, about="backups are put back after kills")
    postgres: bool = _option(
        default=False,
        about=f"on the PostgreSQL server that {VARIABLE} names, behind a proxy that cuts, delays"
        " and swallows (.ci/postgres COMMAND …); lives are twice as long",
    )
    soak: int = _option(3, "undisturbed matches of each channel in the end")

    @property
    def command(self) -> str:
        """Repeats the run."""
        words = [".ci/postgres"] if self.postgres else []
        words.append("python -m tests.chaos")
        for name, value in asdict(self).items():
            if value is True:
                words.append(f"--{name}")
            elif value is not False:
                words.append(f"--{name} {value}")
        return " ".join(words)

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
    seed=4, matches=30, kills=20, faults=400, channels=12, limit=400.0, least=3, soak=1
)
"""Two minutes of it where the machine has nothing else to do: `limit` is for where it has."""
