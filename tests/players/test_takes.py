"""How often the trick or the series at hand goes to whoever is asked, in playouts of each move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import pytest

from engine.game import AnyGame
from engine.games.aufundab.cards import PASS
from engine.players.chance import chance_of
from engine.players.kit import FLAT, GUIDED, Begin, Tried
from engine.players.player import Budget
from engine.players.roster import player
from engine.registry import games
from tests.players.positions import kit, positions, whole

EACH: Final = 4
"""Playouts of each move."""


def _of_tricks(taken: Callable[[Any, int], int]) -> Callable[[AnyGame, Any, int, Any], bool | None]:
    """Where a trick that is complete tells, by the number of those that a side has taken."""

    def takes(game: AnyGame, state: Any, seat: int, action: Any) -> bool | None:
        after = game.apply(state, seat, action)
        last = len(game.observe(state, seat).trick) == len(state.hands) - 1
        return taken(after, seat) > taken(state, seat) if last else None

    return takes


def _sticheln(state: Any, seat: int) -> int:
    return len(state.tricks.taken[seat])


def _faehrte(state: Any, seat: int) -> int:
    return sum(trick.winner == seat for trick in state.tricks)


def _kaiserspiel(state: Any, seat: int) -> int:
    won: int = state.tricks.won[seat % 2]
    return won


def _series(game: AnyGame, state: Any, seat: int, action: Any) -> bool | None:
    """It goes to whoever has no rival left or empties their hand, and to nobody who passes."""
    view = game.observe(state, seat)
    if view.alone or action.cards == view.hand:
        return True
    return False if action == PASS else None


TAKEN: Final[Mapping[str, Callable[[AnyGame, Any, int, Any], bool | None]]] = {
    "sticheln": _of_tricks(_sticheln),
    "auffalscherfaehrte": _of_tricks(_faehrte),
    "kaiserspiel": _of_tricks(_kaiserspiel),
    "aufundab": _series,
}
"""By game: whether the trick or series is the side's that is asked by an action; None: open."""


@pytest.mark.parametrize("way", [FLAT, GUIDED])
@pytest.mark.parametrize("name", games())
def test_what_is_decided_is_taken_always_or_never(name: str, way: int) -> None:
    game, found = games()[name], {True: 0, False: 0}
    met = (one for seed in range(6) for one in positions(game, game.info.seats[-1], seed))
    for number, (state, seat, _) in enumerate(met):
        asked = kit(name).question(game.observe(state, seat))
        if not asked.exchange:
            continue
        told = {
            at: takes
            for at, action in enumerate(asked.actions)
            if (takes := TAKEN[name](game, state, seat, action)) is not None
        }
        if not told:
            continue
        for begin in (Begin(), Begin(whole(game, state, seat))):
            tried = Tried.of(asked.moves)
            kit(name).search(
                asked, begin, tried, EACH * len(asked.moves), way, chance_of(Random(number))
            )
            for at, takes in told.items():
                assert tried.takes[at] == takes * tried.visits[at]
                found[takes] += tried.visits[at] > 0
    assert min(found.values()) > 10


@pytest.mark.parametrize("name", games())
def test_what_is_open_is_taken_now_and_then(name: str) -> None:
    """The share is that of the playouts of a move, and there is none where nothing is played."""
    game, shares = games()[name], []
    for number, (state, seat, _) in enumerate(positions(game, game.info.seats[-1], 2)):
        asked = kit(name).question(game.observe(state, seat))
        decision = player("guided", game).decide(
            game.observe(state, seat), Budget(2 * len(asked.moves)), Random(number)
        )
        for one in decision.estimates:
            assert (one.takes is not None) is asked.exchange
            if one.takes is not None:
                assert one.takes * one.visits == pytest.approx(round(one.takes * one.visits))
                shares.append(one.takes)
    assert min(shares) == 0
    assert max(shares) == 1
    assert 0.1 < sum(shares) / len(shares) < 0.7
