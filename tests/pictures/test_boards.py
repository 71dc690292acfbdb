"""Boards: nothing lies on anything else, all can be read, and nothing is told that is not known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from bot.pictures import board
from bot.pictures.around_table import Before, Tag, told_of
from bot.pictures.decks import DECKS, WHITE, Deck, mix
from bot.pictures.faces import Face
from bot.pictures.felt import MARGIN, WIDTH, Card, Plan, Put, Spot
from bot.pictures.hand import strip
from bot.pictures.marks import Crowned, Role, Won, spread
from bot.pictures.pen import known, width_of
from bot.pictures.pieces import (
    ICON,
    LETTERS,
    LOW,
    Chip,
    Count,
    Mood,
    Order,
    Plate,
    Slot,
    ground_of,
    ink_of,
    shade_of,
)
from bot.pictures.scene import (
    Lying,
    Place,
    Scene,
    board_of,
    initials_of,
    label_of,
    scene_of,
    signed,
)
from bot.pictures.tiles import GAP, Look
from engine.game import CHANCE
from engine.layout import CardRow, Cards, Chips, LastSet, Layout, SeatRow, Tally, Trick
from engine.registry import games
from tests.engine.kaiserspiel_script import deal, hand, ready, run
from tests.nightly import by_day
from tests.pictures.looking import opened
from tests.pictures.seeing import contrast
from tests.render.matches import NAMES, Table, positions, tables

PARTS = 16
"""So many parts are looked at: one by day, all at night, some 5,000 positions in all."""


def layouts(part: int) -> Iterator[tuple[Table, Layout]]:
    """What spectators see, at all tables."""
    for table in tables():
        for position in positions(str(table), 11)[part::PARTS]:
            yield table, table.game.layout(table.game.observe(position.state, None))


def test_a_board_shows_who_speaks_for_a_team_and_who_deals() -> None:
    """As the hand does; in the play nobody has to speak any more."""
    game = games()["kaiserspiel"]
    for state, stars in ((deal("AK R2 SK BK"), 2), (ready("R", {0: "AK"}), 0)):
        scene = board_of("kaiserspiel", game.layout(game.observe(state, None)), NAMES)
        assert scene is not None
        roles = Counter(put.what.role for put in board.plan("kaiserspiel", scene).put
                        if isinstance(put.what, Role))  # fmt: skip
        assert roles == +Counter(speaks=stars, deals=1)


def test_beside_an_open_card_declared_kaisers_are_seen_whole() -> None:
    """One shares its room with the card; several have it to themselves, and the card is apart."""
    opened, at, below = Face("kaiserspiel", "R3"), Spot(0, 0), Spot(0, 99)
    for kaisers in (("AB",), ("AB", "SB"), ("AB", "SB", "RB")):
        place = Place(0, "Ann", Mood.PLAIN, 5, "", kaisers=kaisers, opened=opened)
        crowned, card = told_of("kaiserspiel", place, at, 73, below)
        assert isinstance(crowned.what, Crowned)
        radius, step = spread(crowned.what.width, len(kaisers))
        assert len(kaisers) == 1 or step >= 2 * radius
        assert 2 * radius + step * (len(kaisers) - 1) <= crowned.what.width
        assert isinstance(card.what, Card)
        assert (card.spot == below) == (len(kaisers) > 1)


def test_an_open_card_alone_takes_the_room_there_is() -> None:
    """Of 73 pixels above a hand: on a phone it is hard to read."""
    place = Place(0, "Ann", Mood.PLAIN, 5, "", opened=Face("kaiserspiel", "R3"))
    (card,) = [put.what for put in told_of("kaiserspiel", place, Spot(0, 0), 73, Spot(0, 99))]
    assert isinstance(card, Card)
    assert card.width >= 50


@pytest.mark.parametrize("kaisers", [(), ("AB",), ("AB", "SB"), ("AB", "SB", "RB")])
def test_no_open_card_is_left_out(kaisers: tuple[str, ...]) -> None:
    """Whatever its seat has declared: who does not see it takes it for thrown out."""
    table = next(one for one in tables() if one.game.info.id == "kaiserspiel")
    looked = 0
    for position in positions(str(table), 11)[::3]:
        for seat in (None, *range(table.seats)):
            layout = table.game.layout(table.game.observe(position.state, seat))
            scene = (board_of if seat is None else scene_of)("kaiserspiel", layout, NAMES)
            if scene is None or not any(place.opened for place in scene.places):
                continue
            places = tuple(place._replace(kaisers=kaisers, mugg=()) for place in scene.places)
            scene = replace(scene, places=places)
            plan = (board.plan if seat is None else strip)("kaiserspiel", scene)
            faces = {put.what.face for put in plan.put if isinstance(put.what, Card)}
            assert {place.opened for place in places} - {None} <= faces
            assert apart(plan)
            looked += 1
    assert looked > 50


def plans(part: int) -> Iterator[tuple[Table, Layout, Plan]]:
    for table, layout in layouts(part):
        scene = board_of(table.game.info.id, layout, NAMES)
        if scene is not None:
            yield table, layout, board.plan(table.game.info.id, scene)


def boxes(put: Put) -> tuple[int, int, int, int]:
    across, down = put.size
    left, top = put.spot
    return left, top, left + across, top + down


def apart(plan: Plan) -> bool:
    """Whether nothing lies on anything else, and all within the picture."""
    found = [boxes(put) for put in plan.put]
    for left, top, right, bottom in found:
        if min(left, top) < 0 or right > WIDTH or bottom > plan.height:
            return False
    return all(
        one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        for one, other in combinations(found, 2)
    )


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_nothing_lies_on_anything_else_or_is_cut(part: int) -> None:
    seen: Counter[str] = Counter()
    for table, _, plan in plans(part):
        seen[table.game.info.id] += 1
        assert plan.height <= 0.7 * WIDTH
        for put in plan.put:
            left, top, right, bottom = boxes(put)
            assert left + GAP >= MARGIN
            assert top >= MARGIN
            assert right <= WIDTH - MARGIN + GAP
            assert bottom <= plan.height
        assert apart(plan), str(table)
    assert set(seen) == set(games())


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_what_is_written_fits(part: int) -> None:
    """At its size, 28 units of a grid of 640, or what is long at 20."""
    assert (round(LETTERS / 0.72 / 1.25), round(LOW / 0.72 / 1.25)) == (28, 20)
    for _, _, plan in plans(part):
        for put in plan.put:
            match put.what:
                case Count(width, _, icon, text):
                    assert width_of(text, LOW) + (ICON if icon else 0) <= width
                case Chip(width, _, _, _, cards, points):
                    both = [width_of(text, LETTERS) + ICON for text in (cards, points) if text]
                    assert sum(both) + 14 * (len(both) + 1) <= width
                case _:
                    pass


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_a_card_that_was_dealt_openly_has_an_eye_beside_it(part: int) -> None:
    for table, layout in layouts(part):
        game = table.game.info.id
        scene = board_of(game, layout, NAMES)
        if scene is not None and len(scene.places) == 4:
            eyes = [put.what for put in board.plan(game, scene).put if put.what == Order(36, 36, 0)]
            assert len(eyes) == sum(not one.order for one in scene.lying), str(table)


def dealt_openly(layout: Layout) -> Iterator[str]:
    """Cards that are told of seats as dealt openly, where there is room for them."""
    for block in layout.blocks:
        for seat in block.seats if isinstance(block, SeatRow) else ():
            told = {
                fact.code: cards.codes
                for fact in seat.facts
                for cards in fact.params.values()
                if isinstance(cards, Cards)
            }
            if len((*told.get("has_kaisers", ()), *told.get("has_mugg", ()))) < 2:
                yield from told.get("had_open", told.get("had_open_trump", ()))


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_a_board_shows_the_cards_of_its_layout_and_no_others(part: int) -> None:
    faces = 0
    for table, layout, plan in plans(part):
        drawn = Counter(
            (put.what.face.code, put.what.look is Look.WINNING)
            for put in plan.put
            if isinstance(put.what, Card)
        )
        told: Counter[tuple[str, bool]] = Counter()
        may: Counter[tuple[str, bool]] = Counter()
        for block in (*layout.blocks, *layout.more):
            match block:
                case Trick(cards=laid):
                    for one in laid:
                        code = "" if "down" in one.marks else one.card
                        told[code, "winning" in one.marks] += 1
                case CardRow(role="table", cards=row):
                    told.update((card.code, False) for card in row)
                case CardRow(cards=row) | LastSet(cards=row):
                    may.update((card.code, False) for card in row)
                case SeatRow(seats):
                    may["", False] += sum("chosen" in seat.marks for seat in seats)
                case _:
                    pass
        if not any(isinstance(block, CardRow) and block.role == "open" for block in layout.blocks):
            told.update((code, False) for code in dealt_openly(layout))
        # A trick that is looked up on demand is also in the blocks while it lies there.
        for trick in layout.more:
            if isinstance(trick, Trick) and trick in layout.blocks:
                for one in trick.cards:
                    told["" if "down" in one.marks else one.card, "winning" in one.marks] -= 1
        assert drawn >= +told, (str(table), layout)
        assert drawn <= told + may, (str(table), layout)
        faces += sum(drawn.values())
    assert faces > 500


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_everybody_sees_whose_turn_it_is_and_who_has_what(part: int) -> None:
    spoken = 0
    for table, layout, plan in plans(part):
        (row,) = (block for block in layout.blocks if isinstance(block, SeatRow))
        places = [put.what for put in plan.put if isinstance(put.what, Plate | Chip)]
        turn = sorted(one.label for one in places if one.mood in (Mood.TURN, Mood.ASKED))
        asked = sorted(label_of(NAMES[s.seat], s.seat) for s in row.seats if "to_act" in s.marks)
        assert turn == asked, str(table)
        # Where a card is due its place waits for it; else something is to be said.
        words = sum(one.mood is Mood.ASKED for one in places)
        slots = sum(isinstance(p.what, Slot) and p.what.mood is Mood.TURN for p in plan.put)
        in_a_series = any(isinstance(one, Chip) for one in places)
        assert in_a_series or words + slots == len(asked), str(table)
        spoken += words
        if any(seat.score for seat in row.seats):
            shown = [p.what.text for p in plan.put if isinstance(p.what, Count)]
            shown += [one.points for one in places if isinstance(one, Chip)]
            for seat in row.seats:
                assert signed(seat.score) in shown
        teams = {one.label: one.team for one in places if isinstance(one, Plate)}
        for seat in row.seats:
            if seat.team is not None:
                assert teams[label_of(NAMES[seat.seat], seat.seat)] == seat.team
            if "lies" in seat.marks:
                # Beside the seats below: the set that lies there has its owner above it.
                label = label_of(NAMES[seat.seat], seat.seat)
                plates = [one for one in places if isinstance(one, Plate)]
                assert any((one.label, one.mood) == (label, Mood.WON) for one in plates)
        for tally in (block for block in layout.blocks if isinstance(block, Tally)):
            assert any(getattr(put.what, "tally", None) == tally for put in plan.put)
    assert spoken > 10


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_everybody_sees_which_card_was_led_and_whose_the_trick_before_was(part: int) -> None:
    before = 0
    for table, layout, plan in plans(part):
        blocks = (*layout.more, *layout.blocks)
        tricks = {block.role: block for block in blocks if isinstance(block, Trick)}
        current = tricks.get("current")
        if current is not None and current.cards:
            orders = [p.what.number for p in plan.put if isinstance(p.what, Order)]
            assert sorted(orders) == list(range(1, len(current.cards) + 1)), str(table)
        tags = [put.what for put in plan.put if isinstance(put.what, Tag)]
        signs = sum(isinstance(put.what, Before) and put.what.trick for put in plan.put)
        assert signs == bool(tags)
        if tags:
            before += 1
            laid = tricks["last"].cards
            labels = [label_of(name, seat) for seat, name in enumerate(NAMES)]
            told = initials_of(labels[: table.seats])
            assert [tag.letters for tag in tags] == [told[one.seat] for one in laid]
            assert [tag.order for tag in tags] == list(range(1, len(laid) + 1))
            assert [tag.won for tag in tags] == ["winning" in one.marks for one in laid]
    assert before > 20


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_tricks_of_a_team_stand_once_and_not_beside_each_of_its_seats(part: int) -> None:
    """Beside both partners they look like as many tricks of each."""
    told = 0
    for table, layout, plan in plans(part):
        if table.game.info.id != "kaiserspiel":
            continue
        chips = [
            chip for block in layout.blocks if isinstance(block, Chips) for chip in block.chips
        ]
        tricks = tuple(chip.params["count"] for chip in chips if chip.code == "team_tricks")
        assert [put.what.tricks for put in plan.put if isinstance(put.what, Won)] == (
            [tricks] if tricks else []
        )
        assert not any(
            isinstance(put.what, Count) and put.what.icon == "tricks" for put in plan.put
        )
        told += bool(tricks)
    assert told > 5


@pytest.mark.parametrize("deck", DECKS.values(), ids=lambda deck: deck.id)
def test_what_is_written_can_be_read_in_every_deck(deck: Deck) -> None:
    wanted = 7 if deck.solid else 4.5
    for mood in Mood:
        least = 4.5 if mood is Mood.OUT else wanted
        assert contrast(ink_of(mood, deck), ground_of(mood, deck)) >= least, mood
    assert contrast(deck.ground, shade_of(deck)) >= wanted
    assert contrast(deck.ground, deck.felt) >= wanted
    assert contrast(deck.gold, mix(deck.felt, deck.ink, 0.2)) >= 4.5
    for ground in (deck.low, deck.high):
        assert contrast(WHITE, ground) >= 4.5
    for suit in deck.suits.values() if deck.solid else (deck.ground,):
        assert contrast(deck.ink, suit) >= wanted


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("game", games())
def test_a_board_is_small_enough_and_as_large_as_it_says(game: str, deck: str) -> None:
    drawn = 0
    for table, layout in list(layouts(3))[::5]:
        if table.game.info.id != game:
            continue
        picture = board.board_picture(game, layout, DECKS[deck], NAMES)
        if picture is not None:
            drawn += 1
            assert len(picture.png) <= 60_000
            assert opened(picture).size == (picture.width, picture.height)
    assert drawn >= 3


def test_before_the_first_lead_trumps_and_seats_are_drawn() -> None:
    """Otherwise the board would turn into a page of text for this one question."""
    game = games()["kaiserspiel"]
    rng, state = Random(1), game.initial(4, game.complete_options(4, {}))
    while state.step != "play":
        seat = game.actors(state)[0]
        seen = game.observe(state, seat) if seat != CHANCE else None
        action = game.deal(state, rng.randrange) if seen is None else game.default_action(seen)
        state = game.apply(state, seat, action)
    scene = board_of("kaiserspiel", game.layout(game.observe(state, None)), NAMES)
    assert scene is not None
    assert (scene.trump in {*"ARSB"}, scene.lying) == (True, ())


def test_where_nothing_lies_there_is_no_picture() -> None:
    deck = DECKS["standard"]
    for game in games().values():
        state = game.initial(game.info.seats[0], game.complete_options(game.info.seats[0], {}))
        layout = game.layout(game.observe(state, None))
        assert board.board_picture(game.info.id, layout, deck, NAMES) is None
    assert board.board_picture("sticheln", Layout(()), deck, ()) is None


def test_a_name_that_our_font_does_not_have_is_the_number_of_the_seat() -> None:
    assert label_of(" Ännie ", 0) == "Ännie"
    assert [label_of(name, 2) for name in ("Иван", "♥", "", " ", "Ann 🐸")] == ["#3"] * 5
    assert known("é")
    assert not known("中")


@pytest.mark.parametrize("before", range(8))
@pytest.mark.parametrize("count", range(13))
def test_sets_of_any_size_find_room(count: int, before: int) -> None:
    """Ten cards share a number at most; a double may stand for two of twelve."""
    places = tuple(Place(seat, "Ann", Mood.PLAIN, 18, "120") for seat in range(4))
    card = Face("aufundab", "4-4")
    for mode in ("▲", "▼"):
        scene = Scene(
            places, table=(card,) * count, owner="Ann",
            past_set=(card,) * before, past_winner="Ann", mode=mode, coming="▼",
        )  # fmt: skip
        plan = board.plan("aufundab", scene)
        assert apart(plan)
        drawn = sum(isinstance(put.what, Card) for put in plan.put)
        both = before <= {0: 5, 1: 5, 2: 3}.get(count, 0)
        assert drawn == count + before if both else drawn in (count, count + before)


@pytest.mark.parametrize("seats", range(1, 7))
def test_any_number_of_seats_finds_room_with_all_that_they_have(seats: int) -> None:
    places = tuple(
        Place(
            seat, "WWWWWWWWWWWW", Mood.TURN, 9, "12", "9", None,
            # Kaisers are declared by four at most.
            ("SB", "AB", "RB") if seats <= 4 else (), ("BB",) if seats <= 4 else (), awaited=True,
        )
        for seat in range(seats)
    )  # fmt: skip
    lying = tuple(
        Lying(seat, Face("kaiserspiel", "BB"), wins=seat == 0, down=False, order=seat + 1)
        for seat in range(seats)
    )
    trail = Tally((9,) * seats, 54, 24)
    scene = Scene(
        places, lying, lying, aside=(Face("kaiserspiel", "AK"),) * 2, trump="S", value="14",
        tally=trail if seats in (3, 4) else None,
    )  # fmt: skip
    plan = board.plan("kaiserspiel", scene)
    assert apart(plan)
    assert plan.height <= 0.7 * WIDTH
    unwanted = tuple(
        place._replace(tricks="", kaisers=(), mugg=(), unwanted=("R", 12)) for place in places
    )
    assert apart(board.plan("sticheln", Scene(unwanted, lying, lying)))


def test_of_what_lies_face_down_is_seen_that_it_is_a_kaiser_and_no_more() -> None:
    """To whoever laid the Mugg as to all others."""
    game = games()["kaiserspiel"]
    state = ready("R", {0: "AK", 1: "BB"}, ("BB",))
    state = run(state, "0 play AK, 1 play BB down")
    for reader in (0, 1, None):
        scene = board_of("kaiserspiel", game.layout(game.observe(state, reader)), NAMES)
        assert scene is not None
        assert scene.lying[1].face == Face("kaiserspiel", "", marks=frozenset({"kaiser"}))
    state = run(state, "2 play " + sorted(hand(state, 2))[0] + " down")
    scene = board_of("kaiserspiel", game.layout(game.observe(state, 2)), NAMES)
    assert scene is not None
    assert scene.lying[2].face == Face("kaiserspiel", "")
