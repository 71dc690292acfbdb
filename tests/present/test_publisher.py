"""The publisher against a Discord of its own: what it sends, edits, deletes, in which order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from structlog.testing import capture_logs

from bot.i18n import texts
from bot.present.channel import channel_message
from bot.present.kit import Message
from bot.present.publisher import Publisher
from bot.present.surfaces import LOBBY_MARK, RESULT_MARK
from bot.present.views import (
    BoardView,
    ChannelView,
    ClosedView,
    HandView,
    Pause,
    ShufflingView,
)
from tests.present import samples
from tests.present.limits import text

TABLE = "T7Q2"
CHANNEL = 500
ANN, BEN, CAT = 100, 101, 102

Call = tuple[str, int, int]
"""What was done (`send`, `edit`, `delete`, `dm`), in which channel, to which message."""


class Refused(discord.HTTPException):
    """An answer of Discord's with a code, without a real response."""

    def __init__(self, status: int, code: int) -> None:
        super().__init__(_answer(status), _body(code))


def _answer(status: int) -> Any:
    """As much of a response as discord.py reads of one."""
    return SimpleNamespace(status=status, reason="refused")


def _body(code: int) -> dict[str, Any]:
    return {"code": code, "message": "refused"}


class FakeDiscord:
    """As much of a client as the publisher uses; DM channels are 1000 + user."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.shown: dict[int, Message] = {}
        self.refuse: Callable[[Call], Exception | None] = lambda call: None
        self.nonces: dict[int, str | None] = {}
        """By message: what Discord tells one that is sent twice by."""
        self.reached = asyncio.Event()
        self.gate: asyncio.Event | None = None
        self._next = 0

    async def _do(self, call: Call) -> None:
        self.calls.append(call)
        self.reached.set()
        if self.gate is not None:
            await self.gate.wait()
        if (error := self.refuse(call)) is not None:
            raise error

    async def create_dm(self, user: discord.Object) -> SimpleNamespace:
        await self._do(("dm", 1000 + user.id, 0))
        return SimpleNamespace(id=1000 + user.id)

    def get_partial_messageable(self, channel: int, **_: object) -> SimpleNamespace:
        async def send(
            view: Message, allowed_mentions: discord.AllowedMentions, nonce: str | None = None
        ) -> SimpleNamespace:
            _no_mentions(allowed_mentions)
            self._next += 1
            message = self._next
            self.nonces[message] = nonce
            await self._do(("send", channel, message))
            self.shown[message] = view
            return SimpleNamespace(id=message)

        def get_partial_message(message: int) -> SimpleNamespace:
            async def edit(view: Message, allowed_mentions: discord.AllowedMentions) -> None:
                _no_mentions(allowed_mentions)
                await self._do(("edit", channel, message))
                self.shown[message] = view

            async def delete() -> None:
                await self._do(("delete", channel, message))
                self.shown.pop(message, None)

            return SimpleNamespace(edit=edit, delete=delete)

        return SimpleNamespace(send=send, get_partial_message=get_partial_message)


def _no_mentions(mentions: discord.AllowedMentions) -> None:
    assert not (mentions.everyone)
    assert not (mentions.users)
    assert not (mentions.roles)
    assert not (mentions.replied_user)


@dataclass
class FakeSource:
    view: ChannelView | None = None
    due: Sequence[tuple[int, bool, int]] = ()
    closed: list[int] = field(default_factory=list)
    asked: int = 0
    broken: frozenset[str] = frozenset()
    told: list[tuple[int, int | None]] = field(default_factory=list)
    """Rounds and ids that the table was told."""
    dealt: ChannelView | None = None
    """What the table looks like once it was told."""
    deaf: bool = False
    """The table cannot be told just now."""

    async def channel_view(self, table: str) -> ChannelView | None:
        if table in self.broken:
            raise KeyError("3-6")
        self.asked += 1
        return self.view

    async def hand_view(
        self, table: str, user: int, board: tuple[int, int] | None
    ) -> HandView | None:
        return replace(HAND, seat=user - 100, board=board)

    async def panels(self, table: str) -> Sequence[tuple[int, bool, int]]:
        if isinstance(self.view, ShufflingView):
            return ()  # nobody is asked before the deal
        return [due for due in self.due if due[0] not in self.closed]

    async def unreachable(self, table: str, user: int) -> None:
        self.closed.append(user)

    async def posted(self, table: str, round_number: int, message: int | None) -> None:
        if self.deaf:
            raise OSError("the database went away")
        self.told.append((round_number, message))
        self.view = self.dealt or self.view


class FakeSurfaces:
    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], tuple[int, int, datetime, int]] = {}

    async def find(self, table: str, viewer: int) -> tuple[int, int, datetime, int] | None:
        return self.rows.get((table, viewer))

    async def put(
        self, table: str, viewer: int, channel: int, message: int, posted: datetime, mark: int
    ) -> None:
        self.rows[table, viewer] = (channel, message, posted, mark)

    async def drop(self, table: str, viewer: int) -> None:
        self.rows.pop((table, viewer), None)

    async def all_of(self, table: str) -> Sequence[tuple[int, int, int, datetime, int]]:
        return [(viewer, *row) for (of, viewer), row in self.rows.items() if of == table]


class Stage:
    """A publisher between fakes."""

    def __init__(self) -> None:
        self.discord = FakeDiscord()
        self.source = FakeSource(BOARD)
        self.surfaces = FakeSurfaces()
        self.publisher = self.fresh()

    def fresh(self, grace: float = 0) -> Publisher:
        """A publisher as after a restart."""
        client = cast(discord.Client, self.discord)
        clock = lambda: samples.NOW  # noqa: E731 - a clock that stands still
        self.publisher = Publisher(
            client, self.source, self.surfaces, clock, texts("en"), grace=grace
        )
        return self.publisher

    def posted(self, mark: int, message: int = 77) -> None:
        self.surfaces.rows[TABLE, 0] = (CHANNEL, message, samples.NOW, mark)

    def panel(self, user: int, mark: int, message: int) -> None:
        self.surfaces.rows[TABLE, user] = (1000 + user, message, samples.NOW, mark)

    def mark(self, viewer: int = 0) -> int:
        return self.surfaces.rows[TABLE, viewer][3]

    async def draw(self, table: str = TABLE) -> list[Call]:
        """What a change makes the publisher do."""
        self.discord.calls.clear()
        self.publisher.changed(table)
        await self.publisher.flush(table)
        return list(self.discord.calls)


STATE = samples.positions(1, 3)[6][0]
HEAD = replace(samples.head(), table=TABLE, channel=CHANNEL, guild=1)
BOARD: BoardView = replace(samples.board_view(STATE), head=HEAD, round=1)
HAND = replace(samples.hand_view(STATE, 0), head=HEAD)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def other(view: BoardView, number: int = 1) -> BoardView:
    """A board that looks different."""
    return replace(view, end_votes=view.end_votes + 1, round=number)


async def turns() -> None:
    """Lets everything happen that is due."""
    for _ in range(50):
        await asyncio.sleep(0)


# Boards


async def test_the_board_is_edited_by_channel_and_message(stage: Stage) -> None:
    stage.posted(1)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_what_is_drawn_already_is_not_drawn_again(stage: Stage) -> None:
    stage.posted(1)
    await stage.draw()
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
    assert "4 votes" in text(stage.discord.shown[77])


async def test_a_draw_waits_for_the_answer_but_not_for_ever(stage: Stage) -> None:
    stage.posted(1)
    publisher = stage.fresh(grace=3600)
    publisher.changed(TABLE)
    for _ in range(10):
        await asyncio.sleep(0)
    assert stage.discord.calls == []
    await publisher.flush(TABLE)
    assert len(stage.discord.calls) == 1


async def test_a_new_round_is_posted_and_the_old_board_is_one_line(stage: Stage) -> None:
    stage.posted(1)
    await stage.draw()
    stage.source.view = other(BOARD, number=2)
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert stage.mark() == 2
    assert text(stage.discord.shown[77]).count("\n") == 0
    assert "round 1 is over" in text(stage.discord.shown[77])
    assert await stage.publisher.where(TABLE) == (CHANNEL, 1)


async def test_a_result_is_posted_once_and_kept(stage: Stage) -> None:
    stage.posted(3)
    stage.source.view = samples.result_view(head=HEAD)
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert stage.mark() == RESULT_MARK
    assert await stage.draw() == []
    stage.fresh()
    assert await stage.draw() == []


async def test_a_table_that_expires_says_so_in_its_message(stage: Stage) -> None:
    stage.posted(LOBBY_MARK)
    stage.source.view = ClosedView(HEAD, expired=True)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert await stage.draw() == []


async def test_a_board_whose_message_is_gone_is_posted_anew(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(404, 10008) if call[2] == 77 else None
    assert await stage.draw() == [("edit", CHANNEL, 77), ("send", CHANNEL, 1)]
    assert await stage.draw() == []


async def test_reposting_goes_to_the_bottom(stage: Stage) -> None:
    stage.posted(1)
    await stage.draw()
    stage.discord.calls.clear()
    await stage.publisher.repost(TABLE)
    assert stage.discord.calls == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert "further down" in text(stage.discord.shown[77])


@pytest.mark.parametrize(("status", "code"), [(403, 50001), (403, 50013), (404, 10003)])
async def test_a_lost_permission_is_logged_once_and_tried_again_at_a_change(
    stage: Stage, status: int, code: int
) -> None:
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(status, code)
    with capture_logs() as logs:
        assert await stage.draw() == [("edit", CHANNEL, 77)]
        assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert [(entry["event"], entry["code"]) for entry in logs] == [("board_barred", code)]
    stage.discord.refuse = lambda call: None
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_the_commands_answer_becomes_the_tables_message(stage: Stage) -> None:
    stage.source.view = samples.lobby_view(head=HEAD)
    publisher = stage.fresh(grace=3600)
    publisher.changed(TABLE)
    view = channel_message(stage.source.view, texts("en"))
    await publisher.adopt(TABLE, CHANNEL, 42, view)
    await publisher.flush(TABLE)
    assert stage.discord.calls == []
    assert await publisher.where(TABLE) == (CHANNEL, 42)


async def test_a_lobby_that_no_answer_posted_is_posted(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.source.view = samples.lobby_view(head=HEAD)
    monkeypatch.setattr("bot.present.publisher.UNPOSTED_GRACE", 0)
    await stage.draw()
    await turns()
    assert stage.discord.calls == [("send", CHANNEL, 1)]


async def test_a_lobby_whose_answer_is_on_its_way_is_not_posted_twice(stage: Stage) -> None:
    stage.source.view = view = samples.lobby_view(head=HEAD)
    assert await stage.draw() == []
    await stage.publisher.adopt(TABLE, CHANNEL, 42, channel_message(view, texts("en")))
    assert await stage.draw() == []


async def test_a_table_with_two_messages_keeps_the_newer_one(stage: Stage) -> None:
    stage.posted(LOBBY_MARK)
    stage.source.view = view = samples.lobby_view(head=HEAD)
    await stage.publisher.adopt(TABLE, CHANNEL, 42, channel_message(view, texts("en")))
    assert stage.discord.calls == [("delete", CHANNEL, 77)]


# A round begins with a message of its own

SEALED, NEXT = "5ea1ed" * 10 + "abcd", "0e47" * 16
SHUFFLING = ShufflingView(HEAD, 2, SEALED, NEXT, ("kuckuck", "", "7"))


def running(number: int) -> BoardView:
    """A board as it is once the cards of a round are dealt."""
    return replace(BOARD, round=number, commitment=NEXT, post="1", dealt=SEALED, words=("", "", ""))


async def test_a_round_is_posted_then_told_then_drawn_into_the_same_message(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    calls = await stage.draw()
    assert calls == [("send", CHANNEL, 1), ("edit", CHANNEL, 77), ("edit", CHANNEL, 1)]
    assert stage.source.told == [(2, 1)]
    assert stage.mark() == 2
    assert f"proof of the next deal {NEXT}" in text(stage.discord.shown[1])
    assert await stage.draw() == []


async def test_hands_follow_the_deal_at_once(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    stage.source.due = [(BEN, True, 60)]
    sent = [call for call in await stage.draw() if call[0] == "send"]
    assert sent == [("send", CHANNEL, 1), ("send", 1101, 2)]


@pytest.mark.parametrize("number", [1, 2])
async def test_what_is_retired_keeps_commitment_and_words(stage: Stage, number: int) -> None:
    stage.posted(number - 1)
    stage.source.view = replace(SHUFFLING, round=number)
    stage.source.dealt = running(number)
    await stage.draw()
    kept = text(stage.discord.shown[77]).splitlines()
    assert kept[1:] == ["-# Cut: Ann kuckuck · Cat 7", f"-# deal proof {SEALED}"]
    assert ("the match has started" if number == 1 else "round 1 is over") in kept[0]


async def test_the_message_says_everything_that_is_mixed_in_but_its_own_id(stage: Stage) -> None:
    stage.source.view = SHUFFLING
    await stage.draw()
    shown = text(stage.discord.shown[1])
    assert "Round 2: the cards are being shuffled" in shown
    assert f"deal proof {SEALED}" in shown
    assert f"proof of the next deal {NEXT}" in shown
    assert "Cut: Ann kuckuck · Cat 7" in shown


async def test_after_a_restart_the_table_is_told_again_and_nothing_is_posted(stage: Stage) -> None:
    stage.posted(2)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert stage.source.told == [(2, 77)]


async def test_a_table_that_could_not_be_told_is_told_later(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt, stage.source.deaf = SHUFFLING, running(2), True
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    stage.source.deaf = False
    assert await stage.draw() == [("edit", CHANNEL, 1)]
    assert stage.source.told == [(2, 1)]


@pytest.mark.parametrize(
    "error",
    [Refused(403, 50001), Refused(404, 10003), discord.Forbidden(_answer(403), _body(0))],
    ids=["no access", "no channel", "forbidden"],
)
async def test_where_nothing_can_be_posted_the_table_is_told_so(
    stage: Stage, error: discord.HTTPException
) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    stage.source.due = [(BEN, True, 60)]
    stage.discord.refuse = lambda call: error if call[1] == CHANNEL else None
    with capture_logs() as logs:
        calls = await stage.draw()
    assert stage.source.told == [(2, None)]
    assert [entry["event"] for entry in logs] == ["board_barred"]
    assert ("dm", 1101, 0) in calls


async def test_a_post_that_was_lost_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.present.publisher.RETRIES", (0,))
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    lost = [("send", CHANNEL, 1)]
    stage.discord.refuse = lambda call: Refused(503, 0) if lost and lost.pop() == call else None
    await stage.draw()
    await turns()
    assert stage.source.told == [(2, 2)]
    assert stage.discord.calls[0] == ("send", CHANNEL, 1)


async def test_a_round_has_one_message_even_if_it_was_sent_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer was lost, or the program died before it was stored: Discord knows it again."""
    monkeypatch.setattr("bot.present.publisher.RETRIES", (0,))
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    lost = [("send", CHANNEL, 1)]
    stage.discord.refuse = lambda call: Refused(503, 0) if lost and lost.pop() == call else None
    await stage.draw()
    await turns()
    first, second = stage.discord.nonces[1], stage.discord.nonces[2]
    assert first == second is not None
    assert len(first or "") <= 25, "Discord's limit"
    await stage.publisher.repost(TABLE)
    assert stage.discord.nonces[3] != first, "the same board again is another message"
    stage.source.view, stage.source.dealt = replace(SHUFFLING, round=3), running(3)
    await stage.draw()
    stage.source.view = replace(SHUFFLING, head=replace(HEAD, table="OTHER"))
    await stage.draw("OTHER")
    nonces = list(stage.discord.nonces.values())
    assert len(set(nonces)) == len(nonces) - 1, "other rounds and tables have others"
    assert all(len(nonce or "") <= 25 for nonce in nonces)


async def test_a_round_dealt_without_a_message_gets_one_later(stage: Stage) -> None:
    stage.posted(LOBBY_MARK)
    stage.source.view = replace(running(1), post="", words=("", "x", ""))
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert "could not be posted in time" in text(stage.discord.shown[1])
    assert f"deal proof {SEALED}" in text(stage.discord.shown[77])
    assert "Cut: Ben x" in text(stage.discord.shown[77])


async def test_a_table_that_stays_closed_does_not_keep_the_publisher_busy(stage: Stage) -> None:
    stage.source.view = SHUFFLING
    await stage.draw()
    assert stage.source.told == [(2, 1)] * 2
    assert stage.discord.calls == [("send", CHANNEL, 1)]


async def test_a_board_that_is_moved_keeps_its_proof(stage: Stage) -> None:
    stage.posted(2)
    stage.source.view = running(2)
    await stage.publisher.repost(TABLE)
    assert f"deal proof {NEXT}" in text(stage.discord.shown[77])
    stage.posted(2)
    pause = Pause(9, 2, (1, 2, 3), (1, 2, 3), frozenset(), None, NEXT, ("", "moo", ""))
    stage.source.view = replace(running(2), pause=pause)
    await stage.publisher.repost(TABLE)
    assert f"Cut: Ben moo\n-# deal proof {NEXT}" in text(stage.discord.shown[77])


# Troubles


async def test_a_draw_that_was_lost_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.present.publisher.RETRIES", (0, 0))
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
    assert stage.mark(BEN) == 5


async def test_a_draw_that_always_fails_is_given_up_until_the_next_change(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.present.publisher.RETRIES", (0, 0))
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(503, 0)
    await stage.draw()
    await turns()
    assert stage.discord.calls == [("edit", CHANNEL, 77)] * 3
    await stage.draw()
    await turns()
    assert stage.discord.calls == [("edit", CHANNEL, 77)] * 3


async def test_a_repost_that_failed_is_still_wanted(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(503, 0)
    await stage.publisher.repost(TABLE)
    stage.discord.refuse = lambda call: None
    calls = await stage.draw()
    assert [call[0] for call in calls] == ["send", "edit"]


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


async def test_an_answer_older_than_the_board_is_drawn_over(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view = other(BOARD)
    await stage.draw()
    stage.publisher.note_board(TABLE, channel_message(BOARD, texts("en")))
    await stage.publisher.flush(TABLE)
    assert stage.discord.calls == [("edit", CHANNEL, 77)] * 2


async def test_a_board_in_an_archived_thread_is_posted_anew(stage: Stage) -> None:
    stage.posted(1)
    stage.discord.refuse = lambda call: Refused(400, 50083) if call[2] == 77 else None
    assert await stage.draw() == [("edit", CHANNEL, 77), ("send", CHANNEL, 1)]


async def test_closing_does_not_wait_for_ever(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.present.publisher.CLOSING_TIME", 0)
    stage.posted(1)
    stage.discord.gate = asyncio.Event()
    stage.publisher.changed(TABLE)
    await stage.discord.reached.wait()
    await stage.publisher.aclose()
    assert await stage.draw() == []


# Hands


async def test_hands_go_first_then_the_board_then_the_hands_of_others(stage: Stage) -> None:
    stage.posted(1)
    stage.source.due = [(ANN, False, 0), (BEN, True, 5), (CAT, False, 0)]
    calls = await stage.draw()
    sent = [call for call in calls if call[0] != "dm"]
    assert [call[1] for call in sent] == [1101, CHANNEL, 1100, 1102]
    assert [call[0] for call in sent] == ["send", "edit", "send", "send"]


async def test_the_new_panel_is_there_before_the_old_one_goes(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 3, 88)
    stage.source.due = [(BEN, True, 5)]
    calls = await stage.draw()
    assert calls[:3] == [("dm", 1101, 0), ("send", 1101, 1), ("delete", 1101, 88)]
    assert stage.mark(BEN) == 5


async def test_a_panel_that_shows_the_question_stays(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.due = [(BEN, True, 5), (ANN, False, 0)]
    stage.panel(ANN, 4, 89)
    stage.fresh()
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_an_answer_in_the_dm_is_the_panel(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 3, 88)
    await stage.publisher.note_panel(TABLE, BEN, 1101, 88, 5)
    stage.source.due = [(BEN, True, 5)]
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    await stage.publisher.note_panel(TABLE, BEN, 1101, 90, 7)
    assert stage.discord.calls[-1] == ("delete", 1101, 88)


async def test_a_panel_that_was_sent_during_the_answer_stays(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    await stage.publisher.note_panel(TABLE, BEN, 1101, 70, 5)
    assert stage.discord.calls == [("delete", 1101, 70)]
    found = await stage.surfaces.find(TABLE, BEN)
    assert found is not None
    assert found[1] == 88


async def test_an_answer_that_asks_nothing_does_not_stand_for_the_next_deal(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 3, 88)
    await stage.publisher.note_panel(TABLE, BEN, 1101, 88, None)
    assert stage.mark(BEN) == 3
    stage.source.due = [(BEN, False, 56)]
    assert ("send", 1101, 1) in await stage.draw()


async def test_the_hands_of_a_table_that_is_over_are_forgotten(stage: Stage) -> None:
    stage.posted(3)
    stage.panel(BEN, 5, 88)
    stage.source.view = samples.result_view(head=HEAD)
    await stage.draw()
    assert list(stage.surfaces.rows) == [(TABLE, 0)]


@pytest.mark.parametrize("code", [50007, 50278])
async def test_a_closed_dm_is_told_once_and_the_table_goes_on(stage: Stage, code: int) -> None:
    stage.posted(1)
    stage.source.due = [(ANN, True, 5), (BEN, True, 5)]
    stage.discord.refuse = lambda call: Refused(403, code) if call[1] == 1100 else None
    calls = await stage.draw()
    assert ("send", 1101, 1) in calls or ("send", 1101, 2) in calls
    assert calls[-1] == ("edit", CHANNEL, 77)
    assert stage.source.closed == [ANN]
    assert not any(call[1] == 1100 for call in await stage.draw())


async def test_the_dm_channel_is_asked_for_once(stage: Stage) -> None:
    stage.posted(1)
    stage.source.due = [(BEN, True, 5)]
    await stage.draw()
    stage.source.due = [(BEN, True, 8)]
    assert await stage.draw() == [("send", 1101, 2), ("delete", 1101, 1)]


async def test_a_hand_is_never_sent_to_a_stored_channel(stage: Stage) -> None:
    stage.posted(1)
    stage.surfaces.rows[TABLE, BEN] = (CHANNEL, 88, samples.NOW, 1)
    stage.source.due = [(BEN, True, 5)]
    calls = await stage.draw()
    assert ("send", 1101, 1) in calls
    assert not any(call[:2] == ("send", CHANNEL) for call in calls)


async def test_greeting_finds_out_who_can_be_reached(stage: Stage) -> None:
    stage.posted(LOBBY_MARK)
    assert await stage.publisher.greet(TABLE, ANN)
    assert "will come here" in text(stage.discord.shown[1])
    stage.discord.refuse = lambda call: Refused(403, 50007)
    assert not await stage.publisher.greet(TABLE, BEN)
    stage.discord.refuse = lambda call: Refused(500, 0)
    assert await stage.publisher.greet(TABLE, CAT)


# Trouble


async def test_a_broken_table_stops_no_other_and_says_nothing_private(stage: Stage) -> None:
    stage.posted(1)
    stage.source.broken = frozenset({"BAD"})
    with capture_logs() as logs:
        await stage.draw("BAD")
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert [entry["event"] for entry in logs] == ["draw_failed"]
    assert logs[0]["kind"] == "KeyError"
    assert "3-6" not in repr(logs)
    stage.source.broken = frozenset()
    stage.surfaces.rows["BAD", 0] = (CHANNEL, 78, samples.NOW, 1)
    assert await stage.draw("BAD") == [("edit", CHANNEL, 78)]


async def test_a_panel_that_fails_leaves_the_board_and_the_others(stage: Stage) -> None:
    stage.posted(1)
    stage.source.due = [(ANN, True, 5), (BEN, True, 5)]
    stage.discord.refuse = lambda call: Refused(500, 0) if call[1] == 1100 else None
    calls = await stage.draw()
    assert calls[-1] == ("edit", CHANNEL, 77)
    assert any(call[:2] == ("send", 1101) for call in calls)
    stage.discord.refuse = lambda call: None
    assert any(call[:2] == ("send", 1100) for call in await stage.draw())


async def test_closing_draws_what_is_queued(stage: Stage) -> None:
    stage.posted(1)
    publisher = stage.fresh(grace=3600)
    publisher.changed(TABLE)
    publisher.changed("OTHER")
    await publisher.aclose()
    assert ("edit", CHANNEL, 77) in stage.discord.calls


def test_a_change_outside_the_loop_does_not_raise(stage: Stage) -> None:
    stage.publisher.changed(TABLE)
    assert stage.discord.calls == []
