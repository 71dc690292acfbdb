"""The demo in a browser, driven the way a person drives it.

Knows the start page's doors and the simulated Discord's page: its composer, its *Viewing as*
menu, and the buttons of its messages.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

ROOT: Final = Path(__file__).parents[2]
START: Final = "import sys; from bot.cli import main; sys.argv[0] = 'stammtisch'; main()"
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE: Final = 30_000
"""Milliseconds before something that should come is given up."""
PASSES: Final = ("Pass", "End series")

# The page is at rest: what was asked for is done, and what it shows is what was published.
_AT_REST: Final = """() => {
    const page = window.simcordPreview;
    return Boolean(page && page.ready && !page.pendingAction && !page.pendingQuery);
}"""
_STATUS: Final = """() => {
    const {lastAction, viewerId, activity} = window.simcordPreview;
    return {request: lastAction?.requestId ?? null, rejected: Boolean(lastAction?.rejected),
            dispatched: Boolean(lastAction?.dispatched), viewer: viewerId,
            codes: (lastAction?.diagnostics ?? []).map((item) => item.code)};
}"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium; without one the test is skipped, or fails if REQUIRE_BROWSER is set."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "there is no Chromium (Debian: apt-get install chromium)"
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(f"REQUIRE_BROWSER is set, but {reason}")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Demo:
    """`stammtisch demo` as a process of its own."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, "demo", "--no-browser", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if found is None:
            self._process.kill()
            pytest.fail(f"the demo did not start: {line}{self._process.communicate()[1]}")
        self.address = found[0]

    def stop(self) -> tuple[int, str, str]:
        """Ctrl-C: the exit status and what it wrote.  Fails if it does not stop soon."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            output, errors = self._process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            pytest.fail(f"the demo did not stop: {self._process.communicate()[1]}")
        return self._process.returncode, output, errors


@contextmanager
def demo(folder: Path) -> Iterator[Demo]:
    """A running demo; it must have stopped cleanly and without complaints in the end."""
    running = Demo(folder, "--port", str(_free_port()))
    try:
        yield running
    except BaseException:
        _, _, errors = running.stop()
        sys.stderr.write(errors)
        raise
    status, _, errors = running.stop()
    assert (status, errors) == (0, "")


def _free_port() -> int:
    from bot.demo.show import free_port

    return free_port(0)


@dataclass(frozen=True, slots=True)
class Buttons:
    """What the newest message with a private hand offers."""

    acts: tuple[str, ...]
    """Labels of buttons that play cards at once."""
    choices: tuple[str, ...]
    """Labels that open a second step: `6 · 3`."""
    passes: tuple[str, ...]
    """`Pass`, or how passing is called there."""


class Discord:
    """The second tab: the simulated Discord."""

    def __init__(
        self, browser: Browser, address: str, *, width: int = 1280, scale: float = 1
    ) -> None:
        # The page's own content policy would forbid waiting for its state.
        self._context = browser.new_context(
            viewport={"width": width, "height": 1000}, device_scale_factor=scale, bypass_csp=True
        )
        self._context.set_default_timeout(PATIENCE)
        self.page: Page = self._context.new_page()
        self._address = address.rstrip("/")

    def close(self) -> None:
        self._context.close()

    def table(self, person: str) -> None:
        """Through the start page's door to the channel."""
        self._go("table", person)

    def messages_of(self, person: str) -> None:
        """Through the start page's door to somebody's direct messages."""
        self._go("dm", person)

    def _go(self, where: str, person: str) -> None:
        self.page.goto(f"{self._address}/{where}/{person.lower()}")
        self.page.locator("#channel-composer-input:enabled").wait_for()
        self.rest()

    def rest(self) -> None:
        """Until nothing is on its way."""
        self.page.wait_for_function(_AT_REST)

    def view_as(self, person: str) -> None:
        """*Viewing as*: be somebody else on the same page."""
        self.rest()
        picker = self.page.locator("#viewer-picker")
        if picker.evaluate("menu => menu.selectedOptions[0].textContent") == person:
            return
        before = self._status()["viewer"]
        picker.select_option(label=person)
        self.page.wait_for_function(
            "before => window.simcordPreview.viewerId !== before", arg=before
        )
        self.rest()

    def slash(self, command: str, **options: str) -> None:
        """Type a command in the composer, choose it, fill in its options, send it.

        An option with choices takes the value of one, not its label.
        """
        self.rest()
        field = self.page.locator("#channel-composer-input")
        field.fill("")
        field.press_sequentially(f"/{command}")
        entries = self.page.locator(".command-entry").filter(
            has=self.page.locator("strong", has_text=re.compile(rf"^/{re.escape(command)}$"))
        )
        entries.click()
        for name, value in options.items():
            self._option(name, value)
        before = self._status()["request"]
        self.page.locator("#send-message").click()
        self._done(before)

    def _option(self, name: str, value: str) -> None:
        box = self.page.locator(f'.command-option-input[data-option="{name}"]')
        if not box.count():
            self.page.locator(".command-chip").click()
            self._suggestion(name).click()
        box.fill(value)
        if self._suggestion(value).count():
            self._suggestion(value).click()
        else:
            box.press("Escape")

    def _suggestion(self, value: str) -> Locator:
        return self.page.locator(f'.command-suggestion[data-value="{value}"]')

    def message(self, text: str) -> Locator:
        """The newest message with `text`."""
        return self.page.locator("[data-message-id]").filter(has_text=text).last

    def press(self, label: str, within: Locator | None = None) -> None:
        """Press the button of that label, again if the page was being redrawn meanwhile."""
        root = self.page.locator("#channel-message-list") if within is None else within
        exact = re.compile(rf"^{re.escape(label)}$")
        button = root.locator("button.component-button").filter(
            has=self.page.locator(".button-label", has_text=exact)
        )
        self._until_accepted(label, lambda: button.last.click())

    def choose(self, label: str, within: Locator) -> None:
        """Choose from the first menu of a message; choosing sends."""
        exact = re.compile(rf"^{re.escape(label)}$")

        def act() -> None:
            self._open_menu(within)
            self.page.locator(".select-option").filter(
                has=self.page.locator(".option-label", has_text=exact)
            ).first.click()

        self._until_accepted(label, act)

    def _open_menu(self, within: Locator) -> None:
        if not self.page.locator(".preview-select.is-open").count():
            within.locator(".select-trigger").first.click()

    def _until_accepted(self, what: str, act: Callable[[], None]) -> None:
        for _ in range(5):
            self.rest()
            before = self._status()["request"]
            act()
            if self._done(before):
                return
        pytest.fail(f"{what!r} was never accepted: {self._status()}")

    def _done(self, before: str | None) -> bool:
        """Wait for the action after `before`; whether it reached the bot."""
        self.page.wait_for_function(
            "before => { const last = window.simcordPreview.lastAction;"
            " return last && last.requestId !== before; }",
            arg=before,
        )
        self.rest()
        status = self._status()
        if status["rejected"]:
            # The page was redrawn between the look and the press.
            assert set(status["codes"]) <= {"stale-revision", "validation-failed"}, status
            return False
        return True

    def _status(self) -> dict[str, Any]:
        status: dict[str, Any] = self.page.evaluate(_STATUS)
        return status

    def to_act(self) -> str | None:
        """Who is marked as to act in the newest message that marks anybody; None after the end."""
        for text in reversed(self.page.locator("[data-message-id]").all_inner_texts()):
            if "Rematch" in text:
                return None
            found = re.search(r"▸\s*(\w+)", text)
            if found:
                return found[1]
        return None

    def offered(self, panel: Locator) -> Buttons:
        """The controls of a hand panel."""
        acts = panel.locator("button.button-style-1:enabled .button-label").all_inner_texts()
        labels = panel.locator("button.component-button:enabled .button-label").all_inner_texts()
        return Buttons(
            acts=tuple(label for label in acts if label not in PASSES),
            choices=tuple(label for label in labels if re.fullmatch(r".+ · \d+", label)),
            passes=tuple(label for label in labels if label in PASSES),
        )

    def play(self, panel: Locator) -> None:
        """Play as many cards as one press (or two) can; pass if nothing else is offered."""
        offered = self.offered(panel)
        if not offered.acts and offered.choices:
            # As many sets as a menu can hold; more would be a form.
            counts = {label: int(label.rsplit(" · ", 1)[1]) for label in offered.choices}
            few = {label: count for label, count in counts.items() if count <= 25}
            if not few:
                with self._changing(panel):
                    self._type_any(panel)
                return
            with self._changing(panel):
                self.press(max(few, key=lambda label: few[label]), panel)
            offered = self.offered(panel)
        if offered.acts:
            with self._changing(panel):
                self.press(max(offered.acts, key=_cards), panel)
        elif panel.locator(".select-trigger").count():
            self._open_menu(panel)
            labels = self.page.locator(".select-option .option-label").all_inner_texts()
            self.choose(max(labels, key=_cards), panel)
            # The menu goes with the question; before that it only shows what was chosen.
            expect(panel.locator(".select-trigger")).to_have_count(0, timeout=PATIENCE)
            self.rest()
        else:
            assert offered.passes, f"nothing to press: {panel.inner_text()}"
            with self._changing(panel):
                self.press(offered.passes[0], panel)

    @contextmanager
    def _changing(self, panel: Locator) -> Iterator[None]:
        """Every step changes the panel; the page shows it a little after the press is done."""
        before = panel.inner_text()
        yield
        expect(panel).not_to_have_text(before, use_inner_text=True, timeout=PATIENCE)
        self.rest()

    def _type_any(self, panel: Locator) -> None:
        """Play the first card of the hand by typing."""
        card = re.search(r"\b\d-\d\b", panel.inner_text().split("contain", 1)[-1])
        assert card is not None
        self.slash("play", action=f"play {card[0]}")


def _cards(label: str) -> int:
    """Number of cards on a button: `3-4 3-6`."""
    return len(label.split())
