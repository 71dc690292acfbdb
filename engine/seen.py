"""A match as one seat sees it: records with holes (`data/docs/notation.md`), and reading them.

With these a player needs nothing but text: `stammtisch.policy/1`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from engine.game import CHANCE, AnyGame, Json, Options, Seat
from engine.record import legal_texts, opening_from_json, opening_to_json

POLICY: Final = "stammtisch.policy/1"


class _Round(NamedTuple):
    opening: Mapping[str, Any]
    actions: list[tuple[Seat, Any]]
    ends: list[Any]
    """The newest state of the round, alone."""


def rounds_seen(
    game: AnyGame, seats: int, options: Options, log: Sequence[tuple[Seat, Any]], seat: Seat | None
) -> list[Json]:
    """The rounds of a match so far as `seat` (None: a spectator) may read them."""
    state, rounds = game.initial(seats, options), list[_Round]()
    for who, action in log:
        state = game.apply(state, who, action)
        if who == CHANCE:
            rounds.append(_Round(opening_to_json(game, action, state), [], [state]))
        else:
            rounds[-1].actions.append((who, action))
            rounds[-1].ends[0] = state
    return [_seen(game, each, seat) for each in rounds]


def _seen(game: AnyGame, played: _Round, seat: Seat | None) -> Json:
    end = played.ends[0]
    view, points = game.observe(end, seat), game.round_scores(end)
    return {
        **played.opening,
        **game.round_as_seen(view, played.opening["deal"]),
        "actions": [
            {"seat": who, "do": game.public_action(view, who, action)}
            for who, action in played.actions
        ],
        "scores": None if points is None else list(points),
        "proof": None,
    }


def question(
    game: AnyGame,
    seats: int,
    options: Options,
    log: Sequence[tuple[Seat, Any]],
    state: Any,
    seat: Seat,
) -> dict[str, Json]:
    """What a program that speaks `stammtisch.policy/1` is asked, but for `id` and `seconds`."""
    return {
        "format": POLICY,
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "seats": seats,
        "options": dict(options),
        "seat": seat,
        "rounds": rounds_seen(game, seats, options, log, seat),
        "legal": list(legal_texts(game, state, seat)),
    }


def observation(
    game: AnyGame, seats: int, options: Options, rounds: Sequence[Mapping[str, Any]], seat: Seat
) -> Any:
    """What the seat knows, by the rounds as it sees them.

    Raises NotationError or RuleError if they cannot have been.
    """
    state = game.initial(seats, options)
    for seen in rounds:
        deal, texts = game.round_guessed(seats, options, seat, seen)
        state = game.apply(state, CHANCE, opening_from_json(game, state, {**seen, "deal": deal}))
        for done, text in zip(seen["actions"], texts, strict=True):
            state = game.apply(state, done["seat"], game.parse_action(text))
    return game.observe(state, seat)
