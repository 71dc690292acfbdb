"""Whole matches as texts that a person can read: two rounds, both kinds of end.

One of before the switch `limit`, which does not name it, and one with it.

`UPDATE_GOLDEN=1 pytest tests/golden` writes it anew; read the difference before keeping it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine.cards import cards_in
from engine.deal import Seeded
from engine.game import CHANCE, Options
from engine.games.kaiserspiel import GAME
from engine.games.kaiserspiel.cards import DOWN, HIDDEN, HIDDEN_KAISER, PACK, Move
from engine.games.kaiserspiel.state import Action, State, View
from tests.golden.written import check_as_written, event_as_written

FOLDER: Final = Path(__file__).parent
MATCHES: Final[Mapping[str, tuple[int, Options]]] = {
    "playthrough.txt": (1773, {"target": 20}),
    "playthrough_limit.txt": (3771, {"limit": True, "target": 20}),
}
"""By file: the seed and the options of a match."""
SHOWN: Final = 6
"""So many legal actions are written out."""
RARE: Final = ("resign", "threeup")
"""What random players would say too often to come to any tricks."""


def choose(legal: tuple[Move, ...], rng: Random) -> Move:
    """Anything legal, but five of six times nothing rare."""
    move = rng.choice(legal)
    if move.verb in RARE and rng.random() < 5 / 6:
        return next(each for each in legal if each.verb not in RARE)
    return move


def playthrough(seed: int, options: Options) -> Iterator[str]:
    rng = Random(seed)
    yield f"kaiserspiel, {dict(options)}, seed {seed}"
    state = GAME.initial(4, options)
    ply = 0
    while actors := GAME.actors(state):
        seat = rng.choice(actors)
        yield ""
        action: Action
        if seat == CHANCE:
            action = GAME.deal(state, Seeded(rng))
            yield f"deal by seat {action.dealer}"
            yield f"  pack    {_codes(action.pack)}"
        else:
            ply += 1
            yield f"ply {ply}: seat {seat} of {actors}, question {GAME.question(state, seat)}"
            yield from _situation(state)
            legal = tuple(GAME.legal_actions(state, seat))
            assert GAME.observe(state, seat).legal_actions == legal
            texts = [GAME.format_action(each) for each in legal]
            more = "; …" if len(texts) > SHOWN else ""
            yield f"  legal   {len(texts)}: {'; '.join(texts[:SHOWN])}{more}"
            action = choose(legal, rng)
            yield f"  does    {GAME.format_action(action)}"
        after = GAME.apply(state, seat, action)
        if isinstance(action, Move):
            text = GAME.public_action(GAME.observe(after, None), seat, action)
            yield f"  log     {text}"
        for event in GAME.events(state, seat, action, after):
            yield f"  told    {event_as_written(event, 'suit ')}".rstrip()
        state = after
    yield ""
    yield f"end: {GAME.outcome(state)}"


def _situation(state: State) -> Iterator[str]:
    """What everybody sees, and every hand."""
    view = GAME.observe(state, None)
    kaisers = " ".join(_mask(each) for each in view.kaisers)
    most = "" if view.round.most is None else f" of {view.round.most}"
    yield (
        f"  open    {_codes(view.round.opens)}; cut {_codes((view.round.cut,))}; "
        f"for {view.value}{most}; "
        f"kaisers {kaisers}; left {' '.join(map(str, view.counts))}; "
        f"totals {' '.join(map(str, view.round.scores[:2]))}"
    )
    if view.tricks.laid:
        yield f"  tricks  {_laid(view)}; won {view.tricks.won}"
    for seat in range(4):
        own = GAME.observe(state, seat)
        thrown = f"; threw out {_mask(own.discards)}" if own.discards else ""
        yield f"  seat {seat}  {_mask(own.hand)}{thrown}"


def _laid(view: View) -> str:
    words = []
    for place, card in enumerate(view.tricks.laid):
        if place % 4 == 0:
            words.append(f"<{view.tricks.leaders[place // 4]}>")
        words.append({HIDDEN: "?", HIDDEN_KAISER: "K?"}.get(card, PACK.names[card % DOWN]))
    return " ".join(words)


def _codes(cards: Sequence[int]) -> str:
    return " ".join(PACK.names[card] for card in cards)


def _mask(cards: int) -> str:
    return _codes(tuple(cards_in(cards))) or "-"


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_is_played_as_it_was(name: str) -> None:
    text = "\n".join(playthrough(*MATCHES[name])) + "\n"
    check_as_written(FOLDER / name, text)


@pytest.mark.parametrize("name", MATCHES)
def test_the_match_shows_what_there_is_to_see(name: str) -> None:
    """Else the text above would be blind to it."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    for word in (
        "kaiser ", "raise 1", "lift", "threeup", "accept", "pass",
        "discard ? ?", "play ? down", "won_suit_led", "match_won",
        *LIMITED.get(name, ("raise 3", "stay", "resign", "play kaiser down")),
    ):  # fmt: skip
        assert word in text, word


LIMITED: Final = {"playthrough_limit.txt": ("legal   1: raise 1\n", "for 4 of 20;")}
"""What only the limit brings: a captain who may not raise by 3."""
