"""The floor: a discord.py bot that answers a button with an edit of its message, nothing else.

`python -m tests.bench.floor` is that bot, told where Discord is as the program is; the load
benchmark presses its button as often as people press those of the program.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import discord
import yarl
from discord import ui

from tests.cli.conftest import ROOT, clean_environment
from tests.wire.front import Front
from tests.wire.people import Wire

CHANNEL = "FLOOR_CHANNEL"
READY = 30.0
"""Seconds after which its start has failed."""


class Floor(discord.Client):
    """One message with a button; every press is answered with the message."""

    def __init__(self, channel: int) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=0.05,
        )
        self._channel = channel

    async def on_ready(self) -> None:
        await self.get_partial_messageable(self._channel).send(view=_message())

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=_message())


def _message() -> ui.LayoutView:
    button: ui.Button[ui.LayoutView] = ui.Button(label="Press", custom_id="floor")
    return ui.LayoutView(timeout=None).add_item(ui.ActionRow(button))


@asynccontextmanager
async def floor_bot() -> AsyncIterator[Button]:
    """The floor bot as a process of its own at a front of its own, and its button."""
    async with Front(keep=0) as front:
        wire = Wire(front)
        guild = wire.guild()
        channel = wire.channel(guild)
        (person,) = wire.join(guild, "Ann")
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.bench.floor",
            cwd=ROOT,
            env={
                **clean_environment(),
                "DISCORD_TOKEN": front.token,
                "DISCORD_API_URL": front.api_url,
                "DISCORD_GATEWAY_URL": front.gateway_url,
                CHANNEL: str(channel),
            },
        )
        try:
            await wire.until(lambda: wire.messages(channel), READY)
            yield Button(wire, channel, person.id, process.pid)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Button:
    """The floor bot's button, and whoever presses it."""

    def __init__(self, wire: Wire, channel: int, person: int, process: int) -> None:
        self._process = process
        self._person = wire.people[person]
        (self._message,) = wire.messages(channel)

    def cpu(self) -> float:
        """Seconds of processor time that the floor bot has used."""
        fields = Path(f"/proc/{self._process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def press(self) -> float | None:
        """Seconds until it was answered; None if it was not."""
        return (await self._person.press(self._message, "floor")).seconds


async def pressed(button: Button, rate: float, seconds: float) -> list[float]:
    """Presses so often per second, whether or not the one before was answered; the times."""
    begun, presses = time.monotonic(), []
    for number in range(max(1, round(rate * seconds))):
        await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
        presses.append(asyncio.create_task(button.press()))
    times = await asyncio.gather(*presses)
    return [took for took in times if took is not None]


def main() -> None:
    discord.http.Route.BASE = os.environ["DISCORD_API_URL"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])
    client = Floor(int(os.environ[CHANNEL]))
    client.run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
