"""Every card of every game can be told from every other one, in every deck."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures.decks import DECKS, WHITE, Colour, Deck
from bot.pictures.faces import Face, drawn, height_of
from bot.pictures.pen import font, pen_on
from bot.pictures.tiles import Look, cell_of, palette, tile
from engine.registry import games
from tests.nightly import by_day
from tests.pictures.looking import unlike

PHONE = 40
"""Pixels across of a card of a hand of eighteen on a phone."""


def pairs() -> list[tuple[str, Deck]]:
    """Every game with every deck that is for it."""
    return [(game, deck) for deck in DECKS.values() for game in deck.games or games()]


FOR_ALL = [deck for deck in DECKS.values() if not deck.games]
"""Decks for every game: the others have the same cards in all but one."""


def faces(game: str) -> Iterator[Face]:
    info = games()[game]
    codes: dict[str, None] = {}
    for seats in info.info.seats:
        codes |= dict.fromkeys(info.pack(seats, info.complete_options(seats, {})))
    for code in codes:
        yield Face(game, code)


@pytest.mark.parametrize(("game", "deck"), pairs(), ids=lambda one: getattr(one, "id", one))
def test_no_two_cards_look_alike_on_a_phone(game: str, deck: Deck) -> None:
    shown = {face.code: drawn(face, deck, PHONE).convert("RGB") for face in faces(game)}
    for one, other in combinations(shown, 2):
        change = ImageChops.difference(shown[one], shown[other]).convert("L").histogram()
        assert sum(change[40:]) >= 20, (one, other)


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
@pytest.mark.parametrize(
    ("game", "code", "mark"),
    [
        ("aufundab", "4-4", "double"), ("aufundab", "4-4", "twice"), ("aufundab", "4-5", "change"),
        ("auffalscherfaehrte", "Y7", "special"), ("sticheln", "S7", "unwanted"),
        ("kaiserspiel", "R6", "special"), ("kaiserspiel", "AB", "kaiser"),
        ("kaiserspiel", "", "kaiser"),
    ],
)  # fmt: skip
def test_every_mark_is_seen_on_a_phone(game: str, code: str, mark: str, deck: Deck) -> None:
    plain = drawn(Face(game, code), deck, PHONE).convert("RGB")
    marked = drawn(Face(game, code, marks=frozenset({mark})), deck, PHONE).convert("RGB")
    changed = ImageChops.difference(plain, marked).convert("L").point(lambda v: 255 * (v > 40))
    assert ImageStat.Stat(changed).mean[0] / 255 > 0.025


def test_a_turned_card_has_the_other_colour_on_top() -> None:
    deck = DECKS["standard"]
    for down, colour in ((False, deck.low), (True, deck.high)):
        card = drawn(Face("aufundab", "3-8", down), deck, 100).convert("RGB")
        assert card.getpixel((12, 60)) == colour
        assert card.getpixel((12, 120)) == deck.ground


@pytest.mark.parametrize("game", games())
def test_a_card_has_round_corners_and_the_size_asked_for(game: str) -> None:
    for face in (next(faces(game)), Face(game, "")):
        card = drawn(face, DECKS["standard"], 120)
        assert card.size == (120, height_of(120)) == (120, 168)
        corners = [card.getpixel((x, y)) for x in (0, 119) for y in (0, 167)]
        assert {pixel[3] for pixel in corners if isinstance(pixel, tuple)} == {0}
        middle = card.getpixel((60, 84))
        assert isinstance(middle, tuple)
        assert middle[3] == 255


def test_a_game_without_cards_of_its_own_shows_their_codes() -> None:
    one, other = (drawn(Face("fifth", code), DECKS["standard"], 80) for code in ("10", "11"))
    assert ImageChops.difference(one, other).getbbox(alpha_only=False) is not None


@pytest.mark.parametrize("look", Look)
@pytest.mark.parametrize("game", games())
def test_a_tile_ends_in_felt_on_every_side(game: str, look: Look) -> None:
    """So tiles can lie side by side, and nothing of a card or its shadow is cut."""
    deck = DECKS["standard"]
    for face in list(faces(game))[::7]:
        shown = tile(face, deck, 60, look)
        assert shown.size == cell_of(60)
        shown.putpalette(palette(game, deck).entries)
        box = unlike(shown.convert("RGB"), deck.felt)
        assert box is not None
        left, top, right, bottom = box
        assert min(left, top, shown.width - right, shown.height - bottom) >= 1


@pytest.mark.parametrize(("game", "deck"), pairs(), ids=lambda one: getattr(one, "id", one))
def test_a_palette_keeps_the_colours_of_cards(game: str, deck: Deck) -> None:
    """What is drawn and what is sent differ by no more than a shade, and that seldom."""
    for face in list(faces(game))[::5]:
        whole = Image.new("RGB", cell_of(60), deck.felt)
        card = drawn(face, deck, 60)
        whole.paste(card, (4, 14), card)
        sent = palette(game, deck).matched(whole)
        sent.putpalette(palette(game, deck).entries)
        change = ImageStat.Stat(ImageChops.difference(whole, sent.convert("RGB")))
        assert max(change.mean) < 2, face


def test_the_font_has_every_letter_that_our_languages_need() -> None:
    missing = font(40).getmask("\uffff").getbbox(), bytes(font(40).getmask("\uffff"))
    for letter in "AZaz09ÄÖÜäöüßéèêëàâçîïôùûœæÉÈÀÇŒìòóÌÒ«»„“”’–—…×·":
        shape = font(40).getmask(letter)
        assert shape.getbbox() is not None, letter
        assert (shape.getbbox(), bytes(shape)) != missing, letter


def test_text_never_leaves_its_room() -> None:
    for text in ("8", "14", "Joker", "Mühlenbächlein"):
        image = Image.new("RGB", (300, 300))
        pen_on(image, 1).text(50, 50, text, 40, DECKS["standard"].ground, 60)
        box = image.getbbox()
        assert box is not None
        assert (box[2] - box[0]) / 3 <= 62
        assert abs((box[0] + box[2]) / 6 - 50) <= 1
        assert abs((box[1] + box[3]) / 6 - 50) <= 1


def inked(card: Image.Image, box: tuple[int, int, int, int], ink: Colour) -> Image.Image:
    """Where a card of 200 pixels has exactly this colour, in a box of a card's own units."""
    left, top, right, bottom = (2 * side for side in box)
    red, green, blue = (
        channel.point([255 * (value == part) for value in range(256)])
        for channel, part in zip(card.crop((left, top, right, bottom)).split(), ink, strict=True)
    )
    return ImageChops.darker(ImageChops.darker(red, green), blue)


def much(mask: Image.Image) -> int:
    """So many pixels are in a mask."""
    return mask.histogram()[255]


NUMBERS = (8, 8, 72, 80), (8, 84, 72, 134)
"""Where the two numbers of a card stand, and the arrows do not."""


@pytest.mark.parametrize("deck", FOR_ALL, ids=lambda deck: deck.id)
@pytest.mark.parametrize("mark", ["double", "twice", "change"])
@pytest.mark.parametrize("down", [False, True])
@pytest.mark.parametrize("number", by_day(range(10), 3))
def test_no_mark_hides_a_part_of_a_number(number: int, down: bool, mark: str, deck: Deck) -> None:
    code = f"{number}-{number}"
    plain = drawn(Face("aufundab", code, down), deck, 200).convert("RGB")
    marked = drawn(Face("aufundab", code, down, frozenset({mark})), deck, 200).convert("RGB")
    for box, ink in zip(NUMBERS, (WHITE, deck.low if down else deck.high), strict=True):
        there = inked(plain, box, ink)
        assert much(there) > 400
        assert not much(ImageChops.subtract(there, inked(marked, box, ink)))


@pytest.mark.parametrize("deck", FOR_ALL, ids=lambda deck: deck.id)
@pytest.mark.parametrize("number", ["0", "8", "10", "14"])
@pytest.mark.parametrize("mark", ["special", "unwanted"])
def test_no_mark_hides_a_part_of_the_number_of_a_colour(mark: str, number: str, deck: Deck) -> None:
    ink = deck.ink if deck.solid else deck.suits["P"]
    if deck.large and mark == "special":
        return  # there two figures are narrower, within the two lines of the edge
    plain = drawn(Face("sticheln", f"P{number}"), deck, 200).convert("RGB")
    marks = frozenset({mark})
    marked = drawn(Face("sticheln", f"P{number}", marks=marks), deck, 200).convert("RGB")
    figures = (10, 10, 90, 80)
    there = inked(plain, figures, ink)
    assert much(there) > 400
    assert not much(ImageChops.subtract(there, inked(marked, figures, ink)))


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
@pytest.mark.parametrize("rank", by_day("KOUB765432", 3))
@pytest.mark.parametrize("suit", "ARSB")
def test_the_letter_of_a_swiss_card_stands_free(suit: str, rank: str, deck: Deck) -> None:
    """Nothing else touches it: around its own box there is nothing but ground."""
    card = drawn(Face("kaiserspiel", suit + rank), deck, 200).convert("RGB")
    letter = (6, 8, 54, 56) if deck.large else (4, 8, 40, 43)
    box = inked(card, letter, deck.swiss[suit]).getbbox()
    assert box is not None
    left, top, right, bottom = (
        side + 2 * edge for side, edge in zip(box, letter[:2] * 2, strict=True)
    )
    assert bottom - top >= (64 if deck.large else 50)
    wide = card.crop((left - 3, top - 3, right + 3, bottom + 3))
    # The letter and its smooth rim lie within; the frame around them is bare.
    wide.paste(deck.ground, (1, 1, wide.width - 1, wide.height - 1))
    assert unlike(wide, deck.ground) is None
