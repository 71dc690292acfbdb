"""Records that an earlier version of the program wrote are still what it meant.

`before.jsonl.xz` has ten short matches of every game, number of seats and variant, with proofs; the
last of each ten also with everything that was legal.  It was written by commit 0436d5d, before the
games became packages, in its checkout and by its own `simulate`; only another `rules_version` would
be a reason to write one anew:

    import lzma
    from pathlib import Path
    from engine.playout import simulate
    from engine.record import to_text
    from tests.engine.records import SHORT, configurations, other_lengths

    lines = []
    for one in (*configurations(), *other_lengths()):
        given = {**({} if "target" in one.options else SHORT[one.game.info.id]), **one.options}
        for seed, matches in ((9, 9), (10, 1)):
            legal = seed == 10
            made = simulate(one.game, one.seats, given, seed, matches, legal=legal, proof=True)
            lines += [to_text(record) + "\\n" for record in made]
    packed = lzma.compress("".join(lines).encode(), preset=9)
    Path("before.jsonl.xz").write_bytes(packed)
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from engine.deal import Mix, stream
from engine.game import CHANCE
from engine.record import opening_from_json, proof_to_json, record, to_text
from engine.registry import games
from engine.verify import verify_text
from tests.engine.records import configurations, other_lengths

EACH: Final = 10
"""Matches of each configuration."""
FILE: Final = Path(__file__).with_name("before.jsonl.xz")
LINES: Final = lzma.decompress(FILE.read_bytes()).decode().splitlines()


def of(game: str) -> list[str]:
    return [line for line in LINES if json.loads(line)["game"] == game]


def test_every_game_number_of_seats_and_variant_is_there() -> None:
    found: Counter[tuple[str, int, bool, bool]] = Counter()
    for line in LINES:
        made = json.loads(line)
        options = made["options"]
        found[made["game"], made["seats"], options.get("jokers", False), "hands" in options] += 1
    wanted: Counter[tuple[str, int, bool, bool]] = Counter()
    for one in (*configurations(), *other_lengths()):
        later = [spec for spec in one.game.info.options if spec.before is not None]
        if any(one.options.get(spec.key, spec.before) != spec.before for spec in later):
            continue  # it was not there before
        name = one.game.info.id
        hands = name == "aufundab" and "target" not in one.options
        wanted[name, one.seats, bool(one.options.get("jokers", False)), hands] += EACH
    assert found == wanted


@pytest.mark.parametrize("game", ["aufundab", "auffalscherfaehrte", "sticheln", "kaiserspiel"])
def test_they_verify(game: str) -> None:
    assert len(of(game)) >= EACH
    for number, line in enumerate(of(game), 1):
        assert verify_text(line, number) == []


@pytest.mark.parametrize("game", ["aufundab", "auffalscherfaehrte", "sticheln", "kaiserspiel"])
def test_they_are_written_again_to_the_letter(game: str) -> None:
    for line in of(game):
        made = json.loads(line)
        assert to_text(replayed(made)) == line


def replayed(made: dict[str, Any]) -> dict[str, Any]:
    """The record made anew of a match that is dealt by its proofs and played by its actions."""
    game, seats, options = games()[made["game"]], made["seats"], made["options"]
    state = game.initial(seats, options)
    log: list[tuple[int, Any]] = []
    proofs = []
    for dealt in made["rounds"]:
        proof = dealt["proof"]
        seed = bytes.fromhex(proof["server_seed"])
        mix = Mix(
            game.info.id,
            proof["table"],
            proof["round"],
            proof["post"],
            proof["previous"],
            tuple(proof["words"]),
        )
        proofs.append(proof_to_json(seed, mix))
        deal = game.deal(state, stream(seed, mix))
        assert opening_from_json(game, state, dealt) == deal
        log.append((CHANCE, deal))
        state = game.apply(state, CHANCE, deal)
        for ply in dealt["actions"]:
            action = game.parse_action(ply["do"])
            log.append((ply["seat"], action))
            state = game.apply(state, ply["seat"], action)
    legal = "legal" in made["rounds"][0]["actions"][0]
    return record(game, seats, options, log, legal=legal, proofs=proofs)
