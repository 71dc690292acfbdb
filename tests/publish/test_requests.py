"""What the publisher knows of discord.py."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast

import discord
import pytest

from bot.ids import GuildId, MessageId
from bot.publish.messages import BOARD, Surface
from bot.publish.requests import Letters, Requests
from bot.publish.timings import Timings
from tests.publish.stage import CHANNEL, FakeDiscord
from tests.render import samples


def open_letters() -> Letters:
    return Letters(lambda: samples.NOW)


def test_discord_py_still_notes_there_that_it_was_told_to_wait() -> None:
    loop = asyncio.new_event_loop()
    try:
        assert hasattr(discord.http.HTTPClient(loop), "_global_over")
    finally:
        loop.close()


async def test_no_call_is_given_up_while_discord_py_was_told_to_wait() -> None:
    """It lets the others go on only when that very call has waited to its end."""
    fake, over = FakeDiscord(), asyncio.Event()
    vars(fake)["http"] = SimpleNamespace(_global_over=over)
    fake.gate = asyncio.Event()
    quick = Timings(request=0.01, request_again=0.01)
    requests = Requests(cast(discord.Client, fake), open_letters(), quick)
    call = asyncio.create_task(
        requests.delete(Surface(*BOARD, CHANNEL, MessageId(5), samples.NOW, 1))
    )
    done, _ = await asyncio.wait([call], timeout=0.1)
    assert not done
    over.set()
    with pytest.raises(TimeoutError):
        await call


async def test_a_permission_is_named_as_discord_py_names_it() -> None:
    fake = FakeDiscord()
    requests = Requests(cast(discord.Client, fake), open_letters())
    assert await requests.missing(GuildId(1), CHANNEL) == ()
    fake.allowed = discord.Permissions.none()
    assert await requests.missing(GuildId(1), CHANNEL) == ("view_channel", "send_messages")
    fake.allowed = None
    assert await requests.missing(GuildId(1), CHANNEL) is None
