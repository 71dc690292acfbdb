"""Training for `stammtisch train`: weights of rules of thumb, by play against a population."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from bot.operate.contests import processes, sources
from bot.operate.tools import ToolError, find_game, progress
from engine.game import AnyGame
from engine.players import roster
from engine.players.evolving import Evolution, Vector, evolved, variants
from engine.players.training import (
    TRAINED,
    Generation,
    Trainable,
    Training,
    gained,
    generation,
    gone_on,
    is_trainable,
    trained_from,
    values,
    written,
)


class Playing(Protocol):
    """Plays what every variant of a generation plays."""

    def __call__(self, played: Generation, found: list[Vector]) -> list[list[float]]: ...


def train(
    name: str, generations: int, seed: int, file: Path | None, workers: int | None
) -> Iterator[str]:
    """Trains, and says where the weights are.  Raises ToolError if there is nothing to train."""
    game, kit = find_game(name), kit_of(name)
    if file is None:
        file = Path(roster.__file__).parent / name / TRAINED
    kept = Kept(file.with_name(f"{file.name}.part"), name, seed)
    now = kept.read() or trained_from(kit)
    number = (os.cpu_count() or 1) if workers is None else workers
    try:
        with _players(name, number) as play:
            for reached in _shown(game, kit, now, generations, seed, play):
                now = reached
                kept.write(now)
    except KeyboardInterrupt:
        sys.stderr.write(
            f"\nStopped after {now.evolution.generation} of {generations} generations;"
            " the same command goes on from here.\n"
        )
        raise SystemExit(130) from None
    file.write_text(written(kit.names, now.evolution.mean), encoding="ascii")
    kept.file.unlink(missing_ok=True)
    yield f"{len(kit.names)} weights after {now.evolution.generation} generations: {file}"


def kit_of(name: str) -> Trainable:
    """Raises ToolError if the game's rules of thumb go by no weights that can be others."""
    kit = roster.kit_of(name)
    if not is_trainable(kit):
        raise ToolError(f"{name} has no weights to train.")
    return kit


def _shown(
    game: AnyGame, kit: Trainable, now: Training, generations: int, seed: int, play: Playing
) -> Iterator[Training]:
    """The training after each further generation, with a bar on standard error."""
    with progress(game.info.id, generations, now.evolution.generation) as advance:
        while now.evolution.generation < generations:
            now = stepped(game, kit, now, seed, play)
            yield now
            advance()


def stepped(game: AnyGame, kit: Trainable, now: Training, seed: int, play: Playing) -> Training:
    """The training after one more generation."""
    played, found = generation(game, kit, now, seed), variants(now.evolution, seed)
    worth = values(played, play(played, found))
    return gone_on(now, evolved(now.evolution, found, worth))


# Processes


def play_one(name: str, played: Generation, variant: Vector) -> list[float]:
    """What one variant gains."""
    return gained(kit_of(name), played, variant)


@contextmanager
def _players(name: str, workers: int) -> Iterator[Playing]:
    """Plays in so many processes."""
    one = partial(play_one, name)
    if workers == 1:
        yield lambda played, found: [one(played, variant) for variant in found]
        return
    with processes(workers) as pool:

        def play(played: Generation, found: list[Vector]) -> list[list[float]]:
            many = len(found) // workers
            return list(pool.map(one, [played] * len(found), found, chunksize=max(1, many)))

        yield play


# What is kept of a run that was ended


class Kept:
    """The state of a training in a file, until it is done."""

    def __init__(self, file: Path, game: str, seed: int) -> None:
        self.file = file
        self._mark = {"game": game, "seed": seed, "sources": sources()}

    def read(self) -> Training | None:
        """None if nothing is kept.  Raises ToolError if it is of another training."""
        try:
            found = json.loads(self.file.read_text(encoding="ascii"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ToolError(f"{self.file} cannot be read: {error}.") from None
        if not isinstance(found, dict) or found.pop("of", None) != self._mark:
            raise ToolError(
                f"{self.file} is of another training (game, seed or program differ): delete it,"
                " or choose another --file."
            )
        return read(found)

    def write(self, now: Training) -> None:
        made = {"of": self._mark, **now.evolution._asdict(), "past": now.past}
        whole = self.file.with_name(f"{self.file.name}.new")
        whole.write_text(json.dumps(made) + "\n", encoding="ascii")
        whole.replace(self.file)


def read(found: dict[str, Any]) -> Training:
    """The training that a file says."""
    mean, spread = tuple(found["mean"]), tuple(found["spread"])
    evolution = Evolution(found["generation"], mean, spread)
    return Training(evolution, tuple(map(tuple, found["past"])))
