"""Computer players of Auf falscher Fährte: one round, flat."""

from engine.players.auffalscherfaehrte.kit import KIT

__all__ = ["KIT"]
