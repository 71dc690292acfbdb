"""Players for anybody's arena, as `stammtisch policy` offers them by `stammtisch.policy/1`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

from bot.operate.tools import ToolError, keeping_compiled, player_named
from engine.game import AnyGame, NotationError, RuleError
from engine.players.levels import STRONGEST, Level
from engine.players.player import Budget, Player
from engine.registry import games
from engine.seen import observation

PlayerOf: TypeAlias = Callable[[AnyGame], Player]

USED: Final = 0.8
"""Share of the time for a question that is used: the rest is for the way."""

PLAYOUTS: Final = 1_000
"""Of a decision, where neither a level nor anybody says how many."""


class Asked(NamedTuple):
    """A question."""

    game: AnyGame
    view: Any
    """What the seat that is asked sees."""
    seed: int
    """The same for equal questions."""


Decide: TypeAlias = Callable[[Asked, Callable[[], float]], str]
"""What somebody does, in notation; the second tells how many seconds there are left."""


@contextmanager
def chosen(name: str | None, level: str | None, budget: int | None) -> Iterator[Decide]:
    """The player of that name, or the tables' own at that level, as long as it is needed.

    The tables' own is `STRONGEST`, which a level weakens: no other player has levels.  Raises
    ToolError where that does not go together.
    """
    if level is not None:
        from bot.operate.table_player import table_player

        with table_player(_level(name, level, budget)) as decide:
            yield decide
        return
    if name is None:
        raise ToolError("who is to play? Name a player, like greedy, or a --level, like easy.")
    with keeping_compiled():
        yield by_player(player_named(name), budget or PLAYOUTS)


def _level(name: str | None, level: str, budget: int | None) -> Level:
    """Raises ToolError."""
    if level not in tuple(Level):
        words = ", ".join(Level)
        raise ToolError(f"there is no level {level[:40]!r}: choose one of {words}.")
    if name not in (None, STRONGEST):
        player_named(name)
        raise ToolError(
            f"{name} has no levels: leave --level {level} out, or play {STRONGEST} at it."
        )
    if budget is not None:
        raise ToolError(f"--level {level} has a budget of its own: leave --budget {budget} out.")
    return Level(level)


def by_player(player_of: PlayerOf, playouts: int) -> Decide:
    """Whoever decides in this very process."""

    def decide(asked: Asked, left: Callable[[], float]) -> str:
        budget = Budget(playouts, lambda: left() > 0, least=1)
        decision = player_of(asked.game).decide(asked.view, budget, Random(asked.seed))
        return asked.game.format_action(decision.action)

    return decide


def answers(
    lines: Iterable[str], decide: Decide, clock: Callable[[], float] = monotonic
) -> Iterator[str]:
    """An answer to every question, until one says `quit`; what is no question is skipped.

    Equal questions get equal answers as long as there is time for all playouts.
    """
    for line in lines:
        begun = clock()
        try:
            put = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(put, dict):
            continue
        if put.get("quit") is True:
            return
        try:
            do = _answer(put, decide, begun, clock)
        except (KeyError, TypeError, ValueError, AttributeError, RuleError, NotationError):
            continue  # no question of this protocol, or not of ours: whoever asks calls it late
        yield json.dumps({"id": put.get("id"), "do": do})


def _answer(put: dict[str, Any], decide: Decide, begun: float, clock: Callable[[], float]) -> str:
    game, seat = games()[put["game"]], int(put["seat"])
    if put["rules_version"] != game.info.rules_version:
        raise ValueError("other rules")
    view = observation(game, int(put["seats"]), put["options"], put["rounds"], seat)
    end = begun + USED * float(put.get("seconds", 1.0))
    whole = json.dumps([put["game"], seat, put["rounds"]], sort_keys=True)
    seed = int.from_bytes(sha256(whole.encode()).digest()[:8])
    return decide(Asked(game, view, seed), lambda: end - clock())
