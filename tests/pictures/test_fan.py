"""Fans of cards: what shows a game at a glance."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image

from bot.pictures.artwork import FANNED, fan, packed
from bot.pictures.decks import DECKS, STANDARD
from engine.registry import games


def test_a_fan_has_different_cards_that_its_game_is_played_with() -> None:
    for name, faces in FANNED.items():
        game = games()[name]
        packs = {
            code
            for seats in game.info.seats
            for code in game.pack(seats, game.complete_options(seats, {}))
        }
        codes = [face.code for face in faces]
        assert len(codes) == len(set(codes)) == 5
        assert {face.game for face in faces} == {name}
        # The joker is a variant of Auf falscher Fährte.
        assert set(codes) <= packs | {"J"}


@pytest.mark.parametrize("name", FANNED)
def test_a_packed_fan_is_small_and_lies_on_nothing(name: str) -> None:
    png = packed(fan(FANNED[name], DECKS[STANDARD], 100))
    assert len(png) <= 16_000
    with Image.open(BytesIO(png)) as picture:
        assert picture.mode == "P"
        seen = picture.convert("RGBA")
    corners = [seen.getpixel((x, y)) for x in (0, seen.width - 1) for y in (0, seen.height - 1)]
    assert {corner[3] for corner in corners if isinstance(corner, tuple)} == {0}
