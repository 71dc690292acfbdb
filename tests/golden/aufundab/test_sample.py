"""The sample game of the printed rules, ply for ply."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from engine.game import CHANCE
from engine.games.aufundab import GAME
from engine.games.aufundab.cards import DOWN, PACK, UP
from engine.games.aufundab.state import State
from engine.record import opening_from_json, record
from engine.verify import verify

SAMPLE: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("sample.json").read_text())
ROUND: Final[dict[str, Any]] = SAMPLE["rounds"][0]
START: Final = GAME.initial(SAMPLE["seats"], SAMPLE["options"])


@pytest.fixture(scope="module")
def states() -> list[State]:
    """The state before the deal, after it, and after every action."""
    state = GAME.initial(SAMPLE["seats"], SAMPLE["options"])
    found = [state, state := GAME.apply(state, CHANCE, opening_from_json(GAME, START, ROUND))]
    for ply in ROUND["actions"]:
        assert GAME.actors(state) == (ply["seat"],), ply
        action = GAME.parse_action(ply["do"])
        assert action in GAME.legal_actions(state, ply["seat"]), ply
        found.append(state := GAME.apply(state, ply["seat"], action))
    return found


def test_it_ends_with_two_points_for_petra(states: list[State]) -> None:
    end = states[-1]
    assert GAME.outcome(states[-2]) is None
    assert GAME.outcome(end) == ((0, 0, 2), (2, 2, 1))
    assert GAME.round_scores(end) == (0, 0, 2)
    assert GAME.actors(end) == ()


def test_the_modes_are_as_printed(states: list[State]) -> None:
    leads = [state for state in states if state.actor >= 0 and not state.quantity]
    assert [state.mode for state in leads] == [UP, UP, DOWN, UP, UP, DOWN, DOWN, DOWN, DOWN]


def test_the_change_cards_are_as_printed(states: list[State]) -> None:
    ends = [a for a, b in pairwise(states) if a.quantity and not b.quantity]
    assert [state.changes for state in [*ends, states[-1]]] == [2, 1, 1, 0, 1, 0, 0, 0, 0]


def test_the_hands_after_the_sixth_series_are_as_printed(states: list[State]) -> None:
    starts = [state for state in states if state.actor >= 0 and not state.quantity]
    assert [PACK.codes(hand) for hand in starts[6].hands] == [
        ("5-8", "7-9"),
        ("0-6", "5-6"),
        ("0-7", "0-8", "1-1", "1-7", "3-7", "6-8", "8-9"),
    ]


def test_every_action_is_written_as_it_was_read() -> None:
    for ply in ROUND["actions"]:
        assert GAME.format_action(GAME.parse_action(ply["do"])) == ply["do"]


def test_its_record_is_clean_and_can_be_made_again() -> None:
    assert verify(SAMPLE, 1) == []
    log: list[tuple[int, Any]] = [(CHANCE, opening_from_json(GAME, START, ROUND))]
    log += [(ply["seat"], GAME.parse_action(ply["do"])) for ply in ROUND["actions"]]
    made = record(GAME, SAMPLE["seats"], SAMPLE["options"], log)
    assert made == {key: value for key, value in SAMPLE.items() if key != "note"}
