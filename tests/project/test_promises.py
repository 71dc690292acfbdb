"""What the documents promise about the tests, read from the source of the tests alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, settings

from tests.patience import PATIENCE

TESTS: Final = Path(__file__).parents[1]
README: Final = TESTS.with_name("README.md").read_text(encoding="utf-8")
BEHAVIOUR: Final = (TESTS.parent / "data" / "docs" / "behaviour.md").read_text(encoding="utf-8")

REAL_TIME: Final = frozenset({"wire", "chaos", "bench", "browser"})
"""Rooms that run the program as a process of its own, in real time: there a pause is part of what
is played (a late answer, people who think, a measured rate) or a browser is polled."""

NAPS: Final = {
    # SimCord's virtual time: it is over at once when the test moves the clock.
    ("discord/test_bad_days.py", "never"),
    ("discord/test_bad_days.py", "silence"),
    # Whatever tells nobody is asked again.
    ("patience.py", "until"),
    # A computer player that is slow, in a process of its own: what is tested is the time that
    # others are left with.
    ("computers/wicked.py", "search"),
}
"""Other pauses, by file and function."""


@cache
def sources() -> dict[str, ast.Module]:
    """Every module of the tests, not imported, by its path."""
    return {
        path.relative_to(TESTS).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(TESTS.rglob("*.py"))
    }


def functions(module: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


# Each line of what goes wrong has its tests


def rows(page: str = BEHAVIOUR) -> list[str]:
    """What happens, by the tables of a page."""
    cells = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]
    return [cell for cell in cells if cell != "what happens"]


def marked() -> list[tuple[str, str]]:
    """Every test with a mark `behaviour`, and the words in it."""
    return [
        (f"{name}::{function.name}", mark.args[0].value)
        for name, module in sources().items()
        for function in functions(module)
        for mark in function.decorator_list
        if isinstance(mark, ast.Call)
        and ast.unparse(mark.func) == "pytest.mark.behaviour"
        and isinstance(mark.args[0], ast.Constant)
        and isinstance(mark.args[0].value, str)
    ]


def test_every_line_of_what_goes_wrong_has_a_marked_test() -> None:
    words = {said for _, said in marked()}
    assert len(rows()) >= 15
    assert [row for row in rows() if not any(row.startswith(said) for said in words)] == []


def test_every_line_of_the_readme_is_a_row_of_the_whole_table() -> None:
    """So that it has its test too."""
    section = README.split("## When something goes wrong\n", 1)[1].split("\n## ", 1)[0]
    assert len(rows(section)) == 10
    for line in rows(section):
        assert len([row for row in rows() if row.startswith(line)]) == 1, line


def test_every_line_of_what_goes_wrong_is_looked_at_before_a_change() -> None:
    nightly = {
        f"{name}::{function.name}"
        for name, module in sources().items()
        for function in functions(module)
        if any(ast.unparse(mark) == "pytest.mark.nightly" for mark in function.decorator_list)
    }
    words = {said for test, said in marked() if test not in nightly}
    assert [row for row in rows() if not any(row.startswith(said) for said in words)] == []


def test_every_mark_names_one_line_and_stands_on_a_test() -> None:
    for test, said in marked():
        assert test.rpartition("::")[2].startswith("test_"), test
        assert len([row for row in rows() if row.startswith(said)]) == 1, (test, said)


# No test waits for time to go by


def pauses(module: ast.Module) -> list[tuple[str, int]]:
    """Function and line of every sleep of a fixed time above 0."""
    found = []
    for function in functions(module):
        for node in ast.walk(function):
            match node:
                case ast.Call(func=called, args=[ast.Constant(value=int() | float() as seconds)]):
                    if re.fullmatch(r"(time|asyncio)\.sleep", ast.unparse(called)) and seconds > 0:
                        found.append((function.name, node.lineno))
    return sorted(found, key=lambda pause: pause[1])


def test_pauses_are_found() -> None:
    text = "async def f():\n await asyncio.sleep(0)\n await asyncio.sleep(0.1)\n time.sleep(2)\n"
    assert pauses(ast.parse(text)) == [("f", 3), ("f", 4)]


def test_no_test_sleeps() -> None:
    found = [
        (name, function)
        for name, module in sources().items()
        if name.split("/")[0] not in REAL_TIME
        for function, _ in pauses(module)
    ]
    assert set(found) == NAPS


# No test is in a hurry: it says nothing of a program that it is slow where others work too

WAITS: Final = re.compile(r"(.*\.)?(wait|wait_for|timeout|join)")


def hurries(module: ast.Module) -> list[int]:
    """Lines that give something up after a second or more, but before `PATIENCE` is over."""
    found = []
    for node in ast.walk(module):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        given = [word.value for word in node.keywords if word.arg == "timeout"]
        if WAITS.fullmatch(called):
            given += node.args
        if called == "asyncio.to_thread" and WAITS.fullmatch(ast.unparse(node.args[0])):
            given += node.args[1:]
        for value in given:
            match value:
                case ast.Constant(value=int() | float() as seconds) if 1 <= seconds < PATIENCE:
                    found.append(node.lineno)
    return found


def test_hurries_are_found() -> None:
    text = "a.wait(10)\nwait([b], timeout=0.1)\nasyncio.to_thread(c.wait, 2)\nwait_for(d, 60)\n"
    assert hurries(ast.parse(text)) == [1, 3]


def test_no_test_gives_up_before_others_do() -> None:
    found = {name: hurries(module) for name, module in sources().items()}
    measured = {name for name in found if name.split("/")[0] in REAL_TIME - {"wire"}}
    assert {name: lines for name, lines in found.items() if lines and name not in measured} == {}


def test_no_property_is_tried_against_the_clock() -> None:
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check
    for name, module in sources().items():
        for node in ast.walk(module):
            if isinstance(node, ast.keyword) and node.arg == "suppress_health_check":
                assert "HealthCheck.too_slow" in ast.unparse(node.value), name
