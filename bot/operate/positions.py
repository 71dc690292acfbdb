"""Positions of random matches, for the gallery and for measuring."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.game import CHANCE, AnyGame, Options, Seat
from engine.layout import Layout


def ways(game: AnyGame) -> Iterator[tuple[int, Options]]:
    """How it can be played: with each number of seats, as usual and with each switch turned on."""
    switches = [spec.key for spec in game.info.options if spec.kind == "bool"]
    for given in ({}, *({key: True} for key in switches)):
        for seats in game.info.seats:
            yield seats, game.complete_options(seats, given)


def positions(game: AnyGame, seed: int = 0) -> Iterator[Layout]:
    """Layouts of the seats that are asked, in match after match, in each way of playing in turn."""
    for state, seat in _states(game, seed):
        if seat is not None:
            yield game.layout(game.observe(state, seat))


def boards(game: AnyGame, seed: int = 0) -> Iterator[Layout]:
    """Layouts of spectators in such matches, including their ends."""
    for state, _ in _states(game, seed):
        yield game.layout(game.observe(state, None))


def _states(game: AnyGame, seed: int) -> Iterator[tuple[Any, Seat | None]]:
    """Positions, and the seat that is asked there, if any.

    Half of the answers are the game's own default: raises and offers would end most rounds before a
    card is played.
    """
    rng = Random(seed)
    while True:
        for seats, options in ways(game):
            state: Any = game.initial(seats, options)
            while actors := game.actors(state):
                seat = rng.choice(actors)
                if seat == CHANCE:
                    yield state, None
                    action = game.deal(state, rng.randrange)
                else:
                    yield state, seat
                    legal = game.legal_actions(state, seat)
                    usual = rng.random() < 0.5
                    observed = game.observe(state, seat)
                    action = game.default_action(observed) if usual else rng.choice(legal)
                state = game.apply(state, seat, action)
            yield state, None
