"""`stammtisch bench render`: how fast pictures are drawn, and how large they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.operate.positions import boards, positions
from engine.layout import Layout
from engine.registry import games

if TYPE_CHECKING:
    from bot.pictures.felt import Picture

_PEOPLE: Final = ("Annabel", "Ben", "Charlotte", "Dan", "Eve", "Friedrich")


class NoSuchDeck(Exception):
    """There is no deck of that name; says which there are."""


class Figures(NamedTuple):
    """What drawing one picture after the other took."""

    times: list[float]
    sizes: list[int]


def render(
    deck_id: str, count: int, clock: Callable[[], float] = perf_counter
) -> Iterator[dict[str, str | float]]:
    """For each game of a deck an object of its hands and one of its boards.

    Each tells of the first picture, and of so many with all that is on them drawn before.  The
    first picture of the first game has loaded everything there is to load.
    """
    for game in games().values():
        begun = clock()
        from bot.pictures.board import board_picture
        from bot.pictures.decks import DECKS
        from bot.pictures.hand import hand_picture
        from bot.pictures.tiles import DRAWN

        loaded = clock() - begun
        if deck_id not in DECKS:
            raise NoSuchDeck(", ".join(DECKS))
        name, deck = game.info.id, DECKS[deck_id]
        if name not in (deck.games or games()):
            continue
        board = partial(board_picture, name, deck=deck, short_names=_PEOPLE)
        kinds: tuple[tuple[str, Iterator[Layout], Callable[[Layout], Picture | None]], ...] = (
            ("hand", positions(game), partial(hand_picture, name, deck=deck)),
            ("board", boards(game), board),
        )
        for kind, shown, draw in kinds:
            seen = list(islice(shown, count))
            first = _measured(seen, draw, clock, until_one=True).times
            for layout in seen:
                draw(layout)
            times, sizes = _measured(seen, draw, clock)
            times.sort()
            yield {
                "picture": kind,
                "game": name,
                "deck": deck_id,
                "pictures": len(times),
                "first_ms": round(1e3 * (first[0] + loaded), 1),
                "median_ms": round(1e3 * median(times), 2),
                "p99_ms": round(1e3 * times[len(times) * 99 // 100], 2),
                "median_kb": round(median(sizes) / 1e3, 1),
                "max_kb": round(max(sizes) / 1e3, 1),
                "kept_mb": round(DRAWN.currsize / 1e6, 1),
            }


def _measured(
    seen: Sequence[Layout], draw: Callable[[Layout], Picture | None], clock: Callable[[], float],
    *, until_one: bool = False,
) -> Figures:  # fmt: skip
    """Seconds and bytes of each picture there is; of the first alone if that is enough."""
    times, sizes = [], []
    for layout in seen:
        begun = clock()
        picture = draw(layout)
        spent = clock() - begun
        if picture is not None:
            times.append(spent)
            sizes.append(len(picture.png))
            if until_one:
                break
    return Figures(times, sizes)
