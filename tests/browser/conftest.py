from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driver import PATIENCE, Demo, Discord, chromium, demo

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Demo]:
    """A demo of its own."""
    with demo(tmp_path) as started:
        yield started


@pytest.fixture
def discord(browser: Browser, running: Demo) -> Iterator[Discord]:
    page = Discord(browser, running.address)
    try:
        yield page
    finally:
        page.close()
