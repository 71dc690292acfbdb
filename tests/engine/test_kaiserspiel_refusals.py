"""Why an action of Kaiserspiel is refused: the reason, each with its words in the catalogue."""

from __future__ import annotations

from typing import Any, Final

import pytest

from engine.game import CHANCE, RuleError
from tests.engine.kaiserspiel_script import (
    GAME,
    MORE,
    PAUSE_1,
    PAUSE_2,
    PAUSE_3,
    PAUSE_4,
    PAUSES,
    deal,
    discarded,
    finished,
    ready,
    refusal,
    run,
    start,
)

OPENED: Final = "AB R2 SK BK"
HIDDEN: Final = {0: "RB A2 A3 A4 A5 A6", 1: "S2 S3 S4 S5 S6 S7"}


def asked_for(step: str) -> Any:
    """A state in which seat 0 is asked for something; seat 1 for the answer to an offer."""
    state = deal(OPENED, HIDDEN)
    if step == "kaiser":
        return state
    if step == "threeup":
        return run(state, "0 pass")
    state = run(state, "0 kaiser AB")
    if step == "raise":
        return state
    state = run(state, "0 raise 1")
    if step == "answer":
        return state
    state = run(state, "1 accept")
    if step == "lift":
        return state
    state = run(state, "0 stay", *PAUSES)
    if step == "discard":
        return state
    return run(discarded(state, {0: "RB"}), MORE)


@pytest.mark.parametrize(
    ("step", "lines"),
    [
        ("kaiser", ["0 threeup", "0 raise 1", "0 accept", "0 play AB", "0 discard AK AB"]),
        ("threeup", ["0 kaiser AB", "0 raise 3", "0 resign", "0 stay", "0 play AB"]),
        ("raise", ["0 pass", "0 lift", "0 accept", "0 kaiser AB"]),
        ("answer", ["1 pass", "1 raise 1", "1 threeup", "1 lift"]),
        ("lift", ["0 pass", "0 accept", "0 raise 3"]),
        ("discard", ["0 pass", "2 threeup", "3 accept", "1 play SK"]),
        ("play", ["0 pass", "0 threeup", "0 kaiser RB", "0 discard A3 A2"]),
    ],
)
def test_something_else_is_asked(step: str, lines: list[str]) -> None:
    assert {refusal(asked_for(step), line) for line in lines} == {f"asked_{step}"}


@pytest.mark.parametrize("step", ["kaiser", "threeup", "raise", "answer", "lift", "play"])
def test_somebody_else_is_asked(step: str) -> None:
    state = asked_for(step)
    others = [seat for seat in range(4) if seat not in GAME.actors(state)]
    assert len(others) == 3
    for seat in others:
        for text in ("pass", "accept", "play AK", "discard A2 S3"):
            assert refusal(state, f"{seat} {text}") == "not_your_turn"
    assert refusal(state, f"{CHANCE} pass") == "no_deal_due"


def test_what_is_wrong_with_a_kaiser() -> None:
    state = asked_for("kaiser")
    assert refusal(state, "0 kaiser SB") == "not_in_hand"
    state = run(state, "0 pass", PAUSE_1, PAUSE_2)
    assert refusal(state, "0 kaiser SB") == "not_in_hand"
    assert refusal(state, "0 kaiser AB") == "was_open"
    state = run(state, "0 kaiser RB, 0 raise 3, 1 accept")
    assert refusal(state, "0 kaiser RB") == "already_kaiser"


def test_what_is_wrong_with_a_discard() -> None:
    state = run(deal(OPENED, HIDDEN), "0 kaiser AB, 0 raise 3, 1 accept", *PAUSES)
    assert refusal(state, "0 discard AB A2") == "kaiser_stays"
    assert refusal(state, "0 discard S3 S2") == "not_in_hand"
    assert refusal(state, "0 discard A2 S2") == "not_in_hand"
    state = run(state, "0 discard A3 A2")
    assert refusal(state, "0 discard A3 A2") == "already_discarded"
    assert refusal(state, "0 discard A5 A4") == "already_discarded"
    state = run(deal(OPENED, HIDDEN), "0 pass", PAUSE_1, PAUSE_2, PAUSE_3, PAUSE_4)
    run(state, "0 discard AB RB")


def test_what_is_wrong_with_a_play() -> None:
    state = ready("R", {0: "AO A2", 1: "AK S2"})
    assert refusal(state, "0 play AO down") == "lead_face_up"
    assert refusal(state, "0 play AK") == "not_in_hand"
    state = run(state, "0 play AO")
    assert refusal(state, "1 play AO") == "not_in_hand"
    assert refusal(state, "1 play AO down") == "not_in_hand"


def test_nothing_can_be_done_between_rounds_and_after_the_match() -> None:
    state = finished(deal())
    assert refusal(state, "0 pass") == "deal_due"
    assert refusal(start(), "0 pass") == "deal_due"
    state = finished(deal(before=start(target=1)))
    assert GAME.outcome(state) is not None
    assert refusal(state, "0 pass") == "match_over"


@pytest.mark.parametrize(
    "step", ["kaiser", "threeup", "raise", "answer", "lift", "discard", "play"]
)
def test_what_is_no_action_at_all_is_refused(step: str) -> None:
    state = asked_for(step)
    (seat, *_) = GAME.actors(state)
    tried: list[object] = [[1, 2], {}, "pass", 0, None, ("play", 1), ("down", [1])]
    for nonsense in tried:
        assert not GAME.is_legal(state, seat, nonsense)
        with pytest.raises(RuleError) as caught:
            GAME.apply(state, seat, nonsense)
        assert caught.value.code == "not_an_action", nonsense
