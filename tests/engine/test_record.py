"""Records: made from matches, checked to the letter, and never a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import record as records
from engine.games.aufundab import GAME
from engine.playout import play_match, simulate
from engine.record import Fault, record, to_text, verify, verify_lines, verify_text

Record = dict[str, Any]


def good(seats: int = 3, hands: int = 2, seed: int = 1, *, legal: bool = False) -> Record:
    (made,) = simulate(GAME, seats, {"hands": hands}, seed, 1, legal=legal)
    decoded: Record = json.loads(to_text(made))
    return decoded


def stopped_after(entries: int) -> Record:
    """The match of `good()`, stopped early."""
    options = GAME.complete_options(3, {"hands": 2})
    log = play_match(GAME, 3, options, Random("1/0"))[:entries]
    decoded: Record = json.loads(to_text(record(GAME, 3, options, log, stopped="host")))
    return decoded


PROOF = {
    "commitment": "0" * 64,
    "server_seed": "a" * 64,
    "table": "T7Q2",
    "round": 1,
    "post": "1307",
    "previous": "",
    "words": ["", "kuckuck", ""],
}


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("options", [{"hands": 3}, {"target": 40}])
@pytest.mark.parametrize("legal", [False, True])
def test_simulated_records_are_clean(seats: int, options: dict[str, int], legal: bool) -> None:
    for number, made in enumerate(simulate(GAME, seats, options, 5, 5, legal=legal), 1):
        assert verify_text(to_text(made), number) == []


def test_a_record_has_the_keys_of_the_format() -> None:
    made = good()
    assert list(made) == [
        "format", "game", "rules_version", "options", "seats", "rounds", "outcome",
    ]  # fmt: skip
    assert list(made["rounds"][0]) == [
        "dealer", "start", "trump", "deal", "actions", "scores", "proof",
    ]  # fmt: skip
    assert made["options"] == {"length": "hands", "hands": 2}


def test_legal_actions_stand_sorted_and_once() -> None:
    for ply in good(legal=True)["rounds"][0]["actions"]:
        assert ply["legal"] == sorted(set(ply["legal"]))
        assert ply["do"] in ply["legal"]


@pytest.mark.parametrize("entries", [0, 1, 2, 30])
def test_a_stopped_match_is_clean(entries: int) -> None:
    made = stopped_after(entries)
    assert made["outcome"] is None
    assert made["stopped"] == "host"
    assert len(made["rounds"]) == min(entries, 1)
    assert all(each["scores"] is None for each in made["rounds"])
    assert verify(made, 1) == []


def test_a_match_stopped_between_rounds_keeps_its_scores() -> None:
    whole = good()
    entries = len(whole["rounds"][0]["actions"]) + 1
    made = stopped_after(entries)
    assert made["rounds"] == whole["rounds"][:1]
    assert verify(made, 1) == []


def test_a_finished_match_is_not_stopped_and_an_unfinished_one_is() -> None:
    options = GAME.complete_options(3, {"hands": 1})
    log = play_match(GAME, 3, options, Random(1))
    with pytest.raises(ValueError, match="finished or stopped"):
        record(GAME, 3, options, log, stopped="host")
    with pytest.raises(ValueError, match="finished or stopped"):
        record(GAME, 3, options, log[:5])


def test_unknown_keys_are_ignored() -> None:
    made = good()
    made["note"] = made["rounds"][0]["note"] = made["rounds"][0]["deal"]["note"] = {"x": [1]}
    made["rounds"][0]["actions"][3]["note"] = made["outcome"]["note"] = "x"
    assert verify(made, 1) == []


def test_a_proof_of_the_right_shape_is_accepted() -> None:
    made = good()
    made["rounds"][0]["proof"] = copy.deepcopy(PROOF)
    assert verify(made, 1) == []


# Planted faults: what was done to a good record, and the one fault that must be found.


def at(*path: str | int) -> Callable[[Record], Any]:
    def find(made: Record) -> Any:
        found: Any = made
        for key in path:
            found = found[key]
        return found

    return find


def put(value: object, *path: str | int) -> Callable[[Record], None]:
    def change(made: Record) -> None:
        at(*path[:-1])(made)[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[Record], None]:
    def change(made: Record) -> None:
        del at(*path[:-1])(made)[path[-1]]

    return change


def swap_cards(made: Record) -> None:
    hands = made["rounds"][0]["deal"]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    for hand in hands:
        hand.sort()


def double_card(made: Record) -> None:
    deal = made["rounds"][0]["deal"]
    deal["aside"] = [deal["hands"][0][0]]


def unsorted_hand(made: Record) -> None:
    made["rounds"][0]["deal"]["hands"][0].reverse()


def one_action_more(made: Record) -> None:
    made["rounds"][0]["actions"].append({"seat": 0, "do": "pass"})


def one_round_more(made: Record) -> None:
    made["rounds"].append(copy.deepcopy(made["rounds"][0]))


def as_stopped(made: Record) -> None:
    made["outcome"], made["stopped"] = None, "host"


R, A = ("rounds", 0), ("rounds", 0, "actions")
LAST = len(good()["rounds"][0]["actions"])

PLANTED: list[tuple[str, Callable[[Record], None], int | None, int | None, str]] = [
    ("format", put("stammtisch.record/2", "format"), None, None, "malformed"),
    ("unknown game", put("bridge", "game"), None, None, "malformed"),
    ("game no text", put(["aufundab"], "game"), None, None, "malformed"),
    ("rules version", put(2, "rules_version"), None, None, "malformed"),
    ("rules version true", put(True, "rules_version"), None, None, "malformed"),
    ("seats", put(5, "seats"), None, None, "malformed"),
    ("seats huge", put(10**30, "seats"), None, None, "malformed"),
    ("seats float", put(3.0, "seats"), None, None, "malformed"),
    ("no seats", drop("seats"), None, None, "malformed"),
    ("no outcome", drop("outcome"), None, None, "malformed"),
    ("options incomplete", put({"hands": 2}, "options"), None, None, "malformed"),
    ("options both", put(100, "options", "target"), None, None, "malformed"),
    ("options range", put(41, "options", "hands"), None, None, "malformed"),
    ("options bool", put(True, "options", "hands"), None, None, "malformed"),
    ("options null", put(None, "options", "hands"), None, None, "malformed"),
    ("rounds no list", put({}, "rounds"), None, None, "malformed"),
    ("null outcome", put(None, "outcome"), None, None, "malformed"),
    ("stopped and outcome", put("host", "stopped"), None, None, "malformed"),
    ("finished but stopped", as_stopped, None, None, "outcome"),
    ("wrong total", put(99, "outcome", "scores", 0), None, None, "outcome"),
    ("wrong place", put(3, "outcome", "ranking", 0), None, None, "outcome"),
    ("round no object", put(None, *R), 1, None, "malformed"),
    ("round without proof", drop(*R, "proof"), 1, None, "malformed"),
    ("dealer", put(0, *R, "dealer"), 1, None, "dealer"),
    ("start", put(None, *R, "start"), 1, None, "start"),
    ("trump", put("R", *R, "trump"), 1, None, "trump"),
    ("deal no object", put([], *R, "deal"), 1, None, "deal"),
    ("deal swapped aside", double_card, 1, None, "deal"),
    ("deal not in order", unsorted_hand, 1, None, "deal"),
    ("deal short", drop(*R, "deal", "hands", 0, 0), 1, None, "deal"),
    ("scores", put([0, 0, 0], *R, "scores"), 1, None, "scores"),
    ("scores null", put(None, *R, "scores"), 1, None, "scores"),
    ("actions no list", put(None, *A), 1, None, "malformed"),
    ("action no object", put("pass", *A, 0), 1, 1, "malformed"),
    ("action without seat", drop(*A, 3, "seat"), 1, 4, "malformed"),
    ("no such seat", put(3, *A, 3, "seat"), 1, 4, "malformed"),
    ("chance as a seat", put(-1, *A, 3, "seat"), 1, 4, "malformed"),
    ("unknown action", put("lift", *A, 3, "do"), 1, 4, "malformed"),
    ("not canonical", put("PASS", *A, 3, "do"), 1, 4, "malformed"),
    ("first pass", put("pass", *A, 0, "do"), 1, 1, "illegal"),
    ("not in hand", put("play 9-9", *A, 3, "do"), 1, 4, "illegal"),
    ("last action missing", drop(*A, -1), 1, LAST, "missing"),
    ("action after the end", one_action_more, 1, LAST + 1, "illegal"),
    ("round after the end", one_round_more, 3, None, "malformed"),
    ("round missing", drop("rounds", 1), 2, None, "missing"),
    ("proof no object", put("x", *R, "proof"), 1, None, "proof"),
    ("proof upper case", put(PROOF | {"commitment": "A" * 64}, *R, "proof"), 1, None, "proof"),
    ("proof round", put(PROOF | {"round": 2}, *R, "proof"), 1, None, "proof"),
    ("proof words", put(PROOF | {"words": ["", ""]}, *R, "proof"), 1, None, "proof"),
    ("proof word", put(PROOF | {"words": ["", "", "ü"]}, *R, "proof"), 1, None, "proof"),
]


@pytest.mark.parametrize(
    ("change", "round_", "ply", "kind"),
    [pytest.param(*case[1:], id=case[0]) for case in PLANTED],
)
def test_a_planted_fault_is_found_where_it_is(
    change: Callable[[Record], None], round_: int | None, ply: int | None, kind: str
) -> None:
    made = good()
    change(made)
    (fault,) = verify(made, 7)
    assert fault[:4] == (7, round_, ply, kind)
    assert len(str(fault)) < 300


def test_exchanged_cards_of_two_hands_are_noticed() -> None:
    made = good()
    swap_cards(made)
    assert verify(made, 1)


@pytest.mark.parametrize("ply", [0, 5])
def test_wrong_legal_actions_are_found(ply: int) -> None:
    for change in (lambda x: x[:-1], lambda x: [*x, "zzz"], lambda x: [*x, x[-1]], lambda x: None):
        made = good(legal=True)
        action = made["rounds"][0]["actions"][ply]
        action["legal"] = change(action["legal"])
        (fault,) = verify(made, 1)
        assert fault[:4] == (1, 1, ply + 1, "legal")


def test_a_stopped_match_may_not_claim_scores() -> None:
    made = stopped_after(5)
    made["rounds"][0]["scores"] = [0, 0, 0]
    assert [fault.kind for fault in verify(made, 1)] == ["missing"]


def test_faults_say_where_and_why() -> None:
    made = good()
    made["rounds"][0]["actions"][0]["do"] = "pass"
    (fault,) = verify(made, 3)
    seat = made["rounds"][0]["start"]
    assert str(fault) == f"record 3, round 1, ply 1: illegal: 'pass' by seat {seat}: must_lead"
    assert str(Fault(1, None, None, "malformed", "x")) == "record 1: malformed: x"


# Anything at all.


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "nonsense",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 10_000,
        '{"seats": NaN}',
        '{"game": "aufundab", "game": "aufundab"}',
        "\x00",
        "null",
        "[]",
        '"\ud800"',
    ],
)
def test_what_is_no_record_is_one_fault(text: str) -> None:
    (fault,) = verify_text(text, 1)
    assert fault.kind == "malformed"
    assert len(str(fault)) < 200


def test_an_absurd_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "MAX_TEXT", 1000)
    assert "longer" in verify_text(to_text(good()), 1)[0].what
    made = good()
    made["rounds"] *= records.MAX_ROUNDS
    assert [fault.kind for fault in verify(made, 1)] == ["malformed"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
BASE = good(hands=1, legal=True)


def paths(value: object, prefix: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [prefix] if prefix else []
    items: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value[:4]))
    for key, inner in items:
        found += paths(inner, (*prefix, key))
    return found


@given(st.sampled_from(paths(BASE)), json_values)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_anything_anywhere_is_answered_with_faults(
    path: tuple[str | int, ...], value: object
) -> None:
    made = copy.deepcopy(BASE)
    put(value, *path)(made)
    for fault in verify(made, 1):
        assert len(str(fault)) < 500


# Files.


def test_lines_are_records_and_blank_lines_are_not_counted_as_good() -> None:
    text = to_text(good())
    found = list(verify_lines([text + "\n", "nonsense\n", text]))
    assert [len(faults) for faults in found] == [0, 1, 0]
    assert found[1][0].record == 2


def test_one_record_over_several_lines_is_one_record() -> None:
    pretty = json.dumps(good(), indent=1).splitlines(keepends=True)
    assert list(verify_lines(["\n", *pretty])) == [[]]


def test_a_broken_line_does_not_swallow_the_records_after_it() -> None:
    text = to_text(good())
    found = list(verify_lines([text[:40] + "\n", text + "\n", text[:40] + "\n", text]))
    assert [bool(faults) for faults in found] == [True, False, True, False]


def test_several_records_over_several_lines_are_several_records() -> None:
    pretty = json.dumps(good(), indent=1).splitlines(keepends=True)
    assert list(verify_lines([*pretty, "\n", *pretty])) == [[], []]


def test_an_empty_file_has_no_records() -> None:
    assert list(verify_lines(["", "\n", "  \n"])) == []
