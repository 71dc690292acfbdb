"""Players of the fifth game that fail in every way; imported by workers before anything else.

How they do depends on the number of seats (`ways`).  Importing this changes which games there are.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Sequence
from typing import Any

import tests.fifth.added  # noqa: F401 - adds the game and its players
from engine.players.compiled import Ints
from engine.players.kit import Question
from tests.computers.ways import ALWAYS_DIES, CHEATS
from tests.fifth.players.tides import Tides


class Wicked(Tides):
    """Rules of thumb are sound but for two numbers of seats, playouts for one."""

    def question(self, view: Any) -> Question:
        asked = super().question(view)
        self.seats = len(view.counts)
        if self.seats == CHEATS:
            return asked._replace(actions=("E1", "E2", "E3", "E4"))
        return asked

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        if self.seats == ALWAYS_DIES:
            os._exit(3)
        return super().greedy(known, moves, r)

    def search(self, *arguments: Any) -> None:
        match self.seats:
            case 3 | 7:
                os._exit(3)
            case 4:
                while True:
                    pass
            case 5:
                raise ValueError("what nobody may read")
            case 8:
                time.sleep(0.05)  # as if so many playouts took so long
        super().search(*arguments)


importlib.import_module("engine.players.tides").KIT = Wicked()  # type: ignore[attr-defined]  # `added` adds it
