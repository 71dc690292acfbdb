"""REST calls per ply stay within Discord's budget, whichever way people play."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path

import pytest

from tests.discord.figures import KINDS, TRICKS, Kind, measure
from tests.nightly import by_day

pytestmark = pytest.mark.nightly

SEEDS = {"channel": (1, 2, 3), "typed": (4,), "dm": (5,)}
"""By ways; how often one can only pass decides what *My hand* costs: one match says little."""


@pytest.mark.parametrize(
    ("kind", "people"),
    [
        case
        for kind in (*KINDS, *TRICKS)
        for case in by_day(
            [
                pytest.param(kind, people, id=f"{kind.name}-{people}")
                for people in ((3,) if kind in TRICKS else (3, 4))
            ],
            2,
        )
    ],
)
async def test_calls_per_ply(kind: Kind, people: int, tmp_path: Path) -> None:
    matches = []
    for seed in SEEDS.get(kind.name, (7,)):
        matches.append(await measure(kind, people, seed, tmp_path / str(seed)))
    figure = reduce(add, matches)
    said = f"{kind.name}, {people} people: {figure}"
    print(said)  # noqa: T201 - `pytest -s` shows the figures, `-rP` too
    assert figure.per_ply <= kind.bound, said
    assert figure.settling <= kind.settling, said
    # Fewer could not be: every ply is answered, and but for Pass on the board also drawn.
    assert figure.routes["POST interactions/*/*/callback"] >= figure.plies
    drawn = figure.routes["PATCH channels/*/messages/*"] - figure.settled["panel"]
    assert figure.calls >= figure.plies + drawn


@pytest.mark.parametrize(("name", "calls"), [("typed", 2), ("dm", 0)])
async def test_calling_whoever_is_asked_costs_two_calls_a_ply_in_the_channel_and_none_by_dm(
    name: str, calls: int, tmp_path: Path
) -> None:
    """The line that calls them, and its end; a hand that comes by DM calls them itself."""
    kind = next(kind for kind in KINDS if kind.name == name)
    figures = []
    for pace in ("none", "relaxed"):
        figures.append(await measure(kind, 3, 8, tmp_path / pace, pace=pace))
    silent, calling = figures
    assert calling.plies == silent.plies, "the same match"
    lines = [f"{verb} channels/*/messages{of}" for verb, of in (("POST", ""), ("DELETE", "/*"))]
    more = sum(calling.routes[line] - silent.routes[line] for line in lines)
    assert more == calls * silent.own, f"{silent}\n{calling}"


async def test_closed_dms_are_found_out_once(tmp_path: Path) -> None:
    channel = next(kind for kind in KINDS if kind.name == "typed")
    figure = await measure(channel, 3, 6, tmp_path)
    assert figure.routes["POST users/@me/channels"] == 0
    assert figure.routes["POST channels/*/messages"] == 2, "the round and the result are posted"
