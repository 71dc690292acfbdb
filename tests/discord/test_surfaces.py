"""Boards, hands and DMs: what is posted, moved, kept, and what happens when it cannot be."""

from __future__ import annotations

import pytest

from bot.answer.reply import Drawn, Reply
from bot.ids import UserId
from bot.render.custom_ids import Verb
from bot.render.message import Message
from tests.discord.steps import actor, legal, lobby, match, reach, tables
from tests.discord.world import World

CANNOT_WRITE = "I can't send you direct messages"


@pytest.mark.behaviour("Direct messages are closed")
async def test_a_closed_dm_is_noticed_when_sitting_down_and_said_to_that_person_only(
    w: World,
) -> None:
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
    assert "You took a seat" in w.cat.dms()[0].text


async def test_the_table_command_moves_the_board_down_and_leaves_a_link(w: World) -> None:
    await match(w)
    old = w.board()
    assert "near the bottom" in await w.ben.slash("table")
    assert w.board().id != old.id
    retired = w.refreshed(old)
    assert retired.presses(*Verb) == []
    way = f"https://discord.com/channels/{w.guild.id}/{w.channel.id}/{w.board().id}"
    assert retired.text == f"-# Auf und Ab: the table has moved down · [To the table]({way})"


@pytest.mark.parametrize("command", ["table", "newgame"])
async def test_a_match_that_ends_while_its_board_is_brought_down_shows_one_result(
    command: str, monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    """The answer took long: what was to be posted again is another message by now."""
    table = await match(w)
    whisper = Reply.whisper

    async def slowly(reply: Reply, message: Message) -> None:
        await whisper(reply, message)
        await tables(w).end(table.id, UserId(99), moderator=True)
        await w.running.publisher.flush(table.id)

    monkeypatch.setattr(Reply, "whisper", slowly)
    if command == "newgame":
        await w.ben.slash("newgame", game="sticheln")
    else:
        await w.ben.slash("table")
    assert len([shown for shown in w.boards() if shown.presses(Verb.REMATCH)]) == 1


@pytest.mark.every_case
@pytest.mark.behaviour("A board is pressed just as another message takes its place")
@pytest.mark.parametrize("begun", [True, False])
async def test_an_answer_that_comes_late_does_not_bring_an_old_board_back(
    begun: bool, monkeypatch: pytest.MonkeyPatch, w: World
) -> None:
    """Another message has the board's place before the answer that draws it arrives."""
    people = ("Ann", "Ben", "Cat")
    table = await (
        match(w, game="kaiserspiel", target=150) if begun else lobby(w, *people, seats=4)
    )
    if begun:  # a pass that gives nothing up, so that nothing is asked first
        table = await reach(w, table, lambda now: "threeup" in legal(now), ["pass"])
    redraw, late = Reply.redraw, [True]

    async def slowly(reply: Reply, message: Message) -> Drawn:
        if late.pop() if late else False:
            if begun:
                await tables(w).end(table.id, UserId(99), moderator=True)
            else:
                await tables(w).start(table.id, table.stored.seating.host)
            await w.running.publisher.flush(table.id)
        return await redraw(reply, message)

    monkeypatch.setattr(Reply, "redraw", slowly)
    old = w.board()
    if begun:
        (press,) = [one for one, _ in old.presses(Verb.ACT) if one.argument == "pass"]
        await actor(w, table).press(old, press.encode())
    else:
        await w.dan.press_verb(old, Verb.JOIN)
    await w.env.advance_time(10)
    assert not late
    assert w.board().id != old.id
    assert w.refreshed(old).presses(*Verb) == [], "it leads to the new one, and no more"
    assert [shown.id for shown in w.boards()] == [w.board().id]
