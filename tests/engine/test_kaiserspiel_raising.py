"""Kaiserspiel's pauses, raises, Spieldrei, discards and More Kaisers, from the rules file."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from engine.game import CHANCE
from tests.engine.kaiserspiel_script import (
    GAME,
    MORE,
    PAUSE_1,
    PAUSE_2,
    PAUSE_3,
    PAUSE_4,
    PAUSES,
    PLAIN,
    asked,
    deal,
    discarded,
    hand,
    legal,
    refusal,
    run,
    worth,
)

RAISE = {"raise 1", "raise 3"}
ANSWER = {"accept", "resign"}
LIFT = {"lift", "stay"}
THREE_UP = {"threeup", "pass"}
OPEN_BANNER = "AB R2 SK BK"
"""Eldest, a captain, has an open Banner: asked at pause 1."""


def scores(state: Any) -> tuple[int, ...] | None:
    return GAME.round_scores(state)


# --- Pauses 1 and 2 -------------------------------------------------------------------------------


def test_without_an_open_banner_only_the_captains_are_asked() -> None:
    state = deal()
    assert asked(state) == (0, THREE_UP)
    state = run(state, "0 pass")
    assert asked(state) == (1, THREE_UP)
    state = run(state, "1 pass")
    assert asked(state) == (0, THREE_UP)  # pause 2
    state = run(state, "0 pass, 1 pass")
    assert asked(state) == (0, {"pass"})  # pause 3: has it a Banner?


@pytest.mark.parametrize("owner", range(4))
def test_the_owner_of_an_open_banner_is_asked_once_and_at_its_own_pause(owner: int) -> None:
    opened = ["AK", "R2", "SK", "BK"]
    opened[owner] = "SB"
    state = deal(" ".join(opened))
    if owner >= 2:
        state = run(state, PAUSE_1)
    assert asked(state) == (owner, {"kaiser SB", "pass"})
    for word in ("threeup", "accept", "raise 1", "stay", "kaiser AB", "kaiser RB"):
        refusal(state, f"{owner} {word}")
    passed = run(state, f"{owner} pass")
    assert asked(passed) == (0, THREE_UP)
    captain, other = owner % 2, 1 - owner % 2
    declared = run(state, f"{owner} kaiser SB")
    assert asked(declared) == (captain, RAISE)
    declared = run(declared, f"{captain} raise 3, {other} accept")
    assert asked(declared) == (0, THREE_UP)  # there is nothing left to declare


def test_an_open_banner_not_declared_is_an_ordinary_card_for_the_round() -> None:
    hidden = {0: "A2 A3", 1: "SU S7", 2: "A4 A5", 3: "A6 A7"}
    state = run(deal("SB R2 AK BK", hidden), "0 pass", PAUSE_1, PAUSE_2)
    assert asked(state) == (0, {"pass"})  # pause 3
    refusal(state, "0 kaiser SB")
    state = run(state, PAUSE_3, PAUSE_4)
    assert "discard A2 SB" in legal(state, 0)
    state = discarded(state, {0: "SB", 1: "SU", 2: "A4", 3: "A6"})
    assert asked(state) == (0, {"pass"})  # More Kaisers
    refusal(state, "0 kaiser SB")
    state = run(state, MORE, "0 play SB, 1 play SU, 2 play A4, 3 play A6")
    assert GAME.actors(state) == (1,)


# --- Pauses 3 and 4 -------------------------------------------------------------------------------


def test_both_seats_just_served_are_asked_whether_they_hold_a_banner_or_not() -> None:
    state = run(deal(), PAUSE_1, PAUSE_2)
    for seat in (0, 1):
        assert asked(state) == (seat, {"pass"})
        refusal(state, f"{seat} kaiser AB")
        state = run(state, f"{seat} pass")
    state = run(state, "0 pass, 1 pass")
    for seat in (2, 3):
        assert asked(state) == (seat, {"pass"})
        state = run(state, f"{seat} pass")
    assert asked(state) == (0, THREE_UP)


def test_after_a_kaiser_the_same_seat_is_asked_again_until_it_passes() -> None:
    state = run(deal(PLAIN, {2: "AB BB"}), PAUSE_1, PAUSE_2, PAUSE_3)
    assert asked(state) == (2, {"kaiser AB", "kaiser BB", "pass"})
    state = run(state, "2 kaiser BB, 0 raise 3, 1 accept")
    assert asked(state) == (2, {"kaiser AB", "pass"})
    refusal(state, "2 kaiser BB")
    once = run(state, "2 pass")
    assert asked(once) == (3, {"pass"})
    state = run(state, "2 kaiser AB, 0 raise 1, 1 accept, 0 stay")
    assert asked(state) == (2, {"pass"})
    state = run(state, "2 pass")
    assert asked(state) == (3, {"pass"})


def test_a_banner_held_back_may_be_declared_after_the_discards() -> None:
    state = run(deal(PLAIN, {0: "AB A2", 3: "RB A3"}), PAUSE_1, PAUSE_2)
    assert asked(state) == (0, {"kaiser AB", "pass"})
    state = run(state, PAUSE_3)
    assert asked(run(state, "2 pass")) == (3, {"kaiser RB", "pass"})
    state = discarded(run(state, PAUSE_4), {0: "AB", 3: "RB"})
    assert asked(state) == (0, {"kaiser AB", "pass"})
    state = run(state, "0 pass, 1 pass, 2 pass")
    assert asked(state) == (3, {"kaiser RB", "pass"})


def test_questions_are_numbered_by_the_actions_before() -> None:
    state = deal()
    assert GAME.question(state, 0) == 1  # the deal
    state = run(state, PAUSE_1)
    assert GAME.question(state, 0) == 3


# --- The raise after a Kaiser ---------------------------------------------------------------------


@pytest.mark.parametrize("owner", range(4))
def test_the_declaring_teams_captain_offers_and_the_other_captain_answers(owner: int) -> None:
    opened = ["AK", "R2", "SK", "BK"]
    opened[owner] = "AB"
    state = run(deal(" ".join(opened)), *([PAUSE_1] if owner >= 2 else []))
    captain, other = owner % 2, 1 - owner % 2
    state = run(state, f"{owner} kaiser AB")
    assert asked(state) == (captain, RAISE)
    refusal(state, f"{captain} pass")
    refusal(state, f"{captain} threeup")
    for offer in ("raise 1", "raise 3"):
        assert asked(run(state, f"{captain} {offer}")) == (other, ANSWER)


@pytest.mark.parametrize(
    ("script", "value"),
    [
        ("0 raise 1, 1 accept, 0 stay", 5),
        ("0 raise 3, 1 accept", 7),
        ("0 raise 1, 1 accept, 0 lift, 1 accept", 7),
    ],
)
def test_accepted_points_are_added_to_the_value(script: str, value: int) -> None:
    assert worth(run(deal(OPEN_BANNER), "0 kaiser AB", script)) == value


@pytest.mark.parametrize(
    ("script", "points"),
    [
        ("0 raise 1, 1 resign", 4),
        ("0 raise 3, 1 resign", 4),
        ("0 raise 1, 1 accept, 0 lift, 1 resign", 5),
    ],
)
def test_who_resigns_loses_the_value_before_the_open_offer(script: str, points: int) -> None:
    state = run(deal(OPEN_BANNER), "0 kaiser AB", script)
    assert scores(state) == (points, 0, points, 0)
    assert GAME.scores(state) == (points, 0, points, 0)
    assert GAME.actors(state) == (CHANCE,)


def test_only_an_accepted_one_may_be_lifted_once() -> None:
    state = run(deal(OPEN_BANNER), "0 kaiser AB, 0 raise 1, 1 accept")
    assert asked(state) == (0, LIFT)
    assert asked(run(state, "0 stay")) == (0, THREE_UP)
    state = run(state, "0 lift")
    assert asked(state) == (1, ANSWER)
    state = run(state, "1 accept")
    assert asked(state) == (0, THREE_UP)
    assert asked(run(deal(OPEN_BANNER), "0 kaiser AB, 0 raise 3, 1 accept")) == (0, THREE_UP)


def test_raises_add_up() -> None:
    state = run(deal("AB RB SB BK", {3: "A2 A3"}), "0 kaiser AB, 0 raise 3, 1 accept")  # 7
    state = run(state, "1 kaiser RB, 1 raise 1, 0 accept, 1 stay")  # 8
    state = run(state, "0 threeup, 1 accept, 1 pass")  # 11
    state = run(state, "2 kaiser SB, 0 raise 1, 1 accept, 0 lift")
    assert worth(run(state, "1 accept")) == 14
    assert scores(run(state, "1 resign")) == (12, 0, 12, 0)


# --- Spieldrei ------------------------------------------------------------------------------------


def test_spieldrei_adds_three_or_ends_the_round_at_the_value_before() -> None:
    state = run(deal(), "0 threeup")
    assert asked(state) == (1, ANSWER)
    assert scores(run(state, "1 resign")) == (4, 0, 4, 0)
    state = run(state, "1 accept")
    assert asked(state) == (1, THREE_UP)
    assert worth(state) == 7
    state = run(state, "1 threeup")
    assert asked(state) == (0, ANSWER)
    assert scores(run(state, "0 resign")) == (0, 7, 0, 7)
    assert worth(run(state, "0 accept")) == 10


def test_who_called_last_is_not_asked_until_the_others_have_called() -> None:
    state = run(deal(), "0 threeup, 1 accept, 1 pass, 1 pass", "0 pass, 1 pass")
    assert asked(state) == (1, THREE_UP)  # pause 3
    refusal(state, "0 threeup")
    state = run(state, "1 threeup, 0 accept")
    assert asked(state) == (0, THREE_UP)
    state = run(state, "0 pass", "2 pass, 3 pass")
    assert asked(state) == (0, THREE_UP)  # pause 4: the ban is the others' now
    state = run(state, "0 pass")
    assert GAME.actors(state) == (0, 1, 2, 3)


@pytest.mark.parametrize("pause", range(4))
def test_spieldrei_comes_at_every_pause_after_the_declarations(pause: int) -> None:
    state = run(deal(), *PAUSES[:pause])
    state = run(state, *(["0 pass, 1 pass"] if pause == 2 else []))
    state = run(state, *(["2 pass, 3 pass"] if pause == 3 else []))
    assert asked(state) == (0, THREE_UP)
    assert scores(run(state, "0 pass, 1 threeup, 0 resign")) == (0, 4, 0, 4)


# --- Discards -------------------------------------------------------------------------------------


def test_everyone_discards_any_two_at_once() -> None:
    state = run(deal(), *PAUSES)
    assert GAME.actors(state) == (0, 1, 2, 3)
    for seat in range(4):
        held = sorted(hand(state, seat), key=GAME.pack(4, {"target": 41}).index)
        assert len(held) == 7
        assert legal(state, seat) == {f"discard {a} {b}" for a, b in combinations(held, 2)}


def test_a_declared_kaiser_may_not_be_discarded_any_other_banner_may() -> None:
    hidden = {0: "RB A2 A3 A4 SB A5"}
    state = run(deal("AB R2 SK BK", hidden), "0 kaiser AB, 0 raise 3, 1 accept", PAUSE_1, PAUSE_2)
    state = run(state, "0 kaiser RB, 0 raise 3, 1 accept", PAUSE_3, PAUSE_4)
    assert hand(state, 0) == {"SB", "A2", "A3", "A4", "A5"}
    assert len(legal(state, 0)) == 10
    refusal(state, "0 discard AB RB")
    refusal(state, "0 discard A2 RB")
    state = discarded(run(state, "0 discard A2 SB"))
    assert asked(state) == (0, {"pass"})
    state = run(state, MORE)
    assert hand(state, 0) == {"AB", "RB", "A3", "A4", "A5"}


# --- More Kaisers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_every_seat_is_asked_for_more_kaisers_from_eldest(dealer: int) -> None:
    state = deal(dealer=dealer)
    while len(GAME.actors(state)) == 1:
        state = run(state, f"{GAME.actors(state)[0]} pass")
    state = discarded(state)
    for turn in range(1, 5):
        seat = (dealer + turn) % 4
        assert asked(state) == (seat, {"pass"})
        state = run(state, f"{seat} pass")
    seat, texts = asked(state)
    assert seat == (dealer + 1) % 4  # eldest leads
    assert all(text.startswith("play ") for text in texts)
