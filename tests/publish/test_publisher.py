"""The publisher against a Discord of its own: the board, and what goes wrong with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.i18n import texts
from bot.ids import MessageId, QuestionId, TableId
from bot.publish import messages
from bot.render.channel import channel_message
from bot.surfaces import Kind
from bot.views.snapshot import Snapshot
from bot.views.values import ClosedView
from tests.publish.stage import (
    BEN,
    BOARD,
    CHANNEL,
    HEAD,
    TABLE,
    Call,
    Refused,
    Stage,
    other,
    turns,
)
from tests.render import samples
from tests.render.limits import text


async def test_what_is_drawn_already_is_not_drawn_again(stage: Stage) -> None:
    stage.posted(1)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert await stage.draw() == []
    stage.source.view = other(BOARD)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_what_an_answer_has_drawn_is_not_drawn_again(stage: Stage) -> None:
    stage.posted(1)
    stage.publisher.changed(TABLE)
    stage.publisher.note_board(TABLE, channel_message(BOARD, texts("en")))
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == []


async def test_changes_are_coalesced(stage: Stage) -> None:
    stage.posted(1)
    for _ in range(20):
        stage.publisher.changed(TABLE)
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)]
    assert stage.source.asked == 1


async def test_a_change_during_a_draw_is_drawn_after_it(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.gate = asyncio.Event()
    stage.publisher.changed(TABLE)
    await stage.discord.reached.wait()
    for votes in range(5):
        stage.source.view = replace(BOARD, end_votes=votes)
        stage.publisher.changed(TABLE)
    stage.discord.gate.set()
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)] * 2
    assert "4 of 2 votes" in text(stage.discord.shown[77])


async def test_a_draw_waits_for_the_answer_but_not_for_ever(stage: Stage) -> None:
    stage.posted(1)
    publisher = stage.fresh(grace=3600)
    publisher.changed(TABLE)
    for _ in range(10):
        await asyncio.sleep(0)
    assert stage.discord.calls == []
    await publisher.flush(TABLE)
    assert len(stage.discord.calls) == 1


async def test_a_result_is_posted_once_and_kept(stage: Stage) -> None:
    stage.posted(3)
    stage.source.view = samples.result_view(head=HEAD)
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert stage.kinds() == ["result"]
    assert await stage.draw() == []
    stage.fresh()
    assert await stage.draw() == []


async def test_a_table_that_expires_says_so_in_its_message(stage: Stage) -> None:
    stage.posted(0)
    stage.source.view = ClosedView(HEAD, why="expired")
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert await stage.draw() == []


@pytest.mark.behaviour("The database was restored")
async def test_a_lobby_that_a_restoration_closed_says_so_below_what_came_since(
    stage: Stage,
) -> None:
    stage.posted(0)
    stage.source.view = ClosedView(HEAD, why="restored")
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert "the table has moved down" in text(stage.discord.shown[77])
    assert stage.kinds() == ["result"]
    assert await stage.draw() == []
    stage.fresh()
    assert await stage.draw() == []


async def test_a_lobby_that_no_answer_posted_is_posted(stage: Stage) -> None:
    stage.source.view = samples.lobby_view(head=HEAD)
    stage.set(unposted=0)
    await stage.draw()
    await turns()
    assert stage.discord.calls == [("send", CHANNEL, 1)]


async def test_a_lobby_whose_answer_is_on_its_way_is_not_posted_twice(stage: Stage) -> None:
    stage.source.view = view = samples.lobby_view(head=HEAD)
    assert await stage.draw() == []
    await stage.publisher.adopt(TABLE, CHANNEL, MessageId(42), channel_message(view, texts("en")))
    assert await stage.draw() == []
    assert await stage.publisher.board_place(TABLE) == (CHANNEL, 42)


async def test_a_lobby_whose_answer_comes_at_the_last_moment_is_not_posted_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.source.view = view = samples.lobby_view(head=HEAD)
    stage.set(unposted=0)
    seen, shown = stage.source.snapshot, channel_message(view, texts("en"))

    async def snapshot(table: TableId, known: int | None = None) -> Snapshot | None:
        if stage.publisher._draw_tasks.state(table).repost:
            await stage.publisher.adopt(table, CHANNEL, MessageId(42), shown)
        return await seen(table, known)

    monkeypatch.setattr(stage.source, "snapshot", snapshot)
    await stage.draw()
    await turns()
    assert stage.discord.calls == []
    assert await stage.publisher.board_place(TABLE) == (CHANNEL, 42)


async def test_a_table_with_two_messages_keeps_the_newer_one(stage: Stage) -> None:
    stage.posted(0)
    stage.source.view = view = samples.lobby_view(head=HEAD)
    await stage.publisher.adopt(TABLE, CHANNEL, MessageId(42), channel_message(view, texts("en")))
    await turns()
    assert stage.discord.calls == [("delete", CHANNEL, 77)]


@pytest.mark.every_case
@pytest.mark.parametrize("result", [False, True])
async def test_an_answer_that_comes_once_the_match_runs_takes_no_boards_place(
    result: bool, stage: Stage
) -> None:
    """The round's cards are dealt with the id of its board."""
    slot, shown = (messages.RESULT, 0) if result else (messages.BOARD, 1)
    stage.stored(messages.Surface(*slot, CHANNEL, MessageId(77), samples.NOW, shown))
    if result:
        stage.source.view = samples.result_view()
    lobby = channel_message(samples.lobby_view(head=HEAD), texts("en"))
    await stage.publisher.adopt(TABLE, CHANNEL, MessageId(142), lobby)
    await turns()
    assert stage.discord.calls == [("delete", CHANNEL, 142)]
    assert await stage.publisher.board_place(TABLE) == (CHANNEL, 77)


async def test_a_draw_that_was_lost_is_tried_again(stage: Stage) -> None:
    stage.set(retries=(0, 0, 3600), letters=(0.0,))
    stage.posted(1)
    stage.source.due = [(BEN, True, 5)]
    lost = [("send", 1101, 1), ("edit", CHANNEL, 77)]

    def lose(call: Call) -> Exception | None:
        if call in lost:
            lost.remove(call)
            return OSError("the line went dead")
        return None

    stage.discord.refuse = lose
    await stage.draw()
    assert lost == []
    await turns()
    assert stage.discord.calls[-2:] == [("send", 1101, 2), ("edit", CHANNEL, 77)]
    assert stage.call((Kind.HAND, BEN)) == messages.Call(QuestionId(5))


async def test_a_draw_that_always_fails_is_tried_again_later_and_later(stage: Stage) -> None:
    stage.set(retries=(0, 0, 3600))
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(503, 0)
    assert await stage.draw() == [("edit", CHANNEL, 77)] * 3
    assert await stage.draw() == [("edit", CHANNEL, 77)] * 3, "a change begins anew"
    stage.set(retries=(0,))
    stage.publisher.changed(TABLE)
    await turns()
    assert len(stage.discord.calls) > 6, "the last one again and again"
    stage.discord.refuse = lambda call: None
    await turns()
    stage.discord.calls.clear()
    await turns()
    assert stage.discord.calls == [], "until it works"


async def test_a_repost_that_failed_is_still_wanted(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(503, 0)
    await stage.publisher.repost(TABLE)
    stage.discord.refuse = lambda call: None
    calls = await stage.draw()
    looked = ("history", CHANNEL, 0)
    assert calls[:4] == [looked, looked, ("send", CHANNEL, 2), ("edit", CHANNEL, 77)]


async def test_an_answer_that_was_overtaken_by_a_draw_is_drawn_over(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.gate = asyncio.Event()
    stage.source.view = other(BOARD)
    stage.publisher.changed(TABLE)
    await stage.discord.reached.wait()
    stage.publisher.note_board(TABLE, channel_message(BOARD, texts("en")))
    stage.discord.gate.set()
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)] * 2


@pytest.mark.behaviour("The thread is archived")
async def test_a_board_in_an_archived_thread_is_posted_anew(stage: Stage) -> None:
    """Which opens the thread, so that the old one can make way."""
    stage.posted(1)
    edit = ("edit", CHANNEL, 77)

    def refuse(call: Call) -> Exception | None:
        archived = ("send", CHANNEL, 1) not in stage.discord.calls
        return Refused(400, 50083) if call == edit and archived else None

    stage.discord.refuse = refuse
    assert await stage.draw() == [edit, ("send", CHANNEL, 1), edit]
    assert "the table has moved down" in text(stage.discord.shown[77])


@pytest.mark.behaviour("A board cannot be edited any more")
async def test_a_board_that_cannot_be_edited_any_more_makes_way(stage: Stage) -> None:
    stage.posted(1)
    edit = ("edit", CHANNEL, 77)
    stage.discord.refuse = lambda call: Refused(400, 30046) if call == edit else None
    assert await stage.draw() == [edit, ("send", CHANNEL, 1), edit, ("delete", CHANNEL, 77)]


async def test_a_broken_table_stops_no_other_and_says_nothing_private(stage: Stage) -> None:
    stage.posted(1)
    stage.source.broken = frozenset({"BAD"})
    stage.posted(1, 78, TableId("BAD"))
    with capture_logs() as logs:
        await stage.draw(TableId("BAD"))
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert [entry["event"] for entry in logs] == ["draw_failed"]
    assert logs[0]["kind"] == "KeyError"
    assert "3-6" not in repr(logs)
    stage.source.broken = frozenset()
    assert await stage.draw(TableId("BAD")) == [("edit", CHANNEL, 78)]


async def test_what_has_not_changed_is_not_even_looked_at(stage: Stage) -> None:
    stage.posted(1)
    stage.source.counted = 5
    await stage.draw()
    await stage.draw()
    assert stage.source.asked == 1
    stage.source.counted = 6
    await stage.draw()
    assert stage.source.asked == 2
    stage.publisher.note_board(TABLE, channel_message(other(BOARD), texts("en")))
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)], "an answer may have drawn it otherwise"


async def test_an_answer_that_may_have_drawn_the_board_is_drawn_over(stage: Stage) -> None:
    stage.posted(1)
    stage.source.counted = 5
    await stage.draw()
    stage.publisher.note_board(TABLE, None)
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)] * 2


async def test_where_messages_are_is_read_once(stage: Stage) -> None:
    stage.posted(1)
    for votes in range(5):
        stage.source.view = replace(BOARD, end_votes=votes)
        await stage.draw()
        await stage.publisher.board_place(TABLE)
    assert stage.surfaces.reads == 1


async def test_a_call_that_hangs_is_given_up_and_tried_again(stage: Stage) -> None:
    stage.set(retries=(0, 3600))
    stage.posted(1)
    stage.fresh(request=0.01)
    stage.discord.gate = asyncio.Event()
    with capture_logs() as logs:
        assert await stage.draw() == [("edit", CHANNEL, 77)] * 2
        await stage.publisher.flush(TABLE)
    assert {(entry["event"], entry["kind"]) for entry in logs} == {("draw_failed", "TimeoutError")}
    stage.discord.gate = None
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_a_board_whose_sending_failed_is_sent_again_as_the_same_message(stage: Stage) -> None:
    stage.set(retries=(0, 3600))
    stage.posted(1)
    stage.discord.refuse = lambda call: OSError() if call == ("send", CHANNEL, 1) else None
    await stage.publisher.repost(TABLE)
    await turns()
    assert stage.discord.nonces[1] == stage.discord.nonces[2]
    assert stage.discord.calls[-1] == ("edit", CHANNEL, 2), "it may show what was then"
    await stage.publisher.repost(TABLE)
    assert stage.discord.nonces[3] != stage.discord.nonces[2]


async def test_a_table_that_is_over_is_forgotten_when_it_is_shown_so(stage: Stage) -> None:
    stage.posted(3)
    stage.source.view = samples.result_view(head=HEAD)
    stage.source.counted = 9
    await stage.draw()
    await stage.draw()
    assert stage.source.asked == 2, "nothing is known of it any more"


async def test_a_board_that_an_answer_has_drawn_is_not_even_rendered(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.posted(1)
    stage.source.counted = 5
    drawn = channel_message(BOARD, texts("en"))
    monkeypatch.setattr("bot.publish.boards.public_message", lambda *_: pytest.fail("rendered"))
    stage.publisher.note_board(TABLE, drawn, version=5)
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == []
    monkeypatch.undo()
    stage.publisher.note_board(TABLE, drawn, version=5)
    stage.source.counted, stage.source.view = 6, other(BOARD)
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)], "it changed since"
