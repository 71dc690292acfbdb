"""What is kept of what was drawn, and that it stays below its measure."""

from __future__ import annotations

from PIL import Image

from bot.pictures.decks import DECKS
from bot.pictures.shelf import PACKED, READY, Shelf
from bot.pictures.tiles import PALETTES
from engine.registry import games


def noise() -> Image.Image:
    """A picture of 10,000 bytes that cannot be packed."""
    return Image.effect_noise((100, 100), 80)


def test_a_picture_is_drawn_once() -> None:
    shelf = Shelf(10_000, 0)
    one = shelf.get("one", lambda: Image.new("L", (10, 10)))
    assert shelf.get("one", lambda: Image.new("L", (20, 20))) is one
    assert shelf.drawn == 1


def test_what_was_not_looked_at_for_longest_is_packed_first_and_unpacked_as_it_was() -> None:
    shelf = Shelf(25_000, 1_000_000)
    first = {key: shelf.get(key, noise) for key in ("one", "two")}
    shelf.get("one", noise)
    shelf.get("three", noise)
    assert shelf.get("one", noise) is first["one"]
    again = shelf.get("two", noise)
    assert again is not first["two"]
    assert again.tobytes() == first["two"].tobytes()
    assert again.mode == "L"
    assert shelf.drawn == 3


def test_what_finds_no_room_even_packed_is_drawn_again() -> None:
    shelf = Shelf(25_000, 25_000)
    for number in range(6):
        shelf.get(number, noise)
    assert shelf.drawn == 6
    assert shelf.used <= 50_000
    for number in (5, 4, 3):
        shelf.get(number, noise)
    assert shelf.drawn == 6
    shelf.get(0, noise)
    assert shelf.drawn == 7
    assert shelf.used <= 50_000


def test_plain_pictures_take_a_tenth_of_the_room_when_they_are_packed() -> None:
    shelf = Shelf(11_000, 1_000_000)
    for number in range(21):
        shelf.get(number, lambda: Image.new("L", (100, 100), 7))
    assert shelf.used <= 11_000 + 20 * 1_000
    for number in range(21):
        shelf.get(number, noise)
    assert shelf.drawn == 21


def test_what_is_larger_than_the_shelf_is_drawn_and_not_kept() -> None:
    shelf = Shelf(1_000, 1_000)
    assert shelf.get("large", noise).size == (100, 100)
    assert shelf.used == 0


def test_an_empty_shelf_has_drawn_nothing() -> None:
    shelf = Shelf(1_000, 10_000)
    for number in range(3):
        shelf.get(number, lambda: Image.new("L", (10, 10)))
    shelf.clear()
    assert (shelf.used, shelf.drawn) == (0, 0)


def test_all_that_is_kept_stays_below_its_measure() -> None:
    """With palettes, for each of which Pillow keeps what it found: 64³ times two bytes."""
    assert READY + PACKED + PALETTES * 2 * 64**3 <= 60_000_000
    assert len(DECKS) * (len(games()) + 1) <= PALETTES
