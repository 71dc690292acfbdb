"""Computer players of Auf und Ab: what they choose, and from what."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

import pytest

from engine.games.aufundab.cards import PACK
from engine.players.aufundab import KIT, twin
from engine.players.aufundab.policy import LOOKED_AT, choose, new_room
from engine.players.aufundab.twin import ACTOR, COUNTS, HANDS, TWICE, play
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.kit import FLAT, GUIDED, Begin, Question, Tried
from tests.players.test_aufundab import lead, listed, positions


def cards(codes: str) -> int:
    return PACK.mask(codes.split())


def test_the_rules_of_thumb_are_legal_in_every_world() -> None:
    room, found, r = new_room(0.5), ints(LOOKED_AT), chance_of(Random(1))
    for seed in range(30):
        s = KIT.flatten(next(positions(3 + seed % 2, seed))[0])
        while s[ACTOR] >= 0:
            move = int(choose(s, room, found, r))
            assert move in listed(s)
            play(s, move)


def searched(known: Ints, truth: Ints, way: int, *moves: int) -> Tried:
    """What 300 playouts find of these moves."""
    tried = Tried.of(moves)
    asked = Question(known, moves, moves)
    KIT.search(asked, Begin(truth), tried, 300, way, chance_of(Random(7)))
    assert sum(tried.visits) == 300
    return tried


def test_in_the_deal_as_it_is_playouts_know_who_can_beat_what() -> None:
    truth = lead("2-8 5-6")
    known = ints(truth)
    truth[HANDS + 1] = cards("0-1 0-2 0-3 0-4 0-5")
    truth[HANDS + 2] = cards("1-1 1-2 1-3 1-4 1-5")
    shares = [searched(known, one, FLAT, cards("5-6")).wins[0] for one in (truth, ints(0))]
    assert shares[0] == 300 > shares[1]


class Plain(NamedTuple):
    """A position with a move that anybody would make."""

    hand: str
    best: int
    others: int = 5
    """Cards of each of the others."""
    number: int = -1
    quantity: int = 0
    out: int = 0


PLAIN: Final = {
    "who can end the round does": Plain("3-4 3-5 3-9", cards("3-4 3-5 3-9")),
    "what nobody beats goes before the last card": Plain("0-3 9-9", cards("9-9"), others=1),
    "three are led when everybody has one card": Plain(
        "4-5 4-6 4-7 2-8", cards("4-5 4-6 4-7"), others=1
    ),
    "who is alone gets rid of one more card": Plain(
        "2-8 5-6", cards("5-6"), number=3, quantity=1, out=0b110
    ),
    "a lone double counts two to end the round": Plain(
        "7-7", cards("7-7") | TWICE, number=3, quantity=2
    ),
}


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("way", [FLAT, GUIDED, None], ids=["pimc", "guided", "greedy"])
def test_what_is_plain_is_found(name: str, way: int | None) -> None:
    plain = PLAIN[name]
    known = lead(plain.hand)
    known[COUNTS + 1] = known[COUNTS + 2] = plain.others
    known[twin.NUMBER], known[twin.QUANTITY] = plain.number, plain.quantity
    known[twin.OUT] = plain.out
    if way is None:
        found = int(choose(known, new_room(0.0), ints(LOOKED_AT), chance_of(Random(1))))
    else:
        moves = listed(known)
        tried = searched(known, ints(0), way, *moves)
        means = [total / max(1, n) for total, n in zip(tried.sums, tried.visits, strict=True)]
        found = moves[means.index(max(means))]
    # How much a double counts matters only to whoever follows.
    assert found in (plain.best, plain.best | (0 if plain.quantity else TWICE))
