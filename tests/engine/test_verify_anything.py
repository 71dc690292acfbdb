"""Anything at all is answered with faults; and what is clean is what would be written."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import verify as verifying
from engine.game import CHANCE
from engine.notation import same
from engine.record import opening_from_json, record, to_text
from engine.registry import games
from engine.verify import Fault, verify, verify_lines, verify_text
from tests.engine.records import Record, at, drop, good, paths, put

# The frame: one fault each, before any round is looked at.


@pytest.mark.parametrize(
    ("path", "value", "piece"),
    [
        (("format",), "stammtisch.record/2", "only 'stammtisch.record/1' is known"),
        (("game",), "bridge", "unknown game: 'bridge'"),
        (("game",), ["aufundab"], "unknown game: ['aufundab']"),
        (("game",), None, "unknown game: null"),
        (("rules_version",), 2, "only 1 is known"),
        (("rules_version",), True, "rules_version is true"),
        (("rules_version",), 10**400, "a huge number"),
        (("seats",), 5, "is played with 3 or 4"),
        (("seats",), 10**30, "seats are a huge number"),
        (("seats",), 3.0, "seats are 3.0"),
        (("seats",), float("inf"), "seats are inf"),
        (("options",), None, "options is no object"),
        (("options",), {"hands": 2}, "not written out"),
        (("options", "target"), 100, "option_conflict"),
        (("options", "hands"), 41, "option_range"),
        (("options", "hands"), 10**400, "option_range"),
        (("options", "hands"), True, "option_type"),
        (("options", "hands"), None, "option 'hands' is null"),
        (("options", "\ud800\n" * 99), 1, "option_unknown"),
        (("rounds",), {}, "rounds is no list"),
        (("rounds",), [None] * 1_000_000, "at most 4096 rounds"),
        (("outcome",), None, "'stopped' says why"),
        (("stopped",), "host", "was not stopped"),
    ],
)
def test_a_wrong_frame_is_one_fault(path: tuple[str, ...], value: object, piece: str) -> None:
    made = good("aufundab")
    put(value, *path)(made)
    (fault,) = verify(made, 7)
    assert fault[:4] == (7, None, None, "malformed")
    assert piece in fault.what


@pytest.mark.parametrize(
    "key", ["format", "game", "rules_version", "options", "seats", "rounds", "outcome"]
)
def test_a_missing_key_is_named(key: str) -> None:
    made = good("aufundab")
    drop(key)(made)
    assert verify(made, 1) == [Fault(1, None, None, "malformed", f"key {key!r} is missing")]


@pytest.mark.parametrize("key", ["dealer", "start", "trump", "deal", "actions", "scores", "proof"])
def test_a_missing_key_of_a_round_is_named(key: str) -> None:
    made = good("aufundab")
    drop("rounds", 1, key)(made)
    assert verify(made, 1) == [Fault(1, 2, None, "malformed", f"key {key!r} is missing")]


@pytest.mark.parametrize(
    ("path", "value", "ply"),
    [
        ((), None, None),
        (("actions",), None, None),
        (("actions",), [{"seat": 0, "do": "pass"}] * 1_000_000, None),
        (("actions", 0), "pass", 1),
        (("actions", 0), [0, "pass"], 1),
        (("actions", 0), {"seat": "do"}, 1),
        (("actions", 3, "seat"), -1, 4),
        (("actions", 3, "seat"), 10**400, 4),
        (("actions", 3, "seat"), 1.0, 4),
        (("actions", 3, "seat"), True, 4),
        (("actions", 3, "do"), ["pass"], 4),
        (("actions", 3, "do"), "x" * 1_000_000, 4),
        (("actions", 3, "do"), "pass ", 4),
        (("actions", 3, "do"), "\ud800", 4),
    ],
)
def test_a_round_of_wrong_things(path: tuple[str | int, ...], value: object, ply: int) -> None:
    made = good("aufundab")
    put(value, "rounds", 0, *path)(made)
    (fault,) = verify(made, 1)
    assert fault[:4] == (1, 1, ply, "malformed")
    assert len(str(fault)) < 200


def test_faults_say_where_and_why() -> None:
    made = good("aufundab")
    made["rounds"][0]["actions"][0]["do"] = "pass"
    (fault,) = verify(made, 3)
    seat = made["rounds"][0]["start"]
    assert str(fault) == f"record 3, round 1, ply 1: illegal: 'pass' by seat {seat}: must_lead"
    assert str(Fault(1, None, None, "malformed", "x")) == "record 1: malformed: x"
    assert str(Fault(1, 2, None, "deal", "x")) == "record 1, round 2: deal: x"


# Texts.


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("", "Expecting value"),
        ("{", "line 1, column 2"),
        ("nonsense", "Expecting value"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("9" * 10_000, "Exceeds the limit"),
        ('{"seats": NaN}', "NaN is no JSON"),
        ('{"seats": -Infinity}', "-Infinity is no JSON"),
        ('{"game": "aufundab", "game": "aufundab"}', "a key stands twice"),
        ('{"x": {"a": 1, "a": 1}}', "a key stands twice"),
        ("\ufeff{}", "byte order mark"),
        ("{} {}", "Extra data"),
        ("\x00", "Expecting value"),
        ("null", "not null"),
        ("[]", "not []"),
        ('"\ud800"', "a JSON object"),
        ("{}", "'format' is missing"),
    ],
)
def test_what_is_no_record_is_one_fault(text: str, piece: str) -> None:
    (fault,) = verify_text(text, 1)
    assert fault[:4] == (1, None, None, "malformed")
    assert piece in fault.what
    assert len(str(fault)) < 200


@pytest.mark.parametrize("depth", [10, 300, 900])
@pytest.mark.parametrize(
    "path",
    [
        ("game",), ("seats",), ("options",), ("options", "hands"), ("rounds",), ("rounds", 0),
        ("rounds", 0, "start"), ("rounds", 0, "deal"), ("rounds", 0, "deal", "hands"),
        ("rounds", 0, "actions", 0), ("rounds", 0, "actions", 0, "legal"), ("rounds", 0, "scores"),
        ("rounds", 0, "proof"), ("rounds", 0, "proof", "words"), ("rounds", 0, "proof", "table"),
        ("outcome",), ("outcome", "ranking"),
    ],
)  # fmt: skip
def test_deep_nesting_anywhere(path: tuple[str | int, ...], depth: int) -> None:
    made = good("aufundab", legal=True, proof=True)
    put("?", *path)(made)
    hole = json.dumps("?")
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        text = to_text(made).replace(hole, opening * depth + "0" + closing * depth)
        faults = verify_text(text, 1)
        assert faults
        assert all(len(str(fault)) < 300 for fault in faults)


def test_an_absurd_size_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "MAX_TEXT", 1000)
    assert "longer than 1000" in verify_text(to_text(good("aufundab")), 1)[0].what
    assert "longer than 1000" in verify_text('"' + "Ā" * 500 + '"', 1)[0].what
    assert "longer than" not in verify_text('"' + "Ā" * 499 + '"', 1)[0].what


def test_what_would_fill_the_memory_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "MAX_VALUES", 100)
    for unit in ("[]", '{"":0}', "0.1", "[[[[[[]]]]]]"):
        text = "[" + ",".join([unit] * 101) + "]"
        assert verify_text(text, 1)[0].what == "more than 100 values"


# Files.


def test_lines_are_records_and_blank_lines_are_none() -> None:
    text = to_text(good("aufundab"))
    found = list(verify_lines([text + "\n", "\n", "nonsense\n", text]))
    assert [len(faults) for faults in found] == [0, 1, 0]
    assert found[1][0].record == 2


def test_one_record_over_several_lines_is_one_record() -> None:
    pretty = json.dumps(good("aufundab"), indent=1).splitlines(keepends=True)
    assert list(verify_lines(["\n", *pretty])) == [[]]
    marked = list(verify_lines(["\ufeff" + pretty[0], *pretty[1:]]))
    assert [len(faults) for faults in marked] == [1]


def test_a_broken_line_does_not_swallow_the_records_after_it() -> None:
    text = to_text(good("aufundab"))
    found = list(verify_lines([text[:40] + "\n", text + "\n", text[:40] + "\n", text]))
    assert [bool(faults) for faults in found] == [True, False, True, False]


def test_several_records_over_several_lines_are_several_records() -> None:
    pretty = json.dumps(good("aufundab"), indent=1).splitlines(keepends=True)
    assert list(verify_lines([*pretty, "\n", *pretty])) == [[], []]


def test_an_empty_file_has_no_records() -> None:
    assert list(verify_lines(["", "\n", "  \n"])) == []


# Random edits.

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["", "R5", "J", "pass", "0-0", "0" * 64, "play R0", -1, 0, 10**30]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def kept(given: Any, wanted: Any) -> Any:
    """`given` without the keys that `wanted` has not, all through."""
    if isinstance(given, dict) and isinstance(wanted, dict):
        return {key: kept(value, wanted[key]) for key, value in given.items() if key in wanted}
    if isinstance(given, list) and isinstance(wanted, list) and len(given) == len(wanted):
        return [kept(*pair) for pair in zip(given, wanted, strict=True)]
    return given


def written_again(made: Record) -> Record:
    """A clean record, written from the actions that it tells."""
    game = games()[made["game"]]
    state = game.initial(made["seats"], made["options"])
    log: list[tuple[int, Any]] = []
    for round_ in made["rounds"]:
        entries = [(CHANCE, opening_from_json(game, state, round_))]
        entries += [(each["seat"], game.parse_action(each["do"])) for each in round_["actions"]]
        for seat, action in entries:
            state = game.apply(state, seat, action)
        log += entries
    again = record(
        game,
        made["seats"],
        made["options"],
        log,
        legal=True,
        stopped=made.get("stopped"),
        proofs=[round_["proof"] for round_ in made["rounds"]],
    )
    decoded: Record = json.loads(to_text(again))
    for round_, like in zip(decoded["rounds"], made["rounds"], strict=True):
        for each, one in zip(round_["actions"], like["actions"], strict=True):
            if "legal" not in one:  # it may be left out, of some actions too
                del each["legal"]
    return decoded


@pytest.mark.parametrize("name", list(games()))
@given(data=st.data())
@settings(max_examples=150)
def test_edits_are_found_unless_they_make_another_good_record(name: str, data: Any) -> None:
    """No edit raises; and a record without a fault is, to the letter, what would be written."""
    made = good(name, legal=True, proof=True)
    places = paths(made)
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(places))
        try:
            inside = at(made, *path[:-1])
            old = inside[path[-1]]
        except (LookupError, TypeError):
            continue  # an edit before has taken it away
        if isinstance(inside, str):
            continue  # or has put a text in its place
        match data.draw(st.sampled_from(["put", "drop", "copy", "swap", "twice"])):
            case "put":
                inside[path[-1]] = data.draw(json_values)
            case "drop":
                del inside[path[-1]]
            case "copy":
                other = data.draw(st.sampled_from(places))
                try:
                    inside[path[-1]] = copy.deepcopy(at(made, *other))
                except (LookupError, TypeError):
                    continue
            case "swap" if isinstance(inside, list):
                inside.insert(0, inside.pop())
            case "twice" if isinstance(inside, list):
                inside.append(old)
            case _:
                continue
    faults = verify(made, 1)
    assert all(len(str(fault)) < 500 for fault in faults)
    if not faults:
        again = written_again(made)
        assert same(kept(made, again), again)
