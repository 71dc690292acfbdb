"""`stammtisch train`: weights that can be trained again, ended and gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.operate import training
from bot.operate.tools import ToolError
from engine.game import AnyGame
from engine.players.sticheln import KIT
from engine.players.training import Generation, Trainable, Training, trained_from, written
from engine.players.training import generation as whole_generation


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds of a generation: interpreted, all of them take minutes."""

    def few(game: AnyGame, kit: Trainable, now: Training, seed: int) -> Generation:
        made = whole_generation(game, kit, now, seed)
        return made._replace(rounds=made.rounds[:: len(made.rounds) // 2])

    monkeypatch.setattr(training, "generation", few)


def trained(file: Path, generations: int, seed: int = 0, workers: int = 1) -> str:
    (said,) = training.train("sticheln", generations, seed, file, workers)
    return said


@pytest.mark.nightly
def test_any_number_of_workers_comes_to_the_same_weights(tmp_path: Path) -> None:
    one, two, other = (tmp_path / name for name in ("one.txt", "two.txt", "other.txt"))
    said = trained(one, 2)
    assert said == f"65 weights after 2 generations: {one}"
    trained(two, 2, workers=2)
    trained(other, 2, seed=1)
    assert one.read_text() == two.read_text() != other.read_text()
    assert [line.split()[0] for line in one.read_text().splitlines()] == list(KIT.names)
    assert one.read_text() != written(KIT.names, KIT.weights)
    assert set(tmp_path.iterdir()) == {one, two, other}, "what was kept meanwhile is gone"


@pytest.mark.nightly
def test_an_ended_run_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    through, ended = tmp_path / "through.txt", tmp_path / "ended.txt"
    trained(through, 3)
    step, played = training.stepped, list[int]()

    def ended_in_the_third(*given: Any) -> Training:
        played.append(1)
        if len(played) == 3:
            raise KeyboardInterrupt
        return step(*given)

    monkeypatch.setattr(training, "stepped", ended_in_the_third)
    with pytest.raises(SystemExit) as end:
        trained(ended, 3)
    assert end.value.code == 130
    assert "Stopped after 2 of 3 generations" in capsys.readouterr().err
    assert not ended.exists()
    trained(ended, 3)
    assert len(played) == 4, "only the third generation is played once more"
    assert ended.read_text() == through.read_text()


def test_what_another_training_left_is_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "weights.txt"
    part = tmp_path / "weights.txt.part"
    training.Kept(part, "sticheln", 0).write(trained_from(KIT))
    assert json.loads(part.read_text())["generation"] == 0
    with pytest.raises(ToolError, match="of another training"):
        trained(file, 1, seed=1)
    part.write_text("{")
    with pytest.raises(ToolError, match="cannot be read"):
        trained(file, 1)
    assert not file.exists()
