"""Pictures of boards: drawing a trick or a set to beat, as `scene` read it, on felt."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pictures.around_table import around_table
from bot.pictures.decks import Deck
from bot.pictures.felt import Picture
from bot.pictures.scene import Scene, board_of
from bot.pictures.series import series
from bot.pictures.spots import Plan
from engine.layout import Layout


def board_picture(
    game: str, layout: Layout, deck: Deck, short_names: Sequence[str]
) -> Picture | None:
    """What everybody sees of a round; None where nothing lies on the table.

    `short_names` are what the seats are called, by seat: as much of each as there is room for is
    drawn, or the number of the seat where our font has not all its letters.
    """
    scene = board_of(game, layout, short_names)
    return None if scene is None else scene_picture(game, scene, deck)


def scene_picture(game: str, scene: Scene, deck: Deck) -> Picture:
    """The same, once it is read from the layout."""
    return plan(game, scene).picture(game, deck)


def plan(game: str, scene: Scene) -> Plan:
    """Where everything lies."""
    return series(scene) if scene.is_series else around_table(game, scene)
