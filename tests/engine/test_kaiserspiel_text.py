"""The rules that players read say what the game does."""

from __future__ import annotations

import re
from functools import partial
from typing import Final

import pytest

from bot.i18n import languages, rules_pages, texts
from engine.games.kaiserspiel import GAME
from engine.layout import Cards, Suit, phrase
from tests.conformance.reading import phrases
from tests.engine.kaiserspiel_script import deal, start, trick

PAGES: Final = [page.replace("\u2060", "") for page in rules_pages("kaiserspiel", "en")]
MARKS: Final = {"🌰": "A", "🌹": "R", "🛡️": "S", "🔔": "B"}
EXAMPLES: Final = re.findall(r"^- ((?:\S+ )+)→ \*\*(\S+)\*\*", "\n".join(PAGES), re.MULTILINE)


def codes(text: str) -> str:
    """`🌰O 🔔B (Mugg)` as the notation of the tests has it: `AO BB!`."""
    for mark, suit in MARKS.items():
        text = text.replace(mark, suit)
    return text.replace(" (Mugg)", "!").strip()


def test_house_decisions_are_shown_as_such() -> None:
    """Each `[house]` footnote is asked for in the text (that marks fit is tested for all games)."""
    *body, last = PAGES
    house = set(re.findall(r"^\[(\d+)\].*\[house\]", last, re.MULTILINE))
    asked = [number for page in body for number in re.findall(r"\[(\d+)\]", page)]
    assert len([number for number in asked if number in house]) >= 15


@pytest.mark.parametrize(("played", "winner"), EXAMPLES)
def test_the_examples_of_tricks_are_right(played: str, winner: str) -> None:
    assert trick("R", codes(played)) == codes(winner)


def test_all_vectors_of_the_rules_are_among_the_examples() -> None:
    assert {codes(played) for played, _ in EXAMPLES} == {
        "AO R3 AK R6", "AO R3 AK A2", "AO R3 SK A2", "R7 R5 BB! A2",
        "R7 RU A2 A3", "R7 RU R5 A3", "RO RK AK A2", "RO AK A2 A3",
    }  # fmt: skip


@pytest.mark.parametrize(("target", "said"), [(1, "to 1 point "), (41, "to 41 points ")])
def test_the_points_to_play_to_are_counted(target: int, said: str) -> None:
    layout = GAME.layout(GAME.observe(deal(before=start(target=target)), None))
    (line,) = [one for one in phrases(layout) if one.code == "round_line"]
    assert said in texts("en").phrase("kaiserspiel", line)


@pytest.mark.parametrize("language", languages())
def test_a_board_says_in_the_words_of_the_log_what_the_cut_card_is(language: str) -> None:
    cut = Cards(("RK",))
    said = partial(texts(language).phrase, "kaiserspiel")
    line = said(phrase("round_line", number=1, count=41, cut=cut))
    _, what = said(phrase("was_cut", cards=cut)).split(", ")
    assert line.endswith(f", {what}")


@pytest.mark.parametrize("language", languages())
def test_where_the_seven_is_said_to_win_the_under_is_named(language: str) -> None:
    for code in ("bounds_seven", "bounds_seven_sure"):
        said = texts(language).phrase("kaiserspiel", phrase(code, suit=Suit("R")))
        assert re.search(r"\b7\b.*\bU\b", said)
