"""Game records (`stammtisch.record/1`, `data/docs/notation.md`): building them and their parts.

`engine.verify` checks them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from engine.deal import Mix, commitment
from engine.game import CHANCE, AnyGame, Json, NotationError, Options, RoundHead, Seat
from engine.notation import is_number

FORMAT: Final = "stammtisch.record/1"

Log: TypeAlias = Iterable[tuple[Seat, Any]]
"""Who did what, deals included.  Actions are the game's own business (see `AnyGame`)."""


def record(
    game: AnyGame,
    seats: int,
    options: Options,
    log: Log,
    *,
    legal: bool = False,
    stopped: str | None = None,
    proofs: Sequence[Mapping[str, Json] | None] = (),
) -> dict[str, Json]:
    """The record of a match that was played; `options` complete, every action legal.

    With `legal` every action carries the legal ones beside it.  `proofs` are what
    `proof_to_json` made, one per round dealt (None where there is none), or () for none at all.
    A log that does not reach the end of the match needs `stopped`, the reason.

    Raises ValueError if the reason is missing, empty or given for a finished match, and if
    there are not as many proofs as rounds.
    """
    state = game.initial(seats, options)
    rounds: list[dict[str, Json]] = []
    actions: list[Json] = []
    for seat, action in log:
        if seat == CHANCE:
            state = game.apply(state, seat, action)
            actions = []
            opening = opening_to_json(game, action, state)
            rounds.append({**opening, "actions": actions, "scores": None, "proof": None})
            continue
        done: dict[str, Json] = {"seat": seat, "do": game.format_action(action)}
        if legal:
            done["legal"] = legal_texts(game, state, seat)
        state = game.apply(state, seat, action)
        actions.append(done)
        points = game.round_scores(state)
        if points is not None:
            rounds[-1]["scores"] = list(points)
    outcome = game.outcome(state)
    if (outcome is None) != (stopped is not None) or stopped == "":
        raise ValueError("a match is either finished or stopped for a reason")
    if proofs and len(proofs) != len(rounds):
        raise ValueError(f"{len(proofs)} proofs for {len(rounds)} rounds")
    for dealt, proof in zip(rounds, proofs, strict=False):
        dealt["proof"] = proof
    made: dict[str, Json] = {
        "format": FORMAT,
        "game": game.info.id,
        "rules_version": game.info.rules_version,
        "options": dict(options),
        "seats": seats,
        "rounds": rounds,
        "outcome": outcome and {"scores": list(outcome.scores), "ranking": list(outcome.ranking)},
    }
    if stopped is not None:
        made["stopped"] = stopped
    return made


def opening_to_json(game: AnyGame, deal: Any, after: Any) -> dict[str, Json]:
    """How a round began, as in its record: dealer, start, trump and deal; `after` the deal."""
    head = game.round_head(after)
    return {
        "dealer": head.dealer,
        "start": head.start,
        "trump": head.trump,
        "deal": game.deal_to_json(deal),
    }


def opening_from_json(game: AnyGame, before: Any, data: object) -> Any:
    """The deal, due at `before`, that `opening_to_json` wrote.

    Raises NotationError as `Game.deal_from_json` does.
    """
    if not isinstance(data, Mapping):
        raise NotationError("deal_malformed")
    dealer, start, trump = data.get("dealer"), data.get("start"), data.get("trump")
    head = RoundHead(
        dealer if is_number(dealer) else None,
        start if is_number(start) else None,
        trump if isinstance(trump, str) else None,
    )
    return game.deal_from_json(before, data.get("deal"), head)


def legal_texts(game: AnyGame, state: Any, seat: Seat) -> list[str]:
    """Notation of every legal action, each text once, by code point."""
    return sorted(set(map(game.format_action, game.legal_actions(state, seat))))


def proof_to_json(seed: bytes, mix: Mix) -> dict[str, Json]:
    """The `proof` of a round whose deal came from `stream(seed, mix)`."""
    return {
        "commitment": commitment(seed, mix.round),
        "link": mix.round,
        "server_seed": seed.hex(),
        "table": mix.table,
        "round": mix.round,
        "post": mix.post,
        "previous": mix.previous,
        "words": list(mix.words),
    }


def to_text(made: Mapping[str, Json]) -> str:
    """A record as one line.

    Made round by round: one call for a long match would hold up all other threads.
    """
    parts = []
    for key, value in made.items():
        if key == "rounds" and isinstance(value, list):
            text = f"[{','.join(map(_dumps, value))}]"
        else:
            text = _dumps(value)
        parts.append(f"{_dumps(key)}:{text}")
    return f"{{{','.join(parts)}}}"


def _dumps(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
