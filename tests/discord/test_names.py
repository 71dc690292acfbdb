"""Two people who call themselves the same: wherever a name stands it says whose it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bot.render.custom_ids import Verb
from bot.tables.stored import Pace
from engine.registry import games
from tests.discord.steps import leave, lobby, match, play, stop
from tests.discord.world import Sent, World, world


class Reader:
    """Notes every request in which somebody is named without the number of their seat."""

    def __init__(self, w: World) -> None:
        self.named: list[str] = []
        self.unclear: list[str] = []
        w.tap(self.read)

    def read(self, sent: Sent) -> None:
        text = json.dumps(sent.body, default=str, ensure_ascii=False)
        self.named += re.findall(r"Ann", text)
        self.unclear += [
            f"{sent.route}: {text[max(0, found.start() - 80) : found.end() + 40]}"
            for found in re.finditer(r"Ann(?! \(\d)", text)
        ]


def namesakes(w: World) -> Reader:
    """Whoever is there by now is called Ann."""
    for player in w.players.values():
        w.env.backend.get_user(player.id).global_name = player.name = "Ann"
    return Reader(w)


@pytest.mark.behaviour("Two people at a table call themselves the same")
@pytest.mark.parametrize("game", games())
async def test_a_match_of_namesakes_never_says_only_the_name(game: str, tmp_path: Path) -> None:
    async with world(tmp_path, people=4) as w:
        reader = namesakes(w)
        people = ["Ann", "Ben", "Cat", "Dan"][: games()[game].info.seats[0]]
        table = await match(w, *people, game=game, pace=Pace.RELAXED)
        for name in people:
            await w.players[name].hand()
        await play(w, table)
        await w.env.advance_time(5)
        for verb in (Verb.ROUNDS, Verb.VERIFY):
            await w.ann.press(w.board(), w.board().presses(verb)[0][0].encode())
        assert len(reader.named) > 20
        assert reader.unclear == []


async def test_what_knows_no_markdown_has_no_escapes(tmp_path: Path) -> None:
    """Labels, placeholders, menus and the words for pictures are read as they are."""
    async with world(tmp_path, people=4, pictures=True) as w:
        for player in w.people(4):
            shown = f"{player.name}_*#1"
            w.env.backend.get_user(player.id).global_name = player.name = shown
        plain: list[str] = []

        def read(sent: Sent) -> None:
            text = json.dumps(sent.body, default=str, ensure_ascii=False)
            keys = "label|placeholder|description|title|name|reason"
            plain.extend(re.findall(rf'"(?:{keys})": "((?:[^"\\]|\\.)*)"', text))

        w.tap(read)
        await lobby(w, "Ann", "Ben", seats=4, game="kaiserspiel")
        await w.ann.press_verb(w.board(), Verb.COMPUTERS)
        await w.cat.slash("join")
        await w.dan.slash("join")
        await w.ann.slash("start")
        await w.env.advance_time(5)
        for player in w.people(4):
            await player.hand()
        await w.ben.slash("tables")
        await w.ann.slash("watch")
        await play(w, await w.table())
        await w.env.advance_time(5)
        assert any("Ann_*#1" in text for text in plain)
        assert [text for text in plain if re.search(r"\\\\[_*#]", text)] == []


async def test_what_people_do_at_a_table_of_namesakes_names_their_seats(tmp_path: Path) -> None:
    async with world(tmp_path, people=4) as w:
        reader = namesakes(w)
        await lobby(w, "Ann", "Ben", seats=4, dms=True)
        await w.ann.slash("seat invite", player=w.eve.user)
        await w.ben.slash("seat kick", player=w.ann.user)
        await w.ann.slash("seat kick", player=w.ben.user)
        await w.ann.slash("seat host", player=w.ben.user)
        await w.ben.slash("tables")
        await w.cat.slash("join")
        await w.ben.slash("start")
        await w.env.advance_time(5)
        await leave(w.cat)
        await w.ben.slash("seat kick", player=w.ann.user)
        await w.ben.press_verb(w.board(), Verb.MORE)
        await stop(w, await w.table())
        await w.env.advance_time(5)
        await w.ann.slash("rematch")
        await w.env.advance_time(5)
        assert len(reader.named) > 10
        assert reader.unclear == []


async def test_a_table_that_is_suggested_names_the_seats_of_namesakes(tmp_path: Path) -> None:
    async with world(tmp_path, people=4) as w:
        namesakes(w)
        table = await lobby(w, "Ann", "Ben", "Cat", seats=4)
        await w.ben.slash("leave")
        (found,) = await w.ann.actor.autocomplete(w.channel, "table", "table", "")
        assert found["name"] == f"{table.id} · Ann (1), Ann (3)"


async def test_a_plan_of_namesakes_names_their_places(tmp_path: Path) -> None:
    async with world(tmp_path, people=2) as w:
        namesakes(w)
        await w.ann.slash("newgame", game="sticheln", at="in 1h")
        for player in (w.ann, w.ben):
            press = next(p for p, _ in w.board().presses(Verb.COME) if p.argument.endswith("1"))
            await player.press(w.board(), press.encode())
        await w.env.advance_time(5)
        assert "Ann (1)" in w.board().text
        assert "Ann (2)" in w.board().text
