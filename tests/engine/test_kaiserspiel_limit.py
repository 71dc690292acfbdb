"""Kaiserspiel's switch `limit`: no offer lifts the value above what is still needed.

From the rules file.  N is what the team further from the target still needs when the round begins;
above max(N, 4) nothing is offered.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import CHANCE, Event, RoundHead
from engine.verify import verify
from tests.engine.kaiserspiel_script import (
    GAME,
    asked,
    deal,
    legal,
    pack,
    refusal,
    run,
    start,
    worth,
)
from tests.engine.records import good

RAISE = {"raise 1", "raise 3"}
RAISE_1 = {"raise 1"}
ANSWER = {"accept", "resign"}
OPEN_BANNER = "AB R2 SK BK"
"""Eldest, a captain, has an open Banner: asked at pause 1."""


def begun(target: int, opened: str = "AK R2 SK BK", hidden: dict[int, str] | None = None) -> Any:
    """The first round of a match to so many points, which both teams need."""
    return deal(opened, hidden, before=start(target, limit=True))


# What a match says.


def test_new_matches_have_the_limit_and_those_of_before_have_none() -> None:
    assert GAME.complete_options(4, {}) == {"limit": True, "target": 41}
    assert GAME.complete_options(4, {"limit": False}) == {"limit": False, "target": 41}
    (option,) = (spec for spec in GAME.info.options if spec.key == "limit")
    assert option.parameter is None, "a switch of the house: /newgame does not offer it"
    assert option.before is False
    for options, most in (
        ({"target": 20}, None),
        ({"limit": False, "target": 20}, None),
        ({"limit": True, "target": 20}, 20),
    ):
        state = deal(before=GAME.initial(4, options))
        assert GAME.observe(state, None).round.most == most


def test_a_record_that_does_not_name_it_is_played_without() -> None:
    made = good("kaiserspiel", options={"limit": False})
    assert made["options"] == {"limit": False, "target": 20}
    assert verify(made, 1) == []
    del made["options"]["limit"]
    assert verify(made, 1) == []


# How far.


@pytest.mark.parametrize(("target", "most"), [(1, 4), (4, 4), (5, 5), (41, 41), (1000, 1000)])
def test_it_is_what_is_needed_and_at_least_four(target: int, most: int) -> None:
    state = begun(target)
    for seat in (0, 1, 2, 3, None):
        assert GAME.observe(state, seat).round.most == most


def test_the_team_further_from_the_target_counts_and_the_start_of_the_round() -> None:
    state = run(begun(11), "0 threeup, 1 resign")  # 4 : 0
    state = deal(before=state)
    assert GAME.observe(state, None).round.most == 11
    state = run(state, "1 threeup, 0 resign")  # 4 : 4
    assert GAME.observe(state, None).round.most == 11, "the round is over, not begun"
    state = deal(before=state)
    assert GAME.observe(state, None).round.most == 7


# Spieldrei.


def test_calls_end() -> None:
    """Without the limit two captains can call without end."""
    state, calls = begun(41), 0
    while "threeup" in legal(state, seat := GAME.actors(state)[0]):
        state, calls = run(state, f"{seat} threeup, {1 - seat} accept"), calls + 1
        assert calls <= 12
    assert calls == 12
    assert worth(state) == 40


# A Kaiser's raise.


@pytest.mark.parametrize(
    ("target", "raises"), [(41, RAISE), (7, RAISE), (6, RAISE_1), (5, RAISE_1)]
)
def test_a_raise_by_three_needs_room_for_three(target: int, raises: set[str]) -> None:
    state = run(begun(target, OPEN_BANNER), "0 kaiser AB")
    assert asked(state) == (0, raises)
    if raises == RAISE_1:
        assert refusal(state, "0 raise 3") == "asked_raise_by_1"
        assert GAME.format_action(GAME.default_action(GAME.observe(state, 0))) == "raise 1"
    state = run(state, "0 raise 1")
    assert asked(state) == (1, ANSWER)
    assert GAME.round_scores(run(state, "1 resign")) == (4, 0, 4, 0)


@pytest.mark.parametrize("target", [1, 4])
def test_a_kaiser_without_room_for_a_raise_brings_no_offer(target: int) -> None:
    state = begun(target, OPEN_BANNER, {0: "SB BB"})
    assert asked(state) == (0, {"kaiser AB", "pass"})
    nothing = told(state, 0, GAME.parse_action("kaiser AB"))
    assert "no_raise" not in dict(nothing), "nobody raises in such a round"
    state = run(state, "0 kaiser AB")
    assert GAME.observe(state, None).kaisers[0], "it is declared all the same"
    assert asked(state) == (0, {"kaiser SB", "kaiser BB", "pass"}), "pause 3"
    state = run(state, "0 kaiser SB")
    assert asked(state) == (0, {"kaiser BB", "pass"}), "asked again, as after any Kaiser"
    assert worth(state) == 4


def test_a_kaiser_that_brings_no_raise_any_more_says_so() -> None:
    state = run(begun(5, OPEN_BANNER, {0: "SB BB"}), "0 kaiser AB")
    state = run(state, "0 raise 1", "1 accept")
    assert worth(state) == 5
    while "kaiser SB" not in asked(state)[1]:
        state = run(state, f"{asked(state)[0]} pass")
    assert ("no_raise", None) in told(state, 0, GAME.parse_action("kaiser SB"))


# Rounds that are over, and what is told.


def told(before: Any, seat: int, action: Any) -> list[tuple[str, tuple[int, ...] | None]]:
    after = GAME.apply(before, seat, action)
    found: tuple[Event, ...] = GAME.events(before, seat, action, after)
    return [(event.phrase.code, event.audience) for event in found]


def test_cards_that_come_where_nobody_is_asked_are_told_to_their_owners() -> None:
    before = start(4, limit=True)
    action = GAME.deal_from_json(before, {"pack": pack()}, RoundHead(3, 0, None))
    codes = told(before, CHANCE, action)
    assert [code for code, _ in codes].count("opened") == 4
    assert {audience for code, audience in codes if code == "you_got"} == {(0,), (1,)}
    state = begun(6, OPEN_BANNER)
    kaiser = told(state, 0, GAME.parse_action("kaiser AB"))
    assert "no_raise" not in [code for code, _ in kaiser], "a raise by 1 is left"
    one = told(run(state, "0 kaiser AB, 0 raise 1"), 1, GAME.parse_action("accept"))
    assert [code for code, _ in one].count("opened") == 2
    assert [audience for code, audience in one if code == "you_got"] == [(0,), (1,)]
