"""Starting and stopping the demo: ports and browser."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from aiohttp import web

from bot.demo.page import start_page
from bot.demo.world import world

HOST = "127.0.0.1"
DEFAULT_PORT = 8765
PORTS = range(65_536)
"""All that there are: none comes after the last."""


class PortTaken(Exception):
    """The port that was asked for is in use, or the system keeps it for others."""


def listening(wanted: int) -> socket.socket:
    """A socket that listens on `wanted` if that port is free, else on any; 0 is any.

    It listens at once: until the first page comes, nobody else can take the port.
    """
    for port in (wanted, 0) if wanted in PORTS else (0,):
        with suppress(OSError):
            return socket.create_server((HOST, port))
    raise PortTaken


def free_port(wanted: int) -> int:
    """`wanted` if it is free, else any free one; 0 is any."""
    with listening(wanted) as probe:
        return int(probe.getsockname()[1])


async def show(
    port: int | None, language: str, *, browser: bool, say: Callable[[str], None]
) -> None:
    """Run the demo until it is interrupted.  Raises PortTaken for a `port` in use."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows: KeyboardInterrupt does it there
            loop.add_signal_handler(number, stop.set)
    door = listening(DEFAULT_PORT if port is None else port)
    start = door.getsockname()[1]
    if port and start != port:
        door.close()
        raise PortTaken
    pages = free_port(start + 1)
    with door, tempfile.TemporaryDirectory(prefix="stammtisch-demo-") as folder:
        async with world(Path(folder), pages, language) as made:
            runner = web.AppRunner(start_page(made), access_log=None, shutdown_timeout=0.5)
            await runner.setup()
            try:
                await web.SockSite(runner, door).start()
                address = f"http://{HOST}:{start}/"
                say(f"Stammtisch demo: {address}")
                say(f"Its second tab, the simulated Discord, is at http://{HOST}:{pages}/")
                say("Ctrl-C stops it.")
                if browser and _has_screen():
                    # In a thread: some browsers make their caller wait.
                    await asyncio.to_thread(_open, address)
                await stop.wait()
            finally:
                await runner.cleanup()


def _has_screen() -> bool:
    """Whether a browser would be a window, not a text browser that takes the terminal over."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)
