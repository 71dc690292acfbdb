"""Sticheln for computer players: the rules flat, rules of thumb, worlds, and the `KIT` of all."""

from engine.players.sticheln.kit import KIT

__all__ = ["KIT"]
