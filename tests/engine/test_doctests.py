"""Examples in the engine's docstrings are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from typing import Final

import pytest

import engine

MODULES: Final = sorted(
    ["engine", *(found.name for found in pkgutil.walk_packages(engine.__path__, "engine."))]
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_true(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize(
    "name", ["engine.cards", "engine.deal", "engine.notation", "engine.tricks"]
)
def test_shared_modules_have_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).attempted > 0
