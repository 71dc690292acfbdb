"""Kaiserspiel says a thing once, and a new player's hand has few lines in small print."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.i18n import texts
from bot.pictures.signs import board_signs
from bot.render.alt_text import short_names
from bot.render.blocks import NEWS_LINES
from bot.render.channel import channel_message
from bot.render.components import SMALL
from bot.render.hand import SMALL_PRINT, hand_panel
from bot.render.message import picture_file
from bot.render.results import story_lines
from bot.views.values import Aid
from engine.layout import Act, Cards, SeatName, SeatRow, phrase
from tests.engine.kaiserspiel_script import four_banners
from tests.render.limits import ROW, TEXT, labels, text, walk
from tests.render.matches import Table, board, hand, positions, tables
from tests.render.samples import NOW, Position

EN = texts("en")
PICTURE = picture_file(b"what lies there")
TABLES = [table for table in tables() if table.game.info.id == "kaiserspiel"]
NAMES = ("Ann", "Ben", "Cat", "Dan")
FOUR = {table.game.info.id: table for table in reversed(tables()) if table.seats == 4}
"""A table of each game, as it usually is."""


SIGNS = "In the picture: "


def some_positions(table: Table) -> Iterator[Position]:
    for seed in range(2):
        yield from positions(str(table), seed)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_board_in_words_tells_no_news_that_stands_beside_a_name(table: Table) -> None:
    cards = 0
    for position in some_positions(table):
        view = board(table, position, NAMES)
        if view.pause is not None or view.layout.asks is None:
            continue
        said = text(channel_message(view, EN))
        assert said.lower().count("special suit") <= 1
        assert "face down" not in said.partition("Last trick")[0]
        (row,) = (block for block in view.layout.blocks if isinstance(block, SeatRow))
        told = [fact.params.get("cards") for seat in row.seats for fact in seat.facts]
        for codes in told if view.layout.asks.code not in ("asks_play", "asks_lead") else ():
            if isinstance(codes, Cards):
                for code in codes.codes:
                    assert said.count(EN.cards("kaiserspiel", [code])) == 1, said
                    cards += 1
    assert cards > 100


def test_that_a_round_is_void_is_said_once_at_its_end_and_beside_its_rounds() -> None:
    ends = ([*four_banners(seed)][-1][-1] for seed in range(20))
    void = next(state for state in ends if state.round.void)
    view = board(TABLES[0], Position(void, ()), NAMES)
    story = TABLES[0].game.story(TABLES[0].game.observe(void, None))
    assert view.pause is not None
    assert story is not None
    view = replace(view, pause=replace(view.pause, story=story))
    said = EN.phrase("kaiserspiel", phrase("round_void"), NAMES)
    assert text(channel_message(view, EN)).count(said) == 1
    assert said in story_lines(story, (0,) * 4, view.head, EN)


def test_a_board_explains_to_somebody_new_just_what_can_be_answered_there() -> None:
    """A declared Kaiser only its owner can name, and cards only whoever holds them."""
    asked = set()
    for table in TABLES:
        for position in some_positions(table):
            view = replace(board(table, position, NAMES), learns=True)
            if view.pause is not None or view.layout.asks is None or view.question is None:
                continue
            words = [EN.phrase("kaiserspiel", one, NAMES) for one in view.layout.words]
            answered = any(isinstance(control, Act) for control in view.layout.controls)
            said = text(channel_message(view, EN, PICTURE))
            assert all(said.count(one) == answered for one in words), said
            known = text(channel_message(replace(view, learns=False), EN, PICTURE))
            assert not any(one in known for one in words)
            asked.add((view.layout.asks.code, bool(words) and answered))
    assert {("asks_answer", True), ("asks_threeup", True), ("asks_play", False)} <= asked


@pytest.mark.parametrize("table", FOUR.values(), ids=str)
def test_a_board_explains_the_signs_in_its_picture_to_somebody_new(table: Table) -> None:
    explained = 0
    for position in some_positions(table):
        view = board(table, position, NAMES)
        if view.pause is None:
            new, known = (replace(view, learns=learns) for learns in (True, False))
            signs = board_signs(table.game.info.id, view.layout, short_names(view.head, EN))
            assert (SIGNS in text(channel_message(new, EN, PICTURE))) is bool(signs)
            assert SIGNS not in text(channel_message(known, EN, PICTURE))
            assert SIGNS not in text(channel_message(new, EN))
            explained += bool(signs)
    assert explained


def test_a_hand_in_words_leaves_out_who_had_nothing_to_say_before_an_answer() -> None:
    """More has happened since one's offer than there are lines for."""
    passed = [phrase("passed_kaiser", seat=SeatName(seat)) for seat in (2, 3, 1)]
    served = [phrase("served", seat=SeatName(seat), count=2) for seat in (2, 3, 0, 1)]
    answer = [phrase("called", seat=SeatName(0)), phrase("accepted", seat=SeatName(1))]
    told = (*answer, *served, *passed)
    position = next(one for one in some_positions(TABLES[0]) if TABLES[0].game.actors(one.state))
    view = replace(hand(TABLES[0], position.state, 0, NAMES), told=told)
    said = text(hand_panel(view, EN))
    assert "Ben accepts" in said
    assert sum(said.count(EN.phrase("kaiserspiel", one, NAMES)) for one in told) == NEWS_LINES


def test_an_offer_and_its_answer_stand_in_one_line_above_a_picture() -> None:
    told = (
        phrase("declared", seat=SeatName(2), cards=Cards(("SB",))),
        phrase("called", seat=SeatName(0)),
        phrase("accepted_worth", seat=SeatName(1), value=7),
        phrase("passed_threeup", seat=SeatName(1)),
    )
    position = next(one for one in some_positions(TABLES[0]) if TABLES[0].game.actors(one.state))
    view = replace(hand(TABLES[0], position.state, 0, NAMES), told=told)
    said = text(hand_panel(view, EN, PICTURE))
    assert "\nAnn calls three up · Ben accepts: now worth 7\n" in said
    assert "Kaiser" not in said.partition("now worth 7")[0], "what was before"


def test_what_the_clock_did_is_told_above_a_picture_as_long_as_it_is_new() -> None:
    late = phrase("table.time_up", seat=SeatName(1))
    passed = phrase("passed_kaiser", seat=SeatName(2))
    position = next(one for one in some_positions(TABLES[0]) if TABLES[0].game.actors(one.state))
    view = hand(TABLES[0], position.state, 0, NAMES)
    said = EN.phrase("kaiserspiel", late, NAMES)
    for after, is_new in ((NEWS_LINES - 1, True), (NEWS_LINES, False)):
        shown = text(hand_panel(replace(view, told=(late, *[passed] * after)), EN, PICTURE))
        assert (said in shown) == is_new


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_buttons_stand_at_the_picture_and_words_are_explained_below_them(table: Table) -> None:
    explained = 0
    for position in some_positions(table):
        for seat in table.game.actors(position.state):
            if seat < 0:
                continue
            view = replace(hand(table, position.state, seat, NAMES), coached=True, learns=True)
            said = [EN.phrase("kaiserspiel", one, NAMES) for one in view.layout.words]
            shown = list(walk(hand_panel(view, EN, PICTURE).components))
            last = max(place for place, part in enumerate(shown) if part["type"] == ROW)
            below = "".join(part["content"] for part in shown[last:] if part["type"] == TEXT)
            assert all(one in below for one in said)
            explained += len(said)
    assert explained > 50


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_hand_explains_what_is_not_said_already(table: Table) -> None:
    asked = set()
    for position in some_positions(table):
        for seat in table.game.actors(position.state):
            if seat < 0:
                continue
            view = hand(table, position.state, seat, NAMES)
            view = replace(
                view, coached=True, learns=True, hints=True, due=NOW, told=position.told[-6:]
            )
            said = text(hand_panel(view, EN, PICTURE))
            lines = [line for line in said.splitlines() if line.startswith(SMALL)]
            assert len(lines) <= SMALL_PRINT, said
            assert said.count("nobody can tell") <= 1, said
            assert "Special suit: " not in said or "Trumps of " not in said, said
            asked.add(None if view.layout.asks is None else view.layout.asks.code)
    assert len(asked) > 3


def test_what_answers_a_press_stands_above_the_buttons_and_its_details_below() -> None:
    """On a phone a press seems to do nothing where its answer is below the screen."""
    table = TABLES[0]
    position = next(
        one for one in some_positions(table) if min(table.game.actors(one.state), default=-1) >= 0
    )
    view = hand(table, position.state, table.game.actors(position.state)[0], NAMES)
    view = replace(view, coached=True, hints=True)
    aid = Aid("hint", ("Play on.",), ("One in two.",))
    shown = hand_panel(replace(view, aid=aid), EN, PICTURE)
    kinds = [
        part["content"] if part["type"] == TEXT else part["type"]
        for part in shown.components[0]["components"]
    ]
    first_row = kinds.index(ROW)
    said = {line: place for place, one in enumerate(kinds) for line in str(one).splitlines()}
    assert said["> Play on."] < first_row < said["> One in two."]
    assert {"Hint", "No more tips"} <= {*labels(hand_panel(view, EN, PICTURE))}
    assert not {"Hint", "No more tips"} & {*labels(shown)}, "it is there, in place of the tip"
    barred = any(not group.idle for group in view.layout.barred)
    assert ("Why dimmed?" in labels(shown)) == barred
    guess = hand_panel(replace(view, aid=aid._replace(kind="guess")), EN, PICTURE)
    assert "Hint" in labels(guess), "there may be time to think later"
    why = replace(view, aid=aid._replace(kind="why"))
    assert "Hint" in labels(hand_panel(why, EN, PICTURE))


def test_a_tip_the_goal_and_words_stand_in_that_order_and_a_hint_in_their_place() -> None:
    """Picture and buttons fit on one screen, and what explains them does not change its place."""
    table = TABLES[0]
    position = next(
        one for one in some_positions(table) if min(table.game.actors(one.state), default=-1) >= 0
    )
    view = hand(table, position.state, table.game.actors(position.state)[0], NAMES)
    view = replace(view, learns=True)
    goal = EN.phrase("kaiserspiel", view.layout.goal, NAMES) if view.layout.goal else ""
    words = [EN.phrase("kaiserspiel", one, NAMES) for one in view.layout.words]
    assert goal
    assert words
    coached = text(hand_panel(replace(view, coached=True), EN, PICTURE))
    hinted = text(hand_panel(replace(view, aid=Aid("hint", ("Play on.",))), EN, PICTURE))
    places = [coached.index(one) for one in ("💡", goal, *words)]
    assert places == sorted(places)
    assert "> Play on." in hinted
    assert not any(one in hinted for one in (goal, *words)), "a hint takes their place"
