"""Sticheln (Klaus Palesch): tricks with a colour that nobody wants."""

from engine.games.sticheln.game import GAME

__all__ = ["GAME"]
