"""Proofs in simulated records, recomputed by `data/docs/notation.md` alone, no engine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import takewhile
from random import Random
from typing import Any

import pytest

from engine.deal import MAX_LINKS, SEED_BYTES, Chain, Mix, commitment, digest, stream
from engine.game import CHANCE, Draw, Json
from engine.playout import play_match
from engine.record import proof_to_json, record, to_text
from engine.registry import games
from engine.verify import read_proof, verify
from tests.engine.records import Configuration, Record, configurations, good, named, put
from tests.engine.test_deal import Plain, plain_deal


def pack_of(game: str, seats: int, options: Any) -> list[str]:
    """The pack in canonical order, as `data/docs/notation.md` describes it."""
    match game:
        case "aufundab":
            return [f"{low}-{high}" for low in range(10) for high in range(low, 10)]
        case "auffalscherfaehrte":
            numbers = 13 if seats == 4 else 10
            cards = [f"{suit}{number}" for suit in "RYGB" for number in range(numbers)]
            return cards + ["J"] * (seats if options["jokers"] else 0)
        case "sticheln":
            suits, numbers = "RYGBPS"[: 6 if seats == 6 else 5], {3: 9, 4: 12}.get(seats, 15)
            return [f"{suit}{number}" for suit in suits for number in range(numbers)]
        case "kaiserspiel":
            return [suit + rank for suit in "ARSB" for rank in "KOUB765432"]
        case _:
            raise AssertionError(game)


def opening(made: Record, number: int) -> tuple[Any, int | None]:
    """The deal of a round, and the seat drawn after it, by its proof."""
    round_ = made["rounds"][number - 1]
    proof, game, seats = round_["proof"], made["game"], made["seats"]
    assert proof["round"] == number
    seed = bytes.fromhex(proof["server_seed"])
    value = seed
    for _ in range(proof["link"]):
        value = hashlib.sha256(value).digest()
    assert proof["commitment"] == value.hex()
    before = made["rounds"][number - 2]["actions"] if number > 1 else None
    previous = (
        ""
        if before is None
        else hashlib.sha256(
            "\n".join(f"{a['seat']} {a['do']}" for a in before).encode()
        ).hexdigest()
    )
    assert proof["previous"] == previous
    words = ",".join(proof["words"])
    text = "|".join(
        ["stammtisch/deal/1", game, proof["table"], str(number), proof["post"], previous, words]
    )
    order = pack_of(game, seats, made["options"])
    return plain_deal(game, seats, order, Plain(seed, text))


@pytest.mark.parametrize("one", [pytest.param(c, id=named(c)) for c in configurations()])
def test_simulated_deals_follow_from_their_proofs(one: Configuration) -> None:
    made = good(one.game.info.id, one.seats, one.options, seed=3, proof=True)
    table = made["rounds"][0]["proof"]["table"]
    for number, round_ in enumerate(made["rounds"], 1):
        expected, drawn = opening(made, number)
        assert round_["deal"] == expected
        if drawn is not None and number == 1:
            head = "start" if made["game"] == "sticheln" else "dealer"
            assert round_[head] == drawn
        assert round_["proof"]["table"] == table
        assert round_["proof"]["link"] == number
        assert round_["proof"]["commitment"] == made["rounds"][0]["proof"]["commitment"]
        assert round_["proof"]["post"] == ""


def test_seeds_differ_between_matches_rounds_and_simulations() -> None:
    seeds = [
        round_["proof"]["server_seed"]
        for seed in (1, 2, 11)
        for round_ in good("aufundab", seed=seed, proof=True)["rounds"]
    ]
    assert len(set(seeds)) == len(seeds)


def test_a_proof_may_be_missing_and_what_is_there_is_still_checked() -> None:
    made = good("aufundab", proof=True)
    put(None, "rounds", 0, "proof")(made)
    assert verify(made, 1) == []
    made["rounds"][1]["proof"]["post"] = "1"
    assert [fault[1:4] for fault in verify(made, 1)] == [(2, None, "deal")]


# Chains


def chained(*links: int, of: str = "") -> Record:
    """A record whose rounds are dealt from these links, of the chains that `of` names by a letter
    each.

    Its deals and everything else are as they follow from that.
    """
    game = games()["sticheln"]
    options = game.complete_options(3, {"rounds": len(links)})
    tips = {name: Chain(name.encode() * SEED_BYTES, 9) for name in of or "A"}
    proofs: list[dict[str, Json]] = []

    def source(log: Sequence[tuple[int, Any]]) -> Draw:
        number = len(proofs) + 1
        last = list(takewhile(lambda entry: entry[0] != CHANCE, reversed(log)))[::-1]
        said = [(seat, game.format_action(action)) for seat, action in last]
        mix = Mix("sticheln", "T1", number, "", digest(said) if number > 1 else "", ("",) * 3)
        link = links[number - 1]
        seed = tips[(of or "A" * len(links))[number - 1]].seed(link)
        bound: dict[str, Json] = {"link": link, "commitment": commitment(seed, link)}
        proofs.append({**proof_to_json(seed, mix), **bound})
        return stream(seed, mix)

    log = play_match(game, 3, options, Random(5), source)
    made: Record = json.loads(to_text(record(game, 3, options, log, proofs=proofs)))
    return made


@pytest.mark.parametrize(
    ("links", "of", "faults"),
    [
        ((1, 2, 3, 4), "", []),
        ((2, 3), "", [(1, "'link' is 2, should be 1"), (2, "'link' is 3, should be 2")]),
        ((1, 3), "", [(2, "'link' is 3, should be 2")]),
        ((1, 2, 2), "", [(3, "'link' is 2, should be 3")]),
        ((1, 1), "AB", [(2, "'link' is 1, should be 2")]),
        ((1, 2, 1), "AAB", [(3, "'link' is 1, should be 3")]),
        ((1, 2, 3), "AAB", [(3, "'commitment' is ")]),
        ((1, 2, 3), "ABA", [(2, "'commitment' is ")]),
    ],
)
def test_gaps_repetitions_and_other_chains_are_faults(
    links: tuple[int, ...], of: str, faults: list[tuple[int, str]]
) -> None:
    found = verify(chained(*links, of=of), 1)
    assert [(fault.round, fault.kind) for fault in found] == [(at, "proof") for at, _ in faults]
    for fault, (_, what) in zip(found, faults, strict=True):
        assert what in fault.what


@pytest.mark.parametrize("link", [0, -1, 3, MAX_LINKS + 1, 2.0, True, "2", None, [2], 10**30])
def test_a_link_is_the_number_of_its_round(link: object) -> None:
    made = chained(1, 2)
    made["rounds"][1]["proof"]["link"] = link
    (fault,) = verify(made, 1)
    assert (fault.round, fault.kind) == (2, "proof")
    assert fault.what.startswith("'link' is ")


def test_the_longest_chain_is_checked_to_its_end() -> None:
    chain = Chain(bytes(32), MAX_LINKS)
    mix = Mix("sticheln", "T1", MAX_LINKS, "", "ab" * 32, ("",) * 3)
    proof, wrong = read_proof(proof_to_json(chain.tip, mix), "sticheln", 3, MAX_LINKS)
    assert wrong == []
    assert proof is not None
    assert proof.commitment == commitment(chain.seed(1))


def test_a_round_without_a_proof_counts_as_a_link() -> None:
    for missing in (0, 1, 2):
        made = chained(1, 2, 3, 4)
        made["rounds"][missing]["proof"] = None
        assert verify(made, 1) == []
