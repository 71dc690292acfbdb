"""Prometheus metrics of the program; requests to Discord by kind and result.

A label is one of a few words: never an id, a name or a card.  `Metrics` has a registry of its own
and implements `bot.tables.ports.TableCounts`, `bot.publish.draw_tasks.DrawCounts` and
`bot.computers.sources.ThoughtCounts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from time import perf_counter
from types import SimpleNamespace
from typing import Final

import aiohttp
from cachetools import FIFOCache
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from bot.answer.reply import AnswerOutcome
from bot.computers.sources import By, Why
from bot.publish.draw_tasks import CallKind, SettledKind
from bot.tables.ports import Change
from bot.tables.stored import DeadlineKind
from engine.game import CHANCE

ANSWERS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Seconds; Discord gives up after the last."""

COMMITS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Seconds."""

DECISIONS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Seconds; the last is the longest that a table waits."""

PLAYOUTS: Final = (1, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 999, 1_000)
"""Ends of a round that a thought looks at; the last is as many as it wants."""

_AWAITED: Final = 10_000
"""Maximum number of interactions without an answer that are remembered."""

_RETRIED: Final = frozenset({429, 500, 502, 504, 524})
"""Statuses after which discord.py asks again."""

_ROUTES: Final = tuple(
    (method, re.compile(pattern), route)
    for method, pattern, route in (
        ("POST", r"/interactions/\d+/[^/]+/callback$", "answer"),
        (None, r"/webhooks/\d+/", "answer_later"),
        ("POST", r"/channels/\d+/messages$", "message_send"),
        ("PATCH", r"/channels/\d+/messages/\d+$", "message_edit"),
        ("DELETE", r"/channels/\d+/messages/\d+$", "message_delete"),
        ("POST", r"/users/@me/channels$", "dm_open"),
        ("GET", r"/guilds/\d+/members/\d+$", "member"),
        (None, r"/applications/\d+/(guilds/\d+/)?commands", "commands"),
    )
)


def route_class(method: str, path: str) -> str:
    """The kind of a request to Discord, one of a few words."""
    for wanted, pattern, route in _ROUTES:
        if wanted in (None, method) and pattern.search(path):
            return route
    return "other"


class Metrics:
    """Counters and gauges of one program; counting never raises and never waits."""

    def __init__(self, now: Callable[[], float] = perf_counter) -> None:
        """`now` is in seconds, from anywhere."""
        self._now = now
        self._awaited: FIFOCache[int, tuple[str, float]] = FIFOCache(_AWAITED)
        self.registry = registry = CollectorRegistry()

        # By their labels, which are few: they are looked up at every request.
        def counter(name: str, what: str, *labels: str) -> Callable[..., Counter]:
            return cache(Counter(f"stammtisch_{name}", what, labels, registry=registry).labels)

        def histogram(
            name: str, what: str, label: str, buckets: Sequence[float]
        ) -> Callable[..., Histogram]:
            name = f"stammtisch_{name}_seconds"
            return cache(Histogram(name, what, (label,), buckets=buckets, registry=registry).labels)

        def gauge(name: str, what: str, *labels: str) -> Gauge:
            return Gauge(f"stammtisch_{name}", what, labels, registry=registry)

        answered = "Commands, presses and forms, by how they were answered"
        self._interactions = counter("interactions", answered, "kind", "outcome")
        first = "From an interaction to its first answer"
        self._answers = histogram("answer", first, "kind", ANSWERS)
        self._plies = counter("plies", "Actions of seats", "game", "by")
        self._commits = histogram("commit", "Durable changes of tables", "outcome", COMMITS)
        self._draws = counter("draws", "Tables drawn", "outcome")
        self._notices = counter("notices", "People called to their turn", "by")
        settled = "Hands drawn anew or deleted because what they asked is over"
        self._settled = counter("settled_hands", settled, "kind")
        asked = "Requests to Discord, by what it said (0: nothing)"
        self._requests = counter("discord_requests", asked, "route", "status")
        again = "Requests that Discord wants to be repeated"
        self._retries = counter("discord_retries", again, "route")
        refused = "Answers 429, by the limit that was met"
        self._limited = counter("discord_rate_limited", refused, "scope")
        self._deadlines = counter("deadlines_fired", "Stored times that came", "kind")
        thought = "Decisions of computer players, by who decided"
        self._decisions = histogram("decision", thought, "by", DECISIONS)
        looked = "Ends of a round that a computer player looked at, where it looked at any"
        self._playouts = Histogram(
            "stammtisch_decision_playouts", looked, buckets=PLAYOUTS, registry=registry
        )
        instead = "Questions that were not answered by whom they were put to"
        self._fallbacks = counter("decision_fallbacks", instead, "why")
        self._queue = gauge("computer_queue", "Questions that wait for a computer player")
        self._workers = gauge("computer_workers", "Processes that think", "state")
        self._tables = gauge("open_tables", "Open tables", "status")
        self._size = gauge("database_bytes", "Size of the database")
        self._up = gauge("up", "Whether a part of the program works", "part")
        self._shards = gauge("shard_up", "Whether a connection to Discord stands", "shard")
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)

    def received(self, interaction: int, kind: str) -> None:
        """An interaction came in; its first answer is expected."""
        self._awaited[interaction] = (kind, self._now())

    def answered(self, interaction: int) -> None:
        """Discord has taken the first answer to an interaction."""
        kind, begun = self._awaited.pop(interaction, (None, 0.0))
        if kind is not None:
            self._answers(kind).observe(self._now() - begun)

    def interaction(self, kind: str, outcome: AnswerOutcome) -> None:
        """An interaction is dealt with."""
        self._interactions(kind, outcome).inc()

    def committed(self, change: Change, seconds: float) -> None:
        """A change is on the disk."""
        self._commits("done").observe(seconds)
        for entry in change.entries:
            if entry.seat != CHANCE and not entry.is_undo:
                self._plies(change.stored.game, entry.by.value).inc()

    def commit_failed(self, seconds: float) -> None:
        """A change was refused, or the database did not answer."""
        self._commits("failed").observe(seconds)

    def drawn(self, *, worked: bool) -> None:
        """A table was drawn where people see it, or some of that failed."""
        self._draws("done" if worked else "failed").inc()

    def noticed(self, by: CallKind) -> None:
        """A person was called to their turn."""
        self._notices(by).inc()

    def settled(self, kind: SettledKind) -> None:
        """A hand whose question is over was redrawn, or deleted."""
        self._settled(kind).inc()

    def fired(self, kind: DeadlineKind) -> None:
        """A stored deadline came."""
        self._deadlines(kind.value).inc()

    def decided(self, by: By, seconds: float) -> None:
        """A computer player decided, or there was no time."""
        self._decisions(by).observe(seconds)

    def looked(self, playouts: int) -> None:
        """A computer player looked at `playouts` ends of the round."""
        self._playouts.observe(playouts)

    def fell_back(self, why: Why) -> None:
        """A question was not answered by the player asked for."""
        self._fallbacks(why).inc()

    def waiting(self, count: int) -> None:
        """Number of questions that wait for a worker."""
        self._queue.set(count)

    def working(self, count: int, warm: int) -> None:
        """Number of workers, and how many of them are compiled and warm."""
        self._workers.labels("warm").set(warm)
        self._workers.labels("interpreted").set(count - warm)

    def request(self, method: str, path: str, status: int, scope: str | None = None) -> None:
        """Discord answered a request with `status`; 0 if it did not.

        `scope` is what Discord says of the limit that was met.
        """
        route = route_class(method, path)
        self._requests(route, str(status)).inc()
        if status in _RETRIED:
            self._retries(route).inc()
        if status == 429:
            known = scope if scope in ("user", "global", "shared") else "unknown"
            self._limited(known).inc()
        if route == "answer" and 200 <= status < 300:
            found = re.search(r"/interactions/(\d+)/", path)
            if found is not None:
                self.answered(int(found[1]))

    def text(
        self,
        up: Mapping[str, bool],
        tables: Mapping[str, int] | None,
        size: int | None,
        shards: Mapping[int, bool],
    ) -> bytes:
        """All metrics in Prometheus' text form; None leaves a metric as it was."""
        for part, works in up.items():
            self._up.labels(part).set(works)
        for shard, stands in shards.items():
            self._shards.labels(str(shard)).set(stands)
        for status, count in (tables or {}).items():
            self._tables.labels(status).set(count)
        if size is not None:
            self._size.set(size)
        return generate_latest(self.registry)


def traced(metrics: Metrics) -> aiohttp.TraceConfig:
    """Counts the requests of an HTTP session (not those that make it a websocket)."""

    async def ended(
        _: aiohttp.ClientSession, __: SimpleNamespace, done: aiohttp.TraceRequestEndParams
    ) -> None:
        if done.response.status != 101:
            scope = done.response.headers.get("X-RateLimit-Scope")
            metrics.request(done.method, done.url.path, done.response.status, scope)

    async def failed(
        _: aiohttp.ClientSession, __: SimpleNamespace, lost: aiohttp.TraceRequestExceptionParams
    ) -> None:
        metrics.request(lost.method, lost.url.path, 0)

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace
