"""Proofs in simulated records, recomputed by `data/docs/notation.md` alone, no engine."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.playout import simulate
from engine.record import to_text
from engine.registry import games
from engine.verify import verify
from tests.engine.records import Configuration, Record, configurations, good, named, put


def pack_of(game: str, seats: int, options: Any) -> list[str]:
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


def numbers_of(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def draw_of(numbers: Iterator[int]) -> Callable[[int], int]:
    def draw(n: int) -> int:
        while True:
            x = next(numbers)
            if x < 2**32 - (2**32 % n):
                return x % n

    return draw


def shuffled(items: list[Any], draw: Callable[[int], int]) -> list[Any]:
    for i in range(len(items) - 1, 0, -1):
        j = draw(i + 1)
        items[i], items[j] = items[j], items[i]
    return items


def opening(made: Record, number: int) -> dict[str, Any]:
    """The deal of a round, and in round 1 the seat that was drawn, by its proof."""
    round_ = made["rounds"][number - 1]
    proof, game, seats = round_["proof"], made["game"], made["seats"]
    assert proof["round"] == number
    seed = bytes.fromhex(proof["server_seed"])
    assert proof["commitment"] == hashlib.sha256(seed).hexdigest()
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
    draw = draw_of(numbers_of(hmac.new(seed, text.encode(), hashlib.sha256).digest()))
    order = pack_of(game, seats, made["options"])
    pack = shuffled(list(order), draw)
    if game == "kaiserspiel":
        while pack[39] in ("AB", "RB", "SB", "BB"):
            j = draw(40)
            pack[39], pack[j] = pack[j], pack[39]
        found: dict[str, Any] = {"pack": pack}
    else:
        size = len(order) // seats
        rows = [pack[at * size : (at + 1) * size] for at in range(seats)] + [pack[seats * size :]]
        *hands, aside = (sorted(row, key=order.index) for row in rows)
        found = {"hands": hands, "aside": aside}
    if game == "auffalscherfaehrte":
        found["reveal"] = shuffled(list(range(seats)), draw)
    if number == 1 and game != "aufundab":
        found["drawn"] = draw(seats)
    return found


@pytest.mark.parametrize("one", [pytest.param(c, id=named(c)) for c in configurations()])
def test_simulated_deals_follow_from_their_proofs(one: Configuration) -> None:
    made = good(one.game.info.id, one.seats, one.options, seed=3, proof=True)
    table = made["rounds"][0]["proof"]["table"]
    for number, round_ in enumerate(made["rounds"], 1):
        expected = opening(made, number)
        drawn = expected.pop("drawn", None)
        assert round_["deal"] == expected
        if drawn is not None:
            head = "start" if made["game"] == "sticheln" else "dealer"
            assert round_[head] == drawn
        assert round_["proof"]["table"] == table
        assert round_["proof"]["post"] == ""


def test_the_table_of_a_simulation_names_seed_and_match() -> None:
    one, two = simulate(games()["aufundab"], 3, {"hands": 1}, -7, 2, proof=True)
    tables = [json.loads(to_text(made))["rounds"][0]["proof"]["table"] for made in (one, two)]
    assert tables == ["S-7-0", "S-7-1"]


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
