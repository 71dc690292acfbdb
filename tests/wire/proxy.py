"""A TCP proxy on loopback in front of a database, which misbehaves on command.

It cuts connections, delays what passes, goes silent (nothing passes any more, and nobody is told),
and does so, if wanted, at the very moment when a text passes, such as a COMMIT.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum
from typing import Final, NamedTuple

HOST: Final = "127.0.0.1"
CHUNK: Final = 1 << 16

KEPT: Final = 11.0
"""Seconds for which a server holds a silent connection whose client is gone, as its keepalives find
out (`bot.storage.postgres`)."""


class Fault(Enum):
    """What is done to a connection."""

    CUT_BEFORE = "cut before"
    """Closed on both sides; what was on its way is lost."""
    CUT_AFTER = "cut after"
    """What was on its way arrives, its answer does not: both sides are closed."""
    SWALLOW = "swallow"
    """What was on its way is lost, and from then on nothing passes; both sides stay open, the
    server's for `KEPT` seconds longer than the client's."""
    SWALLOW_ANSWER = "swallow answer"
    """What was on its way arrives; from then on nothing passes; both sides stay open as long."""


class _Trap(NamedTuple):
    """What waits for a client to say something."""

    said: bytes
    fault: Fault
    after: bytes
    sprung: asyncio.Event


class _Line:
    """One connection through the proxy."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.near, self.far = near, far
        self.silent = False
        """Whether what passes is swallowed."""
        self.deaf = False
        """Whether answers are swallowed."""
        self.ready: _Trap | None = None
        """The trap that waits for what is said next here."""

    def cut(self) -> None:
        for writer in (self.near, self.far):
            writer.transport.abort()


class Proxy:
    """Made by `proxy`; connect to `port`."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._lines: set[_Line] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._trap: _Trap | None = None
        self.port = 0
        self.opened = 0
        """Connections so far."""
        self.sprung = 0
        """How often a trap has sprung."""
        self.delay = 0.0
        """Seconds by which everything that passes is late."""
        self.away = False
        """Whether new connections are refused."""

    def set_trap(self, said: bytes, fault: Fault, after: bytes = b"") -> asyncio.Event:
        """The next connection on which a client says this gets the fault, once: then it is set.

        With `after`, a regular expression: on which a client has said that before.
        """
        self._trap = _Trap(said, fault, after, asyncio.Event())
        return self._trap.sprung

    def disarm(self) -> None:
        """A trap that has not sprung does not spring any more."""
        self._trap = None

    def cut(self) -> None:
        """Cut all connections there are."""
        for line in list(self._lines):
            line.cut()

    def silence(self) -> None:
        """From now on nothing passes on the connections there are; new ones work."""
        for line in self._lines:
            line.silent = line.deaf = True

    async def accept(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        """One connection, to its end."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.opened += 1
        try:
            if self.away:
                raise ConnectionRefusedError
            answers, far = await asyncio.open_connection(self._host, self._port)
        except OSError:
            near.transport.abort()
            self._tasks.discard(task)
            return
        line = _Line(near, far)
        self._lines.add(line)
        try:
            await asyncio.gather(self._there(line, reader), self._back(line, answers))
        except asyncio.CancelledError:
            pass  # by `close`, and whoever accepts connections would complain of it
        finally:
            line.cut()
            self._lines.discard(line)
            self._tasks.discard(task)

    async def _there(self, line: _Line, reader: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                match self._sprung(line, data):
                    case Fault.CUT_BEFORE:
                        line.cut()
                        return
                    case Fault.CUT_AFTER:
                        line.deaf = True
                        line.far.write(data)
                        await line.far.drain()
                        line.near.transport.abort()
                        line.far.close()  # what was written is sent
                        return
                    case Fault.SWALLOW:
                        line.silent = line.deaf = True
                    case Fault.SWALLOW_ANSWER:
                        line.deaf = True
                        line.far.write(data)
                        line.silent = True
                        continue
                    case None:
                        pass
                if not line.silent:
                    line.far.write(data)
                    await line.far.drain()
        if line.silent:
            await asyncio.sleep(KEPT)
        line.far.transport.abort()

    async def _back(self, line: _Line, answers: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while data := await answers.read(CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if not line.deaf:
                    line.near.write(data)
                    await line.near.drain()
        if not line.silent:
            line.near.transport.abort()

    def _sprung(self, line: _Line, data: bytes) -> Fault | None:
        trap = self._trap
        if trap is None:
            return None
        if re.search(trap.after, data):
            line.ready = trap
        if line.ready is not trap or trap.said not in data:
            return None
        self._trap = None
        self.sprung += 1
        trap.sprung.set()
        return trap.fault

    async def close(self) -> None:
        """Cut everything, and wait for it; what comes now is refused."""
        self.away = True
        await asyncio.sleep(0)  # who has just come has a task by now
        self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # what was cut is closed by now


@asynccontextmanager
async def proxy(host: str, port: int) -> AsyncIterator[Proxy]:
    """A proxy in front of that address, on a free port of loopback."""
    made = Proxy(host, port)
    server = await asyncio.start_server(made.accept, HOST, 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await made.close()
