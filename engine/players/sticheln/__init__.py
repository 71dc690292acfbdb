"""Computer players of Sticheln."""

from engine.players.sticheln.kit import KIT

__all__ = ["KIT"]
