"""The limit on how often a person has something posted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.answer.post_limit import LIMITS, PostLimit
from bot.ids import ChannelId
from bot.tables.model import TableError

CHANNEL = ChannelId(5)
NOW = datetime(2026, 11, 28, 18, tzinfo=UTC)


def press(slow: int = 0) -> discord.Interaction:
    """A press in the channel, which has people wait for so many seconds."""
    return cast(
        "discord.Interaction",
        SimpleNamespace(
            user=SimpleNamespace(id=1),
            channel_id=CHANNEL,
            channel=SimpleNamespace(slowmode_delay=slow),
            permissions=discord.Permissions.none(),
        ),
    )


def wait(limit: PostLimit, now: datetime, slow: int = 0) -> timedelta:
    """How long a person waits until they may have something posted; 0: it is, and counts."""
    try:
        with limit.counting(press(slow), CHANNEL, now):
            return timedelta()
    except TableError as refusal:
        if refusal.code == "slow_mode":
            at = refusal.params["at"]
            assert isinstance(at, int)
            return datetime.fromtimestamp(at, UTC) - now
        seconds = refusal.params["seconds"]
        assert isinstance(seconds, int)
        return timedelta(seconds=seconds)


def test_so_many_lines_within_each_time() -> None:
    limit = PostLimit()
    (few, minute), (many, hour) = LIMITS
    for number in range(many):
        assert not wait(limit, NOW + number // few * minute)
    assert wait(limit, NOW + many // few * minute) == hour - many // few * minute


def test_what_is_refused_after_all_does_not_count() -> None:
    limit = PostLimit()
    for _ in range(9):
        with pytest.raises(LookupError), limit.counting(press(), CHANNEL, NOW):
            raise LookupError
    assert not wait(limit, NOW)


def test_nor_if_meanwhile_the_clock_was_set() -> None:
    limit = PostLimit()

    def fails() -> None:
        with limit.counting(press(), CHANNEL, NOW):
            assert not wait(limit, NOW - timedelta(days=1))
            raise LookupError

    with pytest.raises(LookupError):
        fails()


@given(
    st.lists(st.timedeltas(timedelta(hours=-30), timedelta(hours=30)), max_size=40),
    st.sampled_from([0, 300]),
)
def test_nobody_waits_longer_because_the_clock_was_set(jumps: list[timedelta], slow: int) -> None:
    limit, now = PostLimit(), NOW
    longest = max(time for _, time in LIMITS)
    for jump in jumps:
        now += jump / 600 if jump > timedelta() else jump
        assert wait(limit, now, slow) <= 2 * longest
    assert not wait(limit, now - timedelta(days=60), slow)
