"""Faults that only Kaiserspiel can have: a staged deal, offers, void rounds, teams."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, TypeAlias

import pytest

from engine.deal import Mix, digest, shuffle, stream
from engine.game import CHANCE, RoundHead
from engine.playout import simulate
from engine.record import proof_to_json, record, to_text
from engine.registry import games
from engine.verify import verify
from tests.engine.records import (
    Record,
    actions,
    agree,
    check,
    faults_of,
    first,
    good,
    ply_of,
    stopped_in,
    swap,
)

GAME: Final = games()["kaiserspiel"]
OPTIONS: Final = GAME.complete_options(4, {})
CODES: Final = GAME.pack(4, OPTIONS)
HEAD: Final = RoundHead(dealer=0, start=1, trump=None)

Choose: TypeAlias = Callable[[Sequence[str]], str]


def played(front: Sequence[str], choose: Choose, rounds: int = 1) -> Record:
    """A match that is stopped after some rounds.

    The first pack begins with `front`; `choose` picks one of the legal texts at every ply.
    """
    rest = [code for code in CODES if code not in (*front, "A2")]
    rng = Random(1)
    state = GAME.initial(4, OPTIONS)
    log: list[tuple[int, Any]] = []
    while (seat := GAME.actors(state)[0]) != CHANCE or rounds:
        if seat != CHANCE:
            texts = {GAME.format_action(each): each for each in GAME.legal_actions(state, seat)}
            action = texts[choose(sorted(texts))]
        else:
            rounds -= 1
            pack = {"pack": [*front, *rest, "A2"]}
            action = (
                GAME.deal(state, rng.randrange) if log else GAME.deal_from_json(state, pack, HEAD)
            )
        state = GAME.apply(state, seat, action)
        log.append((seat, action))
    made: Record = json.loads(to_text(record(GAME, 4, OPTIONS, log, stopped="host")))
    assert verify(made, 1) == []
    return made


def plainly(texts: Sequence[str]) -> str:
    """Says as little as possible."""
    for word in ("pass", "accept", "stay", "raise 1"):
        if word in texts:
            return word
    return texts[0]


def boldly(texts: Sequence[str]) -> str:
    """Declares what there is and never gives in."""
    for text in texts:
        if text.startswith("kaiser"):
            return text
    return plainly(texts)


def test_second_cut_left_out() -> None:
    """The seed shuffles a Banner to the end, and the pack stays as it is."""
    for number in range(100):
        seed = number.to_bytes(32, "big")
        mix = Mix("kaiserspiel", "T7Q2", 1, "1307", "", ("", "", "", "x"))
        pack = shuffle(CODES, stream(seed, mix))
        if pack[39][1] == "B":
            break
    made = good("kaiserspiel")
    made = stopped_in(made, 1, 0)
    head = made["rounds"][0]
    head["proof"], head["deal"] = proof_to_json(seed, mix), {"pack": pack}
    found = faults_of(made)
    assert agree(found, [(1, None, "deal", "but the proof gives"), (1, None, "deal", "bad_deal")])


def test_banner_as_cut_card() -> None:
    made = good("kaiserspiel")
    pack = made["rounds"][0]["deal"]["pack"]
    swap(pack, 39, pack.index("SB"))
    check(made, (1, None, "deal", "bad_deal"))


def test_cards_that_nobody_gets_are_part_of_the_deal() -> None:
    made = good("kaiserspiel")
    swap(made["rounds"][0]["deal"]["pack"], 30, 31)
    check(made)
    made = good("kaiserspiel", proof=True)
    swap(made["rounds"][0]["deal"]["pack"], 30, 31)
    check(made, (1, None, "deal", "deal.pack[30]"))


@pytest.fixture
def void() -> Record:
    """Four open Banners, and a round after them."""
    made = played(["AB", "RB", "SB", "BB"], boldly, rounds=2)
    assert made["rounds"][0]["scores"] == [0, 0, 0, 0]
    assert made["rounds"][1]["dealer"] == 0
    return made


def test_void_round_scores_nothing(void: Record) -> None:
    void["rounds"][0]["scores"] = [4, 0, 4, 0]
    check(void, (1, None, "scores", "should be [0, 0, 0, 0]"))


def test_void_round_keeps_the_dealer(void: Record) -> None:
    void["rounds"][1]["dealer"] = 1
    void["rounds"][1]["start"] = 2
    check(void, (2, None, "dealer", "should be 0"), (2, None, "start", "should be 1"))


def test_void_round_is_the_round_before(void: Record) -> None:
    """The proof of the round after it has seen its actions, like any other's."""

    def mixed(previous: str) -> None:
        mix = Mix("kaiserspiel", "T1", 2, "1307", previous, ("",) * 4)
        void["rounds"][1]["proof"] = proof_to_json(b"x" * 32, mix)

    mixed(digest((each["seat"], each["do"]) for each in actions(void)))
    first(void, (2, None, "deal", "but the proof gives"))
    mixed("")
    first(void, (2, None, "proof", "'previous' is not the SHA-256 of the actions of round 1"))


@pytest.fixture
def quiet() -> Record:
    """A round of play after an open Banner was declared, and little else."""
    return played(["BB", "A4", "R7", "S7"], boldly)


def test_discards_stand_in_any_order_of_arrival(quiet: Record) -> None:
    ply = ply_of(quiet, "discard")
    swap(actions(quiet), ply - 1, ply + 2)
    check(quiet)


def test_who_resigned_scored() -> None:
    """The value as it stood goes to the others."""
    made: Record = next(
        each
        for each in map(json.loads, map(to_text, simulate(GAME, 4, {"target": 7}, 1, 100)))
        if actions(each)[-1]["do"] == "resign"
    )
    assert verify(made, 1) == []
    scores = made["rounds"][0]["scores"]
    made["rounds"][0]["scores"] = [*scores[1:], scores[0]]
    check(made, (1, None, "scores", "should be"))
