"""Tables that people no longer see: buried and old boards, permissions lost, channels deleted."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord
import pytest
from structlog.testing import capture_logs

from bot.i18n import texts
from bot.ids import ChannelId, GuildId, UserId
from bot.render.channel import channel_message
from bot.views.values import ShufflingView
from tests.patience import PATIENCE
from tests.publish.stage import (
    BOARD,
    CHANNEL,
    HEAD,
    TABLE,
    Refused,
    Stage,
    call,
    turn,
    turns,
)
from tests.render import samples
from tests.render.limits import text

REPOSTED = [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]


# Out of sight


async def sunk(stage: Stage, messages: int) -> None:
    """A board with so many messages below it, and a question that is answered."""
    stage.posted(1)
    stage.source.view = turn(5)
    await stage.draw()
    for _ in range(messages):
        stage.publisher.passed(CHANNEL)
        stage.publisher.passed(ChannelId(CHANNEL + 1))


async def test_a_buried_board_stays_while_the_question_stands(stage: Stage) -> None:
    await sunk(stage, 16)
    stage.source.view = replace(turn(5), end_votes=2)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    stage.source.view = turn(6)
    assert await stage.draw() == REPOSTED


async def test_our_own_messages_bury_nothing(stage: Stage) -> None:
    await sunk(stage, 0)
    for _ in range(30):
        stage.publisher.passed(CHANNEL, author=UserId(9))
    stage.source.view = turn(6)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_an_old_board_is_posted_anew_at_the_next_turn(stage: Stage) -> None:
    await sunk(stage, 0)
    stage.later(minutes=51)
    stage.source.view = replace(turn(5), end_votes=3)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    stage.source.view = turn(6)
    assert await stage.draw() == REPOSTED


async def test_a_restart_alone_posts_no_old_board_anew(stage: Stage) -> None:
    stage.posted(1)
    stage.later(hours=5)
    stage.source.view = turn(5)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    stage.source.view = turn(6)
    assert await stage.draw() == REPOSTED


async def test_a_buried_lobby_stays_where_it_is(stage: Stage) -> None:
    stage.posted(0)
    stage.source.view = samples.lobby_view(head=HEAD)
    await stage.draw()
    for _ in range(30):
        stage.publisher.passed(CHANNEL)
    stage.later(minutes=51)
    stage.source.view = samples.lobby_view(head=HEAD, private=True)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


# A permission was lost


def bar(stage: Stage, *kinds: str, code: int = 50013) -> None:
    """The program may no longer do this in the channel."""
    stage.discord.refuse = lambda call: (
        Refused(403, code) if call[0] in kinds and call[1] == CHANNEL else None
    )


async def test_an_edit_that_works_does_not_heal_a_permission_that_is_missing(
    stage: Stage,
) -> None:
    stage.posted(1)
    bar(stage, "send", "edit")
    stage.discord.allowed = discord.Permissions(view_channel=True)
    await stage.draw()
    bar(stage, "send")
    for number in (6, 7):
        stage.source.view = turn(number)
        await stage.draw()
        assert stage.source.stall, "posting is still not allowed"
    assert len(stage.source.stalls) == 1
    stage.discord.allowed = discord.Permissions(view_channel=True, send_messages=True)
    bar(stage)
    stage.source.view = turn(8)
    await stage.draw()
    assert not stage.source.stall


async def test_a_channel_out_of_sight_is_said_to_be_so(stage: Stage) -> None:
    stage.posted(1)
    bar(stage, "send", "edit", code=50001)
    stage.discord.allowed = None
    await stage.draw()
    assert stage.source.stalls == [()]
    assert "no longer see" in text(stage.discord.shown[1])


async def test_a_host_who_cannot_be_written_to_changes_nothing(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(403, 50007 if call[1] == 1100 else 50013)
    await stage.draw()
    assert stage.source.stall


@pytest.mark.parametrize("code", [50001, 50013, 10004])
async def test_a_permission_that_is_back_is_noticed_at_a_change(code: int, stage: Stage) -> None:
    stage.posted(1)
    bar(stage, "send", "edit", code=code)
    with capture_logs() as logs:
        await stage.draw()
        await stage.draw()
    assert [(entry["event"], entry["code"]) for entry in logs] == [("board_barred", code)], "once"
    bar(stage)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert not stage.source.stall


async def test_a_permission_that_is_back_is_noticed_when_the_server_changes(stage: Stage) -> None:
    stage.posted(1)
    bar(stage, "send", "edit")
    await stage.draw()
    bar(stage)
    stage.discord.calls.clear()
    stage.publisher.retry(GuildId(2))
    await turns()
    assert stage.discord.calls == [], "another server"
    stage.publisher.retry(GuildId(1))
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)]
    assert not stage.source.stall
    stage.publisher.retry(GuildId(1))
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)], "nothing is lost any more"


async def removed(stage: Stage) -> None:
    """The program was removed from the server, and the board looks as it did before."""
    stage.posted(1)
    await stage.draw()
    stage.source.stall = True  # somebody else told the table
    if stage.source.counted is not None:
        stage.source.counted += 1
    bar(stage, "send", "edit", code=50001)
    assert await stage.draw() == [("edit", CHANNEL, 77)], "only a call tells whether it is shown"
    assert stage.source.stall


async def test_a_board_that_looks_the_same_is_drawn_for_real_while_the_match_waits(
    stage: Stage,
) -> None:
    await removed(stage)
    bar(stage)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert not stage.source.stall
    assert await stage.draw() == [], "once it is shown nothing is drawn needlessly"


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_removed_program_tries_again_after_a_while_even_after_a_restart(
    stage: Stage, restarted: bool
) -> None:
    await removed(stage)
    if restarted:
        await stage.publisher.aclose()
        stage.fresh()
    stage.set(retry_refused=0)
    stage.publisher.changed(TABLE)  # as the start does for what was not drawn completely
    await turns()
    assert stage.source.stall
    bar(stage)
    await turns()
    assert not stage.source.stall


async def test_a_table_that_waits_is_never_stored_as_drawn(stage: Stage) -> None:
    stage.source.counted = 5
    await removed(stage)
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {TABLE: 5}, "the next start draws it"


async def test_an_answered_press_does_not_prove_that_the_channel_is_open_again(
    stage: Stage,
) -> None:
    await removed(stage)
    stage.publisher.note_board(TABLE, channel_message(BOARD, texts("en")))
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert stage.source.stall


async def test_a_waiting_lobby_without_a_message_goes_on_only_when_it_has_one(stage: Stage) -> None:
    stage.set(unposted=0.01)
    stage.source.view = samples.lobby_view(head=HEAD)
    stage.source.stall = True
    bar(stage, "send")
    assert await stage.draw() == []
    assert stage.source.stall, "nothing was tried yet"
    await asyncio.wait_for(stage.discord.reached.wait(), PATIENCE)
    await turns()
    assert stage.discord.calls == [("send", CHANNEL, 1)]
    assert stage.source.stall
    assert stage.source.stalls == [], "its host knows"


async def test_where_nobody_can_be_called_the_match_waits_and_the_board_is_drawn(
    stage: Stage,
) -> None:
    stage.posted(1)
    bar(stage, "send")
    stage.source.called = call(5)
    calls = await stage.draw()
    assert calls[:2] == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert stage.source.stall
    assert await stage.draw() == [("send", CHANNEL, 3)]
    assert stage.source.stall
    assert len(stage.source.stalls) == 1
    bar(stage)
    await stage.draw()
    assert not stage.source.stall


async def test_without_permission_to_post_the_old_message_shows_the_round(stage: Stage) -> None:
    stage.posted(1)
    shuffling = ShufflingView(HEAD, 2, ("", "", ""))
    stage.source.view = shuffling
    stage.source.dealt = replace(turn(6), round=2, post="")
    # The press that closed the seats was answered with the board.
    stage.publisher.note_board(TABLE, channel_message(shuffling, texts("en")))
    bar(stage, "send")
    calls = await stage.draw()
    assert ("edit", CHANNEL, 77) in calls
    assert stage.source.told == [(2, None)]
    shown = text(stage.discord.shown[77])
    assert "being shuffled" not in shown
    assert stage.source.stall
    stage.source.view = replace(turn(7), round=2, post="")
    await stage.draw()
    assert text(stage.discord.shown[77]) != shown, "and goes on with it"
    bar(stage)
    calls = await stage.draw()
    assert [kind for kind, *_ in calls] == ["send", "edit"], "now it has a message of its own"
    assert stage.round() == 2
    assert not stage.source.stall


async def test_without_permission_to_post_the_old_message_shows_the_result(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view = samples.result_view(head=HEAD)
    bar(stage, "send")
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert "Rematch" in str(stage.discord.shown[77].components)
    assert await stage.draw() == []
    assert not stage.source.stall, "a match that is over waits for nothing"


# The channel is gone


async def test_a_deleted_channel_is_named_to_the_table(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(404, 10003) if call[1] == CHANNEL else None
    await stage.draw()
    assert stage.source.vanishings == 1
    assert not stage.source.stall
    stage.source.view = samples.result_view(head=HEAD)
    await stage.draw()
    assert await stage.draw() == [], "nobody can be shown how it ended"
    assert stage.source.vanishings == 1


async def test_a_channel_that_is_deleted_while_the_cards_are_shuffled(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view = ShufflingView(HEAD, 2, ("", "", ""))
    stage.discord.refuse = lambda call: Refused(404, 10003) if call[1] == CHANNEL else None
    await stage.draw()
    assert stage.source.vanishings == 1
    assert stage.source.told == [], "nothing is dealt any more"
