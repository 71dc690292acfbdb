"""The limit on how often a person has something posted in a channel."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import discord

from bot.answer.origin import place_in
from bot.ids import ChannelId, UserId
from bot.tables.model import TableError

LIMITS: Final = ((3, timedelta(minutes=1)), (12, timedelta(hours=1)))
"""Maximum number of posts of a person within a time, in all channels together."""

SLOWEST: Final = timedelta(hours=6)
"""The slowest mode that a channel can have."""


class _Line(NamedTuple):
    at: datetime
    channel: ChannelId
    user: UserId


class PostLimit:
    """Recent posts of people; those of a clock that was set back since are not."""

    def __init__(self) -> None:
        self._lately: list[_Line] = []

    @contextmanager
    def counting(
        self,
        interaction: discord.Interaction,
        channel: ChannelId,
        now: datetime,
        *,
        opens: bool = False,
    ) -> Iterator[None]:
        """The block has something posted in a channel, for the person who pressed or typed.

        It counts at once, so that of two presses one comes second; not if the block is refused.
        If it `opens` a table only the slow mode is asked: how many those are has its own limit.
        Raises TableError `too_many_lines` (seconds until it is allowed, limit) or `slow_mode` (at).
        """
        user = UserId(interaction.user.id)
        self._lately = [line for line in self._lately if abs(now - line.at) < SLOWEST]
        theirs = [line for line in self._lately if line.user == user]
        for most, time in LIMITS:
            within = sorted(line.at for line in theirs if abs(now - line.at) < time)
            if len(within) >= most and not opens:
                seconds = math.ceil((within[-most] + time - now).total_seconds())
                raise TableError("too_many_lines", seconds=seconds, limit=most)
        there = [line.at for line in theirs if line.channel == channel]
        slow = _slow_mode(interaction, channel)
        if there and abs(now - there[-1]) < slow:
            raise TableError("slow_mode", at=math.ceil((there[-1] + slow).timestamp()))
        line = _Line(now, channel, user)
        self._lately.append(line)
        try:
            yield
        except Exception:
            self._lately = [one for one in self._lately if one is not line]
            raise


def _slow_mode(interaction: discord.Interaction, channel: ChannelId) -> timedelta:
    """Time that a channel has people wait between two messages; 0 for those who need not wait."""
    place, may = place_in(interaction, channel)
    delay = getattr(place, "slowmode_delay", 0)
    free = may is not None and (may.bypass_slowmode or may.manage_messages or may.manage_channels)
    return timedelta(seconds=0 if free else delay)
