"""A run for each of many seeds, one line of JSON each; broken off, it is taken up again."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from tests.chaos.summary import ZERO
from tests.operate.conftest import ROOT
from tests.wire.postgres import server

SUMS: Final = ("matches", "finished", "kills", "stops", "faults_total", "acknowledged", *ZERO)
"""Counters that are added up over runs."""

BROKEN: Final = "no summary"
"""What stands in the line of a run that did not come to its end."""

ON_POSTGRES: Final = 10
"""Every so many seeds one runs on PostgreSQL."""

GIT: Final = shutil.which("git") or "git"

Say = Callable[[str], None]


def seeds(text: str) -> list[int]:
    """`1-40`, `3`, or several of them with commas.  Raises ValueError."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def lines(file: Path) -> list[dict[str, Any]]:
    """What earlier runs came to; the last line may have been broken off."""
    if not file.exists():
        return []
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def run_all(wanted: Sequence[int], file: Path, more: Sequence[str], say: Say) -> None:
    """Runs every seed that the file does not hold yet, each in a process and folder of its own."""
    done = {line["seed"] for line in lines(file)}
    left = [seed for seed in wanted if seed not in done]
    for number, seed in enumerate(left, 1):
        say(f"== seed {seed}, {number} of {len(left)}")
        line = _run(seed, more)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
        say(f"== seed {seed}: " + (", ".join(wrong(line)) or "good"))


def arguments(seed: int, more: Sequence[str], *, served: bool) -> list[str]:
    """Of the run of that seed: every tenth is on PostgreSQL where there is a server for it."""
    found = ["--each", "--seed", str(seed), *more]
    if served and seed % ON_POSTGRES == 0 and "--postgres" not in more:
        found.append("--postgres")
    return found


def _run(seed: int, more: Sequence[str]) -> dict[str, Any]:
    """One run; what it says on the way goes to standard error."""
    given = arguments(seed, more, served=server() is not None)
    command = [sys.executable, "-m", "tests.chaos", *given]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    line: dict[str, Any] = {"seed": seed, "commit": commit(), "status": done.returncode}
    try:
        line |= json.loads(done.stdout.splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        line["notes"] = [BROKEN]
    return line


def commit() -> str:
    """The commit that is run, with a plus if something was changed since."""
    said = [
        subprocess.run(
            [GIT, *command],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        for command in (("rev-parse", "--short=12", "HEAD"), ("status", "--porcelain"))
    ]
    return said[0].stdout.strip() + ("+" if said[1].stdout.strip() else "")


def wrong(line: dict[str, Any]) -> list[str]:
    """What is a failure in that line; empty is a good run."""
    found = [f"{name} {line[name]}" for name in ZERO if line.get(name)]
    found += [f"missing: {', '.join(line['missing'])}"] if line.get("missing") else []
    found += [note for note in line.get("notes", ()) if note == BROKEN]
    return found or ([f"exit status {line['status']}"] if line["status"] else [])


def summed(file: Path) -> Iterator[str]:
    """The summary over all lines of the file."""
    runs = lines(file)
    bad = {line["seed"]: wrong(line) for line in runs if wrong(line)}
    yield f"{len(runs)} runs, {len(runs) - len(bad)} good"
    for name in ("commit", "database", "shards"):
        found = Counter(str(line.get(name)) for line in runs)
        yield f"{name}: " + ", ".join(f"{value} × {n}" for value, n in sorted(found.items()))
    for name in SUMS:
        yield f"{name}: {sum(line.get(name, 0) for line in runs)}"
    yield f"seconds: {sum(line.get('seconds', 0) for line in runs):.0f}"
    for name in ("faults", "deeds"):
        kinds: Counter[str] = Counter()
        for line in runs:
            kinds.update(line.get(name, {}))
        yield f"{name} by kind:"
        yield from (f"  {kind}: {number}" for kind, number in sorted(kinds.items()))
    for seed, what in bad.items():
        yield f"WRONG seed {seed}: {'; '.join(what)}"
