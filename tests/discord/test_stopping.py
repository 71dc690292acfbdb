"""Stopping, in the simulated Discord; over the wire it is in `tests.wire.test_stopping`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from bot import running
from bot.ids import ChannelId, MessageId, QuestionId, UserId
from bot.publish.messages import Shows
from bot.publish.publisher import Publisher
from bot.render.custom_ids import Verb
from bot.storage import Database, SqlSurfaces, StorageError
from bot.tables.service import TableService
from tests.discord.steps import lobby, match, tables
from tests.discord.world import World


@pytest.mark.behaviour("The bot is stopped")
async def test_while_it_ends_no_table_is_opened_and_presses_are_answered(w: World) -> None:
    table = await match(w)
    other = w.room()
    tables(w).drain()
    said = await w.ann.slash("newgame", game="aufundab", channel=other)
    assert "restart" in said.lower()
    assert await tables(w).open_in_channel(ChannelId(other.id)) is None
    player = (await w.actors())[0]
    await player.slash("play", action=(await player.legal())[0])
    assert (await w.table()).ply == table.ply + 1


async def test_after_a_stop_nothing_is_left_to_do(w: World) -> None:
    await match(w)
    await lobby(w, "Ann", channel=w.room().id)
    before = asyncio.all_tasks()
    await w.bot.stop()
    left = [task for task in asyncio.all_tasks() - before if task is not asyncio.current_task()]
    assert left == []
    assert w.bot.is_closed()
    await w.bot.stop()  # told again, it changes nothing


@pytest.mark.parametrize("part", [Publisher.farewell, Publisher.aclose, TableService.aclose])
async def test_a_part_of_a_stop_that_fails_does_not_keep_the_others_from_ending(
    part: Callable[..., object], monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError

    await match(w)
    owner = Publisher if part.__qualname__.startswith("Publisher") else TableService
    monkeypatch.setattr(owner, part.__name__, fails)
    with capture_logs() as logs:
        await w.bot.stop()
    assert [line["kind"] for line in logs if line["event"] == "not_ended"] == ["RuntimeError"]
    assert w.bot.is_closed()
    with pytest.raises(StorageError, match="closed"):
        await w.running.meta.get("anything")


@pytest.mark.nightly
@pytest.mark.parametrize("gently", [True, False])
async def test_the_last_steps_may_take_what_is_left_of_the_stop(
    gently: bool, monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    """A disk that is slow to write is no reason to give the database up."""
    await match(w)
    monkeypatch.setattr(running, "CLOSE_TIME", 0.0)
    with capture_logs() as logs:
        await (w.bot.stop() if gently else w.bot.close())
    assert [line["what"] for line in logs if line["event"] == "given_up"] == []


async def test_an_answer_that_the_stop_did_not_wait_for_is_given_up_and_no_error(
    monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    """Its session is closed under it, and there is nobody left to whom anything could be said."""

    async def late(*_: object) -> None:
        raise RuntimeError("Session is closed")

    table = await match(w)
    board = w.board()
    monkeypatch.setattr("cogs.play.show_own_hand", late)
    monkeypatch.setattr(type(w.bot), "is_closed", lambda _: True)
    with capture_logs() as logs:
        w.emit(w.ann, board, board.only(Verb.HAND))
        await w.env.settle()
    assert [line["event"] for line in logs if line["log_level"] == "error"] == []
    assert [line["what"] for line in logs if line["event"] == "given_up"] == ["answer"]
    monkeypatch.undo()
    assert (await w.table()).ply == table.ply


async def test_what_an_answer_drew_while_the_connection_was_closing_is_stored(w: World) -> None:
    table = await match(w)
    parts = w.running
    user, channel, message = UserId(w.ann.user.id), ChannelId(77), MessageId(78)
    await parts.begin_stop()
    await parts.finish_work()
    await parts.publisher.note_direct_hand(table.id, user, channel, message, Shows(QuestionId(0)))
    await parts.close()
    database = await Database.open(w.settings.database_url)
    rows = await SqlSurfaces(database).all_of(table.id)
    await database.close()
    assert message in [row[3] for row in rows]
    await w.bot.close()
