"""A match from its record, as the store has it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from bot.ids import ChannelId, TableId
from bot.tables import new_tables
from bot.tables.plans import Wish
from bot.tables.stored import Entry, Place, Shuffle, Shuffling, Status, StoredTable
from engine.deal import Chain
from engine.game import CHANCE, Options, Seat
from engine.playout import simulate
from engine.registry import games
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, DAN, GUILD, START

LONG = 107
"""A seed of a match of Auf und Ab to 200 points with three: 7,272 plies, 97 rounds."""


@cache
def simulated(game: str, options: tuple[tuple[str, Any], ...], seed: int) -> dict[str, Any]:
    """The record of a random match for as few as can play, every deal with its proof."""
    seats = games()[game].info.seats[0]
    (made,) = simulate(games()[game], seats, dict(options), seed, 1, proof=True)
    return made


def long_match() -> dict[str, Any]:
    """The record of a match as long as options allow."""
    return simulated("aufundab", (("target", 200),), LONG)


def running(
    made: dict[str, Any], plies: int | None = None, channel: ChannelId = CHANNEL
) -> tuple[StoredTable, tuple[Entry, ...]]:
    """The table of a record after so many plies (None: one before its end), and its log."""
    lines = [*_lines(made)]
    log = tuple(
        Entry(ply, seat, text, START)
        for ply, (seat, text) in enumerate(lines[: len(lines) - 1 if plies is None else plies])
    )
    game, seats = games()[made["game"]], made["seats"]
    may = {spec.key for spec in game.info.table_options}
    given: Options = {key: value for key, value in made["options"].items() if key in may}
    lobby = new_tables.new_table(
        TableId(made["rounds"][0]["proof"]["table"]),
        Wish(game.info.id, seats, given),
        guild=GUILD,
        channel=channel,
        host=ANN,
        game=game,
        tip=bytes(32),
        now=START,
    )
    dealt = sum(entry.is_deal for entry in log)
    proofs = [each["proof"] for each in made["rounds"][: dealt + 1]]
    shuffles = [
        Shuffle(proof["server_seed"], "" if number < dealt else None, ("",) * seats)
        for number, proof in enumerate(proofs)
    ]
    stored = replace(
        lobby,
        version=1,
        seating=replace(lobby.seating, places=tuple(map(Place, (ANN, BEN, CAT, DAN)[:seats]))),
        status=Status.RUNNING,
        started=START,
        options=made["options"],
        shuffling=Shuffling(Chain(bytes(32)), tuple(shuffles)),
    )
    return stored, log


def _lines(made: dict[str, Any]) -> Iterator[tuple[Seat, str]]:
    """Who did what, deals included, as texts of the log."""
    for each in made["rounds"]:
        opened = {key: each[key] for key in ("dealer", "start", "trump", "deal")}
        yield CHANCE, json.dumps(opened, separators=(",", ":"))
        for act in each["actions"]:
            yield act["seat"], act["do"]
