"""Kaiserspiel's notation, and what is answered for people who do not, from the specifications."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import NotationError, RuleError
from tests.engine.kaiserspiel_script import (
    GAME,
    MORE,
    PAUSE_1,
    PAUSE_2,
    PAUSE_4,
    PAUSES,
    deal,
    discarded,
    run,
)

# --- Notation -------------------------------------------------------------------------------------


# --- Chosen cards ---------------------------------------------------------------------------------


def test_two_chosen_cards_are_a_discard() -> None:
    state = run(deal("AK R2 SK BK", {0: "A2 S3"}), *PAUSES)
    view = GAME.observe(state, 0)
    assert GAME.compose(view, ["S3", "A2"], frozenset()) == GAME.parse_action("discard A2 S3")
    for wrong in ([], ["A2"], ["A2", "S3", "AK"], ["A2", "A2"], ["A2", "A8"]):
        with pytest.raises(NotationError):
            GAME.compose(view, wrong, frozenset())


def test_cards_mean_nothing_where_no_discard_is_asked_for() -> None:
    state = run(deal("AK R2 SK BK", {0: "A2 S3"}), "0 threeup, 1 accept")
    for each in (state, run(state, "1 threeup, 0 resign")):
        with pytest.raises(RuleError):
            GAME.compose(GAME.observe(each, 0), ["A2", "S3"], frozenset())


# --- Whoever does not answer, and whoever passes for the whole deal -------------------------------


def default(state: Any, seat: int) -> str:
    return GAME.format_action(GAME.default_action(GAME.observe(state, seat)))


def standing(state: Any, seat: int) -> str | None:
    answer = GAME.standing_action(GAME.observe(state, seat))
    return None if answer is None else GAME.format_action(answer)


def test_what_the_clock_answers() -> None:
    """And what a standing pass does not: it never answers what costs anything."""
    state = deal("AB R2 SK BK", {0: "RB A2"})
    assert default(state, 0) == standing(state, 0) == "pass"
    state = run(state, "0 kaiser AB")
    assert (default(state, 0), standing(state, 0)) == ("raise 1", None)
    state = run(state, "0 raise 1")
    assert (default(state, 1), standing(state, 1)) == ("accept", None)
    state = run(state, "1 accept")
    assert (default(state, 0), standing(state, 0)) == ("stay", None)
    state = run(state, "0 stay")
    assert default(state, 0) == standing(state, 0) == "pass"
    called = run(state, "0 threeup")
    assert (default(called, 1), standing(called, 1)) == ("accept", None)
    state = run(state, PAUSE_1, PAUSE_2)
    assert default(state, 0) == standing(state, 0) == "pass"  # it holds a Banner
    state = run(state, "0 pass")
    assert default(state, 1) == standing(state, 1) == "pass"  # it has none
    assert standing(state, 2) is None  # not asked
    state = run(state, "1 pass", PAUSE_1, PAUSE_4)
    assert [standing(state, seat) for seat in range(4)] == [None] * 4
    state = discarded(state, {0: "RB"})
    assert default(state, 0) == standing(state, 0) == "pass"
    state = run(state, MORE)
    assert standing(state, 0) is None


def test_by_default_the_two_lowest_are_discarded_banners_last() -> None:
    hidden = {0: "AB RB SB BB AO A5", 1: "A4 SU S4 B4 SO S5"}
    state = run(deal("AK R2 SK BK", hidden), *PAUSES)
    assert default(state, 0) == "discard AO A5"
    assert default(state, 1) == "discard A4 R2"
    hidden = {0: "AB RB SB BB B2 AO"}
    state = run(deal("BK R2 SK RK", hidden), *PAUSES)
    assert default(state, 0) == "discard AO B2"
    hidden = {2: "S4 A4 B4 R4 S3 SO"}
    state = run(deal("BK R2 SK RK", hidden), *PAUSES)
    assert default(state, 2) == "discard A4 S3"


def test_by_default_the_lowest_card_is_played_face_up_banners_last() -> None:
    hidden = {0: "AB RB A4 S4 S3 B2", 1: "A5 S5 B5 R5 SO SU", 2: "BB SB AO RO BO RU"}
    kept = {0: "AB RB S4 A4 AK", 1: "A5 S5 B5 R5 SU", 2: "BB SB SK BO RO"}
    state = discarded(run(deal("AK R2 SK BK", hidden), *PAUSES), kept)
    state = run(state, MORE)
    for seat, lowest in ((0, "play A4"), (1, "play A5"), (2, "play RO")):
        assert default(state, seat) == lowest
        state = run(state, f"{seat} {lowest}")
