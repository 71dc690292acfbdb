"""The program is killed and started again: tables, buttons, hands and deadlines go on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.ids import PlanId, TableId
from bot.render.custom_ids import Verb
from bot.storage import SqlSurfaces
from bot.storage.plans import SqlPlans
from bot.tables.ports import Unavailable
from bot.tables.stored import Status
from tests.discord.steps import actor, hidden, lobby, match, play, playing
from tests.discord.world import World
from tests.wire.store import SqliteStore


def posts(w: World) -> int:
    """How many messages the program has sent, to the channel and to people."""
    return w.sent("POST")


async def test_only_a_test_moves_the_clock_before_and_after_a_restart(w: World) -> None:
    assert w.runs_by_itself() == []
    await w.restart()
    assert w.runs_by_itself() == []


async def test_a_lobby_goes_on_and_expires_after_a_restart(w: World) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1)
    before = posts(w)
    await w.restart()
    await w.env.advance_time(5)
    assert posts(w) == before
    await w.ben.press_verb(w.board(), Verb.JOIN)
    assert "2. **Ben**" in w.board().text
    await w.env.advance_time(15 * 60 + 1)
    assert (await w.table()).stored.status is Status.EXPIRED
    assert "wasn't started in time" in w.board().text


@pytest.mark.behaviour("The bot or its machine dies")
async def test_buttons_of_the_board_go_on_after_a_restart(w: World) -> None:
    table = await play(w, await match(w), 1)
    board, player = w.board(), actor(w, table)
    await w.restart()
    await player.press(board, board.only(Verb.HAND))
    assert [card for card in hidden(table) if card in player.panel.text]
    await player.press(board, board.only(Verb.ACT))
    after = await w.table()
    assert after.log[-1].text == "pass"
    assert after.ply == table.ply + 1
    assert [shown.id for shown in w.boards()] == [board.id]
    assert actor(w, after).name in w.board().text


async def test_a_panel_in_a_dm_goes_on_after_a_restart(w: World) -> None:
    table = await match(w, dms=True)
    player = actor(w, table)
    greeting, panel = player.dms()
    await w.restart()
    await w.answer(player, panel, playing(table))
    after = await w.table()
    assert after.ply == table.ply + 1
    assert [dm.id for dm in player.dms()] == [greeting.id, panel.id]
    *_, theirs = actor(w, after).dms()
    assert theirs.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)


@pytest.mark.behaviour("The bot or its machine dies")
@pytest.mark.parametrize("away", [0, 2])
async def test_what_nobody_drew_is_drawn_however_often_the_database_was_asked_in_vain(
    away: int, monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    failures = [Unavailable() for _ in range(away)]
    stale = SqlSurfaces.stale

    async def at_first_in_vain(surfaces: SqlSurfaces) -> Sequence[TableId]:
        if failures:
            raise failures.pop()
        return await stale(surfaces)

    await lobby(w, "Ann", "Ben", seats=3)
    await w.env.advance_time(5)
    store = SqliteStore(str(w.file))
    store.change([("UPDATE surfaces SET drawn = 0", ())])
    drawn = w.sent("PATCH", "/channels/")
    monkeypatch.setattr(SqlSurfaces, "stale", at_first_in_vain)
    await w.restart()
    await w.env.advance_time(12)
    assert failures == []
    assert w.sent("PATCH", "/channels/") > drawn


@pytest.mark.behaviour("The bot or its machine dies")
async def test_a_plan_that_nobody_drew_is_drawn_although_the_database_was_asked_in_vain(
    monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    failures, undrawn = [Unavailable()], SqlPlans.undrawn

    async def at_first_in_vain(plans: SqlPlans) -> Sequence[PlanId]:
        if failures:
            raise failures.pop()
        return await undrawn(plans)

    await w.ann.slash("newgame", game="aufundab", at="in 2h")
    await w.env.advance_time(5)
    (shown,) = w.messages(w.channel.id)
    SqliteStore(str(w.file)).change([("UPDATE plans SET version = 2, coming = '[]'", ())])
    monkeypatch.setattr(SqlPlans, "undrawn", at_first_in_vain)
    await w.restart()
    await w.env.advance_time(12)
    assert failures == []
    assert "Nobody is coming yet" in w.refreshed(shown).text
