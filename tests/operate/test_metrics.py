"""What is counted, and that no label ever says whose it was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from prometheus_client.parser import text_string_to_metric_families

from bot.ids import TableId
from bot.operate.metrics import Metrics, route_class, traced
from bot.storage.database import Database
from bot.storage.migrations import upgrade_open
from bot.storage.tables import SqlTableStore
from bot.tables.ports import ChannelTaken, Due
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind
from tests.storage.values import change, entry, stored
from tests.tables.fakes import ANN, House


class FakeTime:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def samples(metrics: Metrics, **up: bool) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample that is not zero, by name and labels."""
    text = metrics.text(up, None, None, {}).decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.value and sample.name.startswith("stammtisch_")
    }


def value(metrics: Metrics, name: str, **labels: str) -> float:
    return samples(metrics).get((f"stammtisch_{name}", tuple(sorted(labels.items()))), 0.0)


@pytest.mark.parametrize(
    ("method", "path", "route"),
    [
        ("POST", "/api/v10/interactions/1234/aW50/callback", "answer"),
        ("PATCH", "/api/v10/webhooks/1234/aW50/messages/@original", "answer_later"),
        ("POST", "/api/v10/webhooks/1234/aW50", "answer_later"),
        ("POST", "/api/v10/channels/1234/messages", "message_send"),
        ("PATCH", "/api/v10/channels/1234/messages/5678", "message_edit"),
        ("DELETE", "/api/v10/channels/1234/messages/5678", "message_delete"),
        ("GET", "/api/v10/channels/1234/messages/5678", "other"),
        ("POST", "/api/v10/users/@me/channels", "dm_open"),
        ("GET", "/api/v10/guilds/1234/members/5678", "member"),
        ("PUT", "/api/v10/applications/1234/commands", "commands"),
        ("GET", "/api/v10/users/@me", "other"),
    ],
)
def test_requests_are_counted_by_their_class(method: str, path: str, route: str) -> None:
    assert route_class(method, path) == route


def test_the_time_to_answer_ends_when_discord_has_taken_the_answer() -> None:
    time = FakeTime()
    metrics = Metrics(time)
    metrics.received(1234, "component")
    time.now += 0.2
    path = "/api/v10/interactions/1234/secret/callback"
    metrics.request("POST", path, 404)
    assert value(metrics, "answer_seconds_count", kind="component") == 0
    time.now += 0.2
    metrics.request("POST", path, 204)
    metrics.request("POST", path, 204)
    assert value(metrics, "answer_seconds_count", kind="component") == 1
    assert value(metrics, "answer_seconds_sum", kind="component") == pytest.approx(0.4)


def test_answers_that_never_come_are_forgotten() -> None:
    metrics = Metrics()
    for number in range(30_000):
        metrics.received(number, "component")
    metrics.answered(0)
    metrics.answered(29_999)
    assert value(metrics, "answer_seconds_count", kind="component") == 1
    assert len(metrics._awaited) < 10_001


def test_a_rate_limit_is_counted_by_its_scope_and_as_a_retry() -> None:
    metrics = Metrics()
    path = "/api/v10/channels/1234/messages"
    for scope in ("user", "shared", "made up by somebody", None):
        metrics.request("POST", path, 429, scope)
    metrics.request("POST", path, 502)
    metrics.request("POST", path, 0)
    assert value(metrics, "discord_rate_limited_total", scope="user") == 1
    assert value(metrics, "discord_rate_limited_total", scope="shared") == 1
    assert value(metrics, "discord_rate_limited_total", scope="unknown") == 2
    assert value(metrics, "discord_retries_total", route="message_send") == 5
    assert value(metrics, "discord_requests_total", route="message_send", status="0") == 1


async def test_every_request_of_a_session_is_counted_the_websocket_is_not() -> None:
    metrics = Metrics()

    async def limited(_: web.Request) -> web.Response:
        return web.Response(status=429, headers={"X-RateLimit-Scope": "global"})

    async def gateway(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.close()
        return socket

    app = web.Application()
    app.router.add_post("/channels/{id}/messages", limited)
    app.router.add_get("/gateway", gateway)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with aiohttp.ClientSession(trace_configs=[traced(metrics)]) as session:
            async with session.post(f"{address}/channels/1234/messages"):
                pass
            async with session.ws_connect(f"{address}/gateway") as socket:
                await socket.receive()
            await runner.cleanup()
            with pytest.raises(aiohttp.ClientError):
                await session.post(f"{address}/channels/1234/messages")
    finally:
        await runner.cleanup()
    counted = {key: n for key, n in samples(metrics).items() if "created" not in key[0]}
    route = ("route", "message_send")
    assert counted == {
        ("stammtisch_discord_requests_total", (route, ("status", "429"))): 1,
        ("stammtisch_discord_requests_total", (route, ("status", "0"))): 1,
        ("stammtisch_discord_rate_limited_total", (("scope", "global"),)): 1,
        ("stammtisch_discord_retries_total", (route,)): 1,
    }


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/some.sqlite3")
    await upgrade_open(database)
    yield database
    await database.close()


async def test_commits_and_plies_are_counted_deals_and_refusals_apart(database: Database) -> None:
    metrics = Metrics()
    store = SqlTableStore(database, metrics)
    first = change(stored(), entry(0), entry(1))
    assert first.entries[0].seat >= 0
    deal = entry(2)._replace(seat=-1)
    await store.commit(change(stored(), entry(0), entry(1), deal))
    with pytest.raises(ChannelTaken):
        await store.commit(first)
    assert value(metrics, "plies_total", game="aufundab", by="person") == 2
    assert value(metrics, "commit_seconds_count", outcome="done") == 1
    assert value(metrics, "commit_seconds_count", outcome="failed") == 1
    assert await store.load(TableId("T7Q2")) is not None


async def test_deadlines_are_counted_by_kind() -> None:
    metrics, house = Metrics(), House()
    house.service = TableService(
        house.store,
        clock=house.clock,
        chance=house.chance,
        announcer=house.announcer,
        games={"stub": house.game},
        counts=metrics,
    )
    table = await house.lobby(ANN)
    deadline = table.stored.timing.deadline(DeadlineKind.LOBBY)
    assert deadline is not None
    house.clock.now = deadline.due
    await house.service.fire(Due(table.id, deadline))
    assert not (await house.service.table(table.id)).stored.status.is_open
    assert value(metrics, "deadlines_fired_total", kind="lobby") == 1


def test_computer_players_are_counted() -> None:
    metrics = Metrics()
    for seconds in (0.02, 0.4):
        metrics.decided("level", seconds)
    metrics.decided("nobody", 2.9)
    for playouts in (1_000, 300):
        metrics.looked(playouts)
    metrics.fell_back("died")
    metrics.waiting(3)
    metrics.working(2, 1)
    assert value(metrics, "decision_seconds_count", by="level") == 2
    assert value(metrics, "decision_seconds_sum", by="nobody") == 2.9
    assert value(metrics, "decision_playouts_bucket", le="999.0") == 1
    assert value(metrics, "decision_playouts_sum") == 1_300
    assert value(metrics, "decision_fallbacks_total", why="died") == 1
    assert value(metrics, "computer_queue") == 3
    assert value(metrics, "computer_workers", state="warm") == 1
    assert value(metrics, "computer_workers", state="interpreted") == 1


def test_two_programs_in_one_process_do_not_count_together() -> None:
    one, other = Metrics(), Metrics()
    one.drawn(worked=True)
    assert value(one, "draws_total", outcome="done") == 1
    assert value(other, "draws_total", outcome="done") == 0
