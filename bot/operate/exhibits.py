"""Made-up boards and charts to be drawn where there is no table."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.catalogues import ENGLISH
from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.pictures.scene import Scene
from bot.tables.ports import LeaderLine
from bot.views.values import Sitter, TableHead
from engine.game import AnyGame

PEOPLE: Final = ("Annabel", "Ben", "Charlotte", "Иван", "Eve", "Friedrich")
"""One of them has a name that our font cannot write."""


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
    """What may be seen on a board with so many seats, each by its name: how much lies there, and
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


def courses() -> list[tuple[tuple[int, ...], ...]]:
    """Points of rounds by seat: a single round, several, and many."""
    rng = Random(1)
    return [
        tuple(tuple(rng.randint(low, high) for _ in range(seats)) for _ in range(rounds))
        for rounds, seats, low, high in (
            (1, 3, 0, 5), (5, 6, -14, 9), (12, 4, 0, 9), (40, 3, 0, 9)
        )
    ]  # fmt: skip


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
