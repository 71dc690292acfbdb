"""A restored database: what people see of the future that it lost, and what their presses do."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.app import create_bot
from bot.ids import QuestionId, TableId
from bot.render.custom_ids import Press, Verb
from bot.storage.backup import backup, restore
from bot.storage.database import sqlite_file
from bot.tables.phase import Lobby, Over, Pause
from bot.tables.stored import Pace, Stop
from tests.discord.steps import actor, first, lobby, match, play, tables
from tests.discord.world import QUICK, World, world

pytestmark = pytest.mark.nightly

SAID = "restored from an older copy"

Way = Callable[[World, Path], None]


def by_command(w: World, copy: Path) -> None:
    restore(w.settings.database_url, copy, now=datetime(2026, 3, 5, tzinfo=UTC))


def by_hand(w: World, copy: Path) -> None:
    """The file alone, beside which the mark tells."""
    _put_back(w, copy)


def unseen(w: World, copy: Path) -> None:
    """With everything that could tell, as a snapshot of the whole disk, or a PostgreSQL."""
    _file(w).with_name(f"{_file(w).name}.mark").unlink()
    _put_back(w, copy)


NOTICED: tuple[Way, ...] = (by_command, by_hand)
WAYS: tuple[Way, ...] = (*NOTICED, unseen)


def _file(w: World) -> Path:
    file = sqlite_file(w.settings.database_url)
    assert file is not None
    return file


def _put_back(w: World, copy: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        _file(w).with_name(_file(w).name + ending).unlink(missing_ok=True)
    shutil.copy(copy, _file(w))


def saved(w: World, folder: Path) -> Path:
    copy = folder / "copy"
    backup(w.settings.database_url, copy)
    return copy


async def brought_back(w: World, way: Way, copy: Path) -> None:
    """The program ends, the database is restored, and it starts again."""
    await w.env.advance_time(21)  # the mark is written every ten seconds
    before, w.bot = w.bot, create_bot(w.settings, clock=w.now, timings=QUICK)
    await before.close()
    way(w, copy)
    await w.env.restart_bot(w.bot)
    await w.env.advance_time(5)


@pytest.mark.parametrize("way", NOTICED)
@pytest.mark.behaviour("The database was restored")
async def test_a_round_of_which_people_know_the_cards_is_stopped(way: Way, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w, "Ann", "Ben", "Cat", dms=True)
        copy = saved(w, tmp_path)
        await play(w, table, 7)
        future = w.board()
        await brought_back(w, way, copy)
        after = await w.table()
        assert after.phase == Over(None, Stop.RESTORED)
        assert SAID in w.board().text
        assert "counts for nobody" in w.board().text
        assert not w.refreshed(future).presses(*Verb)
        await w.ben.press_verb(w.board(), Verb.REMATCH)
        again = await w.table()
        assert isinstance(again.phase, Lobby)
        assert (again.stored.rematch_of, again.stored.epoch) == (table.id, 1)
        await w.ann.press_verb(w.board(), Verb.JOIN)
        assert again.stored.seating.place_of(w.ben.id) == table.stored.seating.place_of(w.ben.id)


@pytest.mark.parametrize("way", NOTICED)
@pytest.mark.behaviour("The database was restored")
async def test_a_pause_goes_on_with_a_new_proof_on_a_new_board(way: Way, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await play(w, await match(w, hands=3, pace=Pace.RELAXED))
        await w.env.advance_time(1)
        assert isinstance(table.phase, Pause)
        copy, old = saved(w, tmp_path), w.board()
        await w.env.advance_time(61)  # the next round is dealt, in the future that is lost
        future = w.board()
        assert future.id != old.id
        await brought_back(w, way, copy)
        after, board = await w.table(), w.board()
        assert isinstance(after.phase, Pause)
        assert after.commitment != table.commitment
        assert after.commitment in board.text
        assert "my memory was restored" in board.text
        assert board.id not in (old.id, future.id)
        assert not w.refreshed(old).presses(*Verb)
        # What is left of the future shows the table as it is, and goes.
        said = await w.answer(w.ann, future, future.only(Verb.HAND))
        assert SAID in said
        assert not w.refreshed(future).presses(*Verb)
        assert (await w.table()).stored.votes.ready == frozenset()
        for player in (w.ann, w.ben, w.cat):
            await player.press_verb(w.board(), Verb.NEXT)
        await w.env.advance_time(1)
        dealt = await w.table()
        assert dealt.round == 2
        assert dealt.dealt is not None
        assert dealt.dealt.link == 1


@pytest.mark.parametrize("way", NOTICED)
@pytest.mark.behaviour("The database was restored")
async def test_a_lobby_goes_on_and_greets_with_the_new_proof(way: Way, tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await w.ann.slash("newgame", game="aufundab", length=1)
        await w.ben.press_verb(w.board(), Verb.JOIN)
        copy, before = saved(w, tmp_path), await w.table()
        await w.cat.press_verb(w.board(), Verb.JOIN)
        future = w.board()
        await brought_back(w, way, copy)
        after, board = await w.table(), w.board()
        assert isinstance(after.phase, Lobby)
        assert "**Cat**" not in board.text
        assert after.commitment != before.commitment
        assert after.commitment in board.text
        assert await w.answer(w.cat, future, future.only(Verb.JOIN))
        assert (await w.table()).stored.seating.place_of(w.cat.id) is None
        await w.cat.press_verb(w.board(), Verb.JOIN)
        assert (await w.table()).stored.seating.place_of(w.cat.id) is not None
        for player in (w.ann, w.ben, w.cat):
            greeting = player.dm()
            assert greeting is not None
            assert after.commitment in greeting.text


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.behaviour("The database was restored")
async def test_a_panel_of_the_lost_future_plays_nothing(way: Way, tmp_path: Path) -> None:
    """Where nothing else tells that the database is an older one, the press does."""
    async with world(tmp_path) as w:
        table = await match(w, "Ann", "Ben", "Cat", dms=True)
        copy = saved(w, tmp_path)
        later = await play(w, table, 7)
        player = actor(w, later)
        panel = player.dm()
        assert panel is not None
        button = Press(Verb.ACT, table.id, later.questions[later.actors[0]], first(later)).encode()
        offered = {press.encode() for press, _ in panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)}
        button = button if button in offered else min(offered)
        await brought_back(w, way, copy)
        assert w.bot.running is not None
        assert w.bot.running.tables.epochs.now == (0 if way is unseen else 1)
        said = await w.answer(player, panel, button)
        assert SAID in said
        after = await w.table()
        assert after.log == table.log
        assert after.phase == Over(None, Stop.RESTORED)
        assert w.bot.running.tables.epochs.now == 1
        await w.env.advance_time(5)
        assert SAID in w.board().text


@pytest.mark.behaviour("The database was restored")
async def test_a_press_of_the_future_renews_every_table(tmp_path: Path) -> None:
    async with world(tmp_path, 4) as w:
        other = w.guild.create_text_channel("other")
        await w.dan.slash("newgame", channel=other, game="sticheln")
        await play(w, await match(w, hands=3))
        copy = saved(w, tmp_path)
        for player in (w.ann, w.ben, w.cat):
            await player.press_verb(w.board(), Verb.NEXT)
        await w.env.advance_time(1)
        player = actor(w, await w.table())
        panel = await player.hand()
        await brought_back(w, unseen, copy)
        lobby_before = w.board(other)
        asked = [
            press for press, _ in panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE) if press.question
        ]
        assert SAID in await w.answer(player, panel, asked[0].encode())
        await w.env.advance_time(5)
        assert w.board(other).id != lobby_before.id
        assert "my memory was restored" in w.board(other).text
        assert isinstance((await w.table()).phase, Pause)
        assert "my memory was restored" in w.board().text


@pytest.mark.behaviour("The database was restored")
async def test_a_table_that_was_opened_in_the_lost_future_is_put_away(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        copy = saved(w, tmp_path)
        await w.ann.slash("newgame", game="aufundab", length=1)
        future = w.board()
        await brought_back(w, by_command, copy)
        await w.answer(w.ben, future, future.only(Verb.JOIN))
        assert "no longer exists" in w.refreshed(future).text
        assert w.boards() == []
        await w.ann.slash("newgame", game="aufundab", length=1)
        board = w.board()
        forged = Press(Verb.JOIN, TableId("NOSUCH")).encode()
        assert "no longer exists" not in await w.answer(w.ben, board, forged)
        assert w.refreshed(board).text == board.text


NO_TABLE = {Verb.RULES, Verb.STANDINGS, Verb.PERIOD, Verb.GAME, Verb.NONE}


CHANGING = {Verb.ACT, Verb.CUT, Verb.END_NOW, Verb.JOIN, Verb.NEXT, Verb.REMATCH}
"""Of these one each stands for a way in which a press changes something."""


@pytest.mark.parametrize(
    "verb",
    [
        verb if verb in CHANGING else pytest.param(verb, marks=pytest.mark.nightly)
        for verb in sorted(set(Verb) - NO_TABLE)
    ],
)
@pytest.mark.behaviour("The database was restored")
async def test_no_press_of_another_epoch_changes_anything(verb: Verb, tmp_path: Path) -> None:
    """Whatever it is, pressed or sent in as a form, by somebody who sits there."""
    async with world(tmp_path) as w:
        table = await play(w, await match(w, hands=3))
        await w.directly(tables(w).epochs.begin(0, 1))
        await w.env.advance_time(5)
        before, board = await w.table(), w.board()
        assert (before.stored.epoch, isinstance(before.phase, Pause)) == (2, True)
        for epoch in (0, 1):
            for question in (None, before.ply, QuestionId(1)):
                asked = None if question is None else QuestionId(question)
                press = Press(verb, table.id, asked, "1", epoch)
                said = await w.answer(w.ann, board, press.encode())
                assert SAID in said
        w.emit_form(w.ann, board, Press(verb, table.id, argument="1").encode())
        await w.env.settle()
        assert (await w.table()).stored == before.stored
        assert [shown.id for shown in w.boards()] == [board.id]


@pytest.mark.behaviour("Somebody presses what is not theirs")
async def test_a_future_that_is_only_claimed_changes_nothing(tmp_path: Path) -> None:
    """Nobody stops all matches by forging a press."""
    async with world(tmp_path) as w:
        table = await match(w)
        board = w.board()
        for press in (
            Press(Verb.ACT, table.id, QuestionId(999), first(table)),
            Press(Verb.NEXT, table.id, QuestionId(999)),
            Press(Verb.HAND, table.id, epoch=7),
            Press(Verb.LEAVE_NOW, table.id, epoch=7),
        ):
            await w.answer(w.ann, board, press.encode())
            assert (await w.table()).stored == table.stored
        assert tables(w).epochs.now == 0
        assert [shown.id for shown in w.boards()] == [board.id]


async def test_a_restart_begins_no_epoch(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await lobby(w)
        for _ in range(3):
            await w.restart()
            await w.env.advance_time(25)
        assert tables(w).epochs.now == 0
        assert (await w.table()).commitment == table.commitment
