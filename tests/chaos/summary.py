"""What came of a run: every counter says what it counts and what makes it a failure."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

LONGEST_STOP: Final = 10.0
"""Seconds that a stop may take."""

MAY_GROW: Final = 8.0
"""Megabytes that the program may grow by from the first undisturbed matches to the last."""

_WHAT: Final = "what"
_ZERO: Final = "zero"


def _number(what: str, *, zero: bool = False) -> Any:
    """A counter; with `zero` anything else is a failure."""
    said = what + (": a failure unless 0" if zero else "")
    return field(default=0, metadata={_WHAT: said, _ZERO: zero})


def _says(what: str) -> dict[str, str]:
    return {_WHAT: what}


@dataclass
class Summary:
    """What came of it, in the order in which it is printed."""

    seed: int = _number("of the choices and the faults")
    database: str = field(default="sqlite", metadata=_says("sqlite or postgresql"))
    shards: int = _number("connections to the gateway")
    matches: int = _number("matches that were begun")
    finished: int = _number("of those, played to their end")
    kills: int = _number("SIGKILLs")
    stops: int = _number("SIGTERMs")
    faults_total: int = _number("faults of all kinds together; no kills, no stops, no closed DMs")
    acknowledged: int = _number("actions whose people were shown that they have played")
    lost: int = _number("acknowledged actions and lines of logs that are not stored", zero=True)
    doubled: int = _number(
        "actions stored twice or against the rules, results counted twice or for the wrong people,"
        " or posted twice",
        zero=True,
    )
    denied: int = _number(
        "actions whose people were told that nothing was accepted, and that are stored", zero=True
    )
    leaked: int = _number(
        "texts with a card or a seed that somebody may not know who could read them", zero=True
    )
    stuck: int = _number("matches that could not be played to their end in peace", zero=True)
    orphans: int = _number(
        "messages of a table that look alive beside the one that is, and hands by direct message"
        " that can be played from when it is over, in the end",
        zero=True,
    )
    errors: int = _number(
        "lines of the log at level error, and lives that ended by themselves; not (on postgresql)"
        " what says that the database is away",
        zero=True,
    )
    malformed: int = _number(
        "kinds of request bodies that Discord's description does not allow", zero=True
    )
    called: int = _number("texts that call somebody who is no person in that channel", zero=True)
    left: int = _number(
        "processes that have outlived the program that started them, however it ended", zero=True
    )
    missing: list[str] = field(
        default_factory=list,
        metadata={_WHAT: "kinds that occurred less often than --least: a failure unless empty"},
    )
    seconds: float = field(default=0.0, metadata=_says("how long the run took"))
    plies: int = _number("actions stored, of people, clocks, stand-ins and computer players")
    by: dict[str, int] = field(
        default_factory=dict, metadata=_says("the same, by who brought them")
    )
    longest_stop: float = field(
        default=0.0,
        metadata={_WHAT: f"seconds of the slowest SIGTERM: a failure above {LONGEST_STOP:g}"},
    )
    memory_mb: dict[str, float] = field(
        default_factory=dict,
        metadata=_says(
            "memory of the process; the undisturbed matches in the end may not add more than"
            f" {MAY_GROW:g}: a failure if they do"
        ),
    )
    faults: dict[str, int] = field(
        default_factory=dict,
        metadata=_says("faults by kind, see tests/wire/faults.py and kinds.py"),
    )
    deeds: dict[str, int] = field(
        default_factory=dict, metadata=_says("what people did besides playing in turn, by kind")
    )
    looked: dict[str, int] = field(
        default_factory=dict,
        metadata=_says(
            "how much was looked at: texts, those with cards, requests, bodies held against Discord"
            "'s description, suggestions that came too late, lines of the log that say that the"
            " database is away (on postgresql), connections that broke at once, kills while a"
            " computer player thought"
        ),
    )
    command: str = field(default="", metadata={_WHAT: "repeats the run"})
    notes: list[str] = field(
        default_factory=list, metadata={_WHAT: "what exactly was wrong, a few of each kind"}
    )

    @property
    def wrong(self) -> list[str]:
        """What must hold and does not; empty is a good run."""
        found = [f"{name}: {getattr(self, name)}" for name in ZERO if getattr(self, name)]
        if self.missing:
            found.append("did not occur often enough: " + ", ".join(self.missing))
        soaked = [size for name, size in self.memory_mb.items() if name.startswith("soak")]
        if soaked and soaked[-1] - soaked[0] > MAY_GROW:
            found.append(f"memory grew from {soaked[0]} to {soaked[-1]} MB")
        if self.longest_stop > LONGEST_STOP:
            found.append(f"a stop took {self.longest_stop} s")
        return found

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


ZERO: Final = tuple(one.name for one in fields(Summary) if one.metadata.get(_ZERO))
"""Counters that must be 0."""

COUNTERS: Final = {one.name: str(one.metadata[_WHAT]) for one in fields(Summary)}
"""What each counter counts."""
