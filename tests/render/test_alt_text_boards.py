"""Pictures of boards and charts in words: nothing missing, nothing that is not known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.i18n import texts
from bot.ids import UserId
from bot.render.alt_text import (
    LIMIT,
    board_in_words,
    leaders_in_words,
    result_in_words,
    short_names,
)
from bot.render.board import board_message
from bot.render.hand import hand_panel
from bot.render.message import picture_file
from bot.tables.ports import LeaderLine, Order
from bot.tables.ratings import Rating
from bot.views.values import ResultView
from engine.game import Outcome
from engine.layout import CardRow, Chips, Headline, LastSet, Layout, SeatRow, Tally, Trick
from tests.nightly import by_day
from tests.render.limits import text
from tests.render.matches import NAMES, Table, board, hand, head, positions, tables
from tests.render.samples import result_view

ENGLISH = texts("en")
PICTURE = picture_file(b"what lies there")
PARTS = 16
"""One of so many parts by day; all of them are some 5,000 positions."""


def plural(code: str, count: int) -> str:
    return ENGLISH.get(code, count=count)


@pytest.mark.parametrize("part", by_day(range(PARTS), PARTS))
def test_the_words_tell_what_the_layout_has_and_no_more(table: Table, part: int) -> None:
    game = table.game.info.id
    for position in positions(str(table), 11)[part::PARTS]:
        view = board(table, position)
        layout, names = view.layout, view.head.names
        said = board_in_words(view.head, layout, ENGLISH)
        assert said
        assert len(said) <= LIMIT
        assert "**" not in said
        assert not re.search(r"\s\s|:\.|\.\.", said), said
        if view.actors:
            assert said.startswith(tuple(NAMES[seat] for seat in view.actors))
        cards: Counter[str] = Counter()
        for block in (*layout.blocks, *(b for b in layout.more if b not in layout.blocks)):
            match block:
                case Headline(phrase=phrase):
                    assert ENGLISH.phrase(game, phrase, names, plain=True) in said
                case Chips(chips):
                    for chip in chips:
                        assert ENGLISH.phrase(game, chip, names, plain=True) in said
                case Trick(cards=laid, awaited=awaited):
                    for one in laid:
                        hidden = "down" in one.marks or not one.card
                        card = "a card face down" if hidden else ENGLISH.card_name(game, one.card)
                        card += " (Kaiser)" if hidden and "kaiser" in one.marks else ""
                        assert f"{NAMES[one.seat]} {card}" in said
                        cards[card] += 1
                    if laid and awaited:
                        assert "Still to play: " in said
                case LastSet(winner, row):
                    cards.update(ENGLISH.card_name(game, card.seen) for card in row)
                    assert NAMES[winner] in said
                case CardRow(cards=row):
                    cards.update(ENGLISH.card_name(game, card.seen) for card in row)
                case SeatRow(seats):
                    scored = any(seat.score for seat in seats)
                    for seat in seats:
                        told = f"{NAMES[seat.seat]}: {plural('seat.cards', seat.cards_left)}"
                        told += f", {plural('seat.points', seat.score)}" if scored else ""
                        assert told in said
                case Tally(terms, total, goal):
                    assert f"{total} of {goal}" in said
                    assert said.count(" + ") == len(terms) - 1
                case _:
                    pass
        for card, count in cards.items():
            assert len(re.findall(rf"{re.escape(card)}(?!\d)", said)) >= count, (card, said)
        has = repr(layout)
        for code in set(table.game.pack(table.seats, table.options)):
            if re.search(rf"{re.escape(ENGLISH.card_name(game, code))}(?!\d)", said):
                assert repr(code) in has, (code, said)
        assert said.count("(winning)") == sum(
            "winning" in one.marks for trick in _tricks(layout) for one in trick.cards
        )


def _tricks(layout: Layout) -> list[Trick]:
    found: list[Trick] = []
    for block in (*layout.blocks, *layout.more):
        if isinstance(block, Trick) and block not in found:
            found.append(block)
    return found


def test_beside_a_picture_stand_a_headline_and_at_most_two_lines(table: Table) -> None:
    """And no list: nobody's name begins a line there, but in what they have just done."""
    pictured = 0
    for number, position in enumerate(positions(str(table), 11)[::5]):
        view, own = board(table, position), hand(table, position.state, number % table.seats)
        if view.pause is not None or not view.actors:
            continue
        messages = [board_message(view, ENGLISH, PICTURE)]
        if own.layout.hand:
            messages.append(hand_panel(own, ENGLISH, PICTURE))
        for message in messages:
            (whole,) = message.components
            kinds = [part["type"] for part in whole["components"]]
            at = kinds.index(12)
            above = "\n".join(part["content"] for part in whole["components"][:at]).splitlines()
            assert len(above) <= 3, above
            assert above[0].startswith("## ")
            told = [line for line in text(message).splitlines() if not line.startswith("-# ")]
            assert len(told) <= 4, told
            assert not any(line.count(": ") + line.count("▸") > 2 for line in told)
            pictured += 1
    assert pictured > 5


def test_the_goal_stands_on_hand_and_board_as_long_as_somebody_learns(table: Table) -> None:
    position = next(one for one in positions(str(table), 11) if board(table, one).actors)
    view, own = board(table, position), hand(table, position.state, 0)
    assert view.layout.goal is not None
    assert own.layout.goal is not None
    for picture in (None, PICTURE):
        for learns in (False, True):
            on_board = text(board_message(replace(view, learns=learns), ENGLISH, picture))
            in_hand = text(hand_panel(replace(own, learns=learns), ENGLISH, picture))
            for said, layout in ((on_board, view.layout), (in_hand, own.layout)):
                assert layout.goal is not None
                goal = ENGLISH.phrase(table.game.info.id, layout.goal, view.head.names)
                lines = said.splitlines()
                assert any(line.startswith(f"-# 🎯 {goal}") for line in lines) == learns


def test_who_has_only_a_number_in_a_picture_is_named_beside_it(table: Table) -> None:
    names = ["Анна", *NAMES[1:]]
    position = next(one for one in positions(str(table), 11) if board(table, one).actors)
    said = text(board_message(board(table, position, names), ENGLISH, PICTURE))
    assert "-# #1\u00a0Анна" in said.splitlines()


def test_a_board_whose_words_are_too_many_is_cut() -> None:
    table = next(table for table in tables() if table.seats == 6)
    names = ["W" * 32] * 6
    for position in positions(str(table), 1)[20:60:10]:
        view = board(table, position, names)
        said = board_in_words(view.head, view.layout, ENGLISH)
        assert len(said) <= LIMIT


def test_short_names_are_cut_and_nobody_is_a_seat() -> None:
    table = next(table for table in tables() if table.seats == 6)
    assert short_names(head(table), ENGLISH) == (
        "Annabel", "Ben", "Charlotte of", "Dan", "Eve", "Friedrich-Wi",
    )  # fmt: skip


def result_of(table: Table, rounds: Sequence[tuple[int, ...]]) -> ResultView:
    outcome = Outcome.of(tuple(map(sum, zip(*rounds, strict=True))))
    return result_view(
        head=head(table), scores=outcome.scores, ranking=outcome.ranking, rounds=tuple(rounds),
        starters=NAMES[: table.seats],
    )  # fmt: skip


def test_a_result_is_told_with_its_places_and_rounds() -> None:
    alone = next(table for table in tables() if table.seats == 3)
    assert result_in_words(result_of(alone, ((3, 0, -2), (1, 4, 0))), ENGLISH) == (
        "1. Annabel: 4 points. 1. Ben: 4 points. 3. Charlotte of Hal: −2 points. "
        "Annabel by rounds: +3, +1. Ben by rounds: 0, +4. "
        "Charlotte of Hal by rounds: −2, 0."
    )


def test_teams_have_one_line() -> None:
    table = next(table for table in tables() if table.game.info.teams)
    assert result_in_words(result_of(table, ((4, 0, 4, 0),)), ENGLISH) == (
        "1. Annabel and Charlotte of Hal: 4 points. 2. Ben and Dan: 0 points."
    )


def test_of_a_long_match_its_end_is_told() -> None:
    table = next(table for table in tables() if table.seats == 6)
    said = result_in_words(result_of(table, ((10,) * 6,) * 60), ENGLISH)
    assert said.startswith("1. Annabel: 600 points. 1. Ben")
    assert "by rounds" not in said
    assert len(said) <= LIMIT


def test_leaders_are_told_with_what_they_won() -> None:
    lines = [
        LeaderLine(1, UserId(1), "Ann", 20, 12, 90, 100, Rating(34, 2.5, 20)),
        LeaderLine(2, UserId(2), "Ben", 1, 0, 3, 5, Rating(22, 8, 1)),
    ]
    assert leaders_in_words(lines, Order.WINS, ENGLISH) == (
        "1. Ann: 12 of 20 matches won. 2. Ben: 0 of one match won."
    )
    assert leaders_in_words(lines, Order.RATING, ENGLISH) == (
        "1. Ann: 12 of 20 matches won. Rating 26.5."
        " 2. Ben: 0 of one match won. Provisional rating −2.0."
    )
    assert leaders_in_words((), Order.RATING, ENGLISH) == ""
