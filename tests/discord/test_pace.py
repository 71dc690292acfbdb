"""The clock of a table as people meet it: the pace, until when, the warning, time that is up."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.stored import DeadlineKind, Pace, Stop
from tests.discord.steps import (
    actor,
    due,
    first,
    late,
    match,
    minutes,
    others,
    play,
    playing,
    tables,
)
from tests.discord.world import World

SEED = 4

pytestmark = pytest.mark.deals(SEED)


def stamp(moment: datetime) -> str:
    return f"<t:{int(moment.timestamp())}:R>"


def until(table: Table) -> str:
    """When the time of whoever is asked is up, as people see it."""
    return stamp(due(table))


SHORT = {"seats": 3, "length": 2}


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("asked", "pace", "words"),
    [
        (SHORT, Pace.RELAXED, "3 players · 2 rounds · relaxed (10 min a turn)"),
        (SHORT | {"pace": "live60"}, Pace.LIVE60, "3 players · 2 rounds · live (60 s a turn)"),
        (SHORT | {"pace": "live180"}, Pace.LIVE180, "3 players · 2 rounds · live (3 min a turn)"),
        (
            {"target": 50, "pace": "daily"},
            Pace.DAILY,
            "3–4 players · to 50 points · daily (24 h a turn)",
        ),
        ({"pace": "none"}, Pace.NONE, "no clock"),
    ],
)
async def test_the_lobby_is_as_it_was_asked_for_and_says_it(
    asked: dict[str, Any], pace: Pace, words: str, w: World
) -> None:
    assert words in await w.ann.slash("newgame", game="aufundab", **asked)
    table = await w.table()
    assert table.stored.timing.pace is pace
    assert len(table.stored.seating.places) == asked.get("seats", 4)


@pytest.mark.nightly
async def test_the_paces_can_be_chosen_from_a_list(w: World) -> None:
    (command,) = [c for c in w.bot.tree.get_commands() if c.name == "newgame"]
    (option,) = [o for o in command.to_dict(w.bot.tree)["options"] if o["name"] == "pace"]
    assert [choice["value"] for choice in option["choices"]] == [str(pace) for pace in Pace]
    assert not option["required"]


@pytest.mark.nightly
async def test_a_press_out_of_turn_is_told_how_long_the_other_still_has(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    asked, other = actor(w, table), others(w, table)[0]
    said = await other.slash("play", action=first(table))
    assert f"It's {asked.name}'s turn (time runs out {until(table)}). Your cards are safe." in said
    said = await w.answer(other, await other.hand(), playing(table))
    assert f"(time runs out {until(table)})" in said


async def test_whoever_is_asked_is_warned_on_their_hand_before_the_time_is_up(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    asked = actor(w, table)
    warning = f"⏳ **Your time runs out {until(table)}**; after that the table plays for you."
    await w.env.advance_time(40)
    assert warning not in (await asked.hand()).text
    await w.env.advance_time(10)
    assert (await asked.hand()).text.splitlines()[1] == warning
    assert "⏳ **Your" not in (await others(w, table)[0].hand()).text
    await asked.slash("play", action=first(table))
    assert "⏳ **Your" not in (await asked.hand()).text


@pytest.mark.behaviour("Somebody takes too long")
async def test_when_time_is_up_the_table_plays_and_says_so(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    slow = actor(w, table)
    panel = await slow.hand()
    after = await late(w, table)
    assert after.ply == table.ply + 1
    assert f"-# {slow.name} ran out of time" in w.board().text.splitlines()
    assert f"⏳ **{actor(w, after).name}** · time runs out {until(after)}" in w.board().text
    assert "stand-in" not in w.board().text
    await w.ann.press_verb(w.board(), Verb.LOG)
    assert f"{slow.name} ran out of time" in w.ann.panel.text
    press = panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)[0][0]
    said = await w.answer(slow, panel, press.encode())
    assert said
    assert (await w.table()).ply == after.ply


@pytest.mark.behaviour("The bot or its machine dies")
async def test_time_that_the_program_was_away_is_credited_and_the_board_says_so(w: World) -> None:
    table = await match(w, pace=Pace.RELAXED)
    await w.env.advance_time(30)
    await w.bot.close()
    w.skip(timedelta(hours=2))
    await w.restart()
    await w.env.advance_time(5)
    after = await w.table()
    assert timedelta(hours=2) <= due(after) - due(table) < timedelta(hours=2, minutes=1)
    assert after.ply == table.ply
    assert "I was away; the clock was paused for 2 hours." in w.board().text
    assert until(after) in w.board().text
    await actor(w, after).slash("play", action=first(after))
    assert "I was away" not in w.board().text


async def test_whoever_gets_no_hand_by_dm_is_called_once_in_the_channel(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    for _ in range(3):
        (notice,) = w.notices()
        assert f"<@{actor(w, table).id}>, it's your turn." in notice.text
        assert f"Your time runs out {until(table)}." in notice.text
        await actor(w, table).slash("play", action=first(table))
        await w.env.advance_time(2)
        table = await w.table()
    pinged = [
        call.json["allowed_mentions"]
        for call in w.env.http_requests
        if isinstance(call.json, dict) and call.json.get("allowed_mentions", {}).get("users")
    ]
    assert pinged
    assert all(len(allowed["users"]) == 1 and not allowed.get("parse") for allowed in pinged)


async def test_whoever_has_a_hand_by_dm_is_not_called_in_the_channel(w: World) -> None:
    table = await match(w, dms=True, pace=Pace.LIVE60)
    for _ in range(3):
        assert w.notices() == []
        table = await play(w, table, 1)


@pytest.mark.nightly
async def test_without_a_clock_nobody_is_called(w: World) -> None:
    await match(w)
    assert w.notices() == []


@pytest.mark.behaviour("The table wants to go on another day")
async def test_a_rest_by_vote_stops_the_clock_until_two_go_on(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    for number, player in enumerate((w.ann, w.ben)):
        said = await player.press_more(Verb.REST)
        assert ("is paused" if number else "vote to pause is counted") in said
        assert ("1 of 2 votes to pause" in w.board().text) == (number == 0)
    assert "⏸️ **Paused.**" in w.board().text
    await minutes(w, 10)
    assert (await w.table()).ply == table.ply
    await w.cat.press_verb(w.board(), Verb.REST)
    assert "1 of 2 votes to resume" in w.board().text
    await w.ann.press_verb(w.board(), Verb.REST)
    assert "Paused" not in w.board().text
    now = await w.table()
    assert now.ply == table.ply
    assert f"time runs out {until(now)}" in w.board().text


async def test_the_line_that_calls_says_no_time_in_a_pause_and_then_the_new_one(w: World) -> None:
    table = await match(w, pace=Pace.LIVE180)
    (line,) = w.notices()
    before = until(table)
    assert before in line.text
    for player in (w.ann, w.ben):
        await player.press_more(Verb.REST)
    await w.env.advance_time(2)
    assert f"<@{actor(w, table).id}>, it's your turn." in w.refreshed(line).text
    assert "time" not in w.refreshed(line).text
    await minutes(w, 10)
    for player in (w.ann, w.ben):
        await player.press_verb(w.board(), Verb.REST)
    await w.env.advance_time(2)
    now = until(await w.table())
    assert now != before
    assert f"Your time runs out {now}." in w.refreshed(line).text


async def test_the_line_that_calls_says_the_time_of_a_slower_pace_after_a_restart_too(
    w: World,
) -> None:
    await match(w, pace=Pace.LIVE60)
    (line,) = w.notices()
    await w.restart()
    for player in (w.ann, w.ben):
        await player.press_more(Verb.PACE)
        await player.choose(player.panel, player.panel.only(Verb.PACE), "daily")
    await w.env.advance_time(2)
    assert f"Your time runs out {until(await w.table())}." in w.refreshed(line).text
    assert len(w.notices()) == 1


@pytest.mark.behaviour("A match without a clock is forgotten")
async def test_a_forgotten_match_is_stopped_after_a_fortnight_and_that_is_said_before(
    w: World,
) -> None:
    table = await match(w, pace=Pace.NONE)
    w.skip(timedelta(days=13))
    await w.env.advance_time(65)
    table = await w.table()
    asked = actor(w, table)
    assert f"the match stops {stamp(due(table, DeadlineKind.IDLE))}" in w.board().text
    (line,) = [shown for shown in w.messages(w.channel.id) if shown.calls]
    assert f"<@{asked.id}>, nobody has played here" in line.text
    assert "This match stops" in (await asked.hand()).text
    w.skip(timedelta(days=1))
    await w.env.advance_time(61)
    table = await tables(w).table(table.id)
    assert table.stored.stop is Stop.IDLE
    assert "Nobody had played for two weeks" in w.board().text
    assert "counts for nobody" in w.board().text
    assert not [shown for shown in w.messages(w.channel.id) if shown.calls]
