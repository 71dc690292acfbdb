"""Commands about a table from where it is not, and tables that are in trouble."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Verb
from bot.tables.stored import Status
from tests.discord.steps import match, play
from tests.discord.world import World


@pytest.mark.nightly
async def test_a_moderator_of_another_channel_is_none_here(w: World) -> None:
    table = await match(w)
    other = w.room("other", w.ben, manage_messages=True)
    said = await w.ben.slash("endgame", channel=other, table=table.id)
    assert "vote" in said.lower()
    await w.ben.press_verb(w.ben.panel, Verb.END_NOW)
    assert (await w.table()).stored.status is Status.RUNNING


async def test_a_rematch_asked_for_elsewhere_is_posted_where_the_table_was(w: World) -> None:
    table = await play(w, await match(w))
    assert table.stored.status is Status.FINISHED
    other = w.room()
    await w.ann.slash("rematch", channel=other, table=table.id)
    await w.env.advance_time(5)
    assert w.messages(other.id) == []
    assert w.board().presses(Verb.JOIN)


async def test_a_result_that_was_not_posted_is_posted_after_a_restart(w: World) -> None:
    table = await play(w, await match(w), but_the_last=True)
    w.env.inject_error("POST", f"/channels/{w.channel.id}/messages", status=503, times=20)
    await play(w, table)
    assert not w.board().presses(Verb.REMATCH)
    w.env.backend.faults.clear()
    await w.restart()
    await w.env.advance_time(2)
    assert w.board().presses(Verb.REMATCH)
