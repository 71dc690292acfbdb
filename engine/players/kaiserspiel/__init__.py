"""Kaiserspiel for computer players: `twin`, `policy`, `worlds`, and the `KIT` of them."""

from engine.players.kaiserspiel.kit import KIT

__all__ = ["KIT"]
