"""A twin of Tides that plays the highest card, and in whose playouts the highest wins most often.

It is compiled like the real ones, and small enough to be compiled by a test.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.players.chance import unit
from engine.players.compiled import Ints, ints, jit
from engine.players.kit import GUIDED, Begin, Kit, Question, Tried, add, next_move
from tests.fifth.games.tides import PACK

HIGHEST: Final = 16


@jit
def _end(card: int, r: Ints) -> float:
    """What a playout might bring."""
    return (card % 16 + 1) / 16.0 - unit(r)


class Tides(Kit):
    """A kit."""

    def question(self, view: Any) -> Question:
        moves = tuple(map(PACK.index, view.legal_actions))
        return Question(ints(moves), moves, tuple(view.legal_actions))

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        return max(range(len(moves)), key=lambda i: moves[i] % HIGHEST)

    def search(
        self, asked: Question, begin: Begin, tried: Tried, playouts: int, way: int, r: Ints
    ) -> None:
        for _ in range(playouts):
            i = next_move(tried, GUIDED, 1.0)
            value = _end(int(tried.moves[i]), r)
            add(tried, i, value, 1.0 if value > 0.0 else 0.0, 0)

    def flatten(self, state: Any) -> Ints:
        return ints(0)


KIT: Final = Tides()
