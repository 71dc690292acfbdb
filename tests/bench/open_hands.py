"""`python -m tests.bench.open_hands`: drawing all hands open, one JSON line for each way to play.

Milliseconds of processor time of every position of one round with all hands open: `first`, while
cards and pieces are drawn that were not there yet, and `again`, with all of them drawn before.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from statistics import median
from time import process_time

import typer

from bot.pictures.decks import DECKS, STANDARD
from bot.pictures.open_hands import open_hands, open_hands_picture
from bot.pictures.scene import scene_of
from bot.pictures.tiles import DRAWN
from bot.tables.review import ReviewedRound, reviewed, starts
from engine.registry import games
from tests.lengths import shortest
from tests.render.matches import NAMES
from tests.tables.fakes import House
from tests.tables.looked_through import match


async def longest(game: str, seats: int) -> ReviewedRound:
    """The round with most positions of one of a few short matches."""
    found = []
    for seed in range(3):
        table = await match(House(games=games()), game, seats, shortest(game), seed)
        known = starts(table)
        found += [reviewed(table, number, known) for number in range(1, table.round + 1)]
    return max(found, key=lambda one: one.last)


def drawn(game: str, seats: int, shown: ReviewedRound) -> Iterator[tuple[float, int]]:
    """Milliseconds and bytes of the picture of each position."""
    for position in range(shown.last):
        hands = [shown.layout(position, seat).hand for seat in range(seats)]
        if any(hands):
            layout = shown.layout(position, None)
            begun = process_time()
            scene = scene_of(game, layout, NAMES)
            laid = open_hands(game, NAMES, hands, scene)
            picture = open_hands_picture(game, laid, DECKS[STANDARD], scene)
            yield (process_time() - begun) * 1000, len(picture.png)


def figures(times: Sequence[float]) -> dict[str, float]:
    """Of a row of measurements."""
    ordered = sorted(times)
    return {
        "median": round(median(ordered), 1),
        "p90": round(ordered[len(ordered) * 9 // 10], 1),
        "max": round(ordered[-1], 1),
    }


def main() -> None:
    for name, game in games().items():
        for seats in game.info.seats:
            shown = asyncio.run(longest(name, seats))
            DRAWN.clear()
            DRAWN.packed.clear()
            first, again = [*drawn(name, seats, shown)], [*drawn(name, seats, shown)]
            line = {
                "game": name,
                "seats": seats,
                "pictures": len(first),
                "first_ms": figures([time for time, _ in first]),
                "again_ms": figures([time for time, _ in again]),
                "max_kb": round(max(size for _, size in again) / 1000, 1),
            }
            typer.echo(json.dumps(line))


if __name__ == "__main__":
    main()
