"""How the players of `wicked` fail, by the number of seats."""

from __future__ import annotations

from typing import Final

DIES: Final = 3
HANGS: Final = 4
RAISES: Final = 5
CHEATS: Final = 6
ALWAYS_DIES: Final = 7
SLOW: Final = 8
