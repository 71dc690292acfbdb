"""Reading the `proof` of a round, and whether it agrees with itself (`data/docs/notation.md`)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engine.deal import Mix, commitment
from engine.strict_json import is_int, show

_SHAPES: Final = {
    "commitment": (re.compile("[0-9a-f]{64}"), "64 hex digits"),
    "server_seed": (re.compile("[0-9a-f]{64}"), "64 hex digits"),
    "table": (re.compile("[A-Za-z0-9-]+"), "a table's id"),
    "post": (re.compile("[0-9]*"), "the id of a message in decimal digits"),
    "previous": (re.compile("(?:[0-9a-f]{64})?"), "64 hex digits or empty"),
}
_WORD: Final = re.compile("[A-Za-z0-9]{0,20}")


class Proof(NamedTuple):
    """What a deal was drawn from."""

    seed: bytes
    mix: Mix
    commitment: str

    @property
    def shared(self) -> dict[str, str]:
        """What stands in every proof of a record alike."""
        return {"table": self.mix.table, "commitment": self.commitment}


def read_proof(data: object, game: str, seats: int, number: int) -> tuple[Proof | None, list[str]]:
    """The proof of round `number`, None if it has not the shape of one; and what is wrong.

    Checked is what can be seen without the rest of the record: keys, shapes, the round's number,
    one word per seat, and that the commitment is that of the seed.
    """
    if not isinstance(data, dict):
        return None, ["is neither null nor an object"]
    wrong = []
    for key, (shape, meant) in _SHAPES.items():
        value = data.get(key)
        if not isinstance(value, str) or not shape.fullmatch(value):
            shown = show(value) if key in data else "missing"
            wrong.append(f"{key!r} is {shown}, which is not {meant}")
    for key in ("round", "link"):
        if not is_int(data.get(key), number):
            shown = show(data[key]) if key in data else "missing"
            wrong.append(f"{key!r} is {shown}, should be {number}")
    words = data.get("words")
    if not isinstance(words, list) or len(words) != seats or not all(map(_is_word, words)):
        wrong.append(f"'words' are {show(words)}, should be {seats} of [A-Za-z0-9]{{0,20}}")
        words = []
    if wrong:
        return None, wrong
    mix = Mix(game, data["table"], number, data["post"], data["previous"], tuple(words))
    seed = bytes.fromhex(data["server_seed"])
    if commitment(seed, number) != data["commitment"]:
        times = "" if number == 1 else f", taken {number} times"
        wrong.append(f"'commitment' is not the SHA-256 of 'server_seed'{times}")
    return Proof(seed, mix, data["commitment"]), wrong


def _is_word(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None
