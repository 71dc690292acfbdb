"""Randomness of the deals of a match: the chain of seeds, words of people, message ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.ids import UserId
from engine.deal import Chain, commitment


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Randomness of one round (`data/docs/notation.md`, verifiable deal)."""

    seed: str = field(repr=False)
    """32 bytes as 64 hex digits.  Secret: only `bot.tables.published` says when it may be shown."""
    post: str | None = None
    """Id of the message that carries the round, empty if there is none; None until it is dealt."""
    words: tuple[str, ...] = ()
    """By seat, once the seats are closed."""


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Everything that the deals of a match depend on."""

    chain: Chain
    """Chain of seeds: each round is dealt from the link of its number.  Secret."""
    shuffles: tuple[Shuffle, ...] = ()
    """By round: every one dealt and the coming one; while the seats are closed also the one after,
    so that each seed is bound before the first action of the round before it."""
    words: Mapping[UserId, str] = field(default_factory=dict)
    """Words that users typed behind *Cut* for the coming deal; closing the seats moves them into
    the round's shuffle."""
    closed: bool = False
    """Whether seats and words are fixed: the round is dealt once its message is known."""

    @property
    def commitment(self) -> str:
        """The commitment to all deals, 64 hex digits; empty before there is a round to come."""
        return commitment(bytes.fromhex(self.shuffles[0].seed)) if self.shuffles else ""

    def following(self) -> Shuffling:
        """With a seed for one more round.  Raises ValueError if the chain has none left, which
        takes more rounds than anybody plays."""
        drawn = Shuffle(self.chain.seed(len(self.shuffles) + 1).hex())
        return replace(self, shuffles=(*self.shuffles, drawn))

    def with_word(self, user: UserId, word: str) -> Shuffling:
        """With `word` of `user` for the coming deal; an empty one takes theirs back."""
        words = {other: said for other, said in self.words.items() if other != user}
        return replace(self, words={**words, user: word} if word else words)
