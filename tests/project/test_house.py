"""What the import contract of pyproject.toml cannot say about the house."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "engine").rglob("*.py"))
TESTS = ROOT / "tests"


def imports(path: Path) -> Iterator[str]:
    """Dotted names that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.stem)
def test_engine_imports_nothing_but_the_standard_library(path: Path) -> None:
    allowed = {"engine", *sys.stdlib_module_names}
    assert {name.partition(".")[0] for name in imports(path)} <= allowed


def test_engine_uses_no_global_random_numbers() -> None:
    for path in ENGINE:
        for name in imports(path):
            if name.partition(".")[0] == "random":
                assert name == "random.Random", f"{path.name} imports {name}"


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("engine.registry", "asyncio discord pydantic sqlalchemy babel"),
        ("bot.tables.service", "discord sqlalchemy babel aiohttp"),
        ("bot.operate.cli", "discord sqlalchemy simcord babel aiohttp pydantic"),
    ],
)
def test_a_room_loads_without_what_it_must_not_know(module: str, unwanted: str) -> None:
    look = f"import sys, {module}; print([m for m in {unwanted.split()!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_every_folder_of_tests_is_a_package() -> None:
    """Or `tests/engine` hides `engine`."""
    folders = {path.parent for path in TESTS.rglob("*.py")}
    assert not [str(folder) for folder in folders if not (folder / "__init__.py").exists()]


def test_settings_are_not_read_at_import() -> None:
    look = "import bot.app, bot.operate.cli, bot.settings"
    done = subprocess.run(
        [sys.executable, "-c", look],
        cwd=ROOT,
        env={"LOG_LEVEL": "no level at all", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
