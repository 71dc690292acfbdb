"""Laws of play: it ends, is checked, pure, counted, and asks with numbers that last."""

from __future__ import annotations

import json
import random
import re
from itertools import combinations, islice
from random import Random
from typing import Any

from engine.game import (
    CHANCE,
    AnyGame,
    NotationError,
    Options,
    OptionSpec,
    Outcome,
    Seat,
)
from tests.conformance.law import law
from tests.conformance.matches import Match, match_of
from tests.conformance.reading import deep, forged, named, refusal, unknown_to
from tests.determinizing import determinize


@law
def law_ends(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Random play ends; nobody is to act exactly where there is an outcome."""
    match = match_of(game, seats, given, seed)
    for state in match.states:
        actors = game.actors(state)
        assert (game.outcome(state) is not None) == (actors == ()), "outcome iff nobody acts"
        assert isinstance(actors, tuple)
        assert list(actors) == sorted(set(actors)), f"actors {actors}"
        assert actors == (CHANCE,) or set(actors) <= set(range(seats)), f"actors {actors}"
    return len(match.plies)


@law
def law_legality(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """What is listed applies, once each; anything else is refused, by `is_legal` as well."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    other = match_of(game, seats, given, seed + 1)
    pool = [ply.action for ply in (*match.plies, *other.plies)]
    for at in other.some(rng, 3):
        seat = other.plies[at].seat
        pool += islice(game.legal_actions(other.plies[at].before, seat), 20)
    looked = 0
    for at in match.some(rng, 8):
        state = match.plies[at].before
        actors = game.actors(state)
        for seat in (CHANCE, *range(seats)):
            legal = game.legal_actions(state, seat)
            if seat == CHANCE or seat not in actors:
                assert tuple(legal) == (), f"seat {seat} is not to act and has {len(legal)} actions"
                tried = rng.sample(pool, min(8, len(pool)))
            else:
                assert len(legal) > 0, f"seat {seat} is to act and has no action"
                assert len(set(legal)) == len(legal), "a legal action is listed twice"
                assert match.plies[at].seat != seat or match.plies[at].action in legal
                some = rng.sample(list(legal), min(12, len(legal)))
                for action in some:
                    assert game.is_legal(state, seat, action), f"is_legal denies {action}"
                    game.apply(state, seat, action)
                tried = rng.sample(pool, min(30, len(pool)))
                tried += [near for action in some[:3] for near in forged(action, rng)]
            members = set(legal)
            for action in tried:
                if action in members or (seat == CHANCE and seat in actors):
                    continue
                assert not game.is_legal(state, seat, action), f"is_legal allows {action}"
                _refused(match, state, seat, action)
                looked += 1
        if actors == (CHANCE,):
            deal = match.plies[at].action
            assert game.is_legal(state, CHANCE, deal), "is_legal denies the deal"
            assert not game.is_legal(state, 0, deal), "a seat may deal"
            _refused(match, state, 0, deal)
            for action in pool:
                if type(action) is not type(deal):
                    assert not game.is_legal(state, CHANCE, action)
                    _refused(match, state, CHANCE, action)
                    break
    last = match.states[-1]
    for action in rng.sample(pool, min(8, len(pool))):
        for seat in (CHANCE, *range(seats)):
            assert not game.is_legal(last, seat, action), "something is legal after the end"
            _refused(match, last, seat, action)
    return looked


def _refused(match: Match, state: Any, seat: Seat, action: Any) -> None:
    """`apply` raises a RuleError whose parameters tell the refused seat nothing new."""
    game = match.game
    error = refusal(lambda: game.apply(state, seat, action))
    assert error is not None, f"apply accepts {action} of seat {seat}"
    assert re.fullmatch(r"[a-z][a-z0-9_]*", error.code), f"code {error.code!r}"
    if seat == CHANCE:
        return
    own = named(game.format_action(action)) if _has_notation(game, action) else set()
    hidden = unknown_to(game, state, seat) - own
    for key, value in error.params.items():
        for text in value if isinstance(value, tuple) else (value,):
            assert isinstance(text, int | str), f"{error.code}: {key}={value!r}"
            if isinstance(text, str):
                assert not named(text) & hidden, f"{error.code} tells {text!r}"


def _has_notation(game: AnyGame, action: Any) -> bool:
    try:
        game.format_action(action)
    except Exception:
        return False  # a deal, or a forged value: it has no text
    return True


@law
def law_pure(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """No method changes a state or depends on anything but its arguments."""
    match, rng = match_of(game, seats, given, seed), Random(seed)
    for at in match.some(rng, 12):
        ply = match.plies[at]
        snapshot = deep(ply.before)
        results = []
        for chance in (1, 2):
            random.seed(chance)
            global_state = random.getstate()
            after = game.apply(ply.before, ply.seat, ply.action)
            seen = [game.observe(ply.before, viewer) for viewer in match.viewers]
            guesses = [determinize(game, view, Random(5)) for view in seen]
            listed = tuple(game.legal_actions(ply.before, ply.seat))
            dealt = game.deal(ply.before, Random(7).randrange) if ply.seat == CHANCE else None
            drawn = [game.layout(view) for view in seen]
            happened = game.events(ply.before, ply.seat, ply.action, after)
            results.append((after, seen, guesses, listed, dealt, drawn, happened))
            assert random.getstate() == global_state, "global random is used"
        assert results[0] == results[1], "not a function of its arguments"
        assert results[0][0] == ply.after, "apply gives another state the second time"
        assert deep(ply.before) == snapshot, "a state was changed"
    return len(match.plies)


@law
def law_default(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """What the clock plays is legal, and it passes where it may."""
    match = match_of(game, seats, given, seed)
    looked = 0
    for ply in match.plies:
        for seat in game.actors(ply.before):
            if seat == CHANCE:
                continue
            action = game.default_action(game.observe(ply.before, seat))
            assert game.is_legal(ply.before, seat, action), f"default {action} is illegal"
            game.apply(ply.before, seat, action)
            legal = game.legal_actions(ply.before, seat)
            if any(game.format_action(each) == "pass" for each in legal):
                assert game.format_action(action) == "pass", f"default {action} instead of pass"
            looked += 1
    return looked


@law
def law_scores(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Totals add up, round by round; places follow from totals; a team stands together."""
    match = match_of(game, seats, given, seed)
    totals, head = (0,) * seats, None
    first = match.plies[0].before
    assert game.scores(first) == totals
    assert game.round_scores(first) is None, "points before the first deal"
    for ply in match.plies:
        points = game.round_scores(ply.after)
        waiting = game.actors(ply.after) in ((), (CHANCE,))
        assert (points is not None) == waiting, "points stand exactly between rounds"
        if points is not None:
            assert len(points) == seats, points
            assert all(type(each) is int for each in points), points
            totals = tuple(a + b for a, b in zip(totals, points, strict=True))
        assert game.scores(ply.after) == totals, "totals are not the sum of the rounds"
        if ply.seat == CHANCE:
            head = game.round_head(ply.after)
            assert head.dealer is None or head.dealer in range(seats), head
            assert head.start is None or head.start in range(seats), head
            assert head.trump is None or isinstance(head.trump, str), head
        assert game.round_head(ply.after) == head, "the head of a round changed"
    outcome = game.outcome(match.states[-1])
    assert outcome is not None
    assert outcome.scores == totals
    assert outcome.ranking == Outcome.of(outcome.scores).ranking, outcome
    for team in game.info.teams:
        assert len({(outcome.scores[seat], outcome.ranking[seat]) for seat in team}) == 1, outcome
    members = [seat for team in game.info.teams for seat in team]
    assert not members or sorted(members) == list(range(seats)), game.info.teams
    return len(match.plies)


@law
def law_question(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """A question keeps its number whatever others do, and a number never returns to a seat."""
    match = match_of(game, seats, given, seed)
    asked: dict[Seat, int] = {}
    looked = 0
    for number, ply in enumerate(match.plies, start=1):
        for seat in game.actors(ply.after):
            question = game.question(ply.after, seat)
            pending = seat != ply.seat and seat in game.actors(ply.before)
            if pending:
                assert question == game.question(ply.before, seat), (
                    f"an action of {ply.seat} made the question of {seat} stale"
                )
            else:
                assert question == number, f"question {question} was put at ply {number}"
                assert question > asked.get(seat, -1), "a number came back"
            asked[seat] = question
            looked += 1
    return looked


@law
def law_options(game: AnyGame, seats: int, given: Options, seed: int) -> int:
    """Complete options are complete; what cannot be is refused with its reason."""
    whole = game.complete_options(seats, given)
    assert dict(game.complete_options(seats, whole)) == dict(whole), "completing twice differs"
    assert list(game.complete_options(seats, whole)) == list(whole), "another order"
    assert dict(game.complete_options(seats, json.loads(json.dumps(dict(whole))))) == dict(whole)
    for key, value in given.items():
        assert whole[key] == value, f"{key} is not kept"
    assert tuple(sorted(set(game.info.seats))) == game.info.seats

    def refused(code: str, count: int, options: Options) -> None:
        error = refusal(lambda: game.complete_options(count, options))
        assert isinstance(error, NotationError), f"{options} with {count} seats are accepted"
        assert error.code == code, f"{options}: {error.code} instead of {code}"

    refused("seats", game.info.seats[0] - 1, {})
    refused("seats", game.info.seats[-1] + 1, {})
    refused("option_unknown", seats, {"nonsense": 1})
    for spec in game.info.options:
        if spec.kind == "int":
            refused("option_range", seats, {spec.key: spec.minimum - 1})
            refused("option_range", seats, {spec.key: spec.maximum + 1})
            refused("option_type", seats, {spec.key: True})
        else:
            refused("option_type", seats, {spec.key: 1})
        refused("option_type", seats, {spec.key: "many"})
        for value in spec.values or (spec.minimum, spec.maximum):
            whole = game.complete_options(seats, {spec.key: value})
            assert whole[spec.key] == value, f"{spec.key} is not kept"
        if spec.before is not None:
            _means_what_it_meant(game, seats, spec)
    return len(game.info.options)


def _means_what_it_meant(game: AnyGame, seats: int, spec: OptionSpec) -> None:
    """A match that does not name a switch has its value of before; each value is another match."""
    usual = dict(game.complete_options(seats, {}))
    starts = {value: game.initial(seats, {**usual, spec.key: value}) for value in spec.values}
    assert spec.before in starts, f"{spec.key} was something that it cannot be"
    unnamed = game.initial(seats, {key: usual[key] for key in usual if key != spec.key})
    assert deep(unnamed) == deep(starts[spec.before]), f"{spec.key} was not {spec.before}"
    for one, other in combinations(starts.values(), 2):
        assert deep(one) != deep(other), f"{spec.key} makes no difference"
