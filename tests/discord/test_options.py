"""House rules: named behind `/newgame`, chosen in the lobby's form, shown to everybody."""

from __future__ import annotations

import re

import pytest

from bot.render.custom_ids import Verb
from bot.tables.customs import Customs
from bot.tables.stored import DeadlineKind, Pace
from engine.registry import games
from tests.discord.steps import lobby, tables
from tests.discord.world import Player, World


@pytest.mark.nightly
async def test_rules_are_named_behind_newgame_and_stand_in_the_lobby(w: World) -> None:
    rules = "Zeros to the leader, your only legal card is played automatically"
    await w.ann.slash("newgame", game="sticheln", seats=3, rules=rules)
    assert (
        "3 rounds · zeros to the leader · your only legal card is played automatically"
        in w.board().text
    )
    table = await w.table()
    assert table.stored.given == {"zeros": "leader"}
    assert table.stored.customs == Customs(forced=True)
    offered = await w.ben.actor.autocomplete(w.channel, "newgame", "rules", "zero", game="sticheln")
    assert [choice["value"] for choice in offered] == ["zeros set aside", "zeros to the leader"]
    lengths = await w.ben.actor.autocomplete(w.channel, "newgame", "length", "", game="kaiserspiel")
    assert [choice["value"] for choice in lengths] == [41, 101]


@pytest.mark.nightly
async def test_what_is_no_rule_opens_no_table_and_is_told_what_there_is(w: World) -> None:
    said = await w.ann.slash("newgame", game="sticheln", rules="no trumps, zeros set aside")
    assert "I don't know the rule “no trumps”" in said
    assert "zeros set aside, zeros to the leader" in said
    said = await w.ann.slash("newgame", game="auffalscherfaehrte", rules="no jokers", jokers=True)
    assert "either “jokers” or “rules”, not both" in said
    said = await w.ann.slash("newgame", game="auffalscherfaehrte", rules="with jokers", length=2)
    assert "2 rounds · with jokers" in w.board().text


async def test_the_host_chooses_in_a_form_and_everybody_sees_the_outcome(w: World) -> None:
    await lobby(w, "Ann", "Ben", seats=3)
    assert "Only the host" in await w.ben.press_verb(w.board(), Verb.OPTIONS)
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    await w.ann.send_form({"number:hands": "2", "customs": ["passes", "hints", "counts"]})
    assert "2 rounds · automatic pass when nothing beats the set" in w.board().text
    table = await w.table()
    assert (table.stored.given, table.stored.customs) == ({"hands": 2}, Customs(passes=True))
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    said = await w.ann.send_form({"number:hands": "2", "number:target": "50", "customs": []})
    assert "not both" in said
    assert (await w.table()).stored == table.stored
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    said = await w.ann.send_form({"number:target": "9999"})
    assert "“Points to play to” takes a whole number from 1 to 200" in said
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    said = await w.ann.send_form({"number:hands": "two"})
    assert "“Rounds” takes a whole number from 1 to " in said
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    await w.ann.send_form({"number:target": "50", "customs": []})
    assert "to 50 points · no hints · for fun: on no leaderboard" in w.board().text
    assert "automatic pass" not in w.board().text


async def test_the_host_chooses_the_pace_in_the_form(w: World) -> None:
    await lobby(w, "Ann", "Ben", seats=3)
    assert "no clock" in w.board().text
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    await w.ann.send_form({"customs": ["hints", "counts"], "pace": ["daily"]})
    assert "daily (24 h a turn)" in w.board().text
    closes = (await w.table()).stored.timing.deadline(DeadlineKind.LOBBY)
    assert closes is not None
    assert closes.due == w.now() + Pace.DAILY.waits.lobby


async def choose_seats(host: Player, w: World, seats: int, **switches: str) -> str:
    """The host opens the form, chooses so many seats, and sends it off."""
    await host.press_verb(w.board(), Verb.OPTIONS)
    filled = {f"switch:{key}": value for key, value in switches.items()}
    return await host.send_form({"seats": [str(seats)], "customs": ["hints", "counts"], **filled})


@pytest.mark.parametrize(
    ("game", "switches"),
    [
        ("aufundab", {}),
        ("auffalscherfaehrte", {"next_leader": "next"}),
        ("sticheln", {"zeros": "aside"}),
    ],
)
async def test_the_host_chooses_the_seats_in_the_form(
    game: str, switches: dict[str, str], w: World
) -> None:
    most = games()[game].info.seats[-1]
    await w.ann.slash("newgame", game=game)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    version = (await w.table()).stored.version
    await choose_seats(w.ann, w, 3, **switches)
    assert "3 players" in w.board().text
    assert f"3–{most} players" not in w.board().text
    assert w.board().text.count("free seat") == 1
    table = await w.table()
    assert table.stored.version == version + 1
    await choose_seats(w.ann, w, most, **switches)
    assert f"3–{most} players" in w.board().text
    assert w.board().text.count("free seat") == most - 2


async def test_where_a_game_has_one_number_of_seats_there_is_no_choice(w: World) -> None:
    await w.ann.slash("newgame", game="kaiserspiel")
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    assert "seats" not in str(w.ann.form)
    await w.ann.send_form({"customs": ["hints", "counts"]})
    assert "4 players" in w.board().text


@pytest.mark.behaviour("The host of a lobby chooses fewer seats than are taken")
async def test_nobody_loses_their_seat_by_a_choice_of_fewer(w: World) -> None:
    await lobby(w, "Ann", "Ben", "Cat", seats=4)
    await w.ann.slash("seat add")
    before = await w.table()
    said = await choose_seats(w.ann, w, 3)
    assert "Before this table can have just 3 seats, somebody has to leave theirs" in said
    assert "4 are taken or held" in said
    assert (await w.table()).stored == before.stored
    await w.ann.press_verb(w.board(), Verb.COMPUTERS)
    await w.ann.press_verb(w.ann.panel, Verb.NO_COMPUTER)
    await w.ben.press_verb(w.board(), Verb.LEAVE)
    await choose_seats(w.ann, w, 3)
    assert [one.name for one in (await w.table()).stored.seating.people] == ["Ann", "Cat"]
    assert "3. **Cat**" in w.board().text


async def test_a_new_seat_calls_the_first_in_line(w: World) -> None:
    await lobby(w, "Ann", "Ben", "Cat", pace=Pace.RELAXED)
    assert "You are first in line." in await w.dan.press_verb(w.board(), Verb.JOIN)
    await choose_seats(w.ann, w, 4)
    await w.env.advance_time(3)
    assert "waiting for Dan" in w.board().text
    assert any(f"<@{w.dan.id}>" in one.text for one in w.notices())
    await w.dan.press_verb(w.board(), Verb.JOIN)
    assert "4. **Dan**" in w.board().text


async def test_a_form_that_lay_open_changes_no_seats_of_others(w: World) -> None:
    await lobby(w, "Ann", "Ben", "Cat", seats=4)
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    await w.dan.press_verb(w.board(), Verb.JOIN)
    form: dict[str, object] = {"seats": ["3"], "customs": ["hints", "counts"]}
    assert "4 are taken or held" in await w.ann.send_form(form)
    await w.ann.press_verb(w.board(), Verb.OPTIONS)
    await w.directly(tables(w).hand_over((await w.table()).id, w.ann.id, w.ben.id))
    assert "Only the host" in await w.ann.send_form({**form, "seats": ["4"]})
    await w.ben.press_verb(w.board(), Verb.OPTIONS)
    await w.directly(tables(w).start((await w.table()).id, w.ben.id))
    assert "already" in await w.ben.send_form(form)
    assert len((await w.table()).stored.seating.places) == 4


RANGES = [
    (name, people)
    for name, game in sorted(games().items())
    if len(game.info.seats) > 1
    for people in game.info.seats
]


async def test_as_many_rounds_as_players_is_no_list(w: World) -> None:
    await w.ann.slash("newgame", game="sticheln")
    assert "3–6 players · as many rounds as players · " in w.board().text
    assert "rounds · " not in w.board().text
    other = w.room()
    await w.ben.slash("newgame", game="sticheln", length=4, channel=other)
    assert "players · 4 rounds · " in w.board(other).text


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "people"), RANGES)
async def test_a_lobby_says_the_length_that_will_be_played(
    game: str, people: int, w: World
) -> None:
    """However many come: a table for three to six people says it for each number of them."""
    few, many = games()[game].info.seats[0], games()[game].info.seats[-1]
    await w.ann.slash("newgame", game=game)
    lobby_text = w.board().text
    assert f"{few}–{many} players" in lobby_text
    said = {
        number: int(rounds)
        for first, last, rounds in re.findall(r"with\s(\d)(?:–(\d))?:\s(\d+)\srounds?", lobby_text)
        for number in range(int(first), int(last or first) + 1)
    }
    if "as many rounds as players" in lobby_text:
        said[people] = people
    for player in w.people(people)[1:]:
        await player.press_verb(w.board(), Verb.JOIN)
    await w.ann.slash("start")
    table = await w.table()
    assert table.running
    assert len(table.stored.seating.places) == people
    assert said[people] in table.stored.options.values()
