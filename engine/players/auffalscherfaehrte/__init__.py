"""Computer players of Auf falscher Fährte."""

from engine.players.auffalscherfaehrte.kit import KIT

__all__ = ["KIT"]
