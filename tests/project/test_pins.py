"""Every package that is installed is pinned, to exactly the version that is installed."""

from __future__ import annotations

import tomllib
from importlib.metadata import distributions
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
