"""Law of what is claimed: everything that is said to people holds where it is said."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from random import Random
from typing import Final

from engine.game import AnyGame, Options
from tests.conformance import (
    meanings_aufundab,
    meanings_faehrte,
    meanings_kaiserspiel,
    meanings_sticheln,
)
from tests.conformance.claims import Claim, Meaning, claims, greedy_match
from tests.conformance.law import law
from tests.conformance.matches import match_of

MEANINGS: Final[Mapping[str, Mapping[str, Meaning]]] = {
    "aufundab": meanings_aufundab.MEANINGS,
    "auffalscherfaehrte": meanings_faehrte.MEANINGS,
    "kaiserspiel": meanings_kaiserspiel.MEANINGS,
    "sticheln": meanings_sticheln.MEANINGS,
}


@law
def law_claims(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Questions, tips, hints' reasons, *Why dimmed?*, reasons of tricks and stories hold."""
    rng, looked = Random(seed), 0
    random, greedy = match_of(game, seats, given, seed), greedy_match(game, seats, given, seed)
    for claim in chain(claims(game, random, rng), claims(game, greedy, rng)):
        check(claim)
        looked += 1
    return looked


def check(claim: Claim) -> None:
    meaning = MEANINGS[claim.game.info.id].get(claim.phrase.code)
    assert meaning is not None, f"nobody has written down what {claim.phrase.code} means"
    assert meaning(claim), (
        f"{claim.phrase} is not true for {claim.seat} of {claim.action or claim.cards}, who holds "
        f"{claim.hand}, where {claim.trick} lies, after {claim.before}, before {claim.later}"
    )
