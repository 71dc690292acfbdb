"""Importing this adds the folder of the fifth game to the games that there are, and its players.

Before anything else of the program: what people may type is made when it is imported.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import engine.games
import engine.players

HERE: Final = Path(__file__).parent

engine.games.__path__.append(str(HERE / "games"))
engine.players.__path__.append(str(HERE / "players"))
sys.path.append(str(HERE))  # `data` is a namespace package: here is another part of it
