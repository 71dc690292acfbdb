"""Playing alone: a match against computers in the direct messages with the bot."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.ids import ALONE
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds
from bot.tables.service import MAX_QUIET
from bot.tables.stored import Pace, Person, Status
from tests.discord.figures import plain
from tests.discord.steps import tables
from tests.discord.test_hints import counted
from tests.discord.ways import press_something
from tests.discord.world import Shown, World
from tests.lengths import shortest_asked

SEED = 5

pytestmark = pytest.mark.deals(SEED)
MOST = 400


async def alone(w: World, game: str = "sticheln", **options: Any) -> Table:
    """Ann's match in her direct messages, dealt; these are where `w` looks from now on."""
    w.computers.say = plain
    await w.ann.slash("newgame", dm=True, game=game, **shortest_asked(game) | options)
    w.channel = w.ann.user.dm_channel
    await w.env.advance_time(1)
    table = await w.table()
    assert table.round == 1
    return table


async def until_asked(w: World) -> Table:
    """The table when Ann is asked, or the round is over."""
    for _ in range(MOST):
        table = await w.table()
        if table.asked or not table.running or isinstance(table.phase, BetweenRounds):
            await w.env.advance_time(1)  # and it is drawn
            return table
        await w.env.advance_time(2)
    pytest.fail("nobody is asked")


def panels(w: World) -> list[Shown]:
    """Messages on which cards can be played."""
    found = w.messages(w.channel.id)
    return [shown for shown in found if shown.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)]


async def play_out(w: World, rng: random.Random) -> Table:
    """Ann plays on the one message until the match is over."""
    for _ in range(MOST):
        table = await until_asked(w)
        if not table.running:
            return table
        if isinstance(table.phase, BetweenRounds):
            await w.ann.press_verb(w.board(), Verb.NEXT)
            await w.env.advance_time(1)
            continue
        (panel,) = panels(w)
        assert panel.id == w.board().id
        await press_something(w.ann, panel, rng)
        await w.env.settle()
    pytest.fail("the match does not end")


@pytest.mark.parametrize("game", ["aufundab", "kaiserspiel"])
async def test_a_whole_match_with_a_restart_and_the_next(game: str, w: World) -> None:
    rng = random.Random(SEED)
    table = await alone(w, game)
    assert table.stored.guild == ALONE
    assert table.stored.timing.pace is Pace.NONE
    assert not table.stored.seating.free_places
    assert [person.name for person in table.stored.seating.people] == ["Ann"]
    await until_asked(w)
    (panel,) = panels(w)
    await press_something(w.ann, panel, rng)
    await w.restart()
    await w.env.advance_time(1)
    table = await play_out(w, rng)
    assert table.stored.status is Status.FINISHED
    assert panels(w) == []
    assert "computer" in w.board().text.lower()
    before = table.id
    await w.ann.press_verb(w.board(), Verb.REMATCH)
    await w.env.advance_time(1)
    table = await w.table()
    assert table.stored.rematch_of == before
    assert table.round == 1
    assert table.stored.seating.computers.keys() != set()


@pytest.mark.nightly
async def test_board_and_hand_are_one_message_and_nothing_else_is_sent(w: World) -> None:
    table = await alone(w, "aufundab")
    table = await until_asked(w)
    (panel,) = panels(w)
    for name in table.stored.seating.computers.values():
        assert f"Computer {name.number}" in panel.text
    assert panel.presses(Verb.LOG)
    assert not panel.presses(Verb.HAND)
    sent = len(w.messages(w.channel.id))
    assert sent == 2, "what binds the deals, and the round"
    rng = random.Random(SEED)
    for _ in range(3):
        table = await until_asked(w)
        if isinstance(table.phase, BetweenRounds) or not table.running:
            break
        asked, began = len(w.env.http_requests), w.now()
        await press_something(w.ann, w.board(), rng)
        await until_asked(w)
        edits = [call for call in w.env.http_requests[asked:] if call.method == "PATCH"]
        most = 1 + (w.now() - began) // MAX_QUIET
        assert len(edits) <= most, "computers in a row are drawn at once"
    assert len(w.messages(w.channel.id)) == sent


async def over(w: World) -> tuple[Table, Shown]:
    """A match that Ann has played out, and its result."""
    await alone(w)
    return await play_out(w, random.Random(SEED)), w.board()


def stands(w: World, message: str) -> bool:
    return message in {str(shown.id) for shown in w.messages(w.channel.id)}


@pytest.mark.behaviour("*Rematch* is pressed again once its match runs")
async def test_a_second_press_for_the_rematch_leaves_its_board_and_hand(w: World) -> None:
    _, result = await over(w)
    await w.ann.press_verb(result, Verb.REMATCH)
    await w.env.advance_time(1)
    table = await until_asked(w)
    board, (panel,) = w.board(), panels(w)
    assert table.dealt is not None
    assert table.dealt.post == str(board.id)
    assert "already started" in await w.ann.press_verb(result, Verb.REMATCH)
    assert str(board.id) in str(w.ann.panel.components), "the way there"
    await w.env.advance_time(5)
    assert (await w.table()).id == table.id
    assert stands(w, table.dealt.post)
    assert [shown.id for shown in panels(w)] == [panel.id]
    assert (await play_out(w, random.Random(SEED))).stored.status is Status.FINISHED


@pytest.mark.every_case
@pytest.mark.parametrize("presses", [1, 2])
async def test_a_rematch_that_was_cut_off_before_the_deal_goes_on_with_its_message(
    presses: int, w: World
) -> None:
    before, result = await over(w)
    await w.directly(tables(w).rematch(before.id, Person(w.ann.id, "Ann")))
    await w.env.advance_time(30)
    lobby = w.board()
    assert lobby.id != result.id, "nobody has answered with it: it was posted"
    for _ in range(presses):
        await w.ann.press_verb(result, Verb.REMATCH)
    table = await until_asked(w)
    assert table.round == 1
    assert stands(w, str(lobby.id))
    assert [shown.id for shown in panels(w)] == [w.board().id]


READ = (Verb.LOG, Verb.MORE, Verb.RULES, Verb.VERIFY, Verb.ROUNDS, Verb.REVIEW, Verb.AGAIN)
"""Presses that show something to read."""


async def test_what_is_read_stands_beside_the_hand_and_the_result(w: World) -> None:
    """In direct messages nothing could bring them back."""
    rng, read = random.Random(SEED), set[Verb]()
    await alone(w)
    table = await until_asked(w)
    for _ in range(2):
        stands = w.board()
        for press, _ in stands.presses(*READ):
            await w.ann.press(stands, press.encode())
            assert len(w.refreshed(stands).presses(*READ)) == len(stands.presses(*READ)), press
            read.add(press.verb)
        table = await play_out(w, rng)
    assert not table.running
    assert {Verb.LOG, Verb.MORE, Verb.RULES, Verb.VERIFY, Verb.ROUNDS, Verb.REVIEW} <= read


@pytest.mark.nightly
async def test_a_second_one_shows_the_first_until_it_is_left(w: World) -> None:
    first = await alone(w)
    said = await w.ann.slash("newgame", dm=True, game="aufundab")
    assert "is still going" in said
    await w.env.advance_time(1)
    assert (await w.table()).id == first.id
    assert len(panels(w)) <= 1
    await w.ann.slash("leave", dm=True)
    await w.ann.press_verb(w.ann.panel, Verb.LEAVE_NOW)
    await w.env.advance_time(1)
    assert (await w.table()).stored.status is Status.STOPPED
    assert panels(w) == []
    second = await alone(w, "aufundab")
    assert second.id != first.id


async def test_nobody_else_knows_of_it_and_no_leaderboard_counts_it(w: World) -> None:
    karten = w.channel
    table = await alone(w)
    for command in ("hand", "join", "table", "leave", "verify"):
        said = await w.ben.slash(command, channel=karten, table=table.id)
        assert "I don't know that table" in said
    assert table.id not in await w.ben.slash("tables", channel=karten)
    table = await play_out(w, random.Random(SEED))
    assert table.stored.status is Status.FINISHED
    board = await w.ann.slash("leaderboard", channel=karten)
    assert "matches" not in board
    assert w.messages(karten.id) == []


@pytest.mark.nightly
async def test_a_plan_in_direct_messages_is_refused_in_words(w: World) -> None:
    said = await w.ann.slash("newgame", dm=True, game="sticheln", at="in 2h")
    assert "works only on a server" in said


@pytest.mark.behaviour("Somebody does not know what to play")
async def test_a_hint_stands_on_the_one_message_until_the_question_is_answered(w: World) -> None:
    await alone(w)
    await until_asked(w)
    w.computers.think = counted
    before = w.board().text
    said = await w.ann.press_verb(w.board(), Verb.HINT)
    assert "lead over the others" in said
    await w.env.advance_time(5)
    assert w.board().text == said != before
    (panel,) = panels(w)
    await press_something(w.ann, panel, random.Random(SEED))
    await until_asked(w)
    assert "lead over the others" not in w.board().text


async def test_a_rematch_shows_the_match_that_runs_already(w: World) -> None:
    first = await alone(w)
    await w.ann.slash("leave", dm=True)
    await w.ann.press_verb(w.ann.panel, Verb.LEAVE_NOW)
    await w.env.advance_time(2)
    old = w.board()
    await w.ann.slash("newgame", dm=True, game="aufundab")
    await w.env.advance_time(2)
    running, before = await w.table(), w.board().id
    assert running.id != first.id
    said = await w.ann.press_verb(old, Verb.REMATCH)
    assert "Your match is still going: here it is." in said
    await w.env.advance_time(3)
    assert w.board().id > before
    assert (await w.table()).id == running.id
