"""Laws of records as one seat sees them: what is in them is known, and it is enough."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.game import CHANCE, AnyGame, Options
from engine.record import opening_from_json
from engine.seen import observation, rounds_seen
from tests.conformance.law import law
from tests.conformance.matches import Match, match_of

KEYS = {"dealer", "start", "trump", "deal", "actions", "scores", "proof"}
"""Of a round; `turned` beside them in a game where hidden cards are turned."""


@law
def law_seen_is_enough(game: AnyGame, seats: int, options: Options, seed: int) -> int:
    """From a seat's own record its observation can be had back, at every question."""
    looked = 0
    for match, log, state in _moments(game, seats, options, seed):
        for seat in game.actors(state):
            if seat == CHANCE:
                continue
            rounds: Any = rounds_seen(game, seats, match.options, log, seat)
            assert all(KEYS <= set(each) <= KEYS | {"turned"} for each in rounds)
            view = observation(game, seats, match.options, rounds, seat)
            assert view == game.observe(state, seat), "not what the seat knows"
            looked += 1
    return looked


@law
def law_seen_is_known(game: AnyGame, seats: int, options: Options, seed: int) -> int:
    """A seat's record tells nothing that the seat does not know.

    Whatever else may have been dealt, as far as that seat knows, gives the same record.
    """
    looked = 0
    for match, log, state in _moments(game, seats, options, seed):
        for seat in (*(each for each in game.actors(state) if each != CHANCE), None):
            rounds: Any = rounds_seen(game, seats, match.options, log, seat)
            if seat is None:
                assert all(
                    hand is None for each in rounds for hand in each["deal"].get("hands", ())
                )
                continue
            other = _other_log(match, rounds, seat)
            again = rounds_seen(game, seats, match.options, other, seat)
            assert again == rounds, "a match that looks the same has another record"
            looked += other != log
    return looked


def _other_log(match: Match, rounds: Any, seat: int) -> list[tuple[int, Any]]:
    """A match that the seat would have seen in the same way."""
    game, log = match.game, list[tuple[int, Any]]()
    state = game.initial(match.seats, match.options)
    for seen in rounds:
        deal, texts = game.round_guessed(match.seats, match.options, seat, seen)
        action = opening_from_json(game, state, {**seen, "deal": deal})
        done = [(CHANCE, action)]
        done += [
            (each["seat"], game.parse_action(text))
            for each, text in zip(seen["actions"], texts, strict=True)
        ]
        for who, what in done:
            state = game.apply(state, who, what)
        log += done
    return log


def _moments(
    game: AnyGame, seats: int, options: Options, seed: int
) -> Iterator[tuple[Match, list[tuple[int, Any]], Any]]:
    """Some moments of a match: what was done until then, and the state."""
    match = match_of(game, seats, options, seed)
    log = [(ply.seat, ply.action) for ply in match.plies]
    for at in match.some(Random(seed), 12):
        yield match, log[: at + 1], match.plies[at].after
