"""`stammtisch games`, `simulate` and `verify`: commands about the engine.

Engine only: nothing here needs Discord or a database.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import BinaryIO, Final, NamedTuple, assert_never

from engine.game import AnyGame, NotationError, Options, OptionSpec
from engine.registry import games

PROGRESS_SECONDS = 5.0
POLICIES = ("random",)
"""Policies for a simulation, by name."""
CACHE: Final = "NUMBA_CACHE_DIR"
LONGEST_LINE = 4 * 1024 * 1024 + 2
"""Bytes of a line that is read whole: more than `engine.verify` takes, so that it says so."""


class ToolError(Exception):
    """A command cannot be carried out; one sentence for the person who typed it."""


def describe_games() -> Iterator[str]:
    """One line per game: id, rules version, seats, options."""
    for game in games().values():
        info = game.info
        options = ", ".join(f"{spec.key} {_possible(spec)}" for spec in info.options)
        seats = ", ".join(map(str, info.seats))
        yield f"{info.id}  rules {info.rules_version}  seats {seats}  options {options or 'none'}"


def find_game(name: str) -> AnyGame:
    """Raises ToolError if there is no such game."""
    found = games()
    if name not in found:
        raise ToolError(f"there is no game {name[:40]!r}: choose one of {', '.join(found)}.")
    return found[name]


def complete(game: AnyGame, seats: int | None, given: Options) -> tuple[int, Options]:
    """Seats (by default the fewest) and options with every default.  Raises ToolError."""
    number = min(game.info.seats) if seats is None else seats
    if number not in game.info.seats:
        possible = " or ".join(map(str, game.info.seats))
        raise ToolError(f"--seats {number}: {game.info.id} is played with {possible}.")
    try:
        return number, game.complete_options(number, given)
    except NotationError as error:
        raise ToolError(f"--options: {_why(game, error)}.") from None


def _why(game: AnyGame, error: NotationError) -> str:
    """A fault in options in words, by the codes of `Game.complete_options`."""
    known = ", ".join(spec.key for spec in game.info.options)
    match error.code, error.params:
        case "option_unknown", {"key": key}:
            return f"{game.info.id} has no option {str(key)[:40]!r}, only {known}"
        case "option_type", {"key": key}:
            return f"{key} must be {_kind(game, str(key))}"
        case "option_range", {"key": key, "minimum": low, "maximum": high}:
            return f"{key} must be from {low} to {high}"
        case "option_conflict", {"key": key, "other": other}:
            return f"{key} and {other} exclude each other"
        case code, _:
            return code.replace("_", " ")


def _kind(game: AnyGame, key: str) -> str:
    for spec in game.info.options:
        if spec.key == key:
            return "a whole number" if spec.kind == "int" else _possible(spec)
    return "a word that this game knows"


def _possible(spec: OptionSpec) -> str:
    """Possible values of an option, in words."""
    match spec.kind:
        case "int":
            return f"{spec.minimum}-{spec.maximum}"
        case "bool":
            return "true or false"
        case "choice":
            return " or ".join(spec.choices)
        case _:
            assert_never(spec.kind)


def read_options(text: str) -> Options:
    """The options of a match from JSON text.  Raises ToolError."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise ToolError('--options must be a JSON object, like {"hands": 2}.') from None
    if not isinstance(given, dict) or not all(
        isinstance(value, bool | int | str) for value in given.values()
    ):
        raise ToolError(
            "--options must be a JSON object of numbers, words and true or false,"
            ' like {"hands": 2}.'
        )
    return given


def simulate(
    name: str,
    seats: int | None,
    seed: int,
    matches: int,
    options: str,
    *,
    policy: str = "random",
    legal: bool = False,
    proof: bool = False,
) -> Iterator[str]:
    """Records of matches as lines of JSON; progress of long runs on standard error."""
    from engine import playout
    from engine.record import to_text

    game = find_game(name)
    if policy not in POLICIES:
        raise ToolError(f"--policy {policy[:40]!r}: choose {' or '.join(POLICIES)}.")
    given = read_options(options)
    number, _ = complete(game, seats, given)
    progress = Progress("matches", matches)
    made = playout.simulate(game, number, given, seed, matches, legal=legal, proof=proof)
    for record in made:
        yield to_text(record)
        progress.one_more()


class Progress:
    """A line on standard error every few seconds, for people who wait."""

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what = what
        self._of = "" if total is None else f" of {total}"
        self._done = 0
        self._next = monotonic() + PROGRESS_SECONDS

    def one_more(self) -> None:
        self._done += 1
        now = monotonic()
        if now >= self._next:
            self._next = now + PROGRESS_SECONDS
            sys.stderr.write(f"{self._done}{self._of} {self._what}\n")


class Verdict(NamedTuple):
    """One line of `verify`; the last one has the counts."""

    line: str
    bad: int
    """Bad records so far."""


def verify(file: str) -> Iterator[Verdict]:
    """One line per fault in `file` (`-`: standard input), then `N records, M bad`.

    Reads as it goes: a file may be longer than the memory.  Raises ToolError if it cannot be
    read at all.
    """
    with _opened(file) as stream:
        yield from verify_stream(stream)


def verify_stream(stream: BinaryIO) -> Iterator[Verdict]:
    """`verify` for bytes that are open already."""
    from engine.verify import verify_lines

    records = bad = 0
    progress = Progress("records")
    for faults in verify_lines(_lines(stream)):
        records += 1
        bad += bool(faults)
        for fault in faults:
            yield Verdict(str(fault), bad)
        progress.one_more()
    yield Verdict(f"{records} records, {bad} bad", bad)


def _lines(stream: BinaryIO) -> Iterator[str]:
    """Lines as text.  Bytes that are no UTF-8 are replaced, which makes invalid JSON; endless lines
    are cut."""
    while raw := stream.readline(LONGEST_LINE):
        text = raw.decode("utf-8", "backslashreplace")
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
        yield text


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(file).open("rb") as stream:
            yield stream
    except BrokenPipeError:
        raise  # whoever read our output has gone
    except OSError as error:
        raise ToolError(f"{file} cannot be read: {error.strerror or error}.") from None


def cache_folder() -> Path:
    """Folder in which these commands keep compiled players between runs, one for every version."""
    from bot.computers.cache import digest

    whose = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return whose / "stammtisch" / digest()


@contextmanager
def keeping_compiled() -> Iterator[None]:
    """Players that are loaded meanwhile, here or by processes that start, are compiled only once.

    The compiler asks where they are kept when it is loaded, and never again.
    """
    from bot.computers import cache

    place = cache.prepare(cache_folder()) if cache.can_compile() else None
    if place is None or CACHE in os.environ:
        yield
        return
    os.environ[CACHE] = str(place)
    try:
        yield
    finally:
        del os.environ[CACHE]


def write(lines: Iterable[str]) -> None:
    """Lines to standard output; a reader that goes away (`| head`) ends the command quietly."""
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Or the interpreter complains when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None


@contextmanager
def progress(what: str, total: int, done: int) -> Iterator[Callable[[], None]]:
    """A bar on standard error; what it gives is called after each further step."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, completed=done)
        yield lambda: bar.advance(task)
