"""Reading the `proof` of a round, and whether it agrees with itself (`data/docs/notation.md`)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engine.deal import MAX_LINKS, Mix, commitment
from engine.strict_json import is_int, is_number, show

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
    link: int
    """How often the seed is hashed to give the commitment."""
    chained: bool
    """Whether the link was written there: else the commitment is for this round alone."""


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
    if not is_int(data.get("round"), number):
        wrong.append(f"'round' is {show(data.get('round'))}, should be {number}")
    link = data.get("link", 1)
    if not is_number(link) or not 1 <= link <= MAX_LINKS:
        wrong.append(f"'link' is {show(link)}, should be from 1 to {MAX_LINKS}")
        link = 1
    words = data.get("words")
    if not isinstance(words, list) or len(words) != seats or not all(map(_is_word, words)):
        wrong.append(f"'words' are {show(words)}, should be {seats} of [A-Za-z0-9]{{0,20}}")
        words = []
    if wrong:
        return None, wrong
    mix = Mix(game, data["table"], number, data["post"], data["previous"], tuple(words))
    seed = bytes.fromhex(data["server_seed"])
    if commitment(seed, link) != data["commitment"]:
        times = "" if link == 1 else f", taken {link} times"
        wrong.append(f"'commitment' is not the SHA-256 of 'server_seed'{times}")
    return Proof(seed, mix, data["commitment"], link, "link" in data), wrong


class Links:
    """The links of a record's proofs, read in the order of the rounds.

    A commitment begins with link 1, and every further round has the next one.
    """

    def __init__(self) -> None:
        self._last: Proof | None = None
        self._known: set[str] = set()
        """Commitments so far."""
        self._skipped = 0
        """Rounds since the last proof that have none, or none that can be trusted."""

    def skip(self) -> None:
        """The next round has no proof, or one that is at odds with itself."""
        self._skipped += 1

    def read(self, proof: Proof) -> str | None:
        """What is wrong with the link of the next round's proof."""
        last, skipped = self._last, self._skipped
        self._last, self._skipped = proof, 0
        if proof.commitment not in self._known:
            self._known.add(proof.commitment)
            # It may have begun with a round that does not say so.
            if proof.link <= 1 + skipped:
                return None
            wanted = f"from 1 to {1 + skipped}" if skipped else "1"
        elif last is None or last.commitment != proof.commitment:
            return "'commitment' is that of an earlier round, with another in between"
        elif proof.link == last.link + skipped + 1:
            return None
        else:
            wanted = str(last.link + skipped + 1)
        return f"'link' is {proof.link}, should be {wanted}"

    def is_renewed_by(self, proof: Proof) -> bool:
        """Whether the next round's proof begins another chain than that of the proof before."""
        last = self._last
        return proof.chained and last is not None and last.commitment != proof.commitment


def _is_word(value: object) -> bool:
    return isinstance(value, str) and _WORD.fullmatch(value) is not None
