"""Commands about a table from where it is not, and tables that are in trouble."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest
import simcord
from sqlalchemy import text

from bot.render.custom_ids import Press, Verb
from bot.storage import Database
from bot.tables.stored import Status
from tests.discord.steps import first, match, play
from tests.discord.world import Player, World, world


@pytest.mark.nightly
async def test_a_moderator_of_another_channel_is_none_here(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        other = channel(w, w.ben, manage_messages=True)
        said = await w.ben.slash("endgame", channel=other, table=table.id)
        assert "vote" in said.lower()
        assert w.ben.panel is not None
        await w.ben.press_verb(w.ben.panel, Verb.END_NOW)
        assert (await w.table()).stored.status is Status.RUNNING


def channel(w: World, player: Player, **may: bool) -> simcord.ChannelHandle:
    """Another channel, in which this person may do more or less than others."""
    wishes = discord.PermissionOverwrite(**may)
    return w.guild.create_text_channel("other", overwrites={player.actor: wishes})


async def test_a_rematch_asked_for_elsewhere_is_posted_where_the_table_was(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await play(w, await match(w))
        assert table.stored.status is Status.FINISHED
        other = w.guild.create_text_channel("other")
        await w.ann.slash("rematch", channel=other, table=table.id)
        await w.env.advance_time(5)
        assert w.messages(other.id) == []
        assert w.board().presses(Verb.JOIN)


async def spoil(w: World) -> None:
    """The log is of rules that this program does not know."""
    database = await Database.open(w.settings.database_url)
    try:
        await database.write(
            lambda connection: connection.execute(text("UPDATE tables SET rules_version = 99"))
        )
    finally:
        await database.close()


async def test_a_result_that_was_not_posted_is_posted_after_a_restart(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await play(w, await match(w), but_the_last=True)
        w.env.inject_error("POST", f"/channels/{w.channel.id}/messages", status=503, times=20)
        await play(w, table)
        assert not w.board().presses(Verb.REMATCH)
        w.env.backend.faults.clear()
        await w.restart()
        await w.env.advance_time(2)
        assert w.board().presses(Verb.REMATCH)


async def test_an_answer_that_discord_refuses_says_nothing_private(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = (await w.actors())[0]
        panel = await player.hand()
        action = first(table)
        press = Press(Verb.ACT, table.id, table.questions[table.actors[0]], action)
        w.env.inject_error("POST", "/interactions/*", status=403, code=50001, times=None)
        w.emit(player, panel, press.encode())
        await w.env.settle()
        w.env.backend.faults.clear()
        printed = capsys.readouterr()
        heard = printed.out + printed.err + caplog.text
        assert "answer_lost" in heard
        assert action.removeprefix("play ") not in heard
        assert (await w.table()).ply == table.ply + 1
