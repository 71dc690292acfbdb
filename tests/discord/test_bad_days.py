"""Discord's bad days: answers that get lost, come twice or too late; what was stored is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from typing import Any, Final
from unittest.mock import patch

import discord
import pytest

import bot.answer.reply as replies
from bot.answer.delivery import ATTEMPT_TIME, LAST_ATTEMPT_TIME, LATER_ANSWER_TIME
from bot.ids import GuildId
from bot.render.custom_ids import Press, Verb
from bot.tables.stored import Pace
from tests.discord.steps import (
    actor,
    due,
    first,
    lobby,
    match,
    minutes,
    others,
    person,
    play,
    pressable,
    tables,
)
from tests.discord.world import Shown, World

TAKEN: Final = 40060
"""There is an answer already."""

# Answers that are lost


@pytest.mark.parametrize(
    ("status", "code"), [(404, 10062), (400, 40060), (403, 50001), (429, 0), (401, 50027)]
)
@pytest.mark.behaviour("Discord answers late")
async def test_an_answer_that_discord_refuses_leaves_the_action_stored_once_and_the_truth_shown(
    status: int,
    code: int,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    w: World,
) -> None:
    table = await match(w)
    player, panel, button = await pressable(w, table)
    w.env.inject_error("POST", "/interactions/*", status=status, code=code, times=None)
    w.emit(player, panel, button)
    await w.env.settle()
    w.heal()
    printed = capsys.readouterr()
    # What is acknowledged already can still be followed by a message.
    assert printed.out.count("answer_lost") == (code != TAKEN)
    assert "interaction_failed" not in printed.out
    assert first(table).removeprefix("play ") not in printed.out + printed.err + caplog.text
    await w.env.advance_time(2)
    after = await w.table()
    assert after.ply == table.ply + 1
    assert f"{actor(w, after).name}" in w.board().text
    if code == TAKEN:  # the hand that followed has taken the place of the one before
        (panel,) = w.whispers(player)
    said = await w.answer(player, panel, button)
    assert "You have already played" in said
    assert (await w.table()).ply == after.ply
    assert w.refreshed(panel).presses(Verb.HAND)


async def test_a_board_press_whose_answer_is_lost_is_drawn_by_the_program_itself(w: World) -> None:
    await lobby(w, "Ann")
    w.env.inject_error("POST", "/interactions/*", status=404, code=10062)
    w.emit(w.ben, w.board(), w.board().only(Verb.JOIN))
    await w.env.settle()
    await w.env.advance_time(6)
    assert "2. **Ben**" in w.board().text
    place = (await w.table()).stored.seating.places[1]
    assert (place.person, place.reachable) == (person(w.ben), True)
    assert w.ben.dms(), "whoever got no answer is written to all the same"


async def test_a_lost_answer_to_newgame_still_gives_one_table_and_one_message(w: World) -> None:
    w.env.inject_error("POST", "/interactions/*", status=404, code=10062, times=2)
    with pytest.raises(AssertionError):
        await w.ann.slash("newgame", game="aufundab")
    await w.env.advance_time(5)
    assert (await w.table()).stored.seating.host == w.ann.id
    assert len(w.boards()) == 1
    await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "2. **Ben**" in w.board().text


@contextmanager
def silence() -> Iterator[list[int]]:
    """Discord takes no first answer and never says so."""
    calls: list[int] = []

    async def never(self: Any, *args: Any, **kwargs: Any) -> None:
        calls.append(1)
        await asyncio.sleep(10_000)

    with ExitStack() as stack:
        for name in ("send_message", "edit_message", "send_modal", "defer"):
            stack.enter_context(patch.object(discord.InteractionResponse, name, never))
        yield calls


@pytest.mark.nightly
async def test_an_answer_that_discord_never_takes_holds_nothing_up(w: World) -> None:
    table = await match(w)
    player, panel, button = await pressable(w, table)
    with silence() as calls:
        w.emit(player, panel, button)
        await w.env.settle()
        await w.env.advance_time(ATTEMPT_TIME + LAST_ATTEMPT_TIME + LATER_ANSWER_TIME + 1)
        assert calls
        assert not replies._running.get(w.bot)
    after = await w.table()
    assert after.ply == table.ply + 1
    await w.env.advance_time(2)
    assert actor(w, after).name in w.board().text
    assert (await w.answer(player, panel, button)).strip()
    assert (await w.table()).ply == after.ply


@pytest.mark.nightly
async def test_a_connection_that_breaks_while_answering_costs_one_line_in_the_log(
    capsys: pytest.CaptureFixture[str], w: World
) -> None:
    async def broken(self: Any, *args: Any, **kwargs: Any) -> None:
        raise ConnectionResetError(104, "reset")

    table = await match(w)
    player, panel, button = await pressable(w, table)
    with patch.object(discord.InteractionResponse, "edit_message", broken):
        w.emit(player, panel, button)
        await w.env.settle()
    printed = capsys.readouterr()
    assert printed.out.count("answer_kind_failed") == 1
    assert "answer_lost" not in printed.out
    assert "Traceback" not in printed.out + printed.err
    assert (await w.table()).ply == table.ply + 1


@pytest.mark.nightly
async def test_a_malformed_answer_is_followed_by_words(w: World) -> None:
    await match(w)
    w.env.inject_error("POST", "/interactions/*", status=400, code=50035, times=2)
    assert "went wrong on my side" in await w.ann.slash("stats")


# Interactions that come twice, late, or in the wrong order


@pytest.mark.behaviour("Discord delivers something twice")
async def test_a_press_delivered_twice_is_answered_once_and_applied_once(w: World) -> None:
    table = await lobby(w, "Ann", "Cat", seats=4)
    for player, verb in ((w.ben, Verb.JOIN), (w.ann, Verb.HAND), (w.ann, Verb.CUT)):
        record = w.emit(player, w.board(), Press(verb, table.id).encode(), times=2)
        await w.env.settle()
        assert w.said(record), verb
    assert (await w.table()).stored.seating.place_of(w.ben.id) == 2
    await w.ann.slash("start")
    await w.env.advance_time(6)
    player, panel, button = await pressable(w, await w.table())
    record = w.emit(player, panel, button, times=2)
    await w.env.settle()
    assert record.responded
    assert [entry.interaction for entry in (await w.table()).log].count(record.id) == 1


@pytest.mark.behaviour("Discord delivers something twice")
async def test_a_command_delivered_twice_is_run_once(w: World) -> None:
    payloads: list[Any] = []
    emit = w.env.backend.emit

    def twice(event: str, payload: Any) -> None:
        emit(event, payload)
        if event == "INTERACTION_CREATE":
            payloads.append(payload)
            emit(event, payload)

    with patch.object(w.env.backend, "emit", twice):
        await w.ann.slash("newgame", game="aufundab")
    assert payloads
    assert len(await tables(w).open_tables()) == 1
    assert len(w.messages(w.channel.id)) == 1
    called = [call for call in w.env.http_requests if call.path.startswith("/interactions/")]
    assert len(called) == 1


async def test_a_press_that_arrives_after_its_three_seconds_counts_once_and_is_shown_later(
    capsys: pytest.CaptureFixture[str], w: World
) -> None:
    table = await match(w)
    player, panel, button = await pressable(w, table)
    held: list[tuple[str, Any]] = []
    with patch.object(w.env.backend, "emit", lambda *event: held.append(event)):
        record = w.emit(player, panel, button)
    await w.env.advance_time(4)
    for event, payload in held:
        w.env.backend.emit(event, payload)
    await w.env.settle()
    assert not record.responded
    assert "answer_lost" in capsys.readouterr().out
    assert (await w.table()).ply == table.ply + 1
    assert "turn" in await w.answer(player, panel, button)


@pytest.mark.nightly
async def test_a_command_that_the_program_no_longer_knows_is_answered(w: World) -> None:
    w.bot.tree.remove_command("hand")
    sent = len(w.env.http_requests)
    assert "This command has changed" in await w.ann.slash("hand")
    answers = [c for c in w.env.http_requests[sent:] if c.path.startswith("/interactions/")]
    assert len(answers) == 1
    with pytest.raises(ExceptionGroup):  # SimCord notes it, and here it was meant
        w.env.raise_errors()


# Panels that are too old to be edited


@pytest.mark.behaviour("A hand in the channel is older")
async def test_a_panel_older_than_fourteen_minutes_is_answered_with_a_fresh_one(w: World) -> None:
    table = await match(w)
    player, panel, button = await pressable(w, table)
    before, waiting = w.refreshed(panel).text, others(w, table)[0]
    renewed = await waiting.hand()
    for elapsed in (13, 2):
        await minutes(w, elapsed)
        await waiting.press_verb(renewed, Verb.HAND)
        assert waiting.panel.id == renewed.id, "every press renews it"
    record = w.emit(player, panel, button)
    await w.env.settle()
    assert w.said(record)
    assert record.message_id not in (None, panel.id)
    assert w.refreshed(panel).text == before
    assert (await w.table()).ply == table.ply + 1
    fresh = w.refreshed(Shown(panel.channel, record.message_id, []))
    await player.press_verb(fresh, Verb.HAND)
    assert player.panel.id == fresh.id


# The connection


async def gateway(w: World, event: str) -> None:
    """Discord's connection breaks, or is there again."""

    async def dispatch() -> None:
        w.bot.dispatch(f"shard_{event}", 0)

    await w.directly(dispatch())


async def test_while_discord_is_away_nobodys_time_runs_out_and_it_is_given_back(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    await gateway(w, "disconnect")
    await minutes(w, 5)
    assert (await w.table()).ply == table.ply
    await gateway(w, "resumed")
    after = await w.table()
    assert after.ply == table.ply
    assert timedelta(seconds=300) <= due(after) - due(table) <= timedelta(seconds=305)
    assert after.stored.timing.credited >= timedelta(seconds=300)
    await w.env.advance_time(70)
    assert (await w.table()).ply > table.ply


async def test_only_tables_that_changed_are_drawn_at_the_start(w: World) -> None:
    await play(w, await match(w), 1)
    other = w.room()
    changed = await lobby(w, "Dan", channel=other.id)
    await w.env.advance_time(10)
    board = w.board(other)
    with patch.object(w.running.publisher, "changed"):
        await tables(w).invite(changed.id, w.dan.id, w.ann.id)
    since = w.calls()
    await w.restart()
    await w.env.advance_time(5)
    made = [call.path for call in w.env.http_requests[since:] if "/messages" in call.path]
    posted = f"/channels/{other.id}/messages"
    assert made == [f"{posted}/{board.id}", posted], "the board, and the line that invites"


@pytest.mark.nightly
async def test_nothing_that_people_write_is_a_command_or_is_read(w: World) -> None:
    await match(w)
    since = w.calls()
    assert w.bot.user is not None
    for text in (f"<@{w.bot.user.id}> help", f"<@{w.bot.user.id}> play pass", "!play", "x"):
        await w.ben.actor.send(w.channel, text)
    await w.env.settle()
    assert w.calls() == since


# Refusals that concern the program, and not whoever it writes to


@pytest.mark.parametrize(
    ("status", "code"), [(403, 20026), (403, 40003), (403, 40002), (503, 0), (429, 0)]
)
@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.behaviour("Discord lets the bot send no direct messages")
async def test_where_discord_refuses_direct_messages_to_the_program_the_channel_calls(
    status: int, code: int, opening: bool, w: World
) -> None:
    sending = [f"/channels/{one.user.dm_channel.id}/messages" for one in w.people(3)]
    for path in ["/users/@me/channels"] if opening else sending:
        w.env.inject_error("POST", path, status=status, code=code, times=None)
    await w.ann.slash("newgame", game="aufundab", length=1, seats=3)
    for player in (w.ben, w.cat):
        said = await w.answer(player, w.board(), w.board().only(Verb.JOIN))
        assert "Allow" not in said
        assert "allow messages" not in said
    await w.ann.slash("start")
    await w.env.advance_time(4)
    table = await w.table()
    assert [place.reachable for place in table.stored.seating.places] == [None] * 3
    asked = actor(w, table)
    (line,) = w.notices()
    assert f"<@{asked.id}>" in line.text
    said = await asked.press_verb(w.board(), Verb.HAND)
    assert "isn't your setting" in said
    assert asked.panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)

    tried = w.sent("POST", "/users/@me/channels")
    await w.env.advance_time(9)
    assert w.sent("POST", "/users/@me/channels") - tried <= 2, "one backoff for all"
    assert (await w.table()).ply == table.ply
    assert len(w.notices()) == 1
    w.heal()
    for _ in range(6):
        await play(w, await w.table(), 1)
        await w.env.advance_time(15)
    again = actor(w, await w.table())
    assert again.dm().presses(Verb.ACT, Verb.OPEN, Verb.COMBINE), "and once it does, they are back"


# Refusals that nobody knows


@pytest.mark.parametrize("code", [200000, 240000, 50035, 999999])
@pytest.mark.behaviour("Discord refuses a message for a reason")
async def test_a_board_that_is_refused_for_an_unknown_reason_makes_the_match_wait(
    code: int, capsys: pytest.CaptureFixture[str], w: World
) -> None:
    table = await match(w, pace=Pace.LIVE60, dms=False)
    for method, path in (("POST", "messages"), ("PATCH", "messages/*")):
        where = f"/channels/{w.channel.id}/{path}"
        w.env.inject_error(method, where, status=400, code=code, times=None)
    asked = actor(w, table)
    await asked.slash("play", action=first(table))
    await w.env.advance_time(14)
    now = await w.table()
    assert now.stored.timing.stalled is not None, "no time runs"
    assert str(code) in w.ann.dm().text
    assert f"{code}" in capsys.readouterr().out, "logged with its code"
    calls = w.calls()
    await w.env.advance_time(200)
    assert w.calls() - calls <= 1, "not tried for ever"
    assert (await w.table()).ply == now.ply
    w.heal()
    await w.env.advance_time(301)
    assert (await w.table()).stored.timing.stalled is None


async def test_one_refusal_for_an_unknown_reason_stops_nothing(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60, dms=False)
    w.env.inject_error("PATCH", f"/channels/{w.channel.id}/messages/*", status=400, code=1, times=2)
    await actor(w, table).slash("play", action=first(table))
    await w.env.advance_time(14)
    now = await w.table()
    assert now.stored.timing.stalled is None
    assert f"{actor(w, now).name}'s turn" in w.board().text


# Another program that has the same token


@pytest.mark.behaviour("Another program runs with the same token")
async def test_another_program_with_the_same_token_is_named_once_and_makes_no_second_lobby(
    capsys: pytest.CaptureFixture[str], w: World
) -> None:
    w.env.inject_error("POST", "/interactions/*", status=400, code=TAKEN, times=None)
    for _ in range(2):
        with pytest.raises(AssertionError):  # SimCord knows of no other program's answer
            await w.ann.slash("newgame", game="aufundab")
        await w.env.advance_time(5)
    assert await tables(w).open_on(GuildId(w.guild.id)) == []
    assert w.messages(w.channel.id) == [], "the other one's lobby stands there"
    printed = capsys.readouterr().out
    assert printed.count("another_program_has_this_token") == 1
    assert "interaction_failed" not in printed
    w.heal()
    await lobby(w, "Ann", "Ben")
    assert len(w.boards()) == 1


@pytest.mark.behaviour("Another program runs with the same token")
async def test_a_plan_that_another_program_has_answered_is_none_of_ours(w: World) -> None:
    w.env.inject_error("POST", "/interactions/*", status=400, code=TAKEN, times=None)
    with pytest.raises(AssertionError):  # SimCord knows of no other program's answer
        await w.ann.slash("newgame", game="aufundab", at="in 2h")
    w.heal()
    await w.restart()
    assert w.messages(w.channel.id) == [], "the other one's plan stands there"
    w.skip(timedelta(hours=3))
    await w.env.advance_time(61)
    assert await tables(w).open_on(GuildId(w.guild.id)) == []
    assert w.messages(w.channel.id) == []


async def test_an_answer_of_the_run_before_is_no_other_program(
    capsys: pytest.CaptureFixture[str], w: World
) -> None:
    """Discord repeats now and then what was pressed before a restart."""
    player, panel, button = await pressable(w, await match(w))
    with patch.object(w.env.backend, "emit") as told:
        w.emit(player, panel, button)
    await w.env.advance_time(3)
    await w.restart()
    w.env.inject_error("POST", "/interactions/*", status=400, code=TAKEN, times=None)
    w.env.backend.emit(*told.call_args.args)
    await w.env.settle()
    printed = capsys.readouterr().out
    assert "answer_kind_failed" in printed
    assert "another_program_has_this_token" not in printed
