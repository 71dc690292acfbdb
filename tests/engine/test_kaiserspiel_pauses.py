"""Who is asked at which of Kaiserspiel's pauses, and what, from the rules file."""

from __future__ import annotations

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
    legal,
    ready,
    refusal,
    run,
    worth,
)

RAISE = {"raise 1", "raise 3"}
THREE_UP = {"threeup", "pass"}

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


@pytest.mark.parametrize("dealer", range(4))
def test_eldests_captain_is_asked_first_then_the_other(dealer: int) -> None:
    eldest = (dealer + 1) % 4
    first = eldest % 2  # captains are seats 0 and 1
    state = deal(dealer=dealer)
    for _ in range(2):
        state = run(state, f"{first} pass, {1 - first} pass")
    served = [eldest, (eldest + 1) % 4]
    for pair in (served, [(seat + 2) % 4 for seat in served]):
        state = run(state, f"{pair[0]} pass, {pair[1]} pass")
        state = run(state, f"{first} pass, {1 - first} pass")
    assert GAME.actors(state) == (0, 1, 2, 3)


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


def test_two_open_banners_of_one_pause_are_asked_in_order() -> None:
    state = deal("SB BB A2 A3")
    assert asked(state) == (0, {"kaiser SB", "pass"})
    state = run(state, "0 pass")
    assert asked(state) == (1, {"kaiser BB", "pass"})
    state = run(state, "1 kaiser BB, 1 raise 1, 0 accept, 1 stay")
    assert asked(state) == (0, THREE_UP)


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


def test_only_cards_already_dealt_may_be_declared() -> None:
    """Seat 2's first two come at pause 4, everybody's others after the pauses."""
    hidden = {2: "AB A2", 0: "A3 A4 SB A5"}
    state = run(deal(PLAIN, hidden), PAUSE_1, PAUSE_2)
    assert asked(state) == (0, {"pass"})
    refusal(state, "0 kaiser SB")
    state = run(state, PAUSE_3)
    assert asked(state) == (2, {"kaiser AB", "pass"})


def test_there_is_no_pause_while_the_last_four_cards_come() -> None:
    hidden = {seat: f"{suit}2 {suit}3 {suit}4 {suit}B" for seat, suit in enumerate("ASRB")}
    state = run(deal("AK RK SK R7", {**hidden, 2: "S6 R3 R4 RB"}), *PAUSES)
    assert GAME.actors(state) == (0, 1, 2, 3)


def test_a_banner_held_back_may_be_declared_after_the_discards() -> None:
    state = run(deal(PLAIN, {0: "AB A2", 3: "RB A3"}), PAUSE_1, PAUSE_2)
    assert asked(state) == (0, {"kaiser AB", "pass"})
    state = run(state, PAUSE_3)
    assert asked(run(state, "2 pass")) == (3, {"kaiser RB", "pass"})
    state = discarded(run(state, PAUSE_4), {0: "AB", 3: "RB"})
    assert asked(state) == (0, {"kaiser AB", "pass"})
    state = run(state, "0 pass, 1 pass, 2 pass")
    assert asked(state) == (3, {"kaiser RB", "pass"})


def test_a_pause_asks_only_those_just_served() -> None:
    """Seat 0 holds back what it got at pause 3, and is not asked at pause 4."""
    state = run(deal(PLAIN, {0: "AB A2"}), PAUSE_1, PAUSE_2, PAUSE_3, "2 pass, 3 pass")
    assert asked(state) == (0, THREE_UP)


def test_all_passed_the_round_is_worth_four() -> None:
    assert worth(deal()) == 4
    assert worth(ready("S", {})) == 4


def test_nobody_acts_out_of_turn() -> None:
    state = deal()
    for seat in (1, 2, 3):
        refusal(state, f"{seat} pass")
        assert GAME.legal_actions(state, seat) == ()
    assert GAME.legal_actions(state, CHANCE) == ()
    state = run(state, "0 threeup")
    for line in ("0 accept", "2 accept", "3 accept", "1 pass", "1 threeup", "1 raise 1"):
        refusal(state, line)


def test_questions_are_numbered_by_the_actions_before() -> None:
    state = deal()
    assert GAME.question(state, 0) == 1  # the deal
    state = run(state, PAUSE_1)
    assert GAME.question(state, 0) == 3
