"""Computer players as people meet them: in the lobby, at the table, in the result."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import texts
from bot.ids import Computer
from bot.render.custom_ids import Verb
from bot.tables.deals import match_record
from bot.tables.model import Table
from bot.tables.stored import Actor, Status
from engine.players.levels import Level
from engine.record import to_text
from engine.verify import verify_text
from tests.discord.figures import TRICKS, Kind, measure, plain
from tests.discord.steps import dealt
from tests.discord.ways import act_in_dm, play_on
from tests.discord.world import Player, World
from tests.lengths import shortest_asked

SEED = 3

pytestmark = pytest.mark.deals(SEED)


async def seated(w: World) -> dict[int, Computer]:
    return dict((await w.table()).stored.seating.computers)


async def against(w: World, game: str = "aufundab", computers: str = "2 normal") -> Table:
    """Ann's match with computer players, which say something legal."""
    w.computers.say = plain
    seats = 1 + int(computers[0])
    wish: dict[str, Any] = {"game": game, "seats": seats, "computers": computers, "pace": "daily"}
    await w.ann.slash("newgame", **wish | shortest_asked(game))
    await w.ann.slash("start")
    await w.env.advance_time(1)
    return await dealt(w, await w.table())


async def panel_of(w: World, player: Player) -> None:
    """Opens what *Add computer* shows."""
    await player.press_verb(w.board(), Verb.COMPUTERS)


def labels(player: Player) -> dict[str, str]:
    """What can be pressed on the panel about computer players: words and `custom_id`."""
    presses = player.panel.presses(Verb.ADD_COMPUTER, Verb.NO_COMPUTER)
    return {str(component["label"]): press.encode() for press, component in presses}


async def test_the_host_adds_computer_players_by_their_level_and_removes_them(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", seats=4, length=1)
    await panel_of(w, w.ann)
    assert list(labels(w.ann)) == ["easy", "normal", "strong"]
    said = await w.ann.press(w.ann.panel, labels(w.ann)["easy"])
    assert "⚙ Computer 1 (easy) now has seat 2." in said
    await w.ann.press(w.ann.panel, labels(w.ann)["strong"])
    assert "2. **⚙ Computer 1 (easy)**" in w.board().text
    assert "3. **⚙ Computer 2 (strong)**" in w.board().text
    assert "4. *free seat*" in w.board().text
    assert await seated(w) == {1: Computer(1, Level.EASY), 2: Computer(2, Level.STRONG)}
    await w.ann.press(w.ann.panel, labels(w.ann)["Remove ⚙ Computer 1 (easy)"])
    assert await seated(w) == {2: Computer(1, Level.STRONG)}
    assert "2. *free seat*" in w.board().text
    assert "3. **⚙ Computer 1 (strong)**" in w.board().text


@pytest.mark.nightly
async def test_by_command_too_on_the_seat_that_is_named(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln", seats=4, length=1)
    said = await w.ann.slash("seat add", level="strong", seat=3)
    assert "⚙ Computer 1 (strong) now has seat 3." in said
    assert "already has that seat" in await w.ann.slash("seat add", seat=3)
    await w.ann.slash("seat add")
    assert await seated(w) == {1: Computer(1, Level.NORMAL), 2: Computer(2, Level.STRONG)}
    said = await w.ann.slash("seat kick", seat=2)
    assert "⚙ Computer 1 (normal) has left, and seat 2 is free." in said
    assert await seated(w) == {2: Computer(1, Level.STRONG)}
    assert "Say who is to go" in await w.ann.slash("seat kick")
    await w.ben.press_verb(w.board(), Verb.JOIN)
    await w.ann.slash("seat kick", seat=2)
    await w.ann.press_verb(w.ann.panel, Verb.KICK_NOW)
    assert [one.name for one in (await w.table()).stored.seating.people] == ["Ann"]


async def test_a_table_is_opened_with_them(w: World) -> None:
    said = await w.ann.slash("newgame", game="aufundab", seats=3, computers="3 easy")
    assert "There is room for 2 computer players" in said
    await w.ann.slash("newgame", game="aufundab", seats=4, computers="2 strong")
    assert await seated(w) == {2: Computer(1, Level.STRONG), 3: Computer(2, Level.STRONG)}
    await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "2. **Ben**" in w.board().text


@pytest.mark.parametrize(("game", "computers"), [("aufundab", "2 easy"), ("sticheln", "3 normal")])
async def test_a_whole_match_of_one_person_against_them(
    game: str, computers: str, w: World
) -> None:
    await against(w, game, computers)
    await play_on(w, act_in_dm, random.Random(SEED))
    table = await w.table()
    assert table.stored.status is Status.FINISHED
    by = {(entry.seat, entry.by) for entry in table.log if not entry.is_deal}
    assert by - {(0, Actor.STANDING)} == {
        (0, Actor.PERSON), *((seat, Actor.COMPUTER) for seat in range(1, 1 + int(computers[0])))
    }, "the table passes for a person at most"  # fmt: skip
    result = w.board().text
    assert f"With computer players ({computers[2:]}): on no leaderboard" in result
    assert "Nobody stands here in this period yet" in await w.ann.slash("leaderboard", game=game)
    won = int(table.stored.outcome is not None and table.stored.outcome.ranking[0] == 1)
    own = texts("en").get("stats.wins", count=won)
    name, level = texts("en").game_name(game), computers[2:]
    assert f"{name}, {level}: 1 match · {own}" in (await w.ann.slash("stats")).replace("\xa0", " ")
    assert verify_text(to_text(match_record(table)), 1) == []
    assert not w.notices()
    await w.ann.press_verb(w.board(), Verb.REMATCH)
    assert len(await seated(w)) == int(computers[0])
    assert (await w.table()).stored.status is Status.LOBBY


ONCE = 6
"""Calls that a match costs whoever plays: its start, the round, the result."""

MORE = 1.1
"""So many times the calls of a ply among people: now and then a trick is drawn before its lead."""


@pytest.mark.nightly
@pytest.mark.parametrize("kind", TRICKS[2:], ids=lambda kind: str(kind.name))
async def test_a_person_and_three_computer_players_cost_hardly_more_calls_than_four_people(
    kind: Kind, tmp_path: Path
) -> None:
    figures = []
    for people, computers in ((4, 0), (1, 3)):
        folder = tmp_path / str(people)
        figures.append(await measure(kind, people, SEED, folder, 1, "daily", computers))
    among_people, alone = figures
    said = f"{among_people}\n{alone}"
    ply = among_people.per_ply + among_people.settling
    assert alone.calls - ONCE <= MORE * ply * alone.plies, said
