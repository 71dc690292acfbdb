"""Made-up tables, results and leaderboards to be drawn where there are none."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from bot.catalogues import ENGLISH
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.operate.positions import boards
from bot.pictures.result import finish_of
from bot.pictures.scene import Scene
from bot.tables.ports import LeaderLine
from bot.views.values import ResultView, Sitter, TableHead
from engine.game import AnyGame, Outcome
from engine.layout import Layout, SeatRow

PEOPLE: Final = ("Annabel", "Ben", "Charlotte", "Иван", "Eve", "Friedrich")
"""One of them has a name that our font cannot write."""


COURSES: Final = (1, 3, 5, 12, 40)
"""Rounds of the matches whose results are shown."""


def head_of(game: AnyGame, seats: int) -> TableHead:
    """A table of that game where they sit."""
    info = game.info
    teams = {seat: number for number, team in enumerate(info.teams) for seat in team}
    sitters = tuple(
        Sitter(seat, UserId(1 + seat), PEOPLE[seat], teams.get(seat)) for seat in range(seats)
    )
    options = game.complete_options(seats, {})
    host = UserId(1)
    return TableHead(
        TableId("GALLERY"), info.id, GuildId(1), ChannelId(1), host, sitters, options,
        locale=ENGLISH,
    )  # fmt: skip


def traits_of(scene: Scene) -> frozenset[tuple[str, object]]:
    """Things that may be seen on a board with that many seats, by name: how much lies there, and
    what is marked."""
    seats, lying = len(scene.places), len(scene.lying)
    return frozenset(
        {
            ("table", len(scene.table)),
            ("lying", (seats, lying)),
            ("past", (seats, bool(scene.past))),
            ("set before", len(scene.past_set)),
            ("aside", len(scene.aside)),
            ("mode", scene.mode),
            ("coming", scene.coming),
            ("down", sum(one.down for one in scene.lying)),
            ("kaisers", sum(len(place.kaisers + place.mugg) for place in scene.places)),
            ("hidden", (seats, sum(place.hidden for place in scene.places))),
            ("turned", scene.tally and sum(term is not None for term in scene.tally.terms)),
            ("points", any(place.score for place in scene.places)),
        }
    )


def results(game: AnyGame) -> Iterator[ResultView]:
    """Results of one round, of several, and of so many that they are a curve, each with the board
    at the end of a round."""
    rng, ends = Random(1), _ends(game)
    for rounds, ending in zip(COURSES, ends, strict=False):
        seats = len(next(block.seats for block in ending.blocks if isinstance(block, SeatRow)))
        head = head_of(game, seats)
        sides = {seat: sitter.team or seat for seat, sitter in enumerate(head.sitters)}
        points = [[rng.randint(-6, 12) for _ in range(seats)] for _ in range(rounds)]
        told = tuple(tuple(row[sides[seat]] for seat in range(seats)) for row in points)
        outcome = Outcome.of(tuple(sum(row[seat] for row in told) for seat in range(seats)))
        yield ResultView(
            head, outcome.scores, outcome.ranking, told, None, head.names, ending=ending
        )


def _ends(game: AnyGame) -> Iterator[Layout]:
    """Boards at the end of rounds with which a trick or a series ended."""
    for shown in boards(game, 1):
        over = not any(
            "to_act" in seat.marks
            for block in shown.blocks
            if isinstance(block, SeatRow)
            for seat in block.seats
        )
        if over and finish_of(game.info.id, shown, PEOPLE) is not None:
            yield shown


def leaders() -> tuple[LeaderLine, ...]:
    """A page of a leaderboard."""
    rng = Random(2)
    found = []
    for number, name in enumerate((*PEOPLE, "Wanda W.", "Dan"), start=1):
        matches = rng.randint(1, 40)
        wins = rng.randint(0, matches)
        place = number + 95 * (number == len(PEOPLE) + 2)
        found.append(LeaderLine(place, UserId(number), name, matches, wins, 5 * wins, 4 * matches))
    return tuple(found)
