"""Every package that is installed is pinned, to exactly the version that is installed."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
UV = PROJECT["tool"]["uv"]

# What makes an environment is not what the project asks for.
TOOLS = {"pip", "setuptools", "uv", "stammtisch"}


def requirements(key: str) -> list[Requirement]:
    return [Requirement(line) for line in UV[key]]


def pins() -> dict[str, Requirement]:
    """Pins that hold on this Python and platform, by canonical name."""
    return {
        canonicalize_name(pin.name): pin
        for pin in requirements("constraint-dependencies")
        if pin.marker is None or pin.marker.evaluate()
    }


def installed() -> dict[str, str]:
    found = {canonicalize_name(d.metadata["Name"]): d.version for d in distributions()}
    return {name: version for name, version in found.items() if name not in TOOLS}


def test_pins_are_exact() -> None:
    for key in ("constraint-dependencies", "build-constraint-dependencies"):
        for pin in requirements(key):
            assert [spec.operator for spec in pin.specifier] == ["=="], pin
            assert "*" not in str(pin.specifier), pin


def test_everything_installed_is_pinned_to_its_version() -> None:
    known = pins()
    wrong = {
        name: version
        for name, version in installed().items()
        if name not in known or not known[name].specifier.contains(version, prereleases=True)
    }
    assert not wrong


def test_pins_satisfy_what_the_project_asks_for() -> None:
    asked = [
        *PROJECT["project"]["dependencies"],
        *(line for extra in PROJECT["project"]["optional-dependencies"].values() for line in extra),
        *PROJECT["dependency-groups"]["dev"],
    ]
    known = pins()
    for line in asked:
        requirement = Requirement(line)
        (pin,) = known[canonicalize_name(requirement.name)].specifier
        assert requirement.specifier.contains(pin.version, prereleases=True), line


def test_build_packages_are_pinned() -> None:
    names = {canonicalize_name(pin.name) for pin in requirements("build-constraint-dependencies")}
    for line in PROJECT["build-system"]["requires"]:
        assert canonicalize_name(Requirement(line).name) in names


# What is deployed

HASHED = re.compile(
    r"^(\S+?)==(\S+)((?: ;[^\\]*)?)((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n", re.M
)


def hashed(name: str) -> list[Requirement]:
    """The requirements of a file of `data/service/`, which has nothing else in it."""
    text = (ROOT / "data" / "service" / name).read_text(encoding="utf-8")
    assert HASHED.sub("", text) == ""
    return [Requirement(f"{found[1]}=={found[2]}{found[3]}") for found in HASHED.finditer(text)]


def versions(found: list[Requirement]) -> set[tuple[str, str]]:
    """Names with their versions: some have one for each Python."""
    return {(canonicalize_name(pin.name), str(pin.specifier)) for pin in found}


def here(found: list[Requirement]) -> set[str]:
    """Names of those that are installed on this Python and platform."""
    fitting = [pin for pin in found if pin.marker is None or pin.marker.evaluate()]
    return {canonicalize_name(pin.name) for pin in fitting}


def needed(lines: list[str]) -> set[str]:
    """What is installed for these requirements here, and for theirs."""
    found: set[tuple[str, str]] = set()
    open_ = [(Requirement(line), "") for line in lines]
    while open_:
        requirement, extra = open_.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        for wanted in ("", *requirement.extras):
            if (name, wanted) not in found:
                found.add((name, wanted))
                more = distribution(name).requires or []
                open_ += [(Requirement(line), wanted) for line in more]
    return {name for name, _ in found}


def test_what_is_deployed_is_what_is_pinned_and_all_of_it() -> None:
    """The compiler of computer players included: without it they play weaker."""
    deployed = hashed("deploy.txt")
    assert versions(deployed) <= versions(requirements("constraint-dependencies"))
    project = PROJECT["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    asked += PROJECT["dependency-groups"]["fast"]
    assert here(deployed) == needed(asked)


def test_what_builds_it_is_what_is_pinned_and_uv() -> None:
    build = versions(hashed("build.txt"))
    tool = {(name, version) for name, version in build if name == "uv"}
    assert len(tool) == 1
    assert build - tool == versions(requirements("build-constraint-dependencies"))
