"""Every law, over every registered game, number of seats and options."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import AnyGame, NotationError, Options
from engine.registry import games
from tests.conformance.laws import LAWS
from tests.conformance.laws_of_knowledge import check_private
from tests.conformance.matches import match_of, play, shortest, variants
from tests.conformance.reading import unseen
from tests.nightly import by_day

PLAYED: list[AnyGame] = list(games().values())
CASES: list[tuple[AnyGame, int, Options]] = [
    (game, seats, options)
    for game in PLAYED
    for seats in game.info.seats
    for options in variants(game)
]
NAMES = [
    f"{game.info.id}-{seats}-" + (",".join(f"{k}={v}" for k, v in options.items()) or "default")
    for game, seats, options in CASES
]
SHORTEST = [
    (game, seats, options)
    for game in PLAYED
    for seats in game.info.seats
    for options in shortest(game)
]
SHORT_NAMES = [
    f"{game.info.id}-{seats}" + "".join(f"-{key}" for key, on in options.items() if on is True)
    for game, seats, options in SHORTEST
]

REST = [(case, name) for case, name in zip(CASES, NAMES, strict=True) if case not in SHORTEST]
"""Options beyond the shortest matches."""

SEEDS = 4
"""Matches of every case that each law looks at before a change lands; nightly more are drawn."""
MORE_SEEDS = 16
"""The same where there is nothing to look at: a match may end before all cards are dealt."""
DEAR = {"law_swap": 2}
"""The same for laws that take as long as all others together."""


def test_every_registered_game_is_played() -> None:
    assert {"aufundab", "kaiserspiel"} <= games().keys()
    assert {game.info.id for game, _, _ in CASES} == games().keys()


@pytest.mark.nightly
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    ("game", "seats", "options"), [pytest.param(*case, id=name) for case, name in REST]
)
def test_law_holds_with_every_option(law: str, game: AnyGame, seats: int, options: Options) -> None:
    LAWS[law](game, seats, options, 1)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    by_day(
        [pytest.param(*case, id=name) for case, name in zip(SHORTEST, SHORT_NAMES, strict=True)],
        2,
    ),
)
def test_law_holds_and_looks_at_something(
    law: str, game: AnyGame, seats: int, options: Options
) -> None:
    looked, least = 0, DEAR.get(law, SEEDS)
    for seed in range(MORE_SEEDS):
        if seed < least or not looked:
            looked += LAWS[law](game, seats, options, seed)
    assert looked


@pytest.mark.nightly
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("game", "seats", "options"), CASES, ids=NAMES)
@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(seed=st.integers(SEEDS, 2**20))
def test_law_holds_in_matches_never_seen_before(
    law: str, game: AnyGame, seats: int, options: Options, seed: int
) -> None:
    LAWS[law](game, seats, options, seed)


def test_a_story_names_kaisers_that_all_heard_of_and_one_was_then_played_face_down() -> None:
    assert LAWS["law_story"](games()["kaiserspiel"], 4, {"target": 3}, 41)


@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.info.id)
@settings(derandomize=True, max_examples=50)
@given(text=st.text(max_size=40) | st.from_regex(r"(play|pass|kaiser|discard|raise)[ 0-9A-Zax-]*"))
def test_any_text_is_an_action_or_refused(game: AnyGame, text: str) -> None:
    match = match_of(game, game.info.seats[0], variants(game)[0], 5)
    try:
        action = game.parse_action(text)
    except NotationError:
        pass
    else:
        assert game.format_action(action) == text, "records hold canonical text only"
    for ply in match.plies[1:4]:
        try:
            action = game.parse_action(text, game.observe(ply.before, ply.seat))
        except NotationError:
            continue
        assert game.parse_action(game.format_action(action)) == action


@pytest.mark.slow
@pytest.mark.parametrize("many", [300, pytest.param(10_000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.info.id)
def test_every_ply_shows_nobody_what_they_may_not_know(game: AnyGame, many: int) -> None:
    plies, seed = 0, 0
    while plies < many:
        match = play(game, game.info.seats[seed % len(game.info.seats)], {}, seed)
        for at, hidden in enumerate(unseen(match)):
            check_private(match, at, hidden)
        plies += len(match.plies)
        seed += 1
