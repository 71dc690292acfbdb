"""`python -m tests.chaos`: see the package."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from tests.chaos.run import Plan, as_json, run

SHORT = Plan(seed=4, matches=30, kills=25, faults=400, channels=12, limit=120.0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a shortened run, for every change")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--matches", type=int)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--faults", type=int)
    parser.add_argument("--channels", type=int)
    parser.add_argument("--life", type=float, help="seconds between kills, on average")
    parser.add_argument("--limit", type=float, help="seconds after which it ends anyway")
    parser.add_argument("--folder", type=Path, help="keep database and logs here")
    given = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    folder = given.pop("folder", None)
    plan = replace(SHORT if given.pop("short") else Plan(), **given)
    with tempfile.TemporaryDirectory() as made:
        summary = asyncio.run(run(plan, folder or Path(made), _say))
    sys.stdout.write(json.dumps(as_json(summary), ensure_ascii=False) + "\n")
    return 0 if summary.good else 1


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
