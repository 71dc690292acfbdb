"""Auf und Ab (Ed Pegg): climbing with cards of two numbers."""

from engine.games.aufundab.game import GAME

__all__ = ["GAME"]
