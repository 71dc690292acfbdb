"""Emoji of cards: small enough for Discord, told apart at twenty pixels, the same every time."""

from __future__ import annotations

import io
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.emojis import DECKS
from bot.operate.emojis import keys
from bot.pictures.decks import DECKS as DRAWN
from bot.pictures.emoji import SIDE, emoji_picture, emoji_png

READ = 20
"""Pixels of an emoji on a button."""
APART = 5.0
"""Mean difference, of 255, between two that are told apart."""
BLUE = (88, 101, 242)
GREY = (78, 80, 88)


@pytest.fixture(scope="module", params=DECKS)
def tiles(request: pytest.FixtureRequest) -> dict[str, Image.Image]:
    """All emoji of a deck as large as on a button."""
    deck = DRAWN[request.param]
    return {
        key: emoji_picture(key, deck).convert("RGBA").resize((READ, READ), Image.Resampling.BOX)
        for key in keys()
    }


@pytest.mark.parametrize("deck", DECKS)
def test_every_emoji_is_one_that_discord_takes(deck: str) -> None:
    for key in keys():
        png = emoji_png(key, deck)
        assert len(png) < 6_000
        with Image.open(io.BytesIO(png)) as picture:
            assert picture.size == (SIDE, SIDE)


def test_a_picture_is_the_same_every_time_and_another_one_in_another_deck() -> None:
    one = emoji_png("cR5", "standard")
    assert emoji_png("cR5", "standard") == one
    assert emoji_png("cR5", "contrast") != one


def test_no_two_look_alike_on_a_button(tiles: dict[str, Image.Image]) -> None:
    grounds = {}
    for key, tile in tiles.items():
        ground = Image.new("RGB", tile.size, GREY)
        ground.paste(tile, (0, 0), tile)
        grounds[key] = ground
    for one, other in combinations(grounds, 2):
        apart = ImageStat.Stat(ImageChops.difference(grounds[one], grounds[other])).mean
        assert max(apart) > APART, f"{one} and {other}"


@pytest.mark.parametrize("button", [BLUE, GREY])
def test_a_tile_stands_out_on_any_button(
    tiles: dict[str, Image.Image], button: tuple[int, int, int]
) -> None:
    """All around, but at its round corners."""
    for key, tile in tiles.items():
        colours = [tile.getpixel((x, y)) for x, y in ((READ // 2, 0), (0, READ // 2))]
        for seen in colours:
            assert isinstance(seen, tuple)
            assert seen[3] > 250
            assert sum(abs(a - b) for a, b in zip(seen, button, strict=False)) > 100, key
