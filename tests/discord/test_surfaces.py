"""Boards, hands and DMs: what is posted, moved, kept, and what happens when it cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.answer.reply import Reply
from bot.ids import UserId
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.tables.phase import Pause
from bot.tables.stored import Status
from tests.discord.steps import (
    actor,
    first,
    held,
    lobby,
    match,
    minutes,
    others,
    play,
    tables,
)
from tests.discord.world import Player, World, world

CANNOT_WRITE = "I can't send you direct messages"


def dm_posts(w: World, player: Player) -> int:
    """How often the program tried to write to this person."""
    return w.sent("POST", f"/channels/{player.user.dm_channel.id}/messages")


@pytest.mark.behaviour("Direct messages are closed")
async def test_a_closed_dm_is_noticed_when_sitting_down_and_said_to_that_person_only(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        await lobby(w, "Ann")
        w.close_dms(w.ben)
        said = await w.ben.press_verb(w.board(), Verb.JOIN)
        assert CANNOT_WRITE in said
        assert "allow messages from members of this server" in said
        assert "**My hand**" in said
        assert w.ben.last is not None
        assert all(message.ephemeral for message in w.ben.last.followups)
        assert CANNOT_WRITE not in w.board().text
        assert len(w.messages(w.channel.id)) == 1
        assert CANNOT_WRITE not in await w.cat.press_verb(w.board(), Verb.JOIN)
        assert "You have a seat" in w.cat.dms()[0].text


@pytest.mark.nightly
async def test_a_closed_dm_is_said_to_the_host_too(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        w.close_dms(w.ann)
        assert CANNOT_WRITE in await w.ann.slash("newgame", game="aufundab", length=1)
        assert CANNOT_WRITE not in w.board().text


@pytest.mark.nightly
async def test_with_a_closed_dm_the_hand_is_behind_my_hand_and_the_dm_is_not_tried_again(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        await lobby(w, "Ann", "Cat")
        w.close_dms(w.ben)
        await w.ben.press_verb(w.board(), Verb.JOIN)
        await w.ann.slash("start")
        await w.env.advance_time(6)
        table = await w.table()
        seen = 0
        for _ in range(12):
            if not table.actors:
                break
            if actor(w, table) is w.ben:
                panel = await w.ben.hand()
                assert held(table, table.actors[0])
                assert all(card in panel.text for card in held(table, table.actors[0]))
                seen += 1
            table = await play(w, table, 1)
        assert seen
        assert dm_posts(w, w.ben) == 1
        assert w.ben.dms() == []


@pytest.mark.nightly
async def test_sitting_down_again_tries_the_dm_again(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await lobby(w, "Ann", seats=4)
        w.close_dms(w.ben)
        await w.ben.press_verb(w.board(), Verb.JOIN)
        w.env.backend.faults.clear()
        await w.ben.press_verb(w.board(), Verb.LEAVE)
        assert CANNOT_WRITE not in await w.ben.press_verb(w.board(), Verb.JOIN)
        assert len(w.ben.dms()) == 1


@pytest.mark.nightly
async def test_a_dm_that_closes_in_the_middle_of_a_match_is_tried_once(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w, dms=True, hands=3)
        w.close_dms(w.ben)
        before = dm_posts(w, w.ben)
        table = await play(w, table)
        for player in (w.ann, w.ben, w.cat):
            await player.press_verb(w.board(), Verb.NEXT)
        table = await play(w, await w.table())
        assert table.round == 2
        assert dm_posts(w, w.ben) == before + 1
        assert table.stored.seating.places[1].reachable is False
        await w.env.advance_time(61)
        panel = await w.ben.hand()
        table = await w.table()
        assert all(card in panel.text for card in held(table, 1))
        assert dm_posts(w, w.ben) == before + 1


async def test_a_dm_panel_is_sent_anew_when_its_owner_is_asked_and_the_old_one_goes(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        table = await match(w, dms=True)
        asked = actor(w, table)
        (panel,) = asked.dms()
        assert panel.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)
        table = await play(w, table, 1)
        while actor(w, table) is not asked:
            table = await play(w, table, 1)
        (newer,) = asked.dms()
        assert newer.id != panel.id
        question = table.questions[table.actors[0]]
        assert question in {
            press.question for press, _ in newer.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)
        }
        assert all(len(player.dms()) == 1 for player in w.players.values())


@pytest.mark.nightly
async def test_a_hand_asked_for_in_a_dm_does_not_take_the_place_of_the_panel(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        table = await match(w, dms=True)
        asked = actor(w, table)
        (panel,) = asked.dms()
        await asked.slash("hand", dm=True)
        assert asked.panel is not None
        press = Press(Verb.ACT, table.id, table.questions[table.actors[0]], first(table))
        await w.answer(asked, asked.panel, press.encode())
        assert (await w.table()).ply == table.ply + 1
        assert [dm.id for dm in asked.dms()] == [panel.id]


@pytest.mark.nightly
async def test_a_deleted_board_is_posted_again_at_the_next_draw(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        await w.delete(w.board())
        assert w.boards() == []
        player = actor(w, table)
        await player.slash("play", action=first(table))
        (board,) = w.boards()
        assert board.presses(Verb.HAND)
        await play(w, await w.table(), 1)
        assert [shown.id for shown in w.boards()] == [board.id]


@pytest.mark.nightly
async def test_a_deleted_dm_panel_comes_again_with_the_next_question(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w, dms=True)
        asked = actor(w, table)
        (panel,) = asked.dms()
        await w.delete(panel)
        table = await play(w, table, 1)
        while actor(w, table) is not asked:
            table = await play(w, table, 1)
        assert len(asked.dms()) == 1


async def test_the_table_command_moves_the_board_down_and_leaves_a_link(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await match(w)
        old = w.board()
        assert "near the bottom" in await w.ben.slash("table")
        assert w.board().id != old.id
        retired = w.refreshed(old)
        assert "the table is further down now" in retired.text
        assert retired.presses(*Verb) == []
        urls = [c.get("url", "") for row in retired.components for c in row.get("components", ())]
        assert any(url.endswith(f"/{w.board().id}") for url in urls)


@pytest.mark.parametrize("command", ["table", "newgame"])
async def test_a_match_that_ends_while_its_board_is_brought_down_shows_one_result(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer took long: what was to be posted again is another message by now."""
    async with world(tmp_path) as w:
        table = await match(w)
        whisper = Reply.whisper

        async def slowly(reply: Reply, message: Message) -> None:
            await whisper(reply, message)
            await tables(w).end(table.id, UserId(99), moderator=True)
            running = w.bot.running
            assert running is not None
            await running.publisher.flush(table.id)

        monkeypatch.setattr(Reply, "whisper", slowly)
        if command == "newgame":
            await w.ben.slash("newgame", game="sticheln")
        else:
            await w.ben.slash("table")
        assert len([shown for shown in w.boards() if shown.presses(Verb.REMATCH)]) == 1


async def test_every_round_has_a_board_of_its_own_and_the_result_too(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await play(w, await match(w, hands=2))
        first_board = w.board()
        assert first_board.presses(Verb.NEXT)
        for player in (w.ann, w.ben, w.cat):
            await player.press_verb(first_board, Verb.NEXT)
        second_board = w.board()
        assert second_board.id != first_board.id
        assert "this round is over" in w.refreshed(first_board).text
        table = await play(w, await w.table())
        assert table.stored.status is Status.FINISHED
        result = w.board()
        assert result.id != second_board.id
        assert "the match is over. The result is further down" in w.refreshed(second_board).text
        await w.ann.press_verb(result, Verb.REMATCH)
        assert w.refreshed(result).text == result.text
        assert result.id != w.board().id


@pytest.mark.nightly
async def test_the_next_round_waits_for_everybody_but_not_longer_than_a_minute(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        await play(w, await match(w, hands=3))
        await w.ann.press_verb(w.board(), Verb.NEXT)
        assert "Ready: Ann" in w.board().text
        assert isinstance((await w.table()).phase, Pause)
        assert "Ready: Ann" in w.board().text
        await w.env.advance_time(55)
        assert (await w.table()).round == 1
        await w.env.advance_time(6)
        table = await w.table()
        assert table.round == 2
        assert table.actors
        await play(w, table)
        for player in (w.cat, w.ann, w.ben):
            await player.slash("start")
        assert (await w.table()).round == 3


@pytest.mark.nightly
async def test_a_panel_in_the_channel_still_answers_after_twenty_minutes(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = actor(w, table)
        panel = await player.hand()
        await minutes(w, 20)
        controls = panel.presses(Verb.OPEN, Verb.ACT, Verb.COMBINE)
        press, component = controls[0]
        assert not component.get("options")
        said = await player.press(panel, press.encode())
        assert player.last is not None
        assert said or player.last.modal


@pytest.mark.nightly
async def test_a_panel_older_than_fourteen_minutes_is_followed_by_a_fresh_one(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        player = others(w, table)[0]
        panel = await player.hand()
        await minutes(w, 13)
        await player.press_verb(panel, Verb.HAND)
        assert player.panel is not None
        assert player.panel.id == panel.id, "every press renews it"
        await minutes(w, 13)
        await player.press_verb(panel, Verb.HAND)
        assert player.panel.id == panel.id
        await minutes(w, 15)
        await player.press_verb(panel, Verb.HAND)
        fresh = player.panel
        assert fresh.id != panel.id
        assert fresh.text == panel.text
        assert player.last is not None
        assert player.last.response is not None
        assert player.last.response.ephemeral
        await player.press_verb(fresh, Verb.HAND)
        assert player.panel.id == fresh.id


@pytest.mark.nightly
async def test_my_hand_is_for_whoever_sits_here(tmp_path: Path) -> None:
    async with world(tmp_path, 4) as w:
        table = await match(w)
        assert "You are not at this table" in await w.dan.press_verb(w.board(), Verb.HAND)
        assert "You are not at this table" in await w.dan.slash("hand")
        for seat, player in enumerate((w.ann, w.ben, w.cat)):
            panel = await player.hand()
            assert player.last is not None
            assert player.last.response is not None
            assert player.last.response.ephemeral
            for other in range(3):
                shown = [card in panel.text for card in held(table, other)]
                assert all(shown) if other == seat else not any(shown)
