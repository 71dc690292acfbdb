"""Whole random rounds as texts that a person can read.

`UPDATE_GOLDEN=1 pytest tests/golden` writes them anew; read the difference before keeping it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine.deal import Seeded
from engine.game import CHANCE, Options
from engine.games.auffalscherfaehrte import GAME
from engine.games.auffalscherfaehrte.cards import SUITS, code, codes
from engine.games.auffalscherfaehrte.state import Action
from engine.games.auffalscherfaehrte.view import View
from tests.golden.written import check_as_written, event_as_written

CASES: Final[Mapping[str, tuple[int, Options, int]]] = {
    "playthrough_3_seats": (3, {"jokers": False, "rounds": 1}, 2003),
    "playthrough_4_seats": (4, {"jokers": False, "rounds": 1}, 2001),
    "playthrough_3_seats_jokers": (3, {"jokers": True, "rounds": 1}, 2002),
    "playthrough_4_seats_jokers": (4, {"jokers": True, "rounds": 1}, 2003),
    "playthrough_3_seats_again": (3, {"jokers": False, "next_leader": "again", "rounds": 2}, 2005),
}
"""By file: seats, options, seed."""


def playthrough(seats: int, options: Options, seed: int) -> Iterator[str]:
    rng = Random(seed)
    draw = Seeded(rng)
    yield f"auffalscherfaehrte, {seats} seats, {dict(options)}, seed {seed}"
    state = GAME.initial(seats, options)
    ply = 0
    while actors := GAME.actors(state):
        seat = actors[draw(len(actors))]
        yield ""
        action: Action
        if seat == CHANCE:
            yield "deal"
            action = GAME.deal(state, draw)
            yield f"  does    {GAME.deal_to_json(action)}"
        else:
            ply += 1
            yield f"ply {ply}: seat {seat}, question {GAME.question(state, seat)}"
            yield f"  open    {_open(GAME.observe(state, None))}"
            for each in range(seats):
                yield f"  seat {each}  {_own(GAME.observe(state, each))}"
            legal = GAME.legal_actions(state, seat)
            assert tuple(GAME.observe(state, seat).legal_actions) == tuple(legal)
            yield f"  legal   {'; '.join(GAME.format_action(each) for each in legal)}"
            action = legal[draw(len(legal))]
            other = GAME.observe(state, None)
            yield f"  does    {GAME.format_action(action)}"
            yield f"  others  {GAME.public_action(other, seat, action)}"
        after = GAME.apply(state, seat, action)
        for event in GAME.events(state, seat, action, after):
            yield f"  told    {event_as_written(event)}".rstrip()
        state = after
    yield ""
    yield f"end: {_open(GAME.observe(state, None))}"
    yield f"{GAME.round_head(state)}; {GAME.outcome(state)}"


def _open(view: View) -> str:
    """What everybody sees."""
    trail = " ".join(map(code, view.turned)) or "-"
    trick = " ".join(map(code, view.trick)) or "-"
    chosen = "".join("?" if each else "." for each in view.chosen)
    return (
        f"trump {SUITS[view.round.trump]}; hidden {chosen}; "
        f"trail {trail} = {view.total} of {view.goal}; trick {trick}; "
        f"taken {' '.join(map(str, view.taken))}; "
        f"left {' '.join(map(str, view.counts))}; asked {' '.join(map(str, view.actors)) or '-'}"
    )


def _own(view: View) -> str:
    """What a seat has of its own."""
    hid = "" if view.own is None else f" (hid {code(view.own)})"
    return (" ".join(codes(view.hand)) or "-") + hid


@pytest.mark.parametrize("name", CASES)
def test_a_round_is_played_as_it_was(name: str) -> None:
    file = Path(__file__).with_name(f"{name}.txt")
    text = "\n".join(playthrough(*CASES[name])) + "\n"
    check_as_written(file, text)


def test_the_golden_rounds_show_what_is_rare() -> None:
    """Offers without and with jokers, both kinds, a change and a trump that was kept."""
    whole = "".join(
        Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8") for name in CASES
    )
    for code_ in (
        "may_change_last",
        "may_change_joker",
        "new_trump_last",
        "trump_kept",
        "turned_plus",
        "turned_minus",
        "no_offer",
    ):
        assert f"all: {code_}" in whole, code_
