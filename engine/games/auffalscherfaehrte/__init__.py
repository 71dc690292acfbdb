"""Auf falscher Fährte (Jürgen Kraul): tricks that hidden cards make good or bad."""

from engine.games.auffalscherfaehrte.game import GAME

__all__ = ["GAME"]
