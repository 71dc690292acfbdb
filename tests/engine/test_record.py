"""Records as they are written: keys, legal actions, proofs, stopped matches."""

from __future__ import annotations

import json
from hashlib import sha256
from random import Random

import pytest

from engine.deal import Mix
from engine.games.aufundab import GAME
from engine.playout import play_match
from engine.record import proof_to_json, record, to_text
from engine.registry import games
from engine.verify import verify
from tests.engine.records import Record, good

OPTIONS = GAME.complete_options(3, {"hands": 2})
LOG = play_match(GAME, 3, OPTIONS, Random("1/0"))


def stopped_after(entries: int) -> Record:
    """A match of two rounds, stopped early."""
    made = record(GAME, 3, OPTIONS, LOG[:entries], stopped="host")
    decoded: Record = json.loads(to_text(made))
    return decoded


def test_a_switch_that_a_record_does_not_name_means_what_it_meant_before_it_was_there() -> None:
    before = {
        (game.info.id, spec.key): spec.before
        for game in games().values()
        for spec in game.info.options
        if spec.before is not None
    }
    assert before == {
        ("auffalscherfaehrte", "next_leader"): "next",
        ("auffalscherfaehrte", "trump"): "R",
        ("kaiserspiel", "limit"): False,
        ("sticheln", "zeros"): "aside",
    }


def test_a_record_has_the_keys_of_the_format() -> None:
    made = good("aufundab")
    assert list(made) == [
        "format", "game", "rules_version", "options", "seats", "rounds", "outcome",
    ]  # fmt: skip
    assert list(made["rounds"][0]) == [
        "dealer", "start", "trump", "deal", "actions", "scores", "proof",
    ]  # fmt: skip
    assert made["options"] == {"length": "hands", "hands": 2}
    assert made["rounds"][0]["proof"] is None


def test_legal_actions_stand_sorted_and_once() -> None:
    for ply in good("aufundab", legal=True)["rounds"][0]["actions"]:
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
    whole = good("aufundab")
    made = stopped_after(len(whole["rounds"][0]["actions"]) + 1)
    assert made["rounds"] == whole["rounds"][:1]
    assert verify(made, 1) == []


def test_a_finished_match_is_not_stopped_and_an_unfinished_one_is_for_a_reason() -> None:
    with pytest.raises(ValueError, match="finished or stopped"):
        record(GAME, 3, OPTIONS, LOG, stopped="host")
    for reason in (None, ""):
        with pytest.raises(ValueError, match="finished or stopped"):
            record(GAME, 3, OPTIONS, LOG[:5], stopped=reason)


def test_every_round_carries_its_own_proof() -> None:
    proofs = [good("aufundab", proof=True)["rounds"][k]["proof"] for k in (0, 1)]
    made = record(GAME, 3, OPTIONS, LOG, proofs=proofs)
    assert [each["proof"] for each in json.loads(to_text(made))["rounds"]] == proofs
    made = record(GAME, 3, OPTIONS, LOG, proofs=[proofs[0], None])
    assert [each["proof"] for each in json.loads(to_text(made))["rounds"]] == [proofs[0], None]
    assert record(GAME, 3, OPTIONS, [], stopped="host", proofs=())["rounds"] == []


@pytest.mark.parametrize("count", [1, 3])
def test_as_many_proofs_as_rounds(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} proofs for 2 rounds"):
        record(GAME, 3, OPTIONS, LOG, proofs=[None] * count)


def test_a_proof_is_written_as_the_format_says() -> None:
    seed = bytes(range(32))
    mix = Mix("aufundab", "T7Q2", 2, "1307", "ab" * 32, ("", "kuckuck", ""))
    assert proof_to_json(seed, mix) == {
        "commitment": sha256(sha256(seed).digest()).hexdigest(),
        "link": 2,
        "server_seed": seed.hex(),
        "table": "T7Q2",
        "round": 2,
        "post": "1307",
        "previous": "ab" * 32,
        "words": ["", "kuckuck", ""],
    }
    assert json.loads(to_text(proof_to_json(seed, mix)))["words"] == ["", "kuckuck", ""]
    assert list(proof_to_json(seed, mix))[:2] == ["commitment", "link"]
