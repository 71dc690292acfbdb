"""What stands in a picture, pixel by pixel."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageChops

from bot.pictures.decks import Colour
from bot.pictures.felt import Picture


def opened(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(picture.png))


def unlike(picture: Image.Image, plain: Colour) -> tuple[int, int, int, int] | None:
    """The box of everything that has another colour."""
    flat = Image.new("RGB", picture.size, plain)
    return ImageChops.difference(picture.convert("RGB"), flat).getbbox()
