"""What the deals of a match depend on beside its log: chains of seeds, words, messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.ids import UserId
from engine.deal import Chain, commitment


class Renewal(StrEnum):
    """Why a match goes on with another chain than the one that its lobby published."""

    UNCHAINED = "unchained"
    """It was opened when every round had a commitment of its own."""
    END = "end"
    """The one before has no seed left."""


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What chance has for one round (`data/docs/notation.md`, verifiable deal)."""

    seed: str = field(repr=False)
    """32 bytes as 64 hex digits.  Secret: only `bot.tables.published` says when it may be shown."""
    post: str | None = None
    """Id of the message that carries the round, empty if there is none; None until it is dealt."""
    words: tuple[str, ...] = ()
    """By seat, from the moment the seats are closed."""
    link: int | None = None
    """How often the seed is hashed to give its chain's commitment; None: the commitment is for
    this round alone, as before there were chains."""
    renewal: Renewal | None = None
    """Why a chain begins with this round; None where none does, and for a match's first."""

    @property
    def begins(self) -> bool:
        """Whether its commitment binds no earlier round."""
        return self.link is None or self.link == 1


@dataclass(frozen=True, slots=True)
class Shuffling:
    """What the deals of a match depend on."""

    shuffles: tuple[Shuffle, ...] = ()
    """By round: every one dealt and the coming one; while the seats are closed also the one after,
    so that each seed is bound before the first action of the round before it."""
    words: Mapping[UserId, str] = field(default_factory=dict)
    """What users typed behind *Cut* for the coming deal; closing the seats moves it into the
    round's shuffle."""
    closed: bool = False
    """Nobody sits down and no word changes: the round is dealt once its message is known."""
    chain: Chain | None = None
    """What coming rounds are dealt from.  Secret.  None at tables of before there were chains."""

    def commitment(self, number: int) -> str:
        """What binds the deal of round `number`, 64 hex digits; empty if nothing does (yet)."""
        if not 0 < number <= len(self.shuffles):
            return ""
        # Hashed once, not `link` times: the round that began the chain has the value before it.
        began = number - (self.shuffles[number - 1].link or 1)
        return commitment(bytes.fromhex(self.shuffles[began].seed))

    def following(self, tip: Callable[[], bytes]) -> Shuffling:
        """With a seed for one more round: the chain's next one, or the first of a new chain, whose
        tip is drawn then.
        """
        last = self.shuffles[-1].link if self.shuffles else 0
        chain, link = self.chain, 1 + (last or 0)
        renewal = None
        if chain is None or link > chain.links:
            if self.shuffles:
                renewal = Renewal.UNCHAINED if chain is None else Renewal.END
            chain, link = Chain(tip()), 1
        drawn = Shuffle(chain.seed(link).hex(), link=link, renewal=renewal)
        return replace(self, shuffles=(*self.shuffles, drawn), chain=chain)

    def with_word(self, user: UserId, word: str) -> Shuffling:
        """With `word` of `user` for the coming deal; an empty one takes theirs back."""
        words = {other: said for other, said in self.words.items() if other != user}
        return replace(self, words={**words, user: word} if word else words)
