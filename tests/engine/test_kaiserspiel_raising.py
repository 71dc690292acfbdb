"""Kaiserspiel's raises, Spieldrei, discards and More Kaisers, from the rules file."""

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
    act,
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


def test_teams_may_call_in_turn_without_end() -> None:
    state = deal()
    for call in range(20):
        state = run(state, f"{call % 2} threeup, {1 - call % 2} accept")
    assert asked(state) == (0, THREE_UP)
    assert worth(state) == 64


def test_after_an_accepted_call_only_the_other_captain_is_asked_once() -> None:
    state = run(deal(), "0 threeup, 1 accept, 1 pass")
    assert asked(state) == (1, THREE_UP)  # pause 2, where the first may not call
    state = run(state, "1 pass")
    assert asked(state) == (0, {"pass"})  # pause 3, its declarations


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


def test_a_discard_makes_no_other_question_stale() -> None:
    state = run(deal(), *PAUSES)
    numbers = {seat: GAME.question(state, seat) for seat in range(4)}
    assert len(set(numbers.values())) == 1
    for seat in (2, 0, 3):
        state = act(state, seat, min(legal(state, seat)))
        assert seat not in GAME.actors(state)
        assert legal(state, seat) == set()
        for other in GAME.actors(state):
            assert GAME.question(state, other) == numbers[other]
    refusal(state, "2 discard " + min(legal(state, 1)).removeprefix("discard "))
    last = act(state, 1, min(legal(state, 1)))
    assert GAME.question(last, 0) > numbers[0]


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


def test_more_kaisers_are_declared_one_at_a_time_each_with_its_raise() -> None:
    kept = {2: "AB SB", 3: "RB"}
    hidden = {2: "A2 A3 AB A4 SB A5", 3: "S2 S3 S4 S5 RB S6"}
    state = discarded(run(deal(PLAIN, hidden), *PAUSES), kept)
    state = run(state, "0 pass, 1 pass")
    assert asked(state) == (2, {"kaiser AB", "kaiser SB", "pass"})
    state = run(state, "2 kaiser SB")
    assert asked(state) == (0, RAISE)
    state = run(state, "0 raise 1")
    assert asked(state) == (1, ANSWER)
    assert scores(run(state, "1 resign")) == (4, 0, 4, 0)
    state = run(state, "1 accept")
    assert asked(state) == (0, LIFT)
    state = run(state, "0 stay")
    assert asked(state) == (2, {"kaiser AB", "pass"})
    state = run(state, "2 kaiser AB, 0 raise 3, 1 accept")
    assert asked(state) == (2, {"pass"})
    state = run(state, "2 pass")
    assert asked(state) == (3, {"kaiser RB", "pass"})
    state = run(state, "3 kaiser RB, 1 raise 3")
    assert scores(run(state, "0 resign")) == (0, 8, 0, 8)
    state = run(state, "0 accept")
    assert asked(state) == (3, {"pass"})
    assert worth(state) == 11
