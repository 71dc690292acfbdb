"""`python -m tests.chaos`: see the package."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import textwrap
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import tests.chaos
from tests.chaos.plan import ABOUT, SHORT, Plan, of_seed, on_postgres
from tests.chaos.run import run
from tests.chaos.seeds import lines, run_all, seeds, summed, wrong
from tests.chaos.summary import COUNTERS
from tests.wire.postgres import VARIABLE, server


def main() -> int:
    given = {
        name: value for name, value in vars(_parser().parse_args()).items() if value is not None
    }
    file, summing, wanted = (given.pop(name, None) for name in ("json", "sum", "seeds"))
    if summing is not None:
        return _sum(summing)
    folder, short, each = given.pop("folder", None), given.pop("short"), given.pop("each")
    if wanted is not None:
        if file is None:
            return _refuse("--seeds needs --json FILE")
        more = [text for name, value in given.items() for text in _again(name, value)]
        run_all(seeds(wanted), file, more, _say)
        return _sum(file)
    plan = SHORT if short else of_seed(given.get("seed", 1)) if each else Plan()
    if given.get("postgres"):
        if server() is None:
            return _refuse(f"--postgres needs {VARIABLE}: .ci/postgres python -m tests.chaos …")
        plan = on_postgres(plan)
    with tempfile.TemporaryDirectory() as made:
        summary = asyncio.run(run(replace(plan, **given), folder or Path(made), _say))
    sys.stdout.write(json.dumps(summary.as_json(), ensure_ascii=False) + "\n")
    for line in summary.wrong:
        _say(f"WRONG {line}")
    return 1 if summary.wrong else 0


def _sum(file: Path) -> int:
    sys.stdout.writelines(line + "\n" for line in summed(file))
    return 1 if any(wrong(line) for line in lines(file)) else 0


def _again(name: str, value: object) -> list[str]:
    return [f"--{name}"] if value is True else [f"--{name}", str(value)]


def _refuse(why: str) -> int:
    _say(why)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.chaos",
        description=tests.chaos.__doc__,
        epilog=explained(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--short", action="store_true", help="two minutes of it")
    parser.add_argument("--each", action="store_true", help="the run of one of many seeds")
    served = "with a PostgreSQL server every tenth is on that"
    parser.add_argument("--seeds", help=f"run each, such as 1-10; needs --json; {served}")
    parser.add_argument("--json", type=Path, help="one line for each seed; those there are skipped")
    parser.add_argument("--sum", type=Path, help="only sum up such a file")
    for one in fields(Plan):
        if one.default is False:
            how: dict[str, Any] = {"action": "store_const", "const": True}
        else:
            how = {"type": type(one.default)}
        parser.add_argument(f"--{one.name}", help=one.metadata[ABOUT], **how)
    parser.add_argument("--folder", type=Path, help="keep database and logs here")
    return parser


def explained() -> str:
    """Each counter of the summary, and what makes it a failure."""
    lines = ["What is printed, one JSON object; exit status 1 if anything is a failure:"]
    for name, what in COUNTERS.items():
        lines += textwrap.wrap(
            f"{name}: {what}", 100, initial_indent="  ", subsequent_indent="      "
        )
    return "\n".join(lines)


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
