"""A whole random match as a text that a person can read.

`UPDATE_GOLDEN=1 pytest tests/golden` writes it anew; read the difference before keeping it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from engine.cards import cards_in
from engine.deal import Seeded
from engine.game import CHANCE
from engine.games.aufundab import GAME
from engine.games.aufundab.cards import PACK, SYMBOLS
from engine.games.aufundab.state import Action, State, View
from tests.golden.written import check_as_written, event_as_written

SEATS: Final = 4
SEED: Final = 2003
FILE: Final = Path(__file__).with_name("playthrough_4_seats.txt")
SHOWN: Final = 6
"""So many legal actions are written out."""


def playthrough() -> Iterator[str]:
    rng = Random(SEED)
    draw = Seeded(rng)
    options = GAME.complete_options(SEATS, {"hands": 1})
    yield f"aufundab, {SEATS} seats, {dict(options)}, seed {SEED}"
    state = GAME.initial(SEATS, options)
    ply = 0
    while actors := GAME.actors(state):
        (seat,) = actors
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
            for each in range(SEATS):
                yield f"  seat {each}  {_codes(GAME.observe(state, each).hand)}"
            legal = GAME.legal_actions(state, seat)
            assert tuple(GAME.observe(state, seat).legal_actions) == tuple(legal)
            texts = [GAME.format_action(each) for each in legal]
            more = "; …" if len(texts) > SHOWN else ""
            yield f"  legal   {len(texts)}: {'; '.join(texts[:SHOWN])}{more}"
            action = legal[draw(len(legal))]
            yield f"  does    {GAME.format_action(action)}"
        after = GAME.apply(state, seat, action)
        for event in GAME.events(state, seat, action, after):
            yield f"  told    {event_as_written(event)}"
        state = after
    yield ""
    yield f"end: {_open(GAME.observe(state, None))}"
    yield f"aside {_codes(GAME.observe(state, None).round.aside)}; {GAME.outcome(state)}"


def _open(view: View) -> str:
    """What everybody sees."""
    beat = f"{view.quantity} × {view.number}" if view.quantity else "a lead"
    out = " ".join(str(seat) for seat in cards_in(view.out)) or "nobody"
    return (
        f"{SYMBOLS[view.mode]} {beat}; table {_codes(view.pile)}; out {out}; "
        f"left {' '.join(map(str, view.counts))}; change cards {view.changes}; "
        f"then {SYMBOLS[view.next_mode]}"
    )


def _codes(cards: int) -> str:
    return " ".join(PACK.codes(cards)) or "-"


def test_a_match_of_four_is_played_as_it_was() -> None:
    text = "\n".join(playthrough()) + "\n"
    check_as_written(FILE, text)


def test_the_state_says_who_is_out() -> None:
    """The text above would be blind to a passed seat that is asked again."""
    rng = Random(SEED)
    draw = Seeded(rng)
    state: State = GAME.initial(SEATS, GAME.complete_options(SEATS, {"hands": 1}))
    while actors := GAME.actors(state):
        (seat,) = actors
        if seat == CHANCE:
            state = GAME.apply(state, seat, GAME.deal(state, draw))
            continue
        assert not state.out >> seat & 1
        legal = GAME.legal_actions(state, seat)
        state = GAME.apply(state, seat, legal[draw(len(legal))])
