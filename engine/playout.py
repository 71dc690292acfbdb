"""Uniformly random play of any game through its interface; who draws the deals is handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from random import Random
from typing import Any, TypeAlias

from engine.deal import Chain, Mix, Seeded, digest, stream
from engine.game import CHANCE, AnyGame, Draw, Json, Options, Seat
from engine.record import proof_to_json, record

Source: TypeAlias = Callable[[Sequence[tuple[Seat, Any]]], Draw]
"""Gives the randomness of the deal that is due after a log."""


def play_match(
    game: AnyGame,
    seats: int,
    options: Options,
    rng: Random,
    source: Source | None = None,
) -> list[tuple[Seat, Any]]:
    """One match of random play; `options` complete.  Equal generators play equal matches.

    Cards are dealt by `source` if there is one, else by the generator too.
    """
    log: list[tuple[Seat, Any]] = []
    state = game.initial(seats, options)
    draw = Seeded(rng)
    while actors := game.actors(state):
        seat = actors[0] if len(actors) == 1 else actors[draw(len(actors))]
        if seat == CHANCE:
            action = game.deal(state, draw if source is None else source(log))
        else:
            legal = game.legal_actions(state, seat)
            action = legal[draw(len(legal))]
        state = game.apply(state, seat, action)
        log.append((seat, action))
    return log


def simulate(
    game: AnyGame,
    seats: int,
    options: Options,
    seed: int,
    matches: int,
    *,
    legal: bool = False,
    proof: bool = False,
) -> Iterator[dict[str, Json]]:
    """Records of random matches; the k-th depends on `seed` and k only.

    With `proof` every deal is drawn from a verifiable stream and its proof recorded.  The tip of
    the match's chain follows from `seed` and k: it repeats the deals and keeps no secret.
    """
    complete = game.complete_options(seats, options)
    for number in range(matches):
        rng = Random(f"{seed}/{number}")  # noqa: S311 - a seed is to repeat it, not to hide it
        source = _Proven(game, seats, f"S{seed}-{number}") if proof else None
        log = play_match(game, seats, complete, rng, source)
        proofs = () if source is None else source.proofs
        yield record(game, seats, complete, log, legal=legal, proofs=proofs)


class _Proven:
    """The randomness of the deals of one match, as a table would make it without people.

    No message carries the rounds and nobody cuts, so `post` and words are empty.
    """

    def __init__(self, game: AnyGame, seats: int, table: str) -> None:
        self._game = game
        self._seats = seats
        self._table = table
        self.proofs: list[dict[str, Json]] = []
        """Of the rounds dealt so far."""
        tip = sha256(f"stammtisch simulate {table} 1".encode()).digest()
        self._seeds = Chain(tip).seeds()
        """Of the rounds to come, the next one last."""

    def __call__(self, log: Sequence[tuple[Seat, Any]]) -> Draw:
        """The randomness of the deal that follows this log."""
        number = len(self.proofs) + 1
        mix = Mix(
            game=self._game.info.id,
            table=self._table,
            round=number,
            post="",
            previous=self._previous(log) if self.proofs else "",
            words=("",) * self._seats,
        )
        seed = self._seeds.pop()
        self.proofs.append(proof_to_json(seed, mix))
        return stream(seed, mix)

    def _previous(self, log: Sequence[tuple[Seat, Any]]) -> str:
        last = list(takewhile(lambda entry: entry[0] != CHANCE, reversed(log)))
        format_action = self._game.format_action
        return digest((seat, format_action(action)) for seat, action in reversed(last))
