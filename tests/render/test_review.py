"""Looking through a round: every position of every game in every view has room, and says enough."""

from __future__ import annotations

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.catalogues import languages
from bot.i18n import texts
from bot.render.custom_ids import Verb
from bot.render.message import Attachment, picture_file
from bot.render.review import review_page, shared_review
from bot.tables.model import Table
from bot.tables.review import ReviewedRound, reviewed, starts
from bot.views.review import Place, ReviewView, review_view
from engine.game import AnyGame
from engine.registry import games
from tests.lengths import length
from tests.render import samples
from tests.render.limits import buttons, check, text
from tests.tables.fakes import House
from tests.tables.looked_through import match

EN = texts("en")
PICTURE = picture_file(b"a picture")

CONFIGURATIONS = [(game, seats) for game in games().values() for seats in game.info.seats]
EACH = pytest.mark.parametrize(
    ("game", "seats"), CONFIGURATIONS, ids=[f"{g.info.id}-{n}" for g, n in CONFIGURATIONS]
)


async def played(game: AnyGame, seats: int) -> tuple[Table, list[ReviewedRound]]:
    """A match of two rounds or more, and all of them."""
    table = await match(House(games=games()), game.info.id, seats, length(game.info.id, 2, 40))
    known = starts(table)
    return table, [reviewed(table, number, known) for number in range(1, table.round + 1)]


def views(table: Table, shown: ReviewedRound) -> list[ReviewView]:
    """Every position as every seat saw it, and with all hands open."""
    seats = (None, *range(len(table.stored.seating.places)))
    places = [Place(shown.number, at, seat) for at in range(shown.last + 1) for seat in seats]
    return [review_view(table, shown, place) for place in places]


def nasty(view: ReviewView) -> ReviewView:
    """The same table with the longest names."""
    named = tuple(one._replace(name=samples.NASTY) for one in view.head.sitters)
    return replace(view, head=replace(view.head, sitters=named))


@EACH
async def test_every_position_in_every_view_has_room_and_words(game: AnyGame, seats: int) -> None:
    table, rounds = await played(game, seats)
    words = [texts(one) for one in languages()]
    with capture_logs() as logs:
        for shown in rounds[-1:]:
            for number, view in enumerate(map(nasty, views(table, shown))):
                said, picture = words[number % len(words)], PICTURE if number % 5 % 2 else None
                page = review_page(view, said, picture, shares=True)
                check(page)
                if number % 7 == 0:
                    check(shared_review(view, samples.NASTY, said, picture))
                assert buttons(page, Verb.REVIEW)
    assert logs == []


@pytest.mark.parametrize("picture", [None, PICTURE], ids=["text", "picture"])
async def test_with_all_hands_open_every_card_is_said(picture: Attachment | None) -> None:
    table, rounds = await played(games()["sticheln"], 3)
    for view in views(table, rounds[0])[::20]:
        said = text(review_page(view, EN, picture))
        for hand in view.hands if view.pause is None else ():
            assert all(EN.card("sticheln", card.code) in said for card in hand)
