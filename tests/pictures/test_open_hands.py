"""All hands open below the table, in every position of a round of every game."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.pictures.decks import DECKS
from bot.pictures.faces import Face
from bot.pictures.felt import MARGIN, WIDTH, Card
from bot.pictures.hand import strip
from bot.pictures.open_hands import OpenHand, open_hands, open_hands_picture, plan
from bot.pictures.pieces import Mood, Plate
from bot.pictures.scene import Scene, scene_of
from bot.views.review import ReviewView
from engine.game import AnyGame
from tests.pictures.looking import opened
from tests.pictures.test_boards import apart
from tests.render.matches import NAMES
from tests.render.test_review import EACH, played, views

LARGEST = 90_000
"""Bytes of a picture: ninety cards take most."""
HIGHEST = 850
"""Pixels down of six hands of which each has a row for itself."""
PHONE = 245
"""Points across of a picture on a phone."""


async def positions(game: AnyGame, seats: int) -> list[ReviewView]:
    """All positions of a round with all hands open, but its end."""
    table, rounds = await played(game, seats)
    found = [view for view in views(table, rounds[0]) if view.place.seat is None]
    return [view for view in found if view.pause is None and any(view.hands)]


def read(view: ReviewView) -> tuple[tuple[OpenHand, ...], Scene | None]:
    game = view.head.game
    scene = scene_of(game, view.layout, NAMES)
    return open_hands(game, NAMES, view.hands, scene), scene


@EACH
async def test_every_card_lies_with_the_name_of_its_owner_and_whoever_acts_is_marked(
    game: AnyGame, seats: int
) -> None:
    seen: Counter[str] = Counter()
    for view in await positions(game, seats):
        hands, scene = read(view)
        assert scene is not None
        whole = plan(game.info.id, hands, scene)
        assert apart(whole), view.place
        # What was dealt openly is seen below, not beside the names above.
        places = tuple([place._replace(opened=None) for place in scene.places])
        put = whole.put[len(strip(game.info.id, replace(scene, places=places)).put) :]
        assert min(one.spot.left for one in put) >= MARGIN
        assert max(one.spot.left + one.size[0] for one in put) <= WIDTH
        owners: list[tuple[str, list[str]]] = []
        plates = []
        for one in put:
            if isinstance(one.what, Plate):
                owners.append((one.what.label, []))
                plates.append(one)
            else:
                assert isinstance(one.what, Card)
                # On a phone each number can be read.
                assert one.what.width * PHONE / WIDTH * 0.59 >= 10
                owners[-1][1].append(one.what.face.code)
                assert one.spot.top + one.size[1] > plates[-1].spot.top
        held = [(NAMES[seat], [card.code for card in hand])
                for seat, hand in enumerate(view.hands) if hand]  # fmt: skip
        assert owners == held
        acting = {place.label for place in scene.places if place.mood is Mood.TURN}
        for one in plates:
            assert isinstance(one.what, Plate)
            marked = one.what.mood in (Mood.TURN, Mood.ASKED)
            assert marked == (one.what.label in acting)
            assert one.what.mood is not Mood.WON
            team = {place.label: place.team for place in scene.places}[one.what.label]
            assert one.what.team == team
            seen.update(marked=marked, team=team is not None)
        assert whole.height <= HIGHEST or max(map(len, view.hands)) > 10
    assert seen["marked"]
    assert bool(seen["team"]) == (game.info.id == "kaiserspiel")


@pytest.mark.slow
@EACH
async def test_every_position_is_drawn_in_every_deck(game: AnyGame, seats: int) -> None:
    decks = [deck for deck in DECKS.values() if not deck.games or game.info.id in deck.games]
    for view in await positions(game, seats):
        hands, scene = read(view)
        for deck in decks:
            drawn = open_hands_picture(game.info.id, hands, deck, scene)
            assert opened(drawn).size == (WIDTH, drawn.height)
            assert len(drawn.png) <= LARGEST


def test_without_room_for_all_on_the_table_the_hands_are_drawn_alone() -> None:
    hands = tuple(
        OpenHand(f"#{seat}", Mood.PLAIN, None, (Face("sticheln", "R5"),) * 3)
        for seat in range(1, 8)
    )
    whole = plan("sticheln", hands, None)
    assert apart(whole)
    assert sum(isinstance(one.what, Card) for one in whole.put) == 21


def test_hands_of_any_length_lie_apart() -> None:
    for count in range(1, 31):
        hands = tuple(
            OpenHand(name, Mood.TURN, 1, (Face("sticheln", "R5"),) * many)
            for name, many in zip(NAMES, (count, 1, count, max(1, count - 1)), strict=False)
        )
        assert apart(plan("sticheln", hands, None)), count
