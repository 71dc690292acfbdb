"""Lobbies of real games, to be drawn."""

from __future__ import annotations

from bot.ids import TableId
from bot.tables.model import Table
from bot.tables.new_tables import new_table
from bot.tables.plans import Wish
from engine.game import AnyGame
from tests.tables.fakes import ANN, CHANNEL, GUILD, START


def lobby_of(game: AnyGame, **given: int | bool | str) -> Table:
    """A lobby with places for as many as can play."""
    stored = new_table(
        TableId("T1"),
        Wish(game.info.id, None, given),
        guild=GUILD,
        channel=CHANNEL,
        host=ANN,
        game=game,
        tip=b"\x01" * 32,
        now=START,
    )
    return Table(stored, game)
