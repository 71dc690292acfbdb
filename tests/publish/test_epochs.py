"""Messages of another epoch: none is drawn into, and whatever takes its place is sent anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.ids import MessageId, QuestionId, TableId
from bot.publish.surfaces import BOARD as BOARD_SLOT
from bot.publish.surfaces import NOTICE, RESULT, Call, Kind, Shows, result_nonce
from bot.views.values import ChannelView, LobbyView, NoticeView, Pause, ResultView, ShufflingView
from tests.publish.stage import BEN, BOARD, CHANNEL, HEAD, TABLE, Refused, Stage, turns
from tests.render import samples
from tests.render.limits import text

pytestmark = pytest.mark.nightly

LATER = replace(HEAD, epoch=2)
LOBBY: LobbyView = replace(samples.lobby_view(), head=HEAD)
PAUSE = replace(
    BOARD,
    question=None,
    actors=(),
    pause=Pause(QuestionId(9), 1, (0, 0, 0), (0, 0, 0), frozenset(), None),
)
STOPPED: ResultView = samples.result_view(head=HEAD, scores=None, ranking=None)


@pytest.mark.parametrize("view", [LOBBY, PAUSE, BOARD, STOPPED])
@pytest.mark.behaviour("The database was restored")
async def test_a_board_is_drawn_anew_at_the_end_of_its_channel(
    view: ChannelView, stage: Stage
) -> None:
    stage.posted(0 if isinstance(view, LobbyView) else 1)
    stage.source.view = replace(view, head=LATER)
    assert await stage.draw() == [
        *[("history", CHANNEL, 0)] * 2,
        ("send", CHANNEL, 1),
        ("edit", CHANNEL, 77),
    ]
    assert "message is out of date" in text(stage.discord.shown[77])
    assert "proof" not in text(stage.discord.shown[77])
    (board,) = [row for key, row in stage.surfaces.rows.items() if key[1] in ("board", "result")]
    assert board[-1] == 2
    stage.fresh()
    assert ("send", CHANNEL, 2) not in await stage.draw()


async def test_a_round_of_the_new_epoch_is_not_the_one_that_was_posted(stage: Stage) -> None:
    stage.posted(2)
    shuffling = ShufflingView(LATER, 2, ("", "", ""))
    stage.source.view = shuffling
    stage.source.dealt = replace(BOARD, head=LATER, round=2, post="1")
    await stage.draw()
    assert stage.source.told == [(2, 1)]


@pytest.mark.parametrize(
    "view",
    [ShufflingView(HEAD, 2, ("", "", "")), STOPPED],
)
async def test_discord_does_not_take_it_for_what_was_sent_in_the_lost_future(
    view: ShufflingView | ResultView, stage: Stage
) -> None:
    """Minutes later it knows the nonces of then."""
    nonces = set()
    for epoch in (0, 1, 2):
        stage.posted(1)
        stage.source.view = replace(view, head=replace(HEAD, epoch=epoch))
        stage.source.told.clear()
        sent = [number for name, _, number in await stage.draw() if name == "send"]
        nonces.add(stage.discord.nonces[sent[0]])
        stage.surfaces.rows.clear()
        stage.fresh()
    assert len(nonces) == 3
    assert all(nonce and len(nonce) <= 25 for nonce in nonces)


async def test_a_hand_is_sent_anew_although_it_shows_a_later_question(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 40, 88)
    stage.source.view = replace(BOARD, head=LATER)
    stage.source.due = [(BEN, True, 5, False, 2)]
    calls = await stage.draw()
    assert [call for call in calls if call[1] == 1101] == [
        ("dm", 1101, 0),
        ("send", 1101, 1),
        ("delete", 1101, 88),
    ]
    assert stage.call(BEN) == Call(QuestionId(5), epoch=2)


async def test_a_line_calls_anew(stage: Stage) -> None:
    stage.posted(1)
    stage.line(5, 88)
    stage.source.view = replace(BOARD, head=LATER)
    stage.source.called = NoticeView(LATER, (1,), QuestionId(5), None, warned=False)
    await stage.draw()
    assert stage.find(NOTICE).call == Call(QuestionId(5), epoch=2)


async def test_a_panel_that_an_answer_drew_is_of_the_present(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 40, 88)
    await stage.publisher.note_panel(TABLE, BEN, CHANNEL, MessageId(90), Shows(QuestionId(5), 0, 2))
    await turns()
    assert stage.find((Kind.HAND, BEN)).message == 90
    assert stage.call(BEN) == Call(QuestionId(5), epoch=2)


@pytest.mark.behaviour("The database was restored")
async def test_a_board_of_the_lost_future_gives_way_to_the_one_that_is_there(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.source.view = replace(BOARD, head=LATER)
    await stage.draw()
    stage.discord.calls.clear()
    await stage.publisher.outlived(TABLE, CHANNEL, MessageId(66), 1)
    await stage.publisher.flush(TABLE)
    assert ("edit", CHANNEL, 66) in stage.discord.calls
    assert "message is out of date" in text(stage.discord.shown[66])
    assert (TABLE, Kind.REPLACED, 66) not in stage.surfaces.rows
    assert stage.find(BOARD_SLOT).message == 1


@pytest.mark.behaviour("The database was restored")
async def test_what_the_lost_future_left_in_the_channel_is_looked_for(stage: Stage) -> None:
    """A board and a line that calls; nothing else that stands there is touched."""
    stage.posted(1)
    stage.source.view = replace(BOARD, round=2)
    stage.source.called = NoticeView(HEAD, (1,), QuestionId(5), None, warned=False)
    await stage.draw()
    lost = [number for name, _, number in stage.discord.calls if name == "send"]
    assert len(lost) == 2
    elsewhere = replace(HEAD, table=TableId("OTHER"))
    stage.source.view = replace(BOARD, head=elsewhere)
    stage.source.called = None
    others = [n for name, _, n in await stage.draw(TableId("OTHER")) if name == "send"]
    stage.surfaces.rows.clear()
    stage.posted(1)
    stage.source.view = replace(PAUSE, head=LATER)
    calls = await stage.draw()
    touched = {number for name, _, number in calls if name in ("edit", "delete")}
    assert touched == {77, *lost}
    assert not touched & set(others)
    assert [name for name, _, number in calls if number in lost and name == "delete"] == ["delete"]
    assert not any(name == "history" for name, *_ in await stage.draw())


@pytest.mark.parametrize("trouble", ["none", "server out of sight", "history refused"])
@pytest.mark.behaviour("The database was restored")
async def test_a_result_that_was_posted_after_the_backup_stays_the_only_one(
    trouble: str, stage: Stage
) -> None:
    """The match was over when the backup was made; the message came a moment later."""
    stage.set(retries=(3600,))
    stage.posted(1)
    stage.source.view = STOPPED
    (result,) = [number for name, _, number in await stage.draw() if name == "send"]
    stage.surfaces.rows.clear()
    stage.posted(1)
    stage.source.restored = 2
    stage.fresh()
    stage.discord.calls.clear()
    permissions = stage.discord.allowed
    if trouble == "server out of sight":
        stage.discord.allowed = None
    elif trouble == "history refused":
        stage.discord.refuse = lambda made: Refused(500, 0) if made[0] == "history" else None
    if trouble != "none":
        assert [call for call in await stage.draw() if call[0] == "send"] == []
    stage.discord.allowed, stage.discord.refuse = permissions, lambda made: None
    calls = await stage.draw()
    assert [call for call in calls if call[0] != "history"] == [("edit", CHANNEL, 77)]
    assert stage.find(RESULT).message == result
    assert await stage.draw() == []


async def test_a_result_is_sent_by_its_own_nonce_although_the_board_was_to_be_posted_anew(
    stage: Stage,
) -> None:
    """Else nobody finds it after a restoration; wanted once more, it is another message."""
    stage.posted(1)
    stage.source.view = STOPPED
    await stage.publisher.repost(TABLE)
    await turns()
    assert stage.discord.nonces[1] == result_nonce(TABLE, 0)
    await stage.publisher.repost(TABLE)
    await turns()
    assert stage.discord.nonces[2] != stage.discord.nonces[1]


async def test_a_board_that_is_known_is_not_put_away_by_a_press(stage: Stage) -> None:
    stage.posted(1)
    await stage.draw()
    await stage.publisher.outlived(TABLE, CHANNEL, MessageId(77), 0)
    assert await stage.draw() == []
