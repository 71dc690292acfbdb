"""Computer players of Auf und Ab."""

from engine.players.aufundab.kit import KIT

__all__ = ["KIT"]
