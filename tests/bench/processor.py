"""`python -m tests.bench.processor`: processor time per 50 requests, as one JSON line.

Discord allows a bot 50 requests a second, so a second of processor time per 50 requests is a whole
core at Discord's own limit.  `stammtisch run` is a process of its own at the tests' Discord, and
only its time counts (user and system, all its threads: rules, commits, drawing, discord.py), from
the first press to the last answer.  Requests are all that it makes meanwhile, answers to
interactions included.

For each game, each way to see a hand, without and with pictures a new program runs; tables are
opened and played at for a while before anything is measured.  `text` and `pictures` are seconds per
50 requests over all four such runs together, `missed` which of the two is above its mark
(`MARKS`); the exit code is 1 then.  Each run also says how many requests it made, how many of them
a second, and how many brought a picture.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import typer

from tests.bench._people import GAMES, Hands, Played, open_tables, play
from tests.bench.tables import SETTLING, opened, without_pauses

Shown: TypeAlias = Literal["text", "pictures"]

MARKS: Final[Mapping[Shown, float]] = MappingProxyType({"text": 0.5, "pictures": 1.0})
"""Seconds per 50 requests, at most."""

UNIT: Final = 50
"""Requests that Discord allows in a second."""

PLAYED: Final = tuple(one for one in GAMES if one.game in ("aufundab", "sticheln"))

PLIES: Final[Mapping[Hands, float]] = MappingProxyType({"channel": 16.0, "dm": 12.5})
"""A second: so many take about 50 requests."""


class Spent(NamedTuple):
    """What a run cost."""

    cpu: float
    """Seconds of processor time."""
    requests: int
    pictures: int
    """Requests that brought one."""
    seconds: float
    """On the clock."""

    @property
    def per_unit(self) -> float:
        """Seconds of processor time per 50 requests."""
        return self.cpu / self.requests * UNIT

    def shown(self) -> dict[str, float]:
        return {
            "s_per_50": round(self.per_unit, 3),
            "requests": self.requests,
            "requests_per_s": round(self.requests / self.seconds, 1),
            "pictures": self.pictures,
        }


async def measure(
    played: Played,
    hands: Hands,
    shown: Shown,
    folder: Path,
    *,
    tables: int = 20,
    seconds: float = 20.0,
    settling: float = SETTLING,
) -> Spent:
    """One run; its files are left in `folder`."""
    more = {"LOG_LEVEL": "WARNING", "PICTURES": str(shown == "pictures")}
    every = tables / PLIES[hands]
    loop = asyncio.get_running_loop()
    async with opened(folder, hands, **more) as (front, program, crowd, ledger):
        playing = await open_tables(crowd, ledger, tables, "none", games=(played,))
        await play(playing, crowd, ledger, hands, every, settling)
        await asyncio.sleep(settling)
        with without_pauses():
            front.requests.clear()
            cpu, begun = program.cpu(), loop.time()
            await play(playing, crowd, ledger, hands, every, seconds)
            took = loop.time() - begun
            await asyncio.sleep(settling)
            cpu, requests = program.cpu() - cpu, list(front.requests)
    pictures = sum(bool(request.files) for request in requests)
    return Spent(cpu, len(requests), pictures, took)


def together(runs: Mapping[Shown, Mapping[str, Spent]]) -> dict[str, Any]:
    """All figures."""
    figures = {
        shown: sum(one.cpu for one in each.values())
        / sum(one.requests for one in each.values())
        * UNIT
        for shown, each in runs.items()
    }
    return {
        **{shown: round(found, 3) for shown, found in figures.items()},
        "missed": [shown for shown, found in figures.items() if found > MARKS[shown]],
        "runs": {
            shown: {name: one.shown() for name, one in each.items()} for shown, each in runs.items()
        },
    }


async def everything(tables: int, seconds: float) -> dict[str, Any]:
    """The figures of all runs."""
    runs: dict[Shown, dict[str, Spent]] = {"text": {}, "pictures": {}}
    for shown, each in runs.items():
        for played in PLAYED:
            for hands in PLIES:
                with TemporaryDirectory() as folder:
                    each[f"{played.game} {hands}"] = await measure(
                        played, hands, shown, Path(folder), tables=tables, seconds=seconds
                    )
    return together(runs)


def main(tables: int = 20, seconds: float = 20.0) -> None:
    found = asyncio.run(everything(tables, seconds))
    sys.stdout.write(json.dumps(found) + "\n")
    sys.exit(1 if found["missed"] else 0)


if __name__ == "__main__":
    typer.run(main)
