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
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeAlias

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from bot.i18n import ENGLISH
from tests import patience
from tests.browser.words import Words
from tests.ports import free_port

ROOT: Final = Path(__file__).parents[2]
START: Final = "import sys; from bot.operate.cli import main; sys.argv[0] = 'stammtisch'; main()"
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE: Final = 1000 * patience.PATIENCE
"""Milliseconds before something that should come is given up."""
BEGINNING: Final = 3_000
"""Milliseconds in which the page takes up what was pressed; what it drops never begins."""
HIGH: Final = 20_000
"""Pixels in which a whole page with its messages is in view."""
PASSES: Final = ("Pass", "End series")
BACK: Final = "‹ Back"
"""Stands on a second step."""
REFRESH: Final = "Refresh"
"""Stands on a panel whose owner is not asked."""
NO_PLAYS: Final = (
    *(
        *PASSES,
        *("This deal: no Kaiser, no three up", "This deal: no Kaiser"),
        "This round: auto-pass if I can't beat",
        REFRESH,
        "Next round",
        "Cut",
    ),
    *("Auto-pass is on: ask me again", "Rules", "To the table", "⋯", BACK),
    *("No more tips", "Why dimmed?", "Hint"),
)
"""Labels of a hand panel's buttons that neither play cards nor say anything."""
LATE: Final = '"event": "(computer_died|nobody thought of anything in time)'
"""What a demo writes whose computer players were too slow."""
ONLY_YOU: Final = "Only you can see this"
"""Stands below a message that one person sees, in whatever language they read."""

Prefer: TypeAlias = Callable[[Sequence[str]], str]
"""Chooses one of the labels offered."""

# The page is at rest: what was asked for is done, and what it shows is what was published.
_AT_REST: Final = """() => {
    const page = window.simcordPreview;
    return Boolean(page && page.ready && !page.pendingAction && !page.pendingQuery);
}"""
# The page looks things up as well: its size, or what a command's option may be.  What the bot has
# heard stands among what was done, where answered look-ups do not.
_HEARD: Final = "page.activity.findLast((done) => done.dispatched)?.requestId ?? null"
_BEGUN: Final = f"""before => {{
    const page = window.simcordPreview;
    return Boolean(page.pendingAction) || ({_HEARD}) !== before;
}}"""
_STATUS: Final = f"""() => {{
    const page = window.simcordPreview, last = page.activity.at(-1);
    return {{heard: {_HEARD}, viewer: page.viewerId,
            codes: (last?.rejected ? last.diagnostics : []).map((item) => item.code)}};
}}"""


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
            output, errors = self._process.communicate(timeout=patience.PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            pytest.fail(f"the demo did not stop: {self._process.communicate()[1]}")
        return self._process.returncode, output, errors


@contextmanager
def demo(folder: Path, language: str = ENGLISH) -> Iterator[Demo]:
    """A running demo; it must have stopped cleanly and without complaints in the end."""
    running = Demo(folder, "--port", str(free_port()), "--language", language)
    try:
        yield running
    except BaseException:
        _, _, errors = running.stop()
        sys.stderr.write(errors)
        raise
    status, _, errors = running.stop()
    # A computer player that thinks too long is ended, and the table goes on: a machine that has
    # much else to do is no fault of the demo.
    complaints = [line for line in errors.splitlines() if not re.search(LATE, line)]
    assert (status, complaints) == (0, []), errors


@dataclass(frozen=True, slots=True)
class Buttons:
    """What the newest message with a private hand offers."""

    acts: tuple[str, ...]
    """Labels of buttons that play cards, or say something, at once."""
    choices: tuple[str, ...]
    """Labels that say how many cards: `6s: 3 cards`, `all three 6s`, `two 6s`."""
    passes: tuple[str, ...]
    """`Pass`, or how passing is called there."""


@dataclass(frozen=True, slots=True)
class Now:
    """Where a table stands, as anybody reads it off the page."""

    to_act: tuple[str, ...] = ()
    """Who is marked as to act."""
    pause: bool = False
    """A round is over and the next one waits for all."""
    over: bool = False


def most_cards(labels: Sequence[str]) -> str:
    """The label with the most cards: `3-4 3-6`."""
    return max(labels, key=lambda label: len(label.split()))


def fewest_cards(labels: Sequence[str]) -> str:
    """A label with as few cards as there is: so nobody goes out for a long time."""
    return min(labels, key=lambda label: len(label.split()))


def read(label: str) -> re.Pattern[str]:
    """Matches a label as it was read off the page."""
    return re.compile(rf"^{re.escape(label)}$")


class Asked:
    """How boards and hands say who is to act, and what labels say how many cards, in words."""

    def __init__(self, words: Words) -> None:
        alone = (words.code(f"turn.{code}", name="(.+?)", ask=".*") for code in ("one", "stand_in"))
        several = words.code("turn.several", names="(.+?)", ask=".*")
        self.others: Final = re.compile("|".join((*alone, several)))
        """The line of a board that says who is to act."""
        self.you: Final = re.compile(words.code("turn.you", ask=".*"))
        """The first line of a hand whose owner is asked."""
        sizes = "|".join(words.code(f"number.{number}") for number in range(1, 11))
        cards = dict.fromkeys(("number", "count", "fewest", "most"), r"\d+")
        cards["size"] = f"(?:{sizes})"
        leads = ("lead_all", "lead_all_either", "lead_some", "lead_pair", "lead_one")
        codes = ("number_choice", *leads)
        said = "|".join(words.code(code, "aufundab", **cards) for code in codes)
        self.how_many: Final = re.compile(f"(?:{said})…?")
        """Labels that say how many cards of which number; most of them open a second step, or a
        form."""
        self.rules: Final = re.compile(words.code("button.rules_page", page=r"\d+"))
        """Labels that open the page of the rules which says why not."""
        exactly = words.code("form.exactly", count=r"(\d+)")
        between = words.code("form.between", fewest=r"(\d+)", most=r"\d+")
        self.wanted: Final = re.compile(f"{exactly}|{between}")
        """How many cards a form wants at least; one if it says no number."""


class Discord:
    """The second tab: the simulated Discord."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        width: int = 1280,
        scale: float = 1,
        languages: Sequence[str] = (),
    ) -> None:
        """Labels and sentences are named by their English, whatever is read there."""
        self.words: Final = Words(*languages)
        self.asked: Final = Asked(self.words)
        # The page's own content policy would forbid waiting for its state.
        self._context = browser.new_context(
            viewport={"width": width, "height": 1000}, device_scale_factor=scale, bypass_csp=True
        )
        self._context.set_default_timeout(PATIENCE)
        self.page: Page = self._context.new_page()
        self._address = address.rstrip("/")

    def close(self) -> None:
        self._context.close()

    def start_page(self) -> None:
        """Where everything begins."""
        self.page.goto(self._address)

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
        entries = self.page.locator(".command-entry").filter(
            has=self.page.locator("strong", has_text=re.compile(rf"^/{re.escape(command)}$"))
        )

        def act() -> None:
            unsent = self.page.locator(".command-chip")
            if unsent.count():
                # What was sent before was dropped, and the command still stands there.
                unsent.press("Backspace")
            field = self.page.locator("#channel-composer-input")
            field.fill("")
            field.press_sequentially(f"/{command}")
            entries.click()
            for name, value in options.items():
                self._option(name, value)
            self.page.locator("#send-message").click()

        self._until_accepted(f"/{command}", act)

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
        return self.page.locator("[data-message-id]").filter(has_text=self.words.part(text)).last

    def board(self) -> Locator:
        """The newest board: *My hand* stands on it, where other messages only name it."""
        hand = self.page.locator(".button-label", has_text=self.words.label("My hand"))
        return self.page.locator("[data-message-id]").filter(has=hand).last

    def scroll_down(self) -> None:
        """To the newest message, where it came while older ones were read."""
        newest = self.page.get_by_text("jump to latest")
        if newest.is_visible():
            newest.click()

    def press(self, label: str, within: Locator | None = None) -> None:
        """Press the button of that label, again if the page was being redrawn meanwhile."""
        root = self.page.locator("#channel-message-list") if within is None else within
        self._press(self.words.label(label), root)

    def _press(self, label: re.Pattern[str], root: Locator) -> None:
        button = root.locator("button.component-button").filter(
            has=self.page.locator(".button-label", has_text=label)
        )
        self._until_accepted(label.pattern, lambda: button.last.click())

    def choose(self, label: str, within: Locator) -> None:
        """Choose from the first menu of a message; choosing sends."""
        exact = read(label)

        def act() -> None:
            self._open_menu(within)
            with self._taken_up():
                self.page.locator(".select-option").filter(
                    has=self.page.locator(".option-label", has_text=exact)
                ).first.click(timeout=BEGINNING)

        with self._all_in_view():
            self._until_accepted(label, act)

    @contextmanager
    def _all_in_view(self) -> Iterator[None]:
        """On a high screen: opening a menu draws the page anew, and the page shuts a menu that is
        out of view meanwhile."""
        size = self.page.viewport_size
        assert size is not None
        self.page.set_viewport_size({**size, "height": HIGH})
        try:
            yield
        finally:
            self.page.set_viewport_size(size)

    @contextmanager
    def _taken_up(self) -> Iterator[None]:
        """An open menu closes when its message is drawn anew: then nothing was chosen."""
        with suppress(PlaywrightTimeout):
            yield

    def _open_menu(self, within: Locator) -> Locator:
        """A message's first menu, open; opened again if the page was redrawn meanwhile."""
        menu = self.page.locator(".preview-select.is-open")
        for _ in range(5):
            self.rest()
            if not menu.count():
                within.locator(".select-trigger").first.click()
            try:
                menu.locator(".select-option").first.wait_for(timeout=BEGINNING)
            except PlaywrightTimeout:
                continue
            return menu
        pytest.fail(f"the menu did not open: {within.inner_text()}")

    def _until_accepted(self, what: str, act: Callable[[], None]) -> None:
        # Done anew where the page, redrawn meanwhile by what others did, dropped it; not where a
        # busy page only took it up late.
        end, before = monotonic() + patience.PATIENCE, ""
        while monotonic() < end:
            self.rest()
            heard = self._status()["heard"]
            if before not in ("", heard):
                return
            before = heard
            act()
            if self._done(before):
                return
        pytest.fail(f"{what!r} was never accepted: {self._status()}")

    def _done(self, before: str | None) -> bool:
        """Wait for what was begun; whether the bot has heard anything after `before`."""
        try:
            self.page.wait_for_function(_BEGUN, arg=before, timeout=BEGINNING)
        except PlaywrightTimeout:
            # The page was about to be redrawn and dropped the press without a word.
            return False
        self.rest()
        status = self._status()
        # Refused where the page was redrawn between the look and the press.
        assert set(status["codes"]) <= {"stale-revision", "validation-failed"}, status
        return bool(status["heard"] != before)

    def _status(self) -> dict[str, Any]:
        status: dict[str, Any] = self.page.evaluate(_STATUS)
        return status

    def now(self) -> Now:
        """Where the table stands, by the newest message that all see; waits while it is dealt."""
        messages = self.page.locator("[data-message-id]").filter(has_not_text=ONLY_YOU)
        shuffling = re.compile(self.words.code("shuffling"))
        expect(messages.last).not_to_contain_text(shuffling, timeout=PATIENCE)
        self.rest()
        over, pause = self.words.part("Rematch"), self.words.part("Next round")
        for text in reversed(messages.all_inner_texts()):
            if over.search(text):
                return Now(over=True)
            if pause.search(text):
                return Now(pause=True)
            if found := self.asked.others.search(text):
                names = next(filter(None, found.groups()))
                return Now(tuple(re.findall(r"[A-Z]\w+", names)))
        return Now()

    def to_act(self) -> str | None:
        """Whoever is marked as to act, the first of several; None if nobody is."""
        return next(iter(self.now().to_act), None)

    def wait_for_others(self, before: Now) -> None:
        """Until the table does not stand as `before` any more, by what others do."""
        while self.now() == before:
            assert self.changes(PATIENCE), f"nobody does anything: {before}"

    def changes(self, milliseconds: float) -> bool:
        """Whether what is to be read changes within so much time."""
        text = self.page.locator("#channel-message-list").inner_text()
        try:
            self.page.wait_for_function(
                "text => document.querySelector('#channel-message-list').innerText !== text",
                arg=text,
                timeout=milliseconds,
            )
        except PlaywrightTimeout:
            return False
        return True

    def offered(self, panel: Locator) -> Buttons:
        """The controls of a hand panel."""
        labels = panel.locator("button.component-button:enabled .button-label").all_inner_texts()
        plays = [
            label
            for label in labels
            if not self.is_one(label, NO_PLAYS) and not self.asked.rules.fullmatch(label)
        ]
        choices = [label for label in plays if self.asked.how_many.fullmatch(label)]
        return Buttons(
            acts=tuple(label for label in plays if label not in choices),
            choices=tuple(choices),
            passes=tuple(label for label in labels if self.is_one(label, PASSES)),
        )

    def offers(self, panel: Locator, label: str) -> bool:
        """Whether a message has that button."""
        return panel.locator(".button-label", has_text=self.words.label(label)).count() > 0

    def is_one(self, label: str, of: Sequence[str]) -> bool:
        """Whether a label is one of these."""
        return any(self.words.label(one).match(label) for one in of)

    def asking(self, panel: Locator) -> Locator:
        """The panel, once there is something on it to play, to say or to pass with."""
        idle = "|".join(self.words.label(one).pattern for one in NO_PLAYS if one not in PASSES)
        panel.locator(".select-trigger, button.component-button:enabled").filter(
            has_not_text=re.compile(idle)
        ).first.wait_for()
        self.rest()
        return panel

    def play(self, panel: Locator, prefer: Prefer = most_cards) -> str:
        """Play or say what `prefer` likes best; pass if nothing else is offered.

        Returns the label that was chosen.
        """
        offered = self.offered(panel)
        if not offered.acts and offered.choices:
            label = offered.choices[0]
            with self._changing(panel):
                self._press(read(label), panel)
                if self.page.locator(".modal-dialog").count():
                    return self._tick(label)
            if not panel.locator(".button-label", has_text=self.words.label(BACK)).count():
                return label
            offered = self.offered(panel)
        if offered.acts:
            label = prefer((*offered.acts, *offered.passes))
            with self._changing(panel):
                self._press(read(label), panel)
        elif panel.locator(".select-trigger").count():
            label = self._choose_any(panel, prefer)
        else:
            assert offered.passes, f"nothing to press: {panel.inner_text()}"
            label = offered.passes[0]
            with self._changing(panel):
                self._press(read(label), panel)
        return label

    def _choose_any(self, panel: Locator, prefer: Prefer) -> str:
        """From a panel's menu: one thing, or as many as it asks for."""
        for _ in range(3):
            with self._all_in_view():
                menu = self._open_menu(panel)
                labels = menu.locator(".option-label").all_inner_texts()
                if menu.locator(".select-apply").count():
                    label = self._choose_several(panel, labels[:2])
                else:
                    label = prefer(labels)
                    self.choose(label, panel)
            try:
                # The menu goes with the question; before that it only shows what was chosen.
                expect(panel.locator(".select-trigger")).to_have_count(0)
            except AssertionError:
                # What the page drops is chosen again; what the bot refuses is a failure.
                moved = self.words.code("table.error.stale")
                assert not re.search(moved, panel.inner_text())
                continue
            self.rest()
            return label
        pytest.fail(f"nothing came of choosing: {panel.inner_text()}")

    def _choose_several(self, panel: Locator, labels: Sequence[str]) -> str:
        """Ticks the options of an open menu and applies that.

        The page goes on showing as ticked what it dropped, and sends nothing that equals it:
        every try ticks in another order.
        """
        order = deque(labels)

        def act() -> None:
            menu = self._open_menu(panel)
            ticked = menu.locator('.select-option[aria-selected="true"]')
            order.rotate()
            with self._taken_up():
                while ticked.count():
                    ticked.first.click(timeout=BEGINNING)
                for label in order:
                    menu.locator(".select-option").filter(
                        has=self.page.locator(".option-label", has_text=read(label))
                    ).click(timeout=BEGINNING)
                menu.locator(".select-apply").click(timeout=BEGINNING)

        self._until_accepted(" and ".join(labels), act)
        return " and ".join(labels)

    def _tick(self, label: str) -> str:
        """Ticks so many cards as the form that is open wants, from the first on; sends it."""
        form = self.page.locator(".modal-dialog")
        expect(form).to_contain_text(self.asked.wanted)  # it is there before what stands in it
        found = self.asked.wanted.search(form.inner_text())
        assert found is not None, form.inner_text()
        wanted = int(next(filter(None, found.groups()), "1"))
        boxes = form.locator("input[type=checkbox]")
        for number in range(boxes.count()):
            if form.locator("input[type=checkbox]:checked").count() == wanted:
                break
            boxes.nth(number).check(force=True)
        before = self._status()["heard"]
        form.get_by_role("button", name="Submit").click()
        assert self._done(before), "the form was not accepted"
        expect(form).to_have_count(0)
        return label

    @contextmanager
    def _changing(self, panel: Locator) -> Iterator[None]:
        """Every step changes the panel; the page shows it a little after the press is done.

        The last of a match may change what the panel is known by.
        """
        before, message = panel.inner_text(), panel.get_attribute("data-message-id")
        yield
        self.page.wait_for_function(
            """([message, before]) => {
                const panel = document.querySelector(`[data-message-id="${message}"]`);
                return panel === null || panel.innerText !== before;
            }""",
            arg=[message, before],
            timeout=PATIENCE,
        )
        self.rest()
