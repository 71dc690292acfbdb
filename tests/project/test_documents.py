"""README, CONTRIBUTING, the pages in data/docs and .env.example say what is true."""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from discord import app_commands
from discord.ext import commands
from dotenv import dotenv_values
from typer.main import get_command

import cogs
from bot.operate.cli import app
from bot.settings import Settings
from engine.registry import games

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "data/docs/architecture.md").read_text(encoding="utf-8")
DOCS = ROOT / "data" / "docs"
OPERATING = (DOCS / "operating.md").read_text(encoding="utf-8")
PLAYING = (DOCS / "playing.md").read_text(encoding="utf-8")
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")]
PAGES.extend(sorted(DOCS.glob("*.md")))
GIT = shutil.which("git") or "git"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

(UV,) = re.findall(
    r"^uv==\S+", (ROOT / "data" / "service" / "build.txt").read_text("utf-8"), re.MULTILINE
)
SET_UP = f"python3 -m venv .tool && .tool/bin/pip install -q {UV} && .tool/bin/uv run "
DEMO_LINE = f"{SET_UP}--no-dev --extra demo stammtisch demo"
TEST_LINE = f"{SET_UP}--extra demo pytest"


def program_commands() -> set[str]:
    """The leaves of the `stammtisch` command, as they are typed."""
    found: set[str] = set()

    def walk(command: object, path: tuple[str, ...]) -> None:
        children = getattr(command, "commands", None)
        if children is None:
            found.add(" ".join(path))
            return
        for name, child in children.items():
            walk(child, (*path, name))

    walk(get_command(app), ())
    return found


def table_cells(page: str, heading: str) -> list[str]:
    """First cells of the table under a heading of a page."""
    section = page.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    return [row.split("|")[1] for row in rows[1:]]


def test_first_screen_has_the_two_commands() -> None:
    first_screen = README.splitlines()[:30]
    assert DEMO_LINE in first_screen
    assert TEST_LINE in first_screen


@pytest.mark.parametrize(("text", "most"), [(README, 1_200), (CONTRIBUTING, 1_500)])
def test_what_everybody_reads_is_short(text: str, most: int) -> None:
    assert len(text.split()) <= most


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["readme", "contributing"])
def test_uv_is_named_with_its_version_everywhere(text: str) -> None:
    assert set(re.findall(r"pip install -q (\S+)", text)) == {UV}


def test_ci_runs_the_readmes_own_test_line() -> None:
    pattern = re.search(r"grep -E '([^']+)' README.md", CI)
    assert pattern is not None
    lines = [line for line in README.splitlines() if re.search(pattern[1], line)]
    assert lines == [TEST_LINE]
    assert "REQUIRE_BROWSER=1" in CI


def test_ci_runs_the_tests_on_postgresql_too() -> None:
    (line,) = (line for line in CI.splitlines() if '"$line"' in line and "bash -euo" in line)
    assert line.strip().startswith(".ci/postgres ")
    assert os.access(ROOT / ".ci" / "postgres", os.X_OK)


@pytest.mark.parametrize(
    "step", ["ruff format --check .", "ruff check .", "run mypy", "run lint-imports"]
)
def test_ci_has_every_step(step: str) -> None:
    assert step in CI


def test_env_example_lists_exactly_the_settings_with_their_defaults() -> None:
    defaults = {name.upper(): field.default for name, field in Settings.model_fields.items()}
    assert dotenv_values(ROOT / ".env.example") == {
        name: "" if default is None else str(default) for name, default in defaults.items()
    }


def test_env_example_explains_every_setting() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").split("\n")
    for group in "\n".join(lines).split("\n\n")[1:]:
        assert group.startswith("# "), group


def test_operating_names_every_setting() -> None:
    for name in Settings.names():
        assert f"`{name}`" in OPERATING


def test_operating_lists_the_commands_of_the_program() -> None:
    rows = table_cells(OPERATING, "What the operator types")
    cells = " ".join(rows)
    listed = {name for name in program_commands() if re.search(rf"`stammtisch {name}( |`)", cells)}
    assert listed == program_commands()
    assert len(rows) == len(listed)


def test_playing_lists_the_slash_commands_and_their_parameters() -> None:
    cells = " ".join(table_cells(PLAYING, "What people type"))
    # A parameter list belongs to the command before it.
    listed = {
        match[1]: set(re.findall(r"(\w+):", match[2]))
        for match in re.finditer(r"`/([a-z]+(?: [a-z]+(?![a-z:]))?)((?: \w+:)*)`", cells)
    }
    assert listed.keys() == slash_commands().keys()
    for name, parameters in listed.items():
        assert parameters <= slash_commands()[name], name


def all_cogs() -> list[type[commands.Cog]]:
    """Every cog that a module of `cogs` defines."""
    modules = [
        importlib.import_module(f"cogs.{module.name}")
        for module in pkgutil.iter_modules(cogs.__path__)
    ]
    return [
        found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, type)
        and issubclass(found, commands.Cog)
        and found.__module__ == module.__name__
    ]


def slash_commands() -> dict[str, set[str]]:
    """Every slash command that the cogs offer, with its parameters."""
    found: dict[str, set[str]] = {}
    for cog in all_cogs():
        for command in cog.__cog_app_commands__:
            leaves = (
                [c for c in command.walk_commands() if isinstance(c, app_commands.Command)]
                if isinstance(command, app_commands.Group)
                else [command]
            )
            for leaf in leaves:
                found[leaf.qualified_name] = {p.display_name for p in leaf.parameters}
    return found


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    pictures = [(target, "") for target in re.findall(r'src="([^"]+)"', text)]
    for target, heading in [*pictures, *re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text)]:
        if not target.startswith("https://"):
            there = page.parent / target if target else page
            assert there.exists(), target
            assert not heading or heading in headings(there), heading


def test_readme_leads_to_every_page() -> None:
    for page in PAGES[1:]:
        assert f"]({page.relative_to(ROOT)})" in README, page.name


def test_licence_is_mit() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    assert PYPROJECT["project"]["license"] == "MIT"


def test_the_newest_section_of_the_changelog_is_of_this_version() -> None:
    newest = re.findall(r"^## (\S+) — (Unreleased|\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)
    assert newest[0][0] == PYPROJECT["project"]["version"]


def committed_files() -> list[Path]:
    """What git has or would take: nothing that .gitignore names."""
    listed = subprocess.run(
        [GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_committed_file_names_a_package_host() -> None:
    hosts = [name.encode() + b".org" for name in ("pypi", "pythonhosted")]
    hosts = [*hosts, b"files." + b"pythonhosted"]
    guilty = [
        path.relative_to(ROOT)
        for path in committed_files()
        if any(host in path.read_bytes() for host in hosts)
    ]
    assert not guilty


def test_top_level_is_the_house_and_nothing_else() -> None:
    allowed = {
        "bot", "engine", "cogs", "data", "tests", "pyproject.toml", ".env.example", "README.md",
        "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", ".ci", ".gitignore", "Containerfile",
    }  # fmt: skip
    assert {path.relative_to(ROOT).parts[0] for path in committed_files()} <= allowed


def packages() -> set[str]:
    """The packages of the product; those that each game has are one."""
    found = {
        path.parent.relative_to(ROOT).as_posix()
        for top in ("bot", "cogs", "engine")
        for path in (ROOT / top).rglob("__init__.py")
    }
    return {re.sub(rf"/({'|'.join(games())})$", "/<id>", name) for name in found}


def test_the_map_has_one_line_for_each_package() -> None:
    lines = re.findall(r"^\| `([\w/<>]+)/` \|", CONTRIBUTING, re.MULTILINE)
    assert sorted(lines) == sorted(packages())


@pytest.mark.parametrize("top", ["bot", "cogs", "engine"])
def test_every_module_says_in_its_first_line_what_it_holds(top: str) -> None:
    """CONTRIBUTING prints these lines as the map of a package."""
    for path in (ROOT / top).rglob("*.py"):
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert re.search(r"[.!?]$", said.partition("\n")[0]), path


@pytest.mark.parametrize(
    "way",
    [
        ARCHITECTURE.partition("## The way of a press")[2].partition("\n## ")[0],
        CONTRIBUTING.partition("**The way of a message**")[2].partition("\n## ")[0],
    ],
    ids=["press", "message"],
)
def test_the_ways_name_functions_that_exist(way: str) -> None:
    named = re.findall(r"`((?:bot|cogs)/[\w/]+\.py)` `([\w.]+)`", way)
    assert len(named) >= 8
    for path, name in named:
        source = (ROOT / path).read_text(encoding="utf-8")
        for part in name.split("."):
            assert re.search(rf"(?:def|class) {part}\b", source), f"{path}: {name}"


def test_the_round_at_the_prompt_goes_as_it_says() -> None:
    found = doctest.testfile(str(ROOT / "data/docs/architecture.md"), module_relative=False)
    assert found.attempted >= 5
    assert not found.failed
