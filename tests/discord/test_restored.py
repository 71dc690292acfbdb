"""A restored database: every open table ends, and its channel is told why."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.app import create_bot
from bot.render.custom_ids import Verb
from bot.storage import Database
from bot.storage.backup import backup, note_restored, restore
from bot.tables.phase import BetweenRounds, Expired, Lobby, Over
from bot.tables.stored import Pace, Stop
from tests.discord.steps import actor, lobby, match, play
from tests.discord.world import QUICK, World

pytestmark = pytest.mark.nightly

SAID = "restored from an older copy"

Way: TypeAlias = Callable[[World, Path], Awaitable[None]]


async def by_command(w: World, copy: Path) -> None:
    restore(w.settings.database_url, copy, now=datetime(2026, 3, 5, tzinfo=UTC))


async def by_hand(w: World, copy: Path) -> None:
    """Copied back, and said to be: `stammtisch db restored`."""
    await unsaid(w, copy)
    database = await Database.open(w.settings.database_url)
    await database.write(note_restored)
    await database.close()


async def unsaid(w: World, copy: Path) -> None:
    for ending in ("", "-wal", "-shm"):
        w.file.with_name(w.file.name + ending).unlink(missing_ok=True)
    shutil.copy(copy, w.file)


WAYS: tuple[Way, ...] = (by_command, by_hand)


def saved(w: World) -> Path:
    copy = w.file.with_name("copy")
    backup(w.settings.database_url, copy)
    return copy


async def brought_back(w: World, way: Way, copy: Path) -> None:
    """The program ends, the database is restored, and it starts again."""
    before, w.bot = w.bot, create_bot(w.settings, clock=w.now, timings=QUICK)
    await before.close()
    await way(w, copy)
    await w.env.restart_bot(w.bot)
    await w.env.advance_time(5)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.behaviour("The database was restored")
async def test_a_match_is_stopped_and_can_be_played_again(way: Way, w: World) -> None:
    table = await match(w, dms=True)
    copy = saved(w)
    later = await play(w, table, 7)
    player, known = actor(w, later), w.board()
    panel = player.dm()
    await brought_back(w, way, copy)
    after, board = await w.table(), w.board()
    assert after.phase == Over(None, Stop.RESTORED)
    assert after.log == table.log
    assert (SAID in board.text, "counts for nobody" in board.text) == (True, True)
    assert board.id > known.id
    # Nothing of what was before people's eyes plays any more.
    for press, _ in panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE):
        await w.answer(player, panel, press.encode())
    assert (await w.table()).log == table.log
    await w.ben.press_verb(w.board(), Verb.REMATCH)
    again = await w.table()
    assert isinstance(again.phase, Lobby)
    assert (again.stored.rematch_of, again.stored.given) == (table.id, table.stored.given)
    await w.ann.press_verb(w.board(), Verb.JOIN)
    again = await w.table()
    for one in (w.ann, w.ben):
        assert again.stored.seating.place_of(one.id) == table.stored.seating.place_of(one.id)


@pytest.mark.behaviour("The database was restored")
async def test_hands_that_the_copy_knows_are_settled(w: World) -> None:
    await match(w, dms=True)
    await brought_back(w, by_command, saved(w))
    for one in (w.ann, w.ben, w.cat):
        hand = one.dm()
        assert SAID in hand.text
        assert not hand.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.behaviour("The database was restored")
async def test_a_pause_ends_too_and_says_so_below_what_came_since(way: Way, w: World) -> None:
    table = await play(w, await match(w, hands=3, pace=Pace.RELAXED))
    await w.env.advance_time(1)
    assert isinstance(table.phase, BetweenRounds)
    copy, old = saved(w), w.board()
    await w.env.advance_time(61)  # the next round is dealt, and nobody will know of it
    future = w.board()
    await brought_back(w, way, copy)
    assert (await w.table()).phase == Over(None, Stop.RESTORED)
    result = w.board()
    assert SAID in result.text
    assert result.id > future.id > old.id
    assert not w.refreshed(old).presses(*Verb)
    before = await w.table()
    assert SAID in await w.answer(w.ann, future, future.only(Verb.HAND))
    assert (await w.table()).stored == before.stored


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.behaviour("The database was restored")
async def test_a_lobby_is_closed_and_opened_again_with_its_seats_and_options(
    way: Way, w: World
) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    copy, before = saved(w), await w.table()
    await w.cat.press_verb(w.board(), Verb.JOIN)
    old = w.board()
    await brought_back(w, way, copy)
    after, closed = await w.table(), w.board()
    assert after.phase == Expired(Stop.RESTORED)
    assert SAID in closed.text
    assert closed.id > old.id
    assert not w.refreshed(old).presses(*Verb)
    assert "didn't play" in await w.cat.press_verb(closed, Verb.REMATCH)
    await w.ben.press_verb(closed, Verb.REMATCH)
    again = await w.table()
    assert isinstance(again.phase, Lobby)
    assert again.stored.given == before.stored.given
    assert len(again.stored.seating.places) == len(before.stored.seating.places)
    assert again.stored.seating.place_of(w.ben.id) == 1
    assert {one.id for one in again.stored.seating.kept.values()} == {w.ann.id}
    assert again.stored.shuffling.chain != before.stored.shuffling.chain


@pytest.mark.behaviour("The database was restored")
async def test_a_channel_is_told_once(w: World) -> None:
    other = w.room()
    await w.dan.slash("newgame", channel=other, game="sticheln")
    await match(w)
    await brought_back(w, by_command, saved(w))
    for _ in range(2):
        for channel in (w.channel, other):
            told = [shown for shown in w.messages(channel.id) if SAID in shown.text]
            assert len(told) == 1
        await w.restart()
        await w.env.advance_time(5)


@pytest.mark.behaviour("The database was restored")
async def test_a_table_that_the_copy_does_not_know_answers_that_there_is_none(w: World) -> None:
    copy = saved(w)
    await w.ann.slash("newgame", game="aufundab", length=1)
    future = w.board()
    await brought_back(w, by_command, copy)
    before = w.refreshed(future).text
    assert await w.answer(w.ben, future, future.only(Verb.JOIN))
    assert w.refreshed(future).text == before
    await w.ann.slash("newgame", game="aufundab", length=1)
    assert isinstance((await w.table()).phase, Lobby)


async def test_a_copy_of_which_nobody_says_anything_goes_on(w: World) -> None:
    table = await match(w)
    await brought_back(w, unsaid, saved(w))
    assert (await w.table()).stored.status is table.stored.status
    assert len((await play(w, await w.table(), 3)).log) == len(table.log) + 3


async def test_a_restart_ends_nothing(w: World) -> None:
    table = await lobby(w)
    for _ in range(3):
        await w.restart()
        await w.env.advance_time(25)
    assert (await w.table()).stored.status is table.stored.status
    assert (await w.table()).commitment == table.commitment
