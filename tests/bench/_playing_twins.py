"""Random playouts of the players' twins, for `tests.bench.twins`: a process of its own.

It answers as `tests.bench.peers` does; a name is a game and its seats, like `sticheln-4`.  A
playout is what a search makes: a deal that fits what the seat knows that is asked first, and any
legal moves to the end of the round.  Compiled or interpreted: as the twins are in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import cycle
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.players.auffalscherfaehrte import twin as faehrte
from engine.players.auffalscherfaehrte.worlds import world as faehrte_world
from engine.players.aufundab import twin as aufundab
from engine.players.aufundab.worlds import fill as aufundab_world
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints, jit
from engine.players.duel import dealt, one_round
from engine.players.kaiserspiel import slots
from engine.players.kaiserspiel import twin as kaiserspiel
from engine.players.kaiserspiel.worlds import draw_world as kaiserspiel_world
from engine.players.roster import kit_of
from engine.players.sticheln import twin as sticheln
from engine.players.sticheln.worlds import draw_world as sticheln_world
from engine.registry import games
from tests.bench.peers import Play, serve

Rounds: TypeAlias = Callable[[Ints, int, Ints, Ints, Ints], int]
"""Plays out what is known so many times, by random numbers, in room for a state and for a pack; how
many plies that takes."""

AT_ONCE: Final = 200
"""Playouts between two looks at the clock, which would take longer than one of them."""

DEALS: Final = 50
"""So many take turns."""


@jit
def _aufundab(known: Ints, playouts: int, r: Ints, s: Ints, room: Ints) -> int:
    plies = 0
    for _ in range(playouts):
        aufundab_world(known, s, r)
        while s[aufundab.ACTOR] >= 0:
            aufundab.play(s, aufundab.random_move(s, r))
            plies += 1
    return plies


@jit
def _auffalscherfaehrte(known: Ints, playouts: int, r: Ints, s: Ints, room: Ints) -> int:
    plies = 0
    for _ in range(playouts):
        faehrte_world(known, r, s)
        while s[faehrte.STAGE] != faehrte.OVER:
            faehrte.play(s, faehrte.any_of(faehrte.legal(s), r))
            plies += 1
    return plies


@jit
def _sticheln(known: Ints, playouts: int, r: Ints, s: Ints, room: Ints) -> int:
    plies = 0
    for _ in range(playouts):
        sticheln_world(known, r, s)
        while s[sticheln.TURN] != sticheln.NONE:
            sticheln.play(s, sticheln.random_move(s, r))
            plies += 1
    return plies


@jit
def _kaiserspiel(known: Ints, playouts: int, r: Ints, s: Ints, room: Ints) -> int:
    """Nobody resigns or calls Three up: a deal is played out, as `tests.bench.playouts` has it."""
    plies = 0
    for _ in range(playouts):
        kaiserspiel_world(known, s, room, r)
        while s[slots.STEP] != slots.OVER:
            move = kaiserspiel.random_move(s, room, r)
            while move == slots.RESIGN or move == slots.THREEUP:
                move = kaiserspiel.random_move(s, room, r)
            kaiserspiel.play(s, move)
            plies += 1
    return plies


ROUNDS: Final[Mapping[str, tuple[Rounds, int]]] = MappingProxyType(
    {
        "aufundab": (_aufundab, aufundab.SIZE),
        "auffalscherfaehrte": (_auffalscherfaehrte, faehrte.SIZE),
        "sticheln": (_sticheln, sticheln.SIZE),
        "kaiserspiel": (_kaiserspiel, slots.SIZE),
    }
)
"""By game: what plays it, and how many numbers a state has."""


def playing(name: str, seats: int) -> Play:
    """What plays some deals of a game over and over."""
    game, kit = games()[name], kit_of(name)
    if kit is None:
        raise LookupError(name)
    knowing = []
    for number in range(DEALS):
        state = dealt(game, seats, one_round(game, seats, {}), 0, number).state
        knowing.append(kit.question(game.observe(state, game.actors(state)[0])).known)
    turns, r = cycle(knowing), chance_of(Random(seats))
    rounds, size = ROUNDS[name]
    state, room = ints(size), ints(slots.DECK)
    return lambda: int(rounds(next(turns), AT_ONCE, r, state, room))


def played() -> Mapping[str, Callable[[], Play]]:
    """What can be asked for."""
    return {
        f"{name}-{seats}": partial(playing, name, seats)
        for name in ROUNDS
        for seats in games()[name].info.seats
    }


if __name__ == "__main__":
    serve(played())
