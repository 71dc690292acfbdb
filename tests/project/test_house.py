"""What the import contract of pyproject.toml cannot say about the house.

That the engine is pure stands in `tests/engine/test_purity.py`.
"""

from __future__ import annotations

import re
import subprocess
import sys
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
