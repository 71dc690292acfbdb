"""Discord's gateway: sessions that can be resumed, lost, refused; events twice, late, swapped."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from aiohttp import WSMsgType, web
from simcord.backend import Backend

from tests.wire import sim
from tests.wire.sim import Json

ACK_DELAY: Final = 0.02
"""Seconds: an acknowledgement that outruns the heartbeat confuses discord.py's clock."""

REPLAYED: Final = 5_000
"""Events that a session can catch up on."""

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 9, 10, 11

Delivery: TypeAlias = Callable[[str, Json], Sequence[float]]
"""When an event arrives: seconds from now, once for each copy; () loses it."""


def at_once(event: str, payload: Json) -> Sequence[float]:
    """A good day: everything once, in order."""
    return (0.0,)


class Session:
    """What Discord knows of one login: it outlives its connection."""

    def __init__(self, number: int, intents: int) -> None:
        self.id = f"session-{number}"
        self.intents = intents
        self.sequence = 0
        self.sent: deque[tuple[int, str]] = deque(maxlen=REPLAYED)
        self.outbox: asyncio.Queue[str] | None = None
        """Of the present connection; None while there is none."""

    def dispatch(self, event: str, payload: Json) -> None:
        """Sends an event, or keeps it until the session is resumed."""
        self.sequence += 1
        text = sim.encode({"op": DISPATCH, "s": self.sequence, "t": event, "d": payload})
        self.sent.append((self.sequence, text))
        if self.outbox is not None:
            self.outbox.put_nowait(text)


class Gateway:
    """The websocket end of the front: one client at a time."""

    def __init__(self, backend: Backend, token: str) -> None:
        self.url = ""
        self.delivery: Delivery = at_once
        self.identified = 0
        """How often somebody logged in."""
        self.resumed = 0
        self.refuse_resume = 0
        """So many coming RESUMEs are answered INVALID_SESSION."""
        self._backend = backend
        self._token = token
        self._session: Session | None = None
        self._socket: web.WebSocketResponse | None = None
        self.flowing = asyncio.Event()
        """Cleared, nothing arrives at the client, not even acknowledgements, and no line is cut."""
        self.flowing.set()
        self._changed = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()
        backend.subscribers.append(self._emitted)

    @property
    def connected(self) -> bool:
        """Whether a client listens."""
        return self._session is not None and self._session.outbox is not None

    async def wait(self, reached: Callable[[], bool], seconds: float = 20.0) -> None:
        """Returns once that is so.  Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not reached():
                self._changed.clear()
                await self._changed.wait()

    def forget(self) -> None:
        """The client is gone for good: its session cannot be resumed, its events are lost."""
        self._session = None
        self._wake()

    # Bad days

    async def drop(self, code: int = 4000) -> None:
        """Closes the connection; discord.py resumes after this code."""
        if self._socket is not None:
            with suppress(ConnectionError):
                await self._socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        await self._send({"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool = False) -> None:
        """INVALID_SESSION: without `resumable` the client has to log in anew."""
        if not resumable:
            self._session = None
        await self._send({"op": INVALID, "d": resumable})

    def dispatch(self, event: str, payload: Json) -> None:
        """Sends an event now, past `delivery`."""
        session = self._session
        if session is None:
            return
        shown = sim.as_delivered(self._backend, event, payload, session.intents)
        if shown is not None:
            session.dispatch(event, shown)

    # The protocol

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """One connection, from HELLO to its end."""
        socket = web.WebSocketResponse(compress=False, max_msg_size=0)
        await socket.prepare(request)
        outbox: asyncio.Queue[str] = asyncio.Queue()
        self._socket = socket
        writer = asyncio.create_task(_write(socket, outbox, self.flowing))
        outbox.put_nowait(sim.encode({"op": HELLO, "d": {"heartbeat_interval": 41250}}))
        session: Session | None = None
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                told = json.loads(message.data)
                match told["op"]:
                    case 1:
                        self._after(ACK_DELAY, outbox, sim.encode({"op": ACK}))
                    case 2:
                        session = await self._identify(socket, outbox, told["d"])
                    case 6:
                        session = self._resume(outbox, told["d"])
                    case _:
                        pass
        finally:
            writer.cancel()
            await asyncio.wait([writer])
            if session is not None and session.outbox is outbox:
                session.outbox = None
            if self._socket is socket:
                self._socket = None
            self._wake()
        return socket

    async def _identify(
        self, socket: web.WebSocketResponse, outbox: asyncio.Queue[str], told: Json
    ) -> Session | None:
        if told["token"] != self._token:
            await socket.close(code=4004)
            return None
        if told["intents"] & sim.PRIVILEGED:
            await socket.close(code=4014)
            return None
        self.identified += 1
        self._session = session = Session(self.identified, told["intents"])
        session.outbox = outbox
        session.dispatch("READY", sim.ready(self._backend, session.id, self.url))
        for guild in sim.guild_payloads(self._backend):
            self.dispatch("GUILD_CREATE", guild)
        self._wake()
        return session

    def _resume(self, outbox: asyncio.Queue[str], told: Json) -> Session | None:
        session = self._session
        if session is None or told["session_id"] != session.id or self.refuse_resume:
            self.refuse_resume = max(0, self.refuse_resume - 1)
            self._session = None
            outbox.put_nowait(sim.encode({"op": INVALID, "d": False}))
            return None
        self.resumed += 1
        for number, text in session.sent:
            if number > told["seq"]:
                outbox.put_nowait(text)
        session.outbox = outbox
        session.dispatch("RESUMED", {})
        self._wake()
        return session

    def _emitted(self, event: str, payload: Json) -> None:
        """Something happened on Discord."""
        for delay in self.delivery(event, payload):
            if delay:
                task = asyncio.create_task(self._dispatch_later(delay, event, payload))
                self._later.add(task)
                task.add_done_callback(self._later.discard)
            else:
                self.dispatch(event, payload)

    async def _dispatch_later(self, delay: float, event: str, payload: Json) -> None:
        await asyncio.sleep(delay)
        self.dispatch(event, payload)

    def _after(self, delay: float, outbox: asyncio.Queue[str], text: str) -> None:
        asyncio.get_running_loop().call_later(delay, outbox.put_nowait, text)

    async def _send(self, frame: Json) -> None:
        if self._session is not None and self._session.outbox is not None:
            self._session.outbox.put_nowait(sim.encode(frame))
        elif self._socket is not None:
            await self._socket.send_str(sim.encode(frame))

    def _wake(self) -> None:
        self._changed.set()

    async def close(self) -> None:
        """Ends what is under way."""
        for task in self._later:
            task.cancel()
        if self._later:
            await asyncio.wait(self._later)
        await self.drop(1001)


async def _write(
    socket: web.WebSocketResponse, outbox: asyncio.Queue[str], flowing: asyncio.Event
) -> None:
    """Sends what is in the outbox, in order."""
    with suppress(ConnectionError):
        while True:
            text = await outbox.get()
            await flowing.wait()
            await socket.send_str(text)
