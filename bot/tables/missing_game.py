"""Placeholder for a game that the program no longer has.  Pure."""

from __future__ import annotations

from typing import cast

from engine.game import AnyGame, GameInfo, NotationError, Options


class _MissingGame:
    """A game that cannot be played: its tables can only be left and ended (`phase.Unreadable`)."""

    def __init__(self, game: str) -> None:
        self.info = GameInfo(game, rules_version=-1, seats=(), options=())

    def complete_options(self, seats: int, given: Options) -> Options:
        """See `engine.game.Game`.  Raises NotationError `no_such_game`."""
        raise NotationError("no_such_game", game=self.info.id)


def missing_game(game: str) -> AnyGame:
    """In place of the game of that id."""
    return cast("AnyGame", _MissingGame(game))
