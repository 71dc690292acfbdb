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

from tests.patience import PATIENCE
from tests.wire import sim
from tests.wire.sim import Json

ACK_DELAY: Final = 0.02
"""Seconds: an acknowledgement that outruns the heartbeat confuses discord.py's clock."""

APART: Final = 5.0
"""Seconds between two logins of the same key."""

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

    def __init__(self, number: int, intents: int, shard: int, count: int) -> None:
        self.id = f"session-{number}"
        self.shard = shard
        self.count = count
        """Which of how many connections of the same program it is."""
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
    """The websocket end of the front: one program at a time, with as many shards as it wants."""

    def __init__(self, backend: Backend, token: str) -> None:
        self.url = ""
        self.delivery: Delivery = at_once
        self.shards = 1
        """So many connections are recommended."""
        self.concurrency = 1
        """So many may log in at the same time."""
        self.guilds_per_shard = 2_500
        self.refuse_all: frozenset[int] = frozenset()
        """Shards that get no session, neither a new nor their old one."""
        self.too_soon = 0
        """How often somebody logged in without waiting for their turn."""
        self.identified = 0
        """How often somebody logged in."""
        self.resumed = 0
        self.refuse_resume = 0
        """So many coming RESUMEs are answered INVALID_SESSION."""
        self._backend = backend
        self._token = token
        self._sessions: dict[int, Session] = {}
        """By shard."""
        self._sockets: dict[web.WebSocketResponse, int] = {}
        """Connections that stand, and their shards."""
        self._turns: dict[int, float] = {}
        self.flowing = asyncio.Event()
        """Cleared, nothing arrives at the client, not even acknowledgements, and no line is cut."""
        self.flowing.set()
        self.silent: frozenset[int] = frozenset()
        """Shards at which nothing arrives any more, while their lines are not cut: it is lost."""
        self._changed = asyncio.Event()
        self._later: set[asyncio.Task[None]] = set()
        backend.subscribers.append(self._emitted)

    @property
    def connected(self) -> bool:
        """Whether a client listens."""
        return any(session.outbox is not None for session in self._sessions.values())

    def listens(self, shard: int) -> bool:
        """Whether that connection stands."""
        session = self._sessions.get(shard)
        return session is not None and session.outbox is not None

    async def wait(self, reached: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Returns once that is so.  Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not reached():
                self._changed.clear()
                await self._changed.wait()

    def forget(self) -> None:
        """The client is gone for good: its session cannot be resumed, its events are lost."""
        self._sessions.clear()
        self._turns.clear()
        self._wake()

    # Bad days

    async def drop(self, code: int = 4000, shard: int | None = None) -> None:
        """Closes that connection, or all; discord.py resumes after this code."""
        for socket, number in list(self._sockets.items()):
            if shard in (None, number):
                with suppress(ConnectionError):
                    await socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        await self._send({"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool = False) -> None:
        """INVALID_SESSION: without `resumable` the client has to log in anew."""
        if not resumable:
            self._sessions, old = {}, self._sessions
            for session in old.values():
                _send(session, {"op": INVALID, "d": False})
            return
        await self._send({"op": INVALID, "d": True})

    def dispatch(self, event: str, payload: Json) -> None:
        """Sends an event now, past `delivery`."""
        counts = [session.count for session in self._sessions.values()]
        session = self._sessions.get(sim.shard_of(event, payload, max(counts, default=1)))
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
        self._sockets[socket] = 0
        writer = asyncio.create_task(self._write(socket, outbox))
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
                        if session is not None:
                            self._sockets[socket] = session.shard
                    case _:
                        pass
        finally:
            writer.cancel()
            await asyncio.wait([writer])
            if session is not None and session.outbox is outbox:
                session.outbox = None
            self._sockets.pop(socket, None)
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
        shard, count = told.get("shard") or (0, 1)
        if len(self._backend.guilds) > self.guilds_per_shard * count:
            await socket.close(code=4011)
            return None
        if shard in self.refuse_all:
            await socket.close(code=4000)
            return None
        now, key = asyncio.get_running_loop().time(), shard % self.concurrency
        self.too_soon += now < self._turns.get(key, 0.0)
        self._turns[key] = now + APART
        self.identified += 1
        session = Session(self.identified, told["intents"], shard, count)
        self._sessions[shard] = session
        self._sockets[socket] = shard
        session.outbox = outbox
        ready = sim.ready(self._backend, session.id, self.url, shard, count)
        session.dispatch("READY", ready)
        for guild in sim.guild_payloads(self._backend):
            if sim.shard_of("GUILD_CREATE", guild, count) == shard:
                self.dispatch("GUILD_CREATE", guild)
        self._wake()
        return session

    def _resume(self, outbox: asyncio.Queue[str], told: Json) -> Session | None:
        found = (one for one in self._sessions.values() if one.id == told["session_id"])
        session = next(found, None)
        refused = session is not None and session.shard in self.refuse_all
        if session is None or self.refuse_resume or refused:
            self.refuse_resume = max(0, self.refuse_resume - 1)
            if session is not None:
                del self._sessions[session.shard]
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
        for session in self._sessions.values():
            _send(session, frame)

    async def _write(self, socket: web.WebSocketResponse, outbox: asyncio.Queue[str]) -> None:
        """Sends what is in the outbox, in order."""
        with suppress(ConnectionError):
            while True:
                text = await outbox.get()
                await self.flowing.wait()
                if self._sockets.get(socket) not in self.silent:
                    await socket.send_str(text)

    def _wake(self) -> None:
        self._changed.set()

    async def close(self) -> None:
        """Ends what is under way."""
        for task in self._later:
            task.cancel()
        if self._later:
            await asyncio.wait(self._later)
        await self.drop(1001)


def _send(session: Session, frame: Json) -> None:
    if session.outbox is not None:
        session.outbox.put_nowait(sim.encode(frame))
