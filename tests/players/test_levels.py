"""Levels: what each is made of, and how an easy player slips."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.game import CHANCE, AnyGame
from engine.players import roster
from engine.players.levels import Level, player, playouts
from engine.players.player import Budget
from engine.players.search import SLIP, DefaultPlayer, GreedyPlayer, SlippingPlayer, Strong
from tests.fifth.games.tides import GAME, View
from tests.fifth.players.tides import KIT

ROOT: Final = Path(__file__).parents[2]


@pytest.fixture
def with_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    kits = {"tides": KIT}
    monkeypatch.setattr(roster, "kit_of", kits.get)


def view(seed: int = 1) -> Any:
    """The first question of a match of four cards each."""
    state = GAME.initial(3, {"depth": 4})
    state = GAME.apply(state, CHANCE, GAME.deal(state, Random(seed).randrange))
    return GAME.observe(state, 0)


@pytest.mark.usefixtures("with_kit")
def test_each_level_is_a_player_of_its_own() -> None:
    assert player(Level.EASY, GAME) == SlippingPlayer(GAME, KIT)
    assert player(Level.NORMAL, GAME) == GreedyPlayer(KIT)
    assert player(Level.STRONG, GAME) == Strong(KIT)
    assert [playouts(level) for level in Level] == [0, 0, 1_000]


def test_without_a_twin_all_play_what_the_clock_would() -> None:
    assert roster.kit_of("tides") is None
    assert [player(level, GAME) for level in Level] == [DefaultPlayer(GAME)] * 3


def test_every_level_is_on_the_roster_in_its_order() -> None:
    at = [roster.NAMES.index(level) for level in Level]
    assert at == sorted(at)
    assert roster.NAMES[-1] == Level.STRONG


def test_whoever_names_levels_loads_nothing_that_is_compiled() -> None:
    look = "import sys, engine.players.levels; print({'numpy', 'numba'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, check=True)
    assert done.stdout.strip() == b"set()"


@pytest.mark.usefixtures("with_kit")
def test_an_easy_player_slips_now_and_then() -> None:
    asked = view()
    best = player(Level.NORMAL, GAME).decide(asked, Budget(), Random(0)).action
    easy = player(Level.EASY, GAME)
    done = Counter(easy.decide(asked, Budget(), Random(seed)).action for seed in range(2_000))
    assert set(done) == set(asked.legal_actions)
    assert abs(1 - done[best] / 2_000 - SLIP * 3 / 4) < 0.03


class Raising:
    """A game in which one may also raise, as far as the notation goes."""

    info = GAME.info

    def format_action(self, action: str) -> str:
        return "raise 1" if action.startswith("E") else f"play {action}"


@pytest.mark.usefixtures("with_kit")
def test_a_slip_is_of_the_kind_that_was_meant() -> None:
    asked: View = view(3)
    verbs = {card[0] for card in asked.legal_actions}
    assert len(verbs) == 2
    game: AnyGame = Raising()  # type: ignore[assignment]  # only what a slip asks of a game
    meant = GreedyPlayer(KIT).decide(asked, Budget(), Random(0)).action
    easy = SlippingPlayer(game, KIT)
    done = {easy.decide(asked, Budget(), Random(seed)).action for seed in range(200)}
    assert done == {card for card in asked.legal_actions if card[0] == meant[0]}
