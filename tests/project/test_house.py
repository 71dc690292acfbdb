"""What the import contract of pyproject.toml cannot say about the house.

That the engine is pure stands in `tests/engine/test_purity.py`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("bot.tables.service", "discord sqlalchemy babel aiohttp"),
        ("bot.operate.cli", "discord sqlalchemy simcord babel aiohttp pydantic PIL"),
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


def test_one_place_tells_whether_an_interaction_comes_from_a_server_of_ours() -> None:
    """A server that is named may be one where the bot is no member, and none may be a group."""
    asking = re.compile(r"guild_id is (not )?None|not \w*\.?guild_id|context\.\w+_channel")
    places = [*(ROOT / "bot" / "answer").glob("*.py"), *(ROOT / "cogs").glob("*.py")]
    found = [path.name for path in places if asking.search(path.read_text())]
    assert found == ["origin.py"]


SEE = re.compile(r"(?<!may )\b[Ss]ee `([\w.]+)`")


@pytest.mark.parametrize("top", ["bot", "cogs", "engine"])
def test_whatever_a_docstring_says_to_see_is_there(top: str) -> None:
    """A name is one of its module or of one beside it, or stands with its package."""
    lost = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / top).rglob("*.py"))
        for said in _docstrings(path)
        for name in SEE.findall(said)
        if not _is_there(path, name.split("."))
    ]
    assert lost == []


def _docstrings(path: Path) -> Iterator[str]:
    """Of the module and all that is in it; those below a field are plain strings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def _is_there(path: Path, parts: Sequence[str]) -> bool:
    package = path.parent.relative_to(ROOT).as_posix().replace("/", ".")
    own = package if path.stem == "__init__" else f"{package}.{path.stem}"
    for root in (own, package, ""):
        for length in range(len(parts) + 1):
            name = ".".join(filter(None, [root, *parts[:length]]))
            try:
                found: object = importlib.import_module(name) if name else None
            except ImportError:
                break
            if found is not None and _has(found, parts[length:]):
                return True
    return False


def _has(found: object, parts: Sequence[str]) -> bool:
    """Whether an attribute is there; that of an instance is one that its class gives itself."""
    for part in parts:
        if not hasattr(found, part):
            given = isinstance(found, type) and f"self.{part}" in inspect.getsource(found)
            return given and part == parts[-1]
        found = getattr(found, part)
    return True
