"""Pictures of hands, in random positions of every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from bot.pictures.decks import DECKS
from bot.pictures.faces import Face, height_of
from bot.pictures.felt import CORNER, MARGIN, WIDTH, Card, Spot
from bot.pictures.hand import hand_picture, plan, strip
from bot.pictures.marks import Crowned, Role, Rung, Trail, Unwanted
from bot.pictures.pieces import Mood, Order, Plate
from bot.pictures.scene import Shown, board_of, hand_of, label_of, scene_of
from bot.pictures.tiles import DRAWN, GAP, LIFT, OPACITY, PACKED, PALETTES, READY, Look, tile
from engine.layout import (
    Barred,
    CardRow,
    CardView,
    Ladder,
    Layout,
    SeatRow,
    Tally,
    Trick,
    phrase,
)
from engine.registry import games
from tests.nightly import by_day
from tests.pictures.looking import opened
from tests.pictures.test_boards import PARTS, apart
from tests.render.matches import NAMES, Table, hand, positions, tables

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
    bare = 0
    for number, (table, layout) in enumerate(some_hands()):
        shown, cards = hand_of(table.game.info.id, layout), in_hand(layout)
        assert [one.face.code for one in shown] == [card.code for card in cards]
        playable = ["playable" in card.marks for card in cards]
        kaiser = any("kaiser" in one.face.marks for one in shown)
        asked = any(not barred.idle for barred in layout.barred) and not kaiser
        for one, may in zip(shown, playable, strict=True):
            looks[one.look] += 1
            marks.update(one.face.marks)
            if one.look is Look.FLAT and "kaiser" not in one.face.marks:
                assert all(playable) or not (any(playable) or asked)
            elif one.look is not Look.FLAT:
                assert (one.look is Look.LIFTED) == may
        if number % 50 == 0:
            picture = hand_picture(table.game.info.id, layout, DECKS["standard"], NAMES)
            lies = board_of(table.game.info.id, layout, NAMES) is not None
            assert (picture is not None) == (bool(cards) or lies)
            bare += not cards and lies
            if picture is not None:
                assert len(picture.png) <= 60_000
                assert opened(picture).size == (picture.width, picture.height)
                assert picture.width == WIDTH
                assert picture.height <= 0.75 * WIDTH
    assert bare, "nobody without cards saw the table"
    assert set(looks) == {Look.FLAT, Look.LIFTED, Look.SHADED}
    assert set(marks) == {"double", "change", "special", "unwanted", "kaiser", "mugg"}


@pytest.mark.parametrize("count", range(1, 31))
def test_no_card_of_a_hand_lies_on_another_or_is_cut(count: int) -> None:
    where = plan("aufundab", some_cards(count))
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
    assert max(rows.values()) <= 9
    assert count > 18 or len(rows) <= 2
    assert spots == sorted(spots, key=lambda spot: (spot.top, spot.left))


@pytest.mark.parametrize("count", range(1, 19))
def test_a_card_can_be_read_on_a_phone(count: int) -> None:
    """There a picture is 265 points wide, and the smaller figure of a narrow card 36 of its 100."""
    for put in plan("aufundab", some_cards(count)).put:
        wide = put.what.width * 265 / WIDTH
        assert wide * 0.36 >= 9
        assert wide * 0.59 >= 15


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_above_a_hand_lies_what_lies_on_the_table(part: int) -> None:
    """Who has played what, which card wins, and what stands beside names; nothing on anything."""
    seen: Counter[str] = Counter()
    for table in tables():
        game = table.game.info.id
        for number, position in enumerate(positions(str(table), 11)[part::PARTS]):
            layout = hand(table, position.state, number % table.seats).layout
            scene = scene_of(game, layout, NAMES)
            if not layout.hand or scene is None:
                continue
            where = strip(game, scene)
            assert apart(where), (str(table), layout)
            whole = plan(game, hand_of(game, layout), scene)
            assert apart(whole)
            # At 563 pixels across on a desktop there is room for the headline and all buttons.
            assert whole.height <= 600
            pieces = [put.what for put in where.put]
            cards = [one for one in pieces if isinstance(one, Card)]
            (row,) = (block for block in layout.blocks if isinstance(block, SeatRow))
            plates = {one.label: one for one in pieces if isinstance(one, Plate)}
            for seat in row.seats:
                plate = plates[label_of(NAMES[seat.seat], seat.seat)]
                asked = plate.mood in (Mood.TURN, Mood.ASKED)
                assert asked == ("to_act" in seat.marks)
                assert plate.team == seat.team
                if "out" in seat.marks and not asked:
                    assert plate.mood is Mood.OUT
                seen["out"] += plate.mood is Mood.OUT
            for block in layout.blocks:
                match block:
                    case Trick(role="current", cards=laid) if laid:
                        faces = Counter((c.face.code, c.look is Look.WINNING) for c in cards)
                        told = Counter(
                            ("" if "down" in one.marks else one.card, "winning" in one.marks)
                            for one in laid
                        )
                        assert faces >= told
                        orders = [one.number for one in pieces if isinstance(one, Order)]
                        assert sorted(orders) == list(range(1, len(laid) + 1))
                        seen["trick"] += 1
                    case CardRow(role="table", cards=laid_set):
                        faces_of_set = {card.face.code for card in cards}
                        assert faces_of_set >= {card.code for card in laid_set}
                        seen["set"] += 1
                    case Ladder(rungs):
                        drawn = [one.faces for one in pieces if isinstance(one, Rung)]
                        codes = [[face.code for face in faces] for faces in drawn]
                        assert codes == [[card.code for card in rung] for rung in rungs]
                        seen["ladder"] += 1
                    case Tally():
                        assert any(isinstance(one, Trail) for one in pieces)
                        seen["trail"] += 1
                    case _:
                        pass
            eyes = [one for one in pieces if isinstance(one, Order) and not one.number]
            assert len(eyes) == sum(not one.order for one in scene.lying)
            unwanted = [place for place in scene.places if place.unwanted is not None]
            assert len(unwanted) == sum(isinstance(one, Unwanted) for one in pieces)
            kaisers = [place for place in scene.places if place.kaisers or place.mugg]
            assert len(kaisers) == sum(isinstance(one, Crowned) for one in pieces)
            speak = [place for place in scene.places if place.speaks]
            roles = [one.role for one in pieces if isinstance(one, Role)]
            assert roles.count("speaks") == len(speak)
            seen.update(unwanted=bool(unwanted), kaisers=bool(kaisers), speaks=bool(speak))
    assert min(seen.values()) > 5, seen


def test_a_declared_kaiser_never_looks_dead() -> None:
    """Also where it may not be chosen: thrown out, or declared again."""
    kaiser = CardView("AB", "A", ("kaiser",))
    row = CardRow("hand", (kaiser, CardView("A2", "A", ("playable",)), CardView("A3", "A")))
    looks = [one.look for one in hand_of("kaiserspiel", Layout((row,)))]
    assert looks == [Look.FLAT, Look.LIFTED, Look.SHADED]


def test_a_declared_kaiser_never_looks_as_if_it_could_be_chosen() -> None:
    """Where no card may be, it would be the only bright one."""
    barred = Barred(("AB", "A2"), phrase("why_already_kaiser"))
    row = CardRow("hand", (CardView("AB", "A", ("kaiser",)), CardView("A2", "A")))
    looks = [one.look for one in hand_of("kaiserspiel", Layout((row,), barred=(barred,)))]
    assert looks == [Look.FLAT, Look.FLAT]


def test_cards_that_may_be_played_are_higher_and_brighter() -> None:
    table, layout = next(
        (table, layout)
        for table, layout in some_hands()
        if {one.look for one in hand_of(table.game.info.id, layout)} == {Look.LIFTED, Look.SHADED}
    )
    picture = hand_picture(table.game.info.id, layout, DECKS["standard"], NAMES)
    assert picture is not None
    shown = opened(picture).convert("RGBA").convert("L")
    cards = hand_of(table.game.info.id, layout)
    where = plan("aufundab", cards, scene_of(table.game.info.id, layout, NAMES))
    put_in_hand = where.put[-len(cards) :]
    light: dict[Look, list[float]] = {Look.LIFTED: [], Look.SHADED: []}
    for one, ((left, top), what) in zip(cards, put_in_hand, strict=True):
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
    first = hand_picture(game, layout, DECKS[deck], NAMES)
    DRAWN.clear()
    DRAWN.packed.clear()
    assert hand_picture(game, layout, DECKS[deck], NAMES) == first


def test_nothing_but_the_corners_is_transparent() -> None:
    layout = next(
        layout
        for table, layout in some_hands()
        if table.game.info.id == "aufundab" and len(in_hand(layout)) == 18
    )
    picture = hand_picture("aufundab", layout, DECKS["standard"], NAMES)
    assert picture is not None
    alpha = opened(picture).convert("RGBA").getchannel("A")
    assert alpha.getpixel((0, 0)) == alpha.getpixel((WIDTH - 1, picture.height - 1)) == 0
    assert {value for _, value in alpha.getcolors() or ()} <= set(OPACITY)
    inside = alpha.crop((CORNER, 0, WIDTH - CORNER, picture.height))
    assert inside.getextrema() == (255, 255)
    assert alpha.crop((0, CORNER, WIDTH, picture.height - CORNER)).getextrema() == (255, 255)


def test_a_hand_that_is_no_hand_is_no_picture() -> None:
    assert hand_picture("sticheln", Layout(()), DECKS["standard"], NAMES) is None


def test_a_card_keeps_its_place_when_another_is_lifted() -> None:
    """A press is aimed at what was seen before: only the cards that change are drawn elsewhere."""
    layout = Layout((CardRow("hand", (CardView("R1", "R"), CardView("Y2", "Y"))),))
    row = layout.blocks[0]
    assert isinstance(row, CardRow)
    lit = replace(row, cards=(row.cards[0], row.cards[1]._replace(marks=("playable",))))
    shown = hand_of("sticheln", Layout((lit,)))
    assert [one.look for one in shown] == [Look.SHADED, Look.LIFTED]
    assert [put.spot for put in plan("sticheln", shown).put] == [Spot(246, 12), Spot(400, 12)]


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


def test_the_trick_before_is_dim_but_for_the_card_that_took_it() -> None:
    """Whoever leads took it for the trick that they are to play to."""
    looked = 0
    table = next(one for one in tables() if one.game.info.id == "sticheln")
    for position in positions(str(table), 11):
        for seat in table.game.actors(position.state):
            if seat < 0:
                continue
            scene = scene_of(
                "sticheln", table.game.layout(table.game.observe(position.state, seat)), NAMES
            )
            if scene is None or not scene.past or scene.lying:
                continue
            won = {one.face for one in scene.past if one.wins}
            cards = [put.what for put in strip("sticheln", scene).put if isinstance(put.what, Card)]
            dim = {card.face for card in cards if card.look is Look.SHADED}
            assert dim >= {one.face for one in scene.past} - won
            assert not dim & won
            looked += 1
    assert looked
