"""Laws of records: what is written comes back, and nothing else is taken."""

from __future__ import annotations

import functools
import json
from random import Random
from typing import Any

from engine.game import (
    CHANCE,
    AnyGame,
    Json,
    NotationError,
    Options,
)
from engine.record import opening_from_json, opening_to_json
from tests.conformance.law import law
from tests.conformance.matches import Ply, canonical_pack, exchanged, match_of, texts_of
from tests.conformance.reading import is_immutable, refusal


@law
def law_replay(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """The log, written as text and read back, folds to equal states, which hash."""
    match = match_of(game, seats, given, seed)
    log = [
        (
            ply.seat,
            opening_to_json(game, ply.action, ply.after)
            if ply.seat == CHANCE
            else game.format_action(ply.action),
        )
        for ply in match.plies
    ]
    text = json.dumps({"options": dict(match.options), "log": log})
    read = json.loads(text)
    state = game.initial(seats, read["options"])
    for (seat, entry), ply in zip(read["log"], match.plies, strict=True):
        if seat == CHANCE:
            action = opening_from_json(game, state, entry)
        else:
            action = game.parse_action(entry)
        assert action == ply.action, f"{entry} is read as {action}"
        state = game.apply(state, seat, action)
        assert is_immutable(state), f"a state has mutable parts: {state}"
        assert state == ply.after, "the fold of the log is another state"
        assert hash(state) == hash(ply.after)
    return len(log)


@law
def law_notation(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Text and action are each other's inverse; people are forgiven case and spaces."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    looked = 0
    for at in match.some(rng, 10):
        state = match.plies[at].before
        for seat in game.actors(state):
            if seat == CHANCE:
                continue
            legal = game.legal_actions(state, seat)
            view = game.observe(state, seat)
            texts = [game.format_action(action) for action in legal]
            assert len(set(texts)) == len(texts), "two legal actions have one text"
            for index in rng.sample(range(len(legal)), min(15, len(legal))):
                action, text = legal[index], texts[index]
                assert text == " ".join(text.split()), f"{text!r} is not canonical"
                assert game.parse_action(text) == action, f"{text!r} is read as another action"
                for typed in (text, text.upper(), text.lower(), f"  {text}\t".replace(" ", "  ")):
                    assert game.parse_action(typed, view) == action, f"{typed!r} is not forgiven"
                    if typed != text:
                        _not_an_action(game, typed)
                assert game.public_action(view, seat, action) == text, "my own action is blank"
                looked += 1
    for nonsense in (
        "",
        " ",
        "pass pass",
        "play",
        "play ?",
        "play Z9",
        "\x00",
        "pass\n",
        "x" * 6000,
    ):
        _not_an_action(game, nonsense)
        if nonsense != "pass\n":
            _not_an_action(game, nonsense, game.observe(match.plies[1].before, 0))
    return looked


def _not_an_action(game: AnyGame, text: str, view: Any = None) -> None:
    try:
        action = game.parse_action(text, view)
    except NotationError:
        return
    raise AssertionError(f"{text!r} is read as {action}")


def _dealt(game: AnyGame, ply: Ply, data: Json) -> Any:
    action = game.deal_from_json(ply.before, data, game.round_head(ply.after))
    return game.apply(ply.before, CHANCE, action)


@law
def law_deal_json(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """A deal comes back from its JSON; a deal with a wrong card is refused."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    order = canonical_pack(game, seats, match.options)
    deals = [ply for ply in match.plies if ply.seat == CHANCE]
    for ply in deals:
        data = json.loads(json.dumps(game.deal_to_json(ply.action)))
        assert sorted(text for text in texts_of(data) if text in order) == sorted(order)
        again = game.deal_from_json(ply.before, data, game.round_head(ply.after))
        assert again == ply.action
        assert game.deal_to_json(again) == game.deal_to_json(ply.action)
        a, b = rng.sample(sorted(set(order)), 2)
        for change in ({a: b}, {a: "Z9"}, {a: ""}):
            wrong = exchanged(data, change, order)
            error = refusal(functools.partial(_dealt, game, ply, wrong))
            assert error is not None, f"a deal with {change} is accepted"
    malformed: tuple[Json, ...] = (
        None,
        3,
        "deal",
        [],
        {},
        [[]],
        {"hands": 3},
        {"hands": [[1]], "aside": []},
        {"pack": [None]},
        {"hands": [["0-0"]], "aside": [["0-1"]]},
    )
    before, head = deals[0].before, game.round_head(deals[0].after)
    for junk in malformed:
        error = refusal(functools.partial(game.deal_from_json, before, junk, head))
        assert isinstance(error, NotationError), f"{junk} is read as a deal"
        assert error.code == "deal_malformed", error.code
    return len(deals)
