"""A decision inside a worker process, what it considered, and compiling before the first one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from time import monotonic
from typing import Final

from bot.computers.frames import Answer, Question
from bot.tables.ports import MOST_ADVICE
from engine.game import CHANCE, AnyGame
from engine.notation import kind_of, size_of
from engine.players.levels import ADVICE, Level, adviser, player, playouts
from engine.players.player import Budget, Considered, Decision
from engine.registry import games

# What was considered.


def considered(game: AnyGame, decision: Decision) -> str:
    """A decision and the actions beside it as text; without figures if none were compared, and what
    rules of thumb choose without, if it was not."""
    looked = (one for one in decision.estimates if one.visits)
    rows = [
        Considered(game.format_action(one.action), *one[1:], one.action == decision.thumb)
        for one in looked
    ]
    if rows and decision.thumb is not None and not any(row.thumb for row in rows):
        rows.append(Considered(game.format_action(decision.thumb), thumb=True))
    return json.dumps(picked(rows or [Considered(game.format_action(decision.action))]))


def picked(rows: Sequence[Considered]) -> tuple[Considered, ...]:
    """The best row, that of the rules of thumb, at least one of another kind if there is one, one
    with the most cards if the best has fewer, and those next to the best."""
    best, *others = rows
    sizes = [size_of(row.text) for row in rows]
    thumb = [row for row in others if row.thumb]
    other = [row for row in others if kind_of(row.text) != kind_of(best.text)]
    largest = [row for row, size in zip(rows, sizes, strict=True) if sizes[0] < size == max(sizes)]
    kept = dict.fromkeys([best, *thumb, *other[:1], *largest[:1], *others])
    return tuple(sorted([*kept][:MOST_ADVICE], key=rows.index))


# Deciding.

_WARMING_PLAYOUTS: Final = 5
"""Playouts of a decision that only warms a player up."""

_MAX_PLIES: Final = 200
"""Maximum number of plies played to warm up a game; a round usually has fewer."""


def think(question: Question) -> Answer:
    """The decision of the player of that level, or advice, as `considered` writes it.

    Equal questions give equal answers unless the time is up.  Raises what a player raises.
    """
    game, level = games()[question.game], Level(question.level)
    thinker = adviser(game) if question.counted else player(level, game)
    # Loading it took no time from its first thought.
    end = monotonic() + question.seconds
    many = ADVICE if question.counted else playouts(level)
    budget = Budget(many, lambda: monotonic() < end)
    decision = thinker.decide(question.view, budget, Random(question.seed))  # noqa: S311 - to repeat it
    if question.counted:
        return Answer(considered(game, decision), decision.playouts)
    return Answer(game.format_action(decision.action), decision.playouts)


def warm() -> None:
    """Decide every kind of question once, so that everything is loaded, and compiled if possible.

    Plays a round of every game with the least and the most seats.  Half of the plies are random,
    since players by themselves hardly ever reach some questions.
    """
    from engine.players.roster import kit_of

    for game in games().values():
        if kit_of(game.info.id) is not None:
            for seats in {game.info.seats[0], game.info.seats[-1]}:
                _play(game, seats, Random(seats))  # noqa: S311 - it hides nothing


def _play(game: AnyGame, seats: int, rng: Random) -> None:
    state = game.initial(seats, game.complete_options(seats, {}))
    state = game.apply(state, CHANCE, game.deal(state, rng.randrange))
    for _ in range(_MAX_PLIES):
        actors = game.actors(state)
        if not actors or actors == (CHANCE,):
            return
        view = game.observe(state, actors[0])
        for thinker in (adviser(game), *(player(level, game) for level in Level)):
            action = thinker.decide(view, Budget(_WARMING_PLAYOUTS), rng).action
        if rng.random() < 0.5:
            action = rng.choice(view.legal_actions)
        state = game.apply(state, actors[0], action)


def play_interpreted() -> None:
    """Have players play on lists in this process, without loading numba.

    Players that are loaded already stay as they are.
    """
    with _without("numba"):
        import engine.players.compiled  # noqa: F401


@contextmanager
def _without(module: str) -> Iterator[None]:
    """In the block, importing `module` fails as if it were not installed."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # what the import system looks for
    try:
        yield
    finally:
        del sys.modules[module]
