"""Kaiserspiel (Nidwalden): two against two, with Banners declared Kaiser."""

from engine.games.kaiserspiel.game import GAME

__all__ = ["GAME"]
