"""Where tests write, and their order: what takes long begins first, so that it is not left over.

And what all of them leave behind: nothing that the next one would meet.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeVar
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from bot.computers import sources
from bot.emojis import know_emojis
from bot.i18n import know_commands
from tests.patience import PATIENCE

# Computer players run interpreted: compiling them takes a minute.  What compares both says so.
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")

# How fast an example is made or tried says more of what else the machine does than of ours.
settings.register_profile(
    "unhurried", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")

MEMORY: Final = "/dev/shm"  # noqa: S108 - a folder of its own is made there
"""Where files are kept in memory: a test does not wait for a disk."""

ROOM: Final = 4 * 2**30
"""Bytes that all tests together may write."""

if Path(MEMORY).is_dir() and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

T = TypeVar("T")

LONG: Final = ("browser", "slow")
"""Markers of tests that take seconds each."""

LONG_FOLDERS: Final = ("operate", "wire")
"""Folders whose tests start processes and wait for them."""

ONE_CASE: Final = frozenset(
    {
        "browser",
        "chaos",
        "computers",
        "demo",
        "discord",
        "operate",
        "pictures",
        "players",
        "storage",
        "wire",
    }
)
"""Folders where a case costs a second or so: before a change lands one case of every test is run,
of each test another one, the others nightly, unless the test is marked `every_case`."""


@pytest.fixture(autouse=True, scope="session")
def _the_killed_are_seen_off() -> Iterator[None]:
    """Where nobody is in a hurry no process that was killed outlives the test, however slow.

    Nor is one given up that takes long to start.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "REAP_TIME", PATIENCE)
        patch.setattr(sources, "START_TIME", PATIENCE)
        yield


@pytest.fixture(autouse=True)
def _what_discord_has_is_forgotten() -> Iterator[None]:
    """The emoji and commands that are known are the same for a whole process."""
    yield
    know_emojis({})
    know_commands({})


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and not among the modules and the tests: that was a sixth of all."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.hookimpl(optionalhook=True)  # without xdist nobody asks
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: so many tests wait for a browser, a disk or a process."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    for number in other_cases([_case_of(item) for item in items]):
        items[number].add_marker(pytest.mark.nightly)
    yield  # now it is known which of them are left out
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = long_first(items, [_is_long(item) for item in items], workers)


def other_cases(tests: Sequence[str | None]) -> list[int]:
    """The places of all cases but one of each test, by the tests' names; None is like no other."""
    cases: dict[str, list[int]] = {}
    for number, test in enumerate(tests):
        if test is not None:
            cases.setdefault(test, []).append(number)
    for test, places in cases.items():
        del places[crc32(test.encode()) % len(places)]
    return sorted(number for places in cases.values() for number in places)


def _case_of(item: pytest.Item) -> str | None:
    """The test of which it is a case, where one of them is enough before a change lands."""
    if item.path.parent.name not in ONE_CASE:
        return None
    if any(item.get_closest_marker(name) for name in ("every_case", "nightly")):
        return None
    return item.nodeid.partition("[")[0]


def long_first(items: Sequence[T], are_long: Sequence[bool], workers: int) -> list[T]:
    """The items so that each worker begins with its share of the long ones.

    xdist's `worksteal` gives every worker an equal stretch of the list at first.  The quick ones
    stay in their order, neighbours at one worker: they have matches and fixtures in common.
    """
    long = [item for item, is_long in zip(items, are_long, strict=True) if is_long]
    quick = [item for item, is_long in zip(items, are_long, strict=True) if not is_long]
    found: list[T] = []
    for worker in range(workers):
        stop = len(items) * (worker + 1) // workers
        found += long[worker::workers]
        room = max(0, stop - len(found))
        found += quick[:room]
        del quick[:room]
    return found + quick


def _is_long(item: pytest.Item) -> bool:
    folder = item.path.parent.name
    return folder in LONG_FOLDERS or any(item.get_closest_marker(name) for name in LONG)
