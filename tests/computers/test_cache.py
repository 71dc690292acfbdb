"""Where compiled players are kept, and that they are compiled once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.computers import cache, sources
from bot.computers.workers import Workers
from engine.players.levels import Level
from tests.computers.values import GAMES, SOUND, Counts, patient, thought


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    patient(monkeypatch)


def test_what_belongs_to_other_sources_is_removed(tmp_path: Path) -> None:
    old = tmp_path / "players-0123456789abcdef"
    old.mkdir()
    (old / "complete").touch()
    (tmp_path / "stammtisch.sqlite3").touch()
    place = cache.prepare(tmp_path)
    assert place == tmp_path / f"players-{cache.digest()}"
    assert {path.name for path in tmp_path.iterdir()} == {place.name, "stammtisch.sqlite3"}
    assert place.stat().st_mode & 0o777 == 0o700
    assert not cache.is_complete(place)
    cache.mark_complete(place)
    assert cache.is_complete(place)
    assert cache.prepare(tmp_path) == place
    assert cache.is_complete(place)


def test_nothing_is_kept_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert cache.prepare(tmp_path / "file") is None


def _a_link(place: Path) -> None:
    elsewhere = place.with_name("elsewhere")
    elsewhere.mkdir(0o700)
    place.symlink_to(elsewhere)


def _somebody_elses(place: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives folders away")
    place.mkdir(0o700)
    os.chown(place, 12345, 12345)


def _open_to_others(place: Path) -> None:
    place.mkdir()
    place.chmod(0o770)


def _a_shared_place(place: Path) -> None:
    place.mkdir(0o700)
    place.parent.chmod(0o777)  # whoever may rename it may put another one there


@pytest.mark.every_case
@pytest.mark.parametrize("foreign", [_a_link, _somebody_elses, _open_to_others, _a_shared_place])
def test_what_others_could_have_put_there_is_not_run(
    tmp_path: Path, foreign: Callable[[Path], None]
) -> None:
    place = tmp_path / f"players-{cache.digest()}"
    foreign(place)
    (place / "complete").touch()
    assert cache.prepare(tmp_path) is None


def test_a_shared_folder_from_which_nobody_takes_away_will_do(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    assert cache.prepare(tmp_path) == tmp_path / f"players-{cache.digest()}"


def test_it_belongs_to_sources_and_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.digest()
    assert cache.digest() == before
    with monkeypatch.context() as patch:
        patch.setattr(cache, "version", lambda package: f"{package} 9")
        assert cache.digest() != before
    paths = {Path(part.decode()) for part in cache._parts() if part.endswith(b".py")}
    assert Path("players", "chance.py") in paths


@pytest.mark.nightly  # it compiles everything, which takes a minute or more of a core
@pytest.mark.parametrize("kept", [True, False], ids=["kept", "not kept"])
async def test_workers_are_interpreted_first_and_compiled_later(
    tmp_path: Path, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    folder = tmp_path if kept else tmp_path / "file" / "below"
    (tmp_path / "file").touch()
    compiled = []
    real = sources.compile_all

    async def counted(kind: sources.WorkerKind) -> None:
        compiled.append(kind)
        await real(kind)

    monkeypatch.setattr("bot.computers.workers.compile_all", counted)
    asked = [thought(seed=seed) for seed in range(5)]
    found = []
    for _ in range(2):
        counts = Counts()
        workers = Workers(GAMES, 1, folder, counts=counts, first=SOUND)
        try:
            with capture_logs() as logs:
                plain = [await workers.decide(one) for one in asked]
                before = workers.pids
                was_warm = workers.is_warm
                await counts.warmed()
                await workers.decide(thought(level=Level.EASY))
            found += [plain, [await workers.decide(one) for one in asked]]
            assert workers.is_warm
            # On a loaded machine, with nothing to compile, the compiled ones may be first.
            assert was_warm or not before & workers.pids
            assert not counts.why
        finally:
            await workers.aclose()
        said = ["computers_started", *([] if kept else ["computers_not_kept"]), "computers_warm"]
        assert [line["event"] for line in logs] == said
    assert found == found[:1] * 4, "compiled and interpreted are the same"
    assert len(compiled) == kept
    place = await asyncio.to_thread(cache.prepare, folder)
    assert (place is not None and cache.is_complete(place)) is kept


async def test_without_a_compiler_they_stay_interpreted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)

    async def fails(kind: sources.WorkerKind) -> None:
        raise sources.NotStarted("compiler")

    monkeypatch.setattr("bot.computers.workers.compile_all", fails)
    monkeypatch.setattr("bot.computers.cache.find_spec", lambda name: name)
    workers = Workers(GAMES, 1, tmp_path, first=SOUND)
    try:
        with capture_logs() as logs:
            assert await workers.decide(thought()) is not None
            await asyncio.wait(
                [task for task in asyncio.all_tasks() if task.get_name() == "computers"]
                or [asyncio.create_task(asyncio.sleep(0))]
            )
            assert await workers.decide(thought()) is not None
        assert not workers.is_warm
    finally:
        await workers.aclose()
    assert [line["event"] for line in logs] == ["computers_started", "computers_not_compiled"]
