"""Computer players of Kaiserspiel are partners that do not look silly: `partnership`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from engine.game import CHANCE, Seat
from engine.games.kaiserspiel import GAME
from engine.games.kaiserspiel.cards import Move
from engine.players.player import Budget, Player
from engine.players.roster import player
from tests.nightly import by_day
from tests.players.partnership import RULES, Choice
from tests.players.probing import probe
from tests.players.test_kaiserspiel_players import JUNK, chosen, position

PART = 250
"""Deals of one test of many: 40 of them are 10,000 deals."""


def choices(who: Player, deals: int, seed: int, playouts: int) -> Iterator[Choice]:
    """All that happens in so many deals among such players."""
    rng = Random(seed)
    state = GAME.initial(4, GAME.complete_options(4, {}))
    done = list[tuple[Seat, Move]]()
    while True:
        if not GAME.actors(state):
            state = GAME.initial(4, GAME.complete_options(4, {}))
        if GAME.actors(state) == (CHANCE,):
            if not deals:
                return
            deals -= 1
            state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
            done.clear()
            continue
        seat = GAME.actors(state)[0]
        view = GAME.observe(state, seat)
        action = who.decide(view, Budget(playouts), rng).action
        yield Choice(view, action, tuple(done))
        done.append((seat, action))
        state = GAME.apply(state, seat, action)


def broken(name: str, deals: int, seed: int, playouts: int = 0) -> Counter[str]:
    """How often which rule is broken."""
    found = Counter[str]()
    for choice in choices(player(name, GAME), deals, seed, playouts):
        found.update(rule.__name__ for rule in RULES if rule(choice))
    return found


@pytest.mark.parametrize("part", by_day(range(40), 40))
def test_the_rules_of_thumb_never_look_silly(part: int) -> None:
    assert broken("greedy", PART, part) == {}


def test_strong_does_not_look_silly() -> None:
    assert broken("strong", 25, 1, 8) == {}


STRONG = """
import json
from engine.players.compiled import COMPILED
from tests.players.test_kaiserspiel_partnership import broken
print(json.dumps([COMPILED, broken("strong", 10_000, 1, 20)]))
"""


@pytest.mark.nightly
def test_strong_never_looks_silly() -> None:
    """Compiled, with few playouts: the fewer there are, the more would be silly."""
    pytest.importorskip("numba")
    assert probe(STRONG, compiled=True) == {}


def test_who_does_anything_breaks_every_rule() -> None:
    """But one, for which chance takes many deals."""
    found = broken("random", 1_000, 1)
    assert {rule.__name__ for rule in RULES} - set(found) == {"loses_the_partners_trick"}


@pytest.mark.parametrize("name", ["greedy", "guided", "strong"])
def test_the_special_unter_is_hidden_where_it_would_make_the_five_count(name: str) -> None:
    """The partner led the special Seven: the Unter alone takes it from it."""
    more = ("A6", "S5", "B2", "B3", "A7", "S6", "B5", "B7")
    state = position("RU", laid=(*JUNK, *more, "R7", "R5"), leaders=(2, 1, 2, 1, 2))
    view = GAME.observe(state, 0)
    loses = [action for action in view.legal_actions if RULES[0](Choice(view, action, ()))]
    assert [GAME.format_action(action) for action in loses] == ["play RU"]
    assert chosen(state, name) == "play RU down"
