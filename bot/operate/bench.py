"""`stammtisch bench`: how fast the engine plays, and how fast pictures are drawn."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final

from bot.operate.positions import boards, positions
from bot.operate.tools import ToolError, complete, find_game
from engine.game import CHANCE
from engine.layout import Layout
from engine.playout import play_match
from engine.registry import games

if TYPE_CHECKING:
    from bot.pictures.felt import Picture


def bench_playouts(name: str, seats: int | None, seconds: float) -> str:
    """Play whole random matches for at least `seconds`: one line of JSON about plies and matches.

    Only actions of seats count as plies.  A first match, not counted, builds what the game builds
    once.  Raises ToolError.
    """
    game = find_game(name)
    number, options = complete(game, seats, {})
    rng = Random(0)
    play_match(game, number, options, rng)
    plies = matches = 0
    begun = perf_counter()
    while (spent := perf_counter() - begun) < seconds or not matches:
        log = play_match(game, number, options, rng)
        plies += sum(seat != CHANCE for seat, _ in log)
        matches += 1
    return json.dumps(
        {
            "game": game.info.id,
            "seats": number,
            "plies_per_s": round(plies / spent, 1),
            "matches_per_s": round(matches / spent, 2),
            "plies_per_match": round(plies / matches, 2),
        }
    )


# Pictures.

_PEOPLE: Final = ("Annabel", "Ben", "Charlotte", "Dan", "Eve", "Friedrich")


def render(deck_id: str, count: int) -> Iterator[str]:
    """For each game of a deck one line of JSON about its hands and one about its boards.

    Each is about the first picture, and about `count` more with all their parts cached.  The first
    picture of the first game includes loading.  Raises ToolError if there is no such deck.
    """
    begun = perf_counter()
    from bot.pictures.board import board_picture
    from bot.pictures.decks import DECKS
    from bot.pictures.hand import hand_picture
    from bot.pictures.tiles import DRAWN

    loaded = perf_counter() - begun
    if deck_id not in DECKS:
        decks = ", ".join(DECKS)
        raise ToolError(f"there is no deck {deck_id[:40]!r}: choose one of {decks}.")
    deck = DECKS[deck_id]
    for name, game in games().items():
        if name not in (deck.games or games()):
            continue
        board = partial(board_picture, name, deck=deck, short_names=_PEOPLE)
        kinds: tuple[tuple[str, Iterator[Layout], Callable[[Layout], Picture | None]], ...] = (
            ("hand", positions(game), partial(hand_picture, name, deck=deck, short_names=_PEOPLE)),
            ("board", boards(game), board),
        )
        for kind, shown, draw in kinds:
            seen = list(islice(shown, count))
            (first, *_), _ = _measured(seen, draw)
            times, sizes = _measured(seen, draw)
            times.sort()
            figures = {
                "picture": kind,
                "game": name,
                "deck": deck_id,
                "pictures": len(times),
                "first_ms": round(1e3 * (first + loaded), 1),
                "median_ms": round(1e3 * median(times), 2),
                "p99_ms": round(1e3 * times[len(times) * 99 // 100], 2),
                "median_kb": round(median(sizes) / 1e3, 1),
                "max_kb": round(max(sizes) / 1e3, 1),
                "kept_mb": round((DRAWN.currsize + DRAWN.packed.currsize) / 1e6, 1),
            }
            yield json.dumps(figures)
            loaded = 0.0


def _measured(
    seen: Sequence[Layout], draw: Callable[[Layout], Picture | None]
) -> tuple[list[float], list[int]]:
    """Seconds and bytes of each picture there is."""
    times, sizes = [], []
    for layout in seen:
        begun = perf_counter()
        picture = draw(layout)
        spent = perf_counter() - begun
        if picture is not None:
            times.append(spent)
            sizes.append(len(picture.png))
    return times, sizes
