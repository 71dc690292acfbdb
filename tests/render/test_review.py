"""Looking through a round: every position of every game in every view has room, and says enough."""

from __future__ import annotations

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.i18n import languages, texts
from bot.render.alt_text import LIMIT, open_hands_in_words
from bot.render.custom_ids import Verb
from bot.render.message import Attachment, Message, picture_file
from bot.render.review import review_page, shared_review
from bot.render.tricks import cards_line
from bot.tables.model import Table
from bot.tables.review import ReviewedRound, reviewed, starts
from bot.views.review import Place, ReviewView, review_view
from engine.game import AnyGame
from engine.registry import games
from tests.lengths import length
from tests.render import samples
from tests.render.limits import buttons, check, parts, text
from tests.tables.fakes import House
from tests.tables.looked_through import match

EN = texts("en")
PICTURE = picture_file(b"a picture")
GALLERY = 12
"""Type of the component that shows pictures."""

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
async def test_what_is_asked_is_told_as_to_everybody_in_every_view(
    game: AnyGame, seats: int
) -> None:
    """Not `Ben's turn: you can only pass`, which the reader would take for their own."""
    table, rounds = await played(game, seats)
    for view in views(table, rounds[-1]):
        everybody = rounds[-1].layout(view.place.position, None)
        assert view.layout.asks == everybody.asks


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
    """Below the table as text, or in the words of the picture; what is secret always as text."""
    table, rounds = await played(games()["sticheln"], 3)
    hidden = 0
    for view in views(table, rounds[0])[::4]:
        page = review_page(view, EN, picture)
        said = text(page)
        for seat, codes in enumerate(view.secrets if view.pause is None else ()):
            assert all(EN.card("sticheln", code) in said for code in codes), seat
            hidden += len(codes)
        lists = said if picture is None else described(page)
        for hand in view.hands if view.pause is None else ():
            assert cards_line(hand, "sticheln", EN) in said or picture is not None
            names = [EN.card_name("sticheln", card.code) for card in hand]
            assert all(EN.card("sticheln", card.code) in lists for card in hand) or all(
                name in lists for name in names
            )
            assert picture is None or len(hand) < 2 or cards_line(hand, "sticheln", EN) not in said
    assert hidden


@EACH
@pytest.mark.parametrize("language", languages())
async def test_the_words_of_all_hands_open_leave_no_card_out(
    language: str, game: AnyGame, seats: int
) -> None:
    """However people are called, and in the language with the longest words."""
    table, rounds = await played(game, seats)
    said = texts(language).plain
    for view in [one for one in views(table, rounds[0]) if one.place.seat is None]:
        words = open_hands_in_words(view.head, view.layout, view.hands, said)
        worst = open_hands_in_words(nasty(view).head, view.layout, view.hands, said)
        assert max(len(words), len(worst)) <= LIMIT
        for shown in (words, worst):
            for hand in view.hands:
                assert any(
                    all(named in shown for named in [way(game.info.id, card.seen) for card in hand])
                    for way in (said.card, said.card_name)
                )


def described(page: Message) -> str:
    """What pictures show, in words."""
    return "\n".join(item["description"] for part in parts(page, GALLERY) for item in part["items"])
