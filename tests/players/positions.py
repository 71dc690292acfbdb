"""Positions of any game, and what its players come to there."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from sys import modules
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from engine.deal import Seeded
from engine.game import CHANCE, AnyGame, Options, Seat
from engine.players.auffalscherfaehrte import twin as faehrte
from engine.players.aufundab import twin as aufundab
from engine.players.chance import chance_of
from engine.players.compiled import Ints, ints
from engine.players.duel import dealt, one_round
from engine.players.kaiserspiel import twin as kaiserspiel
from engine.players.kit import FLAT, GUIDED, Begin, Kit, Tried
from engine.players.roster import kit_of
from engine.players.sticheln import twin as sticheln
from engine.registry import games

TURN: Final = MappingProxyType(
    {
        "aufundab": aufundab.ACTOR,
        "auffalscherfaehrte": faehrte.ACTOR,
        "sticheln": sticheln.TURN,
        "kaiserspiel": kaiserspiel.ACTOR,
    }
)
"""By game: where its twin has the seat to act."""


def kit(name: str) -> Kit:
    """That game's."""
    found = kit_of(name)
    assert found is not None
    return found


class Position(NamedTuple):
    """Somebody acts."""

    state: Any
    seat: Seat
    action: Any


def positions(
    game: AnyGame, seats: int, seed: int, options: Options | None = None, thumbs: float = 0.5
) -> Iterator[Position]:
    """Those of a round, of which such a share is played by the rules of thumb.

    Nobody gives up by chance, or rounds would be short.
    """
    rng, players = Random(f"{game.info.id}{seats}{seed}"), kit(game.info.id)
    r = chance_of(rng)
    state = dealt(game, seats, one_round(game, seats, options or {}), seed, 0)
    while game.round_scores(state) is None:
        seat = rng.choice(game.actors(state))
        if seat == CHANCE:
            state = game.apply(state, CHANCE, game.deal(state, Seeded(rng)))
            continue
        legal = list(game.legal_actions(state, seat))
        action = rng.choice([one for one in legal if game.format_action(one) != "resign"] or legal)
        if rng.random() < thumbs:
            asked = players.question(game.observe(state, seat))
            action = asked.actions[players.greedy(asked.known, asked.moves, r)]
        yield Position(state, seat, action)
        state = game.apply(state, seat, action)


def whole(game: AnyGame, state: Any, seat: Seat) -> Ints:
    """The twin's state, all cards included, in which that seat acts."""
    flat = kit(game.info.id).flatten(state)
    flat[TURN[game.info.id]] = seat
    return flat


def digest(name: str) -> str:
    """Of what players come to in some positions of a game, to the last bit.

    Compiled and interpreted, a walk makes as many steps here.
    """
    game, players, found = games()[name], kit(name), sha256()
    vars(modules[type(players).__module__]).update(THIN=2, COMPILED=True)

    def note(*columns: Any) -> None:
        found.update(repr([[float(one).hex() for one in column] for column in columns]).encode())

    for seats in game.info.seats:
        for number, (state, seat, _) in enumerate(positions(game, seats, seats)):
            r, truth = chance_of(Random(number)), whole(game, state, seat)
            asked = players.question(game.observe(state, seat))
            note(asked.known, asked.moves, asked.history, truth)
            note([players.greedy(asked.known, asked.moves, r)])
            begins = [Begin(), Begin(truth)] if number % 4 == 0 else []
            if number % 20 == 10:
                begins.append(Begin(walk=ints(players.room(asked))))
            for begin in begins:
                for way in (FLAT, GUIDED):
                    tried = Tried.of(asked.moves)
                    players.search(asked, begin, tried, 12, way, r)
                    note(*tried, begin.walk, r)
    return found.hexdigest()
