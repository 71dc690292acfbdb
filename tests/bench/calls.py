"""`python -m tests.bench.calls`: REST calls per ply for each way to play, as one JSON line.

The same code as `tests/discord/test_figures.py`, over `--matches` matches for each number of
seats; the figure is calls over plies of all of them.  `…_settling` is what a ply costs beside that:
hands whose question is over are drawn anew, or taken away.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from functools import reduce
from operator import add
from pathlib import Path
from tempfile import TemporaryDirectory

import typer

from bot.operate.logs import configure
from tests.discord.figures import KINDS, TRICKS, Figure, Kind, measure


async def run(kind: Kind, people: int, matches: int) -> Figure:
    figures = []
    for seed in range(1, matches + 1):
        with TemporaryDirectory() as folder:
            figures.append(await measure(kind, people, seed, Path(folder)))
    return reduce(add, figures)


async def everything(matches: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for kind in (*KINDS, *TRICKS):
        for people in (3, 4):
            figure = await run(kind, people, matches)
            found[f"{kind.name}_{people}"] = round(figure.per_ply, 2)
            found[f"{kind.name}_{people}_settling"] = round(figure.settling, 2)
    return found


def main(matches: int = 3) -> None:
    configure("ERROR")
    logging.getLogger("discord").setLevel(logging.ERROR)
    sys.stdout.write(json.dumps(asyncio.run(everything(matches))) + "\n")


if __name__ == "__main__":
    typer.run(main)
