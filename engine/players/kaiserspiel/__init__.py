"""Computer players of Kaiserspiel."""

from engine.players.kaiserspiel.kit import KIT

__all__ = ["KIT"]
