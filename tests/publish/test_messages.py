"""What is remembered of messages: at hand at once, stored a moment later, never lost."""

from __future__ import annotations

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.ids import ChannelId, MessageId, TableId
from bot.publish.messages import BOARD, NOTICE, RESULT, ShownMessages, Slot, Surface
from bot.publish.timings import Timings
from bot.surfaces import Kind
from tests.publish.stage import BEN, QUICK, FakeSurfaces, turns
from tests.render import samples

T1, T2 = TableId("T1"), TableId("T2")
HAND: Slot = (Kind.HAND, BEN)


def where(slot: Slot, message: int) -> Surface:
    return Surface(*slot, ChannelId(500), MessageId(message), samples.NOW, 1)


@pytest.fixture
def store() -> FakeSurfaces:
    return FakeSurfaces()


async def opened(store: FakeSurfaces, timings: Timings) -> ShownMessages:
    store.rows[T1, "board", 0] = where(BOARD, 70).row
    messages = ShownMessages(store, timings)
    await messages.open(T1)
    return messages


@pytest.fixture
async def messages(store: FakeSurfaces) -> ShownMessages:
    return await opened(store, QUICK)


async def test_what_changes_is_known_at_once_and_stored_in_one_go(
    store: FakeSurfaces,
) -> None:
    messages = await opened(store, Timings(store_pause=3600))
    for message in range(80, 90):
        messages.put(T1, where(HAND, message))
        messages.put(T2, where(HAND, message))
    assert messages.find(T1, HAND) == where(HAND, 89)
    await turns()
    assert store.saves == 0, "they wait for each other"
    await messages.flush()
    assert store.saves == 1
    assert store.rows[T1, "hand", BEN] == store.rows[T2, "hand", BEN] == where(HAND, 89).row


async def test_what_is_not_stored_yet_is_known_to_whoever_opens_the_table(
    store: FakeSurfaces,
) -> None:
    messages = await opened(store, Timings(store_pause=3600))
    store.rows[T2, "board", 0] = where(BOARD, 71).row
    messages.put(T2, where(NOTICE, 81))
    messages.drop(T2, BOARD)
    await messages.open(T2)
    assert messages.find(T2, NOTICE) == where(NOTICE, 81)
    assert messages.find(T2, BOARD) is None


async def test_what_could_not_be_stored_is_stored_later(
    store: FakeSurfaces,
) -> None:
    messages = await opened(store, replace(QUICK, store_lag=0))
    store.broken = True
    with capture_logs() as logs:
        messages.put(T1, where(HAND, 80))
        messages.drawn(T1, 4)
        await turns()
    assert {entry["event"] for entry in logs} == {"not_stored"}
    messages.put(T1, where(NOTICE, 81))
    store.broken = False
    await turns()
    assert store.rows[T1, "hand", BEN] == where(HAND, 80).row
    assert store.rows[T1, "notice", 0] == where(NOTICE, 81).row
    assert store.drawn == {T1: 4}


async def test_closing_stores_what_is_left_even_if_that_fails_it_ends(
    messages: ShownMessages, store: FakeSurfaces
) -> None:
    messages.drawn(T1, 4)
    await messages.aclose()
    assert store.drawn == {T1: 4}
    store.broken = True
    messages.drawn(T1, 5)
    with capture_logs() as logs:
        await messages.aclose()
    assert {entry["event"] for entry in logs} == {"lost"}


async def test_a_message_to_delete_is_known_until_it_is_gone(
    messages: ShownMessages, store: FakeSurfaces
) -> None:
    messages.retire(T1, where(HAND, 80))
    messages.retire(T1, where(NOTICE, 81))
    await messages.flush()
    first, second = (where((Kind.RETIRED, message), message) for message in (80, 81))
    again = ShownMessages(store)
    await again.open(T1)
    assert again.of(T1, Kind.RETIRED) == [first, second]
    again.drop(T1, first.slot)
    assert again.of(T1, Kind.RETIRED) == [second]
    await again.flush()
    third = ShownMessages(store, QUICK)
    await third.open(T1)
    assert third.of(T1, Kind.RETIRED) == [second]
    assert third.board(T1) == where(BOARD, 70)


async def test_a_result_takes_the_place_of_the_board(
    messages: ShownMessages, store: FakeSurfaces
) -> None:
    messages.put(T1, where(RESULT, 80))
    assert messages.board(T1) == where(RESULT, 80)
    await messages.flush()
    assert list(store.rows) == [(T1, "result", 0)]


async def test_of_what_was_over_before_it_was_posted_no_message_is_to_be_deleted(
    messages: ShownMessages,
) -> None:
    invitation: Slot = (Kind.INVITATION, BEN)
    messages.put(T1, Surface(*invitation))
    messages.renew(T1, where(invitation, 90))
    assert messages.of(T1, Kind.RETIRED) == []
    messages.renew(T1, where(invitation, 91))
    assert [one.message for one in messages.of(T1, Kind.RETIRED)] == [90]
