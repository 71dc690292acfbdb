"""The engine is pure: what it imports, what it calls, and what a game's module must offer.

Who may import whom is checked by `lint-imports` as well (`[tool.importlinter]`).

Imports are looked at in a fresh interpreter, since this one has loaded everything already.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import engine
import engine.games
from engine.game import AnyGame, Game, GameInterface, GameKnowledge, GameNotation, GameRules
from engine.registry import games

FOLDER: Final = Path(engine.__file__).parent
SOURCES: Final = sorted(FOLDER.rglob("*.py"))
MODULES: Final = sorted(
    ["engine", *(found.name for found in pkgutil.walk_packages(engine.__path__, "engine."))]
)

CALLS: Final = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}

PROBE: Final = """
import importlib, json, sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
for module in sys.argv[2:]:
    importlib.import_module(module)
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide where an arrow points"
            yield node.module or ""


def test_every_module_is_found() -> None:
    assert {"engine.game", "engine.layout", "engine.registry", "engine.games.aufundab"} <= set(
        MODULES
    )
    assert len(MODULES) == len(SOURCES)


def test_importing_all_modules_needs_the_standard_library_only() -> None:
    """Without site-packages (`-S`) they load, with nothing of asyncio or the rooms above."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROBE, str(FOLDER.parent), *MODULES],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert loaded <= {*sys.stdlib_module_names, "engine"}
    assert not loaded & {"asyncio", "multiprocessing", "concurrent", "sqlite3", "bot", "cogs"}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_module_opens_prints_and_evaluates_nothing(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in CALLS, f"line {node.lineno}: {node.func.id}()"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_module_has_randomness_only_from_its_arguments(source: Path) -> None:
    """Of `random` only the class, never seeded by the clock: `Random()` is not called."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert "random" not in {alias.name for alias in node.names}, f"line {node.lineno}"
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            assert {alias.name for alias in node.names} == {"Random"}, f"line {node.lineno}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            seeded = bool(node.args or node.keywords)
            assert node.func.id != "Random" or seeded, f"line {node.lineno}: Random()"
            assert node.func.id not in {"hash", "id"}, f"line {node.lineno}: varies between runs"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_module_has_no_global_that_it_rebinds(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        assert not isinstance(node, ast.Global | ast.Nonlocal | ast.AsyncFunctionDef | ast.Await)


def test_the_core_does_not_import_a_game() -> None:
    for source in FOLDER.glob("*.py"):
        names = set(imports(ast.parse(source.read_text(encoding="utf-8"))))
        assert not any(name.startswith("engine.games.") for name in names), source.name


# --- the registry ----------------------------------------------------------------------


def test_every_package_of_games_is_registered_under_its_name() -> None:
    packages = {found.name for found in pkgutil.iter_modules(engine.games.__path__)}
    assert set(games()) == packages
    for name, game in games().items():
        assert importlib.import_module(f"engine.games.{name}").GAME is game
        assert game.info.id == name


def test_the_registry_is_sorted_and_closed() -> None:
    assert list(games()) == sorted(games())
    with pytest.raises(TypeError):
        games()["new"] = next(iter(games().values()))  # type: ignore[index]  # that is the point


def members(protocol: type) -> dict[str, object]:
    """What a protocol itself demands, by name."""
    return {name: each for name, each in vars(protocol).items() if not name.startswith("_")}


PARTS: Final = (GameRules, GameKnowledge, GameNotation, GameInterface)


def test_a_game_is_its_four_protocols_and_each_member_says_once_what_it_means() -> None:
    names = [name for part in PARTS for name in members(part)]
    assert len(names) == len(set(names))
    assert not members(Game)
    assert set(PARTS) <= set(Game.__mro__)
    for part in PARTS:
        for name, member in members(part).items():
            assert getattr(member, "__doc__", None), f"{part.__name__}.{name} has no docstring"


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.info.id)
def test_a_game_has_the_whole_interface(game: AnyGame) -> None:
    """A method without a docstring means what its protocol says."""
    wanted = dict(inspect.getmembers(Game, inspect.isfunction))
    assert {name for part in PARTS for name in members(part)} - {"info"} <= set(wanted)
    for name, protocol in wanted.items():
        if name.startswith("_"):
            continue
        method = getattr(game, name)
        assert list(inspect.signature(method).parameters) == [
            each for each in inspect.signature(protocol).parameters if each != "self"
        ], name


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.info.id)
def test_a_game_keeps_no_state_of_its_own(game: AnyGame) -> None:
    before = dict(vars(game))
    state = game.initial(game.info.seats[0], game.complete_options(game.info.seats[0], {}))
    game.apply(state, -1, game.deal(state, lambda n: n - 1))
    assert dict(vars(game)) == before


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.info.id)
def test_a_game_says_what_it_is(game: AnyGame) -> None:
    info = game.info
    assert info.id.isidentifier()
    assert info.id == info.id.lower()
    assert info.rules_version >= 1
    assert info.seats == tuple(sorted(set(info.seats)))
    assert min(info.seats) >= 2
    assert len({spec.key for spec in info.options}) == len(info.options)
    own = [spec.parameter for spec in info.options if spec.parameter is not None]
    assert len(set(own)) == len(own)
    for spec in info.options:
        if spec.kind == "int":
            assert spec.minimum < spec.maximum, spec
            assert spec.values == ()
        else:
            assert len(set(spec.values)) > 1, spec
            assert spec.default(info.seats[0]) in spec.values, spec
            assert spec.before in (None, *spec.values), spec
