"""Whole random rounds as texts that a person can read and count.

`UPDATE_GOLDEN=1 pytest tests/golden` writes them anew; read the difference before keeping it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from engine.deal import Seeded
from engine.game import CHANCE, Event, Options
from engine.games.sticheln import GAME
from engine.games.sticheln.state import State
from engine.record import record, to_text
from engine.verify import verify_text
from tests.golden.written import check_as_written, parameters

SEED: Final = 1993
CASES: Final[Mapping[str, tuple[int, str, Options]]] = {
    "round_3_seats": (3, "random", {"rounds": 1}),
    "round_6_seats": (6, "lowest", {"rounds": 1}),
    "round_3_seats_zeros_aside": (3, "lowest", {"rounds": 1, "zeros": "aside"}),
    "round_3_seats_zeros_taken": (3, "lowest", {"rounds": 1, "zeros": "leader"}),
}
"""By file: seats, how people play, options.

The lowest number first leads to equal numbers and zeros.
"""


def playthrough(seats: int, policy: str, options: Options) -> Iterator[str]:
    rng = Random(SEED)
    draw = Seeded(rng)
    yield f"sticheln, {seats} seats, {dict(options)}, seed {SEED}, {policy} play"
    state = GAME.initial(seats, options)
    deal = GAME.deal(state, draw)
    log: list[tuple[int, Any]] = [(CHANCE, deal)]
    after = GAME.apply(state, CHANCE, deal)
    yield from _told(GAME.events(state, CHANCE, deal, after))
    trick = 0
    while actors := GAME.actors(state := after):
        seat = actors[draw(len(actors))]
        view = GAME.observe(state, seat)
        legal = GAME.legal_actions(state, seat)
        assert tuple(view.legal_actions) == tuple(legal)
        if state.stage != "choose" and state.tricks.number + 1 > trick:
            trick += 1
            yield ""
            yield f"trick {trick}"
        default = policy == "lowest" and state.stage != "choose"
        action = GAME.default_action(view) if default else legal[draw(len(legal))]
        after = GAME.apply(state, seat, action)
        log.append((seat, action))
        texts = [GAME.format_action(each) for each in legal]
        cards = " ".join(text.split()[1] for text in texts)
        yield f"  question {GAME.question(state, seat)}: {seat} of {cards}"
        yield f"    does {GAME.format_action(action)}"
        yield from _told(GAME.events(state, seat, action, after))
    yield ""
    yield from _end(state)
    assert verify_text(to_text(record(GAME, seats, options, log, legal=True)), 1) == []


def _told(events: Sequence[Event]) -> Iterator[str]:
    for event in events:
        who = "all" if event.audience is None else f"only {event.audience}"
        yield f"    {who}: {event.phrase.code} {parameters(event)}"


def _end(state: State) -> Iterator[str]:
    """What everybody took and chose, by the places of the cards."""
    piles: dict[str, list[str]] = {}
    for card in GAME.cards(state):
        assert card.public
        piles.setdefault(card.place, []).append(card.card)
    for where, cards in sorted(piles.items()):
        yield f"{where}: {' '.join(cards)}"
    yield f"points {GAME.round_scores(state)}; {GAME.outcome(state)}"


@pytest.mark.parametrize("name", CASES)
def test_the_rounds_stay_as_they_are(name: str) -> None:
    file = Path(__file__).with_name(f"{name}.txt")
    text = "\n".join(playthrough(*CASES[name])) + "\n"
    check_as_written(file, text)
