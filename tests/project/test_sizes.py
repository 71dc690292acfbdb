"""Modules and functions of the product stay short enough to be read in one go."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
MODULE: Final = 800
"""Most lines of a module."""
FUNCTION: Final = 60
"""Most lines of a function, from its `def` to its end."""


def modules() -> Iterator[Path]:
    for room in ("bot", "cogs", "engine"):
        yield from (ROOT / room).rglob("*.py")


@pytest.mark.parametrize("path", sorted(modules()), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_module_and_no_function_is_too_long(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MODULE
    functions = (
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    lengths = {f.name: (f.end_lineno or 0) - f.lineno + 1 for f in functions}
    assert not {name: lines for name, lines in lengths.items() if lines > FUNCTION}
