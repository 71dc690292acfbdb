"""A hand of Auf und Ab says how the series before ended, in two lines, and nothing twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bot.emojis import DECKS, know_emojis, name_of
from bot.i18n import texts
from bot.operate.emojis import keys
from bot.render.blocks import COVERED
from bot.render.emoji_texts import illustrated
from bot.render.hand import hand_panel
from bot.render.message import picture_file
from bot.views.values import HandView
from engine.layout import CardRow, Cards, LastSet, SeatName, phrase
from tests.render.limits import text
from tests.render.matches import hand, positions, tables

EN = texts("en")
PICTURE = picture_file(b"what lies there")
TABLES = [table for table in tables() if table.game.info.id == "aufundab"]
NAMES = ("Ann", "Ben", "Cat", "Dan")


def asked() -> Iterator[HandView]:
    for table in TABLES:
        for seed in range(3):
            for position in positions(str(table), seed):
                for seat in table.game.actors(position.state):
                    if seat >= 0 and table.game.round_scores(position.state) is None:
                        view = hand(table, position.state, seat, NAMES[: table.seats])
                        yield replace(view, learns=True)


def test_whoever_is_asked_is_told_above_the_picture_how_the_series_before_ended() -> None:
    told = 0
    for view in asked():
        layout = view.layout
        lasts = [one for one in (*layout.blocks, *layout.more) if isinstance(one, LastSet)]
        said = text(hand_panel(view, EN, PICTURE))
        assert said.count("takes the series and leads") == len(lasts)
        if layout.more:
            assert said.splitlines()[1].startswith("Last series: ")
            told += 1
    assert told > 20


def test_below_the_picture_stand_the_sets_that_were_covered_since_ones_last_turn() -> None:
    """No picture shows them; the one that lies there it does, and words show all."""
    covered = split = 0
    for table in TABLES:
        for position in positions(str(table), 0):
            for seat in table.game.actors(position.state):
                if seat < 0 or table.game.round_scores(position.state) is not None:
                    continue
                view = replace(hand(table, position.state, seat, NAMES), told=position.told[-9:])
                sets = [one for one in view.told if one.code in ("played", "played_double")][:-1]
                sets = [one for one in sets if one.params["seat"] != SeatName(seat)]
                follows = any(
                    isinstance(one, CardRow) and one.role == "table" for one in view.layout.blocks
                )
                said = text(hand_panel(view, EN, PICTURE))
                since = [line for line in said.splitlines() if "Played before it: " in line]
                assert len(since) == (follows and bool(sets))
                said_of = [EN.phrase("aufundab", one, view.head.names) for one in sets[-COVERED:]]
                parts = [re.sub(" ▸ next series: ", " · ", line) for line in since]
                assert all(line.endswith("before it: " + " · ".join(said_of)) for line in parts)
                split += since != parts
                assert "Played before it: " not in text(hand_panel(view, EN))
                assert "Played before it: " not in text(
                    hand_panel(replace(view, question=None), EN, PICTURE)
                )
                covered += len(since)
    assert covered > 20
    assert split > 5, "several series"


@pytest.mark.parametrize("picture", [PICTURE, None])
def test_the_change_cards_of_a_series_are_counted_once(picture: object) -> None:
    counted = 0
    for view in asked():
        said = text(hand_panel(view, EN, PICTURE if picture else None))
        assert said.count("hange cards") == 1
        counted += "covered ones too: " in said
    assert counted > 20


def test_cards_that_are_turned_are_all_words() -> None:
    """Only a double looks the same both ways, and would be an emoji among words."""
    deck = next(iter(DECKS))
    know_emojis({name_of(deck, key, "1a2b3c"): 10**18 + n for n, key in enumerate(keys())})
    shown = illustrated(EN, deck)
    for turned, words in ((True, True), (False, False)):
        cards = Cards(("5-5", "0-5"), turned=turned)
        said = shown.phrase("aufundab", phrase("won_out", seat=SeatName(0), cards=cards), NAMES)
        assert ("<:" not in said) == words, said
