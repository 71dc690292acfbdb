"""Games with wrong rules: the laws may well hold, so a rule test or the oracle has to go red."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import pytest

from engine.game import AnyGame, RuleError
from tests.conformance import wrong_aufundab, wrong_faehrte, wrong_kaiserspiel, wrong_sticheln
from tests.conformance.wrong import Wrong

TABLES: Final = (wrong_aufundab, wrong_faehrte, wrong_kaiserspiel, wrong_sticheln)
"""Of each game: `WRONG` rules, those that its oracle sees too (`BLIND`), and what is `HARMLESS`;
`MODULES` are where its tests find the game."""

RED: Final = (AssertionError, RuleError, pytest.fail.Exception)


def named(table: ModuleType, name: str, *values: Any) -> Any:
    return pytest.param(table, *values, id=f"{table.__name__.rpartition('_')[2]}-{name}")


def play_by(game: AnyGame, table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in table.MODULES:
        monkeypatch.setattr(module, "GAME", game)


@pytest.mark.parametrize(
    ("table", "wrong"),
    [named(table, wrong.name, wrong) for table in TABLES for wrong in table.WRONG],
)
def test_a_wrong_rule_is_caught_by_its_rule_test(
    table: Any, wrong: Wrong, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which passes with the right rules."""
    wrong.test(*wrong.arguments)
    play_by(wrong.game, table, monkeypatch)
    with pytest.raises(RED):
        wrong.test(*wrong.arguments)


@pytest.mark.parametrize(
    ("table", "game"), [named(table, name, game) for table in TABLES for name, game in table.BLIND]
)
def test_a_wrong_rule_is_caught_by_the_oracle(
    table: Any, game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_by(game, table, monkeypatch)
    with pytest.raises(RED):
        table.asks_the_oracle()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__.rpartition("_")[2])
def test_what_bends_a_rule_breaks_nothing_else(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for game in table.HARMLESS:
        play_by(game, table, monkeypatch)
        table.holds()
