"""The program has computer players; their processes come when they are needed and go with it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bot.computers.workers import Workers
from bot.tables.ports import Thought
from engine.game import CHANCE
from engine.players.levels import Level
from engine.registry import games
from tests.computers.test_process import children_of_this
from tests.computers.values import patient
from tests.discord.world import world


async def test_processes_come_with_the_first_question_and_go_with_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patient(monkeypatch)
    game = games()["sticheln"]
    state = game.initial(4, game.complete_options(4, {}))
    state = game.apply(state, CHANCE, game.deal(state, Random(1).randrange))
    view = game.observe(state, game.actors(state)[0])
    before = children_of_this()
    async with world(tmp_path, 1) as w:
        computers = w.bot.workers
        assert isinstance(computers, Workers)
        assert children_of_this() == before
        text = await computers.decide(Thought("sticheln", view, Level.NORMAL, 1))
        assert text is not None
        assert game.parse_action(text) in view.legal_actions
        assert children_of_this() > before
    assert children_of_this() <= before
