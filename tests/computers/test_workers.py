"""Questions to workers: what they answer, and what becomes of one that does not."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, NoReturn

import pytest
from structlog.testing import capture_logs

from bot.computers import sources, thinking, workers
from bot.computers.sources import ForkServer, NotStarted, WorkerKind
from bot.computers.workers import COMPILED, HUNG_AFTER, INTERPRETED, MAX_QUEUED, Workers, share
from bot.tables.ports import Computers
from engine.players.levels import Level, playouts
from engine.registry import games
from tests.computers import ways
from tests.computers.values import GAMES, SOUND, WICKED, Counts, best, gone, patient, thought
from tests.patience import PATIENCE
from tests.players.positions import positions

Make = Callable[..., Workers]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "hurried" not in request.fixturenames:
        patient(monkeypatch)


@pytest.fixture
def hurried() -> None:
    """Whoever asks waits as long as tables do."""


@pytest.fixture
def counts() -> Counts:
    return Counts()


@pytest.fixture
async def make(tmp_path: Path, counts: Counts) -> AsyncIterator[Make]:
    """Makes workers that end with the test."""
    async with AsyncExitStack() as stack:

        def made(count: int | None = 1, first: tuple[str, ...] = SOUND) -> Workers:
            found = Workers(GAMES, count, tmp_path, counts=counts, first=first)
            stack.push_async_callback(found.aclose)
            return found

        yield made


def parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().split()[3])


def environment(pid: int) -> str:
    return Path(f"/proc/{pid}/environ").read_text()


async def test_every_level_is_answered(make: Make, counts: Counts) -> None:
    computers: Computers = make()
    found = [await computers.decide(thought(level=level)) for level in Level]
    asked = thought()
    legal = {f"play {card}" for card in asked.view.legal_actions}
    assert {text for text in found if text} <= legal
    assert found[1:] == [best(asked), best(asked)]
    assert counts.by == ["level"] * 3
    (looked,) = counts.playouts
    assert 1 <= looked <= playouts(Level.STRONG)
    assert not counts.why


async def test_nothing_is_started_before_somebody_needs_it(make: Make, counts: Counts) -> None:
    found = make(2)
    assert not found.pids
    with capture_logs() as logs:
        found.wake(["tides"])
        found.wake(["tides"])
        await counts.begun()
        assert await found.decide(thought())
    assert counts.workers["all"] == 2 or len(found.pids) == 1
    assert [line["event"] for line in logs] == ["computers_started"]
    assert not found.is_warm


async def test_equal_questions_and_seeds_have_equal_answers(make: Make) -> None:
    one, other = make(2), make(1)
    asked = [thought(2, Level.EASY, seed) for seed in range(30)]
    first = await asyncio.gather(*(one.decide(each) for each in asked))
    again = [await other.decide(each) for each in asked]
    assert first == again
    assert None not in first


@pytest.mark.behaviour("A computer player's process dies")
@pytest.mark.parametrize(
    ("seats", "why", "lost"),
    [(ways.DIES, "died", 1), (ways.HANGS, "hung", 1), (ways.RAISES, "failed", 0)],
)
async def test_a_worker_that_fails_is_replaced_and_rules_of_thumb_decide(
    make: Make,
    counts: Counts,
    monkeypatch: pytest.MonkeyPatch,
    seats: int,
    why: str,
    lost: int,
) -> None:
    found = make(first=WICKED)
    assert await found.decide(thought(2)) is not None
    if why == "hung":
        monkeypatch.setattr(workers, "HUNG_AFTER", 0.5)
        counts.when_it_falls = lambda: monkeypatch.setattr(workers, "HUNG_AFTER", PATIENCE)
    before = found.pids
    asked = thought(seats)
    with capture_logs() as logs:
        assert await found.decide(asked) == best(asked)
    assert counts.why == [why]
    assert counts.by == ["level", "greedy"]
    assert (found.pids != before) is bool(lost)
    said = [line["why"] for line in logs if line["event"] == "computer_died"]
    assert said == [why] * lost
    assert "nobody may read" not in str(logs)
    if lost:
        assert gone(before)


@pytest.mark.parametrize(("seats", "why"), [(ways.CHEATS, "illegal"), (ways.ALWAYS_DIES, "died")])
async def test_where_rules_of_thumb_fail_too_nobody_decides(
    make: Make, counts: Counts, seats: int, why: str
) -> None:
    found = make(first=WICKED)
    assert await found.decide(thought(seats)) is None
    assert counts.why[0] == why
    assert counts.by == ["nobody"]
    assert await found.decide(thought(2)) is not None, "others are answered"


async def test_a_worker_that_is_killed_is_replaced_at_once(make: Make, counts: Counts) -> None:
    found = make()
    await found.decide(thought())
    for _ in range(3):
        (pid,) = found.pids
        os.kill(pid, signal.SIGKILL)
        assert await found.decide(thought()) is not None
        assert pid not in found.pids
    assert "nobody" not in counts.by


async def test_what_makes_workers_may_be_killed_too(make: Make) -> None:
    found = make()
    await found.decide(thought())
    before = found.pids
    (server,) = map(parent, before)
    os.kill(server, signal.SIGKILL)
    assert gone(before)
    assert await found.decide(thought()) is not None
    assert not before & found.pids


async def test_the_end_comes_during_a_thought(make: Make, counts: Counts) -> None:
    found = make(first=WICKED)
    await found.decide(thought(2))
    pids = found.pids
    thinking = asyncio.create_task(found.decide(thought(ways.HANGS)))
    await asyncio.sleep(0)
    with capture_logs() as logs:
        await found.aclose()
        assert await thinking is None
    assert gone(pids)
    assert not logs
    assert await found.decide(thought(2)) is None
    found.wake(["tides"])
    assert not found.pids


async def test_whoever_asked_may_be_gone(make: Make, counts: Counts) -> None:
    found = make(first=WICKED)
    asking = asyncio.create_task(found.decide(thought(ways.SLOW)))
    await counts.begun()
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert await found.decide(thought(2)) is not None
    assert not counts.why


async def test_many_at_once_are_all_answered(make: Make, counts: Counts) -> None:
    found = make(first=WICKED)
    await found.decide(thought(2))
    asked = [thought(ways.SLOW, seed=seed) for seed in range(40)]  # half a second each, alone
    texts = await asyncio.gather(*(found.decide(one) for one in asked))
    assert None not in texts
    assert counts.most_waiting >= 39


async def test_a_queue_that_is_full_answers_at_once(
    make: Make, counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MAX_QUEUED", 2)
    found = make(first=WICKED)
    await found.decide(thought(2))
    asked = [found.decide(thought(ways.SLOW, seed=seed)) for seed in range(5)]
    texts = await asyncio.gather(*asked)
    assert texts.count(None) == 3
    assert counts.why == ["busy"] * 3


async def test_what_cannot_be_sent_is_decided_by_nobody(make: Make, counts: Counts) -> None:
    found = make()
    unsent: Any = lambda: None  # noqa: E731 - what cannot be pickled
    asked = thought()._replace(view=unsent)
    with capture_logs() as logs:
        assert await found.decide(asked) is None
    assert {line.get("kind") for line in logs if line["event"] == "computer_failed"} <= {
        "PicklingError",
        "AttributeError",
    }
    assert counts.by == ["nobody"]


async def test_where_no_worker_starts_a_thread_decides(
    make: Make, counts: Counts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    monkeypatch.setattr(thinking, "games", lambda: GAMES)
    found = make()
    with capture_logs() as logs:
        assert await found.decide(thought()) is not None
        assert await found.decide(thought()) is not None
    assert {line["event"] for line in logs} == {"computers_started", "computer_not_started"}
    assert counts.by == ["greedy"] * 2


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("waiting", "workers", "waited"), [(0, 1, 0.0), (1, 1, 0.0), (7, 8, 1.4)])
def test_a_thought_alone_has_a_second(waiting: int, workers: int, waited: float) -> None:
    assert share(COMPILED, waiting, workers, waited) == pytest.approx(1.0)
    assert share(INTERPRETED, waiting, workers, waited) == pytest.approx(0.5)


@pytest.mark.usefixtures("hurried")
def test_the_longer_the_queue_the_shorter_the_thought() -> None:
    times = [share(COMPILED, waiting, 2, 0.0) for waiting in range(MAX_QUEUED)]
    assert times == sorted(times, reverse=True)
    assert all(seconds > 0 for seconds in times)
    assert all(
        share(COMPILED, 9, 2, waited / 10) + waited / 10 <= HUNG_AFTER for waited in range(25)
    )


async def test_the_exit_status_of_a_killed_process_is_left_to_asyncio(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[int] = []  # by this method, which polls before it sends
    monkeypatch.setattr(subprocess.Popen, "send_signal", lambda child, _: taken.append(child.pid))
    started = asyncio.Event()

    async def silent(_: asyncio.StreamReader) -> NoReturn:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError

    monkeypatch.setattr(sources, "read_answer", silent)
    server = ForkServer(WorkerKind())
    starting = asyncio.create_task(server.worker())
    await started.wait()
    child = server._process
    assert child is not None
    starting.cancel()
    assert await child.wait() == -signal.SIGKILL
    assert taken == []


async def test_a_start_that_fails_says_of_what_kind() -> None:
    server = ForkServer(WorkerKind(first=("tests.nowhere",)))
    with pytest.raises(NotStarted, match="ModuleNotFoundError"):
        await server.worker()
    await server.aclose()


async def test_workers_know_no_secrets(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "MTA.fake.token")
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://me:secret@host/name")
    found = make()
    await found.decide(thought())
    (pid,) = found.pids
    told = environment(pid)
    assert "PYTHONPATH" in told
    assert "MTA.fake.token" not in told
    assert "secret@" not in told


@pytest.mark.parametrize("name", sorted(games()))
def test_what_any_seat_sees_can_be_sent(name: str) -> None:
    game = games()[name]
    for state, seat, _ in positions(game, game.info.seats[-1], 3):
        seen = game.observe(state, seat)
        again = pickle.loads(pickle.dumps(seen))  # noqa: S301 - it was never away
        assert again == seen
        assert list(again.legal_actions) == list(seen.legal_actions)
