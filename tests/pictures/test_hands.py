"""Pictures of hands, in random positions of every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from bot.pictures.card import Face, height_of
from bot.pictures.decks import DECKS
from bot.pictures.felt import CORNER, MARGIN, WIDTH, Spot
from bot.pictures.hand import hand_picture, plan
from bot.pictures.palette import OPACITY
from bot.pictures.reading import Shown, hand_of
from bot.pictures.tiles import DRAWN, GAP, LIFT, PACKED, PALETTES, READY, Look, tile
from engine.layout import CardRow, CardView, Layout
from engine.registry import games
from tests.pictures.looking import opened
from tests.render.matches import Table, hand, positions, tables

HANDS = 5_000
"""So many hands are read; every fiftieth is drawn."""


def some_hands() -> Iterator[tuple[Table, Layout]]:
    """Hands of all seats in positions of all tables, over and over with other matches."""
    found, seed = 0, 0
    while True:
        for table in tables():
            for number, position in enumerate(positions(str(table), seed)[seed % 3 :: 3]):
                view = hand(table, position.state, number % table.seats)
                yield table, view.layout
                found += 1
                if found == HANDS:
                    return
        seed += 1


def some_cards(count: int) -> list[Shown]:
    return [Shown(Face("aufundab", "4-4"), Look.FLAT)] * count


def in_hand(layout: Layout) -> list[CardView]:
    rows = [b for b in layout.blocks if isinstance(b, CardRow) and b.role == "hand"]
    return [card for row in rows for card in row.cards]


@pytest.mark.slow
def test_a_hand_shows_its_cards_and_which_may_be_played() -> None:
    looks: Counter[Look] = Counter()
    marks: Counter[str] = Counter()
    for number, (table, layout) in enumerate(some_hands()):
        shown, cards = hand_of(table.game.info.id, layout), in_hand(layout)
        assert [one.face.code for one in shown] == [card.code for card in cards]
        playable = ["playable" in card.marks for card in cards]
        asked = any(not barred.idle for barred in layout.barred)
        for one, may in zip(shown, playable, strict=True):
            looks[one.look] += 1
            marks.update(one.face.marks)
            if one.look is Look.FLAT:
                assert all(playable) or not (any(playable) or asked)
            else:
                assert (one.look is Look.LIFTED) == may
        if number % 50 == 0:
            picture = hand_picture(table.game.info.id, layout, DECKS["standard"])
            assert (picture is None) == (not cards)
            if picture is not None:
                assert len(picture.png) <= 30_000
                assert opened(picture).size == (picture.width, picture.height)
                assert picture.width == WIDTH
                assert picture.height <= 0.75 * WIDTH
    assert set(looks) == {Look.FLAT, Look.LIFTED, Look.SHADED}
    assert set(marks) == {"double", "change", "special", "unwanted", "kaiser", "mugg"}


@pytest.mark.parametrize("count", range(1, 31))
def test_no_card_of_a_hand_lies_on_another_or_is_cut(count: int) -> None:
    where = plan(some_cards(count))
    assert len(where.put) == count
    across, down = where.put[0].size
    spots = [put.spot for put in where.put]
    for spot in spots:
        assert spot.left + GAP >= MARGIN
        assert spot.left + across <= WIDTH - MARGIN + GAP
        assert spot.top >= MARGIN
        assert spot.top + down <= where.height - MARGIN
    for one, other in combinations(spots, 2):
        assert abs(one.left - other.left) >= across or abs(one.top - other.top) >= down
    rows = Counter(spot.top for spot in spots)
    assert max(rows.values()) - min(rows.values()) <= 1
    assert max(rows.values()) <= 6
    assert spots == sorted(spots, key=lambda spot: (spot.top, spot.left))


@pytest.mark.parametrize("count", range(1, 19))
def test_a_card_can_be_read_on_a_phone(count: int) -> None:
    """There a picture is 265 points wide."""
    where = plan(some_cards(count))
    assert all(put.what.width * 265 / WIDTH >= 40 for put in where.put)
    assert where.height <= 0.75 * WIDTH


def test_cards_that_may_be_played_are_higher_and_brighter() -> None:
    table, layout = next(
        (table, layout)
        for table, layout in some_hands()
        if {one.look for one in hand_of(table.game.info.id, layout)} == {Look.LIFTED, Look.SHADED}
    )
    picture = hand_picture(table.game.info.id, layout, DECKS["standard"])
    assert picture is not None
    shown = opened(picture).convert("RGBA").convert("L")
    cards = hand_of(table.game.info.id, layout)
    where = plan(cards)
    light: dict[Look, list[float]] = {Look.LIFTED: [], Look.SHADED: []}
    for one, ((left, top), what) in zip(cards, where.put, strict=True):
        up = GAP // 2 + (0 if one.look is Look.LIFTED else LIFT)
        inside = (left + GAP, top + up + 4, left + what.width, top + up + height_of(what.width) - 4)
        values = shown.crop(inside).histogram()
        light[one.look].append(max(v for v, many in enumerate(values) if many > 50))
    assert min(light[Look.LIFTED]) > max(light[Look.SHADED]) + 40


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("game", games())
def test_the_same_hand_is_the_same_picture(game: str, deck: str) -> None:
    layout = next(
        layout for table, layout in some_hands() if table.game.info.id == game and in_hand(layout)
    )
    first = hand_picture(game, layout, DECKS[deck])
    DRAWN.clear()
    DRAWN.packed.clear()
    assert hand_picture(game, layout, DECKS[deck]) == first


def test_nothing_but_the_corners_is_transparent() -> None:
    layout = next(
        layout
        for table, layout in some_hands()
        if table.game.info.id == "aufundab" and len(in_hand(layout)) == 18
    )
    picture = hand_picture("aufundab", layout, DECKS["standard"])
    assert picture is not None
    alpha = opened(picture).convert("RGBA").getchannel("A")
    assert alpha.getpixel((0, 0)) == alpha.getpixel((WIDTH - 1, picture.height - 1)) == 0
    assert {value for _, value in alpha.getcolors() or ()} <= set(OPACITY)
    inside = alpha.crop((CORNER, 0, WIDTH - CORNER, picture.height))
    assert inside.getextrema() == (255, 255)
    assert alpha.crop((0, CORNER, WIDTH, picture.height - CORNER)).getextrema() == (255, 255)


def test_a_hand_that_is_no_hand_is_no_picture() -> None:
    assert hand_picture("sticheln", Layout(()), DECKS["standard"]) is None


def test_a_card_keeps_its_place_when_another_is_lifted() -> None:
    """A press is aimed at what was seen before: only the cards that change are drawn elsewhere."""
    layout = Layout((CardRow("hand", (CardView("R1", "R"), CardView("Y2", "Y"))),))
    row = layout.blocks[0]
    assert isinstance(row, CardRow)
    lit = replace(row, cards=(row.cards[0], row.cards[1]._replace(marks=("playable",))))
    shown = hand_of("sticheln", Layout((lit,)))
    assert [one.look for one in shown] == [Look.SHADED, Look.LIFTED]
    assert [put.spot for put in plan(shown).put] == [Spot(246, 12), Spot(400, 12)]


def test_one_card_is_drawn_once() -> None:
    joker, deck = Face("auffalscherfaehrte", "J"), DECKS["standard"]
    assert tile(joker, deck, 80, Look.FLAT) is tile(joker, deck, 80, Look.FLAT)


def test_what_was_not_used_for_a_while_is_packed_and_unpacked_as_it_was() -> None:
    face, deck = Face("sticheln", "G7"), DECKS["standard"]
    shown = tile(face, deck, 80, Look.FLAT)
    DRAWN.clear()
    assert DRAWN.currsize == 0
    again = tile(face, deck, 80, Look.FLAT)
    assert again is not shown
    assert (again.mode, again.size, again.tobytes()) == (shown.mode, shown.size, shown.tobytes())
    assert tile(face, deck, 80, Look.FLAT) is again


def test_all_that_is_kept_stays_below_its_measure() -> None:
    """With palettes, for each of which Pillow keeps what it found: 64³ times two bytes."""
    assert (DRAWN.maxsize, DRAWN.packed.maxsize) == (READY, PACKED)
    shown = tile(Face("sticheln", "R5"), DECKS["standard"], 80, Look.FLAT)
    assert DRAWN.getsizeof(shown) > shown.width * shown.height
    assert READY + PACKED + PALETTES * 2 * 64**3 <= 60_000_000
    assert len(DECKS) * (len(games()) + 1) <= PALETTES
