"""Kaiserspiel's tricks, ranks, rounds and matches, from the rules file."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import pytest

from engine.game import CHANCE, Outcome, RuleError
from tests.engine.kaiserspiel_script import (
    GAME,
    asked,
    deal,
    hand,
    ready,
    refusal,
    run,
    start,
    trick,
    trick_played,
    worth,
)

# --- Leading and following ------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_eldest_leads_face_up_and_all_others_may_play_anything_either_way(dealer: int) -> None:
    state = ready("R", {}, dealer=dealer)
    for turn in range(4):
        seat, texts = asked(state)
        assert seat == (dealer + 1 + turn) % 4
        up = {f"play {card}" for card in hand(state, seat)}
        assert len(up) == 5
        assert texts == (up if not turn else up | {f"{text} down" for text in up})
        state = run(state, f"{seat} {min(texts)}")


def test_a_lead_lies_face_up() -> None:
    state = ready("R", {0: "AO A2", 1: "AK", 2: "S2", 3: "S3"})
    refusal(state, "0 play AO down")
    state = trick_played(state, "AO (AK) (S2) (S3)")
    assert asked(state)[0] == 0
    refusal(state, "0 play A2 down")


def test_the_winner_leads_the_next_trick() -> None:
    state = ready("R", {0: "AO S3", 1: "AU S4", 2: "AK S5", 3: "A2 S6"})
    state = trick_played(state, "AO AU AK A2")
    assert asked(state)[0] == 2
    state = trick_played(state, "S5 S6 S3 S4")
    assert asked(state)[0] == 3


# --- Who wins: the vectors and the three rules ----------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("AO R3 AK R6", "R6"),
        ("AO R3 AK A2", "AK"),
        ("AO R3 SK A2", "R3"),
        ("R7 R5 BB! A2", "R7"),
        ("R7 RU A2 A3", "RU"),
        ("R7 RU R5 A3", "R5"),
        ("RO RK AK A2", "RK"),
        ("RO AK A2 A3", "RO"),
    ],
)
def test_the_vectors_of_the_rules(cards: str, winner: str) -> None:
    assert trick("R", cards) == winner


def test_plain_order_of_a_suit() -> None:
    for high, low in combinations("KOUB765432", 2):
        assert trick("R", f"A{low} SK A{high} BK") == f"A{high}"
        assert trick("R", f"A{high} SK A{low} BK") == f"A{high}"


# --- Rounds ---------------------------------------------------------------------------------------

SWEEP: Final = {
    0: "AK AO AU A7 A6",
    1: "S2 S3 S4 S5 S6",
    2: "B2 B3 B4 B5 B6",
    3: "A2 A3 A4 A5 S7",
}


def test_the_first_team_with_three_tricks_wins_and_the_round_stops() -> None:
    state = ready("R", SWEEP)
    for lead in ("AK S2 B2 A2", "AO S3 B3 A3"):
        state = trick_played(state, lead)
        assert GAME.round_scores(state) is None
    state = trick_played(state, "AU S4 B4 A4")
    assert GAME.round_scores(state) == (4, 0, 4, 0)
    assert GAME.scores(state) == (4, 0, 4, 0)
    assert GAME.actors(state) == (CHANCE,)


def test_partners_tricks_count_together() -> None:
    kept = {0: "AK A2 S7 S2 A7", 1: "A3 A4 SU SB SO", 2: "AU AO S4 BK B2", 3: "A5 A6 S3 S5 S6"}
    state = ready("R", kept)
    state = trick_played(state, "AK A3 AU A5")  # 0
    state = trick_played(state, "A2 A4 AO A6")  # 2
    state = trick_played(state, "BK (S3) (S7) (SU)")  # 2
    assert GAME.round_scores(state) == (4, 0, 4, 0)


def test_the_winners_score_the_raised_value() -> None:
    state = ready("R", {**SWEEP, 3: "AB A3 A4 A5 S7"}, kaisers=("AB",))
    assert worth(state) == 5


# --- The match ------------------------------------------------------------------------------------


def match(target: int) -> Any:
    return deal(before=start(target), dealer=3)


def test_the_match_ends_when_a_team_reaches_the_target() -> None:
    state = run(match(8), "0 threeup, 1 resign")
    assert GAME.scores(state) == (4, 0, 4, 0)
    assert GAME.outcome(state) is None
    state = run(deal(before=state), "1 threeup, 0 accept, 0 threeup, 1 resign")
    assert GAME.outcome(state) == Outcome((11, 0, 11, 0), (1, 3, 1, 3))
    assert GAME.actors(state) == ()
    with pytest.raises(RuleError):
        deal(before=state)


def test_a_target_reached_exactly_is_reached() -> None:
    assert GAME.outcome(run(match(4), "0 threeup, 1 resign")) == Outcome((4, 0, 4, 0), (1, 3, 1, 3))
    assert GAME.outcome(run(match(5), "0 threeup, 1 resign")) is None
