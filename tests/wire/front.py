"""Discord's API and gateway on loopback, with SimCord as the judge of every request.

`python -m tests.wire.front` runs one by itself, for a look at the bot from outside.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

from aiohttp import BodyPartReader, web
from simcord.backend.models import Interaction

from tests.wire import sim
from tests.wire.faults import Fault, Faults, Kind
from tests.wire.gateway import Gateway
from tests.wire.limits import Limits
from tests.wire.sim import Json, Reply

API: Final = "/api/v10"
TOKEN: Final = "wire.front.token"

NONCES: Final = 2_000
"""So many of the newest nonces are remembered."""
FOLLOWUPS: Final = 5
"""So many messages may follow an answer where the program is no member."""

_IDS: Final = re.compile(r"/\d{6,}")
_SECRET: Final = re.compile(r"/(webhooks|interactions)/\*/[^/]+")


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the program, as it was answered."""

    at: float
    """When it came, on the loop's clock."""
    seconds: float
    """Until its answer was on its way; what a fault kept it back counts."""
    method: str
    path: str
    body: Json
    status: int
    code: int
    """Discord's number of the error; 0 if there is none."""
    viewer: int | None
    """Who alone sees what it carries; None is everybody."""
    fault: Kind | None
    applied: bool
    """Whether it was done, whatever was answered."""
    files: tuple[tuple[str, bytes], ...] = ()

    @property
    def route(self) -> str:
        """Method and path without ids and tokens."""
        path = _SECRET.sub(r"/\1/*/*", _IDS.sub("/*", self.path))
        return f"{self.method} {path}"


class Asked:
    """An interaction on its way: when it was made, when it was answered."""

    def __init__(self, record: Interaction) -> None:
        loop = asyncio.get_running_loop()
        self.record = record
        self.at = loop.time()
        self.acknowledged: asyncio.Future[float] = loop.create_future()
        """Seconds until the first response."""
        self.answered: asyncio.Future[float] = loop.create_future()
        """Seconds until there was something to see; later than the first if that was a defer."""

    def progress(self, now: float, *, edited: bool) -> None:
        """The program did something about it."""
        if not self.record.responded:
            return
        if not self.acknowledged.done():
            self.acknowledged.set_result(now - self.at)
        later = str(self.record.response_kind) in sim.ANSWERED_LATER
        if not self.answered.done() and (edited or not later):
            self.answered.set_result(now - self.at)


class Front:
    """A Discord that the bot's command line can be pointed at.  Use it as `async with`."""

    def __init__(self, *, keep: int | None = None) -> None:
        self.backend = sim.new_backend()
        self.token = TOKEN
        self.gateway = Gateway(self.backend, self.token)
        self.faults = Faults()
        self.limits = Limits()
        self.requests: deque[Request] = deque(maxlen=keep)
        """The newest `keep` requests (None: all)."""
        self.seen: list[Callable[[Request], None]] = []
        """Told of every request, before it is answered."""
        self.unknown: list[str] = []
        """What SimCord does not know.  Leaving the front raises AssertionError if there is any."""
        self.emojis = False
        """Whether it keeps emoji for the application: most tests are about marks and words."""
        self.api_url = self.gateway_url = ""
        self._asked: dict[int, Asked] = {}
        self.nonces_hold = 120.0
        """Seconds that a nonce is remembered; the messages themselves do not show it."""
        self._nonces: dict[tuple[str, str], tuple[int, float]] = {}
        self._hanging: set[asyncio.Task[None]] = set()
        self._runner: web.ServerRunner | None = None

    async def __aenter__(self) -> Self:
        server = web.Server(self._serve, access_log=None)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.2)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        port = self._runner.addresses[0][1]
        self.api_url = f"http://127.0.0.1:{port}{API}"
        self.gateway_url = self.gateway.url = f"ws://127.0.0.1:{port}/gateway"
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *exc: object) -> None:
        for task in self._hanging:
            task.cancel()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if kind is None:
            assert not self.unknown, f"SimCord does not know: {self.unknown}"

    # Interactions

    def ask(self, record: Interaction, payload: Json) -> Asked:
        """Somebody pressed or typed: the program is told."""
        asked = self._asked[record.id] = Asked(record)
        self.backend.emit("INTERACTION_CREATE", payload)
        return asked

    def settle(self, asked: Asked) -> None:
        """Nobody waits for that interaction any more."""
        self._asked.pop(asked.record.id, None)

    def hang_up(self) -> None:
        """The program is dead: its session is over, and what it was asked it will never answer."""
        self.gateway.forget()
        for asked in self._asked.values():
            asked.acknowledged.cancel()
            asked.answered.cancel()
        self._asked.clear()

    # HTTP

    async def _serve(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        if path.startswith("/gateway"):
            return await self.gateway.serve(request)
        if not path.startswith(API):
            self.unknown.append(f"{request.method} {path}")
            return _answer(Reply(404, {"message": "404: Not Found", "code": 0}))
        return await self._api(request, path.removeprefix(API))

    async def _api(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        loop = asyncio.get_running_loop()
        at, method = loop.time(), request.method
        body, files = await _read(request)
        verdict = self.limits.check(method, path, loop.time())
        if verdict.retry_after:
            reply, headers = _too_many(verdict.retry_after, everywhere=verdict.everywhere)
            viewer = sim.viewer_of(self.backend, path, body)
            self._note(Request(at, 0.0, method, path, body, 429, 0, viewer, None, False))
            return _answer(reply, {**verdict.headers, **headers})
        fault = self.faults.next(method, path)
        if fault is not None and fault.kind is Kind.SLOW:
            await asyncio.sleep(fault.seconds)
        viewer = sim.viewer_of(self.backend, path, body)
        reply, headers, applied = Reply(0), dict(verdict.headers), False
        if fault is None or fault.kind in (Kind.SLOW, Kind.LOST, Kind.DENIED):
            reply = self._apply(request, method, path, body, files)
            applied = reply.status < 400
        if fault is not None and fault.kind is not Kind.SLOW:
            reply, more = _faulty(fault)
            headers |= more
        done = Request(
            at, loop.time() - at, method, path, body, reply.status, reply.code,
            viewer, fault.kind if fault else None, applied, files,
        )  # fmt: skip
        self._note(done)
        if applied and method != "GET":  # who only asks what stands has answered nobody
            self._progress(path, loop.time())
        if fault is not None and reply.status == 0:
            return await self._break_off(request, fault)
        return _answer(reply, headers)

    def _note(self, request: Request) -> None:
        self.requests.append(request)
        for told in self.seen:
            told(request)

    def _apply(
        self,
        request: web.BaseRequest,
        method: str,
        path: str,
        body: Json,
        files: tuple[tuple[str, bytes], ...],
    ) -> Reply:
        """Does what is asked, if it may be done."""
        open_to_all = path.startswith(("/interactions/", "/webhooks/"))
        if not open_to_all and request.headers.get("Authorization") != f"Bot {self.token}":
            return Reply(401, {"message": "401: Unauthorized", "code": 0})
        if (method, path) == ("GET", "/gateway/bot"):
            return Reply(200, self._gateway_bot())
        refused = self._out_of_reach(method, path)
        if refused is not None:
            return refused
        before = self._sent_before(method, path, body)
        if before is not None:
            return Reply(200, before)
        params = dict(request.query)
        reason = request.headers.get("X-Audit-Log-Reason")
        reply = sim.call(
            self.backend, method, path, body=body, params=params, files=files, reason=reason
        )
        if reply.unknown:
            self.unknown.append(f"{method} {path}: {reply.body}")
        if reply.status == 200:
            self._remember_nonce(method, path, body, reply.body)
        if method == "GET" and path.endswith("/messages"):
            for message in reply.body if reply.status == 200 else ():
                message.pop("nonce", None)  # nobody is told it later
        if path.endswith("/callback") and request.query.get("with_response") != "1":
            return reply if reply.status >= 400 else Reply(sim.NO_CONTENT)
        return reply

    def _out_of_reach(self, method: str, path: str) -> Reply | None:
        """What Discord refuses where the program is no member: only interactions are answered."""
        match path.strip("/").split("/"):
            case ["applications", _, "emojis", *_] if not self.emojis:
                return Reply(404, {"message": "404: Not Found", "code": 0})
            case ["channels", channel, *_] if sim.is_elsewhere(self.backend, int(channel)):
                return Reply(403, {"message": "Missing Access", "code": 50001}, 50001)
            case ["webhooks", _, token] if method == "POST":
                record = self.backend.interactions.get(
                    self.backend.interaction_tokens.get(token, 0)
                )
                if record is None or not sim.is_elsewhere(self.backend, record.channel_id):
                    return None
                if len(record.followup_ids) >= FOLLOWUPS:
                    return Reply(400, {"message": "Too many follow-ups", "code": 40094}, 40094)
        return None

    def _gateway_bot(self) -> Json:
        left = {"total": 1000, "remaining": 999, "reset_after": 0}
        limits = {**left, "max_concurrency": self.gateway.concurrency}
        shards = self.gateway.shards
        return {"url": self.gateway_url, "shards": shards, "session_start_limit": limits}

    def _sent_before(self, method: str, path: str, body: Json) -> Json | None:
        """The message that was sent with this nonce, if the program enforces it."""
        if method != "POST" or not isinstance(body, dict) or not body.get("enforce_nonce"):
            return None
        message, at = self._nonces.get((path, str(body.get("nonce"))), (0, 0.0))
        if not message or asyncio.get_running_loop().time() - at > self.nonces_hold:
            return None
        found = sim.described(self.backend, message, int(path.split("/")[2]))
        return None if found is None else {**found, "nonce": body["nonce"]}

    def _remember_nonce(self, method: str, path: str, body: Json, answer: Json) -> None:
        if method == "POST" and isinstance(body, dict) and body.get("nonce") is not None:
            answer["nonce"] = body["nonce"]
            now = asyncio.get_running_loop().time()
            self._nonces[path, str(body["nonce"])] = int(answer["id"]), now
            if len(self._nonces) > NONCES:
                del self._nonces[next(iter(self._nonces))]

    def _progress(self, path: str, now: float) -> None:
        """Tells whoever waits for the interaction that this request answers."""
        parts = path.split("/")
        if parts[1] == "interactions":
            asked = self._asked.get(int(parts[2]))
        elif parts[1] == "webhooks":
            asked = self._asked.get(self.backend.interaction_tokens.get(parts[3], 0))
        else:
            return
        if asked is not None:
            asked.progress(now, edited=parts[1] == "webhooks")

    async def _break_off(self, request: web.BaseRequest, fault: Fault) -> web.StreamResponse:
        """No answer: at once, or after a long silence."""
        if fault.kind is Kind.SILENCE:
            waiting = asyncio.ensure_future(asyncio.sleep(fault.seconds))
            self._hanging.add(waiting)
            await asyncio.wait([waiting])
            self._hanging.discard(waiting)
        if request.transport is not None:
            request.transport.abort()
        return web.Response(status=503)


def _too_many(seconds: float, *, everywhere: bool) -> tuple[Reply, dict[str, str]]:
    said = {
        "message": "You are being rate limited.",
        "retry_after": round(seconds, 3),
        "global": everywhere,
    }
    # discord.py takes a 429 without `Via` for Cloudflare's, which means a ban.
    return Reply(429, said), {"Via": "1.1 google", "Retry-After": str(max(1, round(seconds)))}


def _faulty(fault: Fault) -> tuple[Reply, dict[str, str]]:
    """The answer of a request that goes wrong; status 0 is no answer at all."""
    match fault.kind:
        case Kind.ROUTE | Kind.GLOBAL | Kind.SHARED:
            everywhere = fault.kind is Kind.GLOBAL
            reply, headers = _too_many(fault.seconds, everywhere=everywhere)
            scope = {Kind.ROUTE: "user", Kind.SHARED: "shared"}.get(fault.kind, "global")
            headers["X-RateLimit-Scope"] = scope
            if everywhere:
                headers["X-RateLimit-Global"] = "true"
            return reply, headers
        case Kind.ERROR | Kind.DENIED:
            return Reply(fault.status, {"message": f"{fault.status}: Server Error", "code": 0}), {}
        case Kind.REFUSED:
            said = {"message": "Refused by the test", "code": fault.code}
            return Reply(fault.status, said, fault.code), {}
        case _:
            return Reply(0), {}


def _answer(reply: Reply, headers: dict[str, str] | None = None) -> web.Response:
    if reply.body is None:
        return web.Response(status=reply.status, headers=headers)
    # Exactly this type: with a charset discord.py takes the answer for text.
    return web.Response(
        body=sim.encode(reply.body).encode(),
        status=reply.status,
        headers=headers,
        content_type="application/json",
    )


async def _read(request: web.BaseRequest) -> tuple[Json, tuple[tuple[str, bytes], ...]]:
    """The JSON of a request and its files."""
    if request.content_type != "multipart/form-data":
        raw = await request.read()
        return (json.loads(raw) if raw else None), ()
    body, files = None, []
    # Part by part, in memory: a file on disk would be left open where the sender goes away.
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read())
        if part.filename is not None:
            files.append((part.filename, data))
        elif part.name == "payload_json":
            body = json.loads(data)
    return body, tuple(files)


async def _alone() -> None:
    async with Front() as front:
        guild = front.backend.create_guild("Stammtisch")
        front.backend.create_channel(guild.id, "karten")
        settings = {
            "DISCORD_TOKEN": front.token,
            "DISCORD_API_URL": front.api_url,
            "DISCORD_GATEWAY_URL": front.gateway_url,
        }
        sys.stdout.writelines(f"{name}={value}\n" for name, value in settings.items())
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_alone())
