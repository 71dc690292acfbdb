"""The floor: a discord.py bot that does what Discord needs for a press or a ply, nothing else.

`python -m tests.bench.floor` is that bot, told where Discord is as the program is; the load
benchmark presses its buttons as often as people press those of the program.  `floor` is answered
with a small message.  A *floor ply* is the calls that a ply takes, with bodies as large as the
program's: with hands in the channel *hand*, answered with a message for one person, then *play*,
answered by an edit, and one message edited; with hands by direct message *play*, one message
edited, one sent and the one before deleted.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import discord
import yarl
from discord import ui

from tests.bench._people import Hands
from tests.operate.conftest import ROOT, clean_environment
from tests.wire.front import Front
from tests.wire.people import Wire

CHANNEL = "FLOOR_CHANNEL"
BODIES = "FLOOR_BODIES"
PLIES: Final[Mapping[Hands, tuple[str, ...]]] = {"channel": ("hand", "play"), "dm": ("play by dm",)}
READY = 30.0
"""Seconds after which its start has failed."""


class Bodies(NamedTuple):
    """How large messages are, in characters of JSON."""

    hand: int
    board: int


class Floor(discord.Client):
    """One message with a button; every press is answered as its `custom_id` says."""

    def __init__(self, channel: int, bodies: Bodies) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            guild_ready_timeout=0.05,
        )
        self._channel = channel
        self._bodies = bodies
        self._board = 0
        self._sent: deque[int] = deque()

    async def on_ready(self) -> None:
        sent = await self.get_partial_messageable(self._channel).send(view=_message())
        self._board = sent.id

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        response, here = interaction.response, self.get_partial_messageable(self._channel)
        board = here.get_partial_message(self._board)
        data: Mapping[str, Any] = interaction.data or {}
        match data.get("custom_id"):
            case "hand":
                await response.send_message(view=_message(self._bodies.hand), ephemeral=True)
            case "play":
                await response.edit_message(view=_message(self._bodies.hand))
                await board.edit(view=_message(self._bodies.board))
            case "play by dm":
                await response.edit_message(view=_message(self._bodies.hand))
                sent = await here.send(view=_message(self._bodies.hand))
                self._sent.append(sent.id)
                await board.edit(view=_message(self._bodies.board))
                if len(self._sent) > 1:
                    await here.get_partial_message(self._sent.popleft()).delete()
            case _:
                await response.edit_message(view=_message())


def _message(size: int = 0) -> ui.LayoutView:
    """A button, and texts and rows of buttons until the whole has about `size` characters."""
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.ActionRow(ui.Button(label="Press", custom_id="floor")))
    left, row = size - 150, 0
    while left > 0:
        row += 1
        text = "Ann leads and Ben follows suit with what there is. " * 3
        view.add_item(ui.TextDisplay(text))
        buttons: list[ui.Button[ui.LayoutView]] = [
            ui.Button(label=f"Card {number}", custom_id=f"st:act:TABLE:{row}:play {number}")
            for number in range(4)
        ]
        view.add_item(ui.ActionRow(*buttons))
        left -= 680
    return view


@asynccontextmanager
async def floor_bot(bodies: Bodies) -> AsyncIterator[Button]:
    """The floor bot as a process of its own at a front of its own, and its buttons."""
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
                BODIES: f"{bodies.hand},{bodies.board}",
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

    async def ply(self, hands: Hands) -> None:
        """The presses of one ply, each answered before the next."""
        for custom_id in PLIES[hands]:
            await self._person.press(self._message, custom_id)


async def pressed(button: Button, rate: float, seconds: float) -> list[float]:
    """Presses so often per second, whether or not the one before was answered; the times."""
    begun, presses = time.monotonic(), []
    for number in range(max(1, round(rate * seconds))):
        await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
        presses.append(asyncio.create_task(button.press()))
    times = await asyncio.gather(*presses)
    return [took for took in times if took is not None]


async def played(button: Button, hands: Hands, rate: float, seconds: float) -> int:
    """Floor plies so often per second, whether or not the one before is over; how many."""
    begun, plies = time.monotonic(), []
    for number in range(max(1, round(rate * seconds))):
        await asyncio.sleep(max(0.0, begun + number / rate - time.monotonic()))
        plies.append(asyncio.create_task(button.ply(hands)))
    await asyncio.gather(*plies)
    return len(plies)


def main() -> None:
    discord.http.Route.BASE = os.environ["DISCORD_API_URL"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY_URL"])
    hand, board = map(int, os.environ[BODIES].split(","))
    client = Floor(int(os.environ[CHANNEL]), Bodies(hand, board))
    client.run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    main()
