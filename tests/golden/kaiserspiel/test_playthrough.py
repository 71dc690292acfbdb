"""A whole match as a text that a person can read: two rounds, both kinds of end.

`UPDATE_GOLDEN=1 pytest tests/golden` writes it anew; read the difference before keeping it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from engine.cards import cards_in
from engine.deal import Seeded
from engine.game import CHANCE, Event
from engine.games.kaiserspiel import GAME
from engine.games.kaiserspiel.cards import DOWN, HIDDEN, HIDDEN_KAISER, PACK
from engine.games.kaiserspiel.moves import Move
from engine.games.kaiserspiel.state import Action, State, View
from engine.layout import Cards, Param, SeatName, Suit
from tests.golden.written import check_as_written

SEED: Final = 1773
TARGET: Final = 20
FILE: Final = Path(__file__).with_name("playthrough.txt")
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


def playthrough() -> Iterator[str]:
    rng = Random(SEED)
    options = GAME.complete_options(4, {"target": TARGET})
    yield f"kaiserspiel, {dict(options)}, seed {SEED}"
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
            yield f"  told    {_event(event)}"
        state = after
    yield ""
    yield f"end: {GAME.outcome(state)}"


def _situation(state: State) -> Iterator[str]:
    """What everybody sees, and every hand."""
    view = GAME.observe(state, None)
    kaisers = " ".join(_mask(each) for each in view.kaisers)
    yield (
        f"  open    {_codes(view.round.opens)}; cut {_codes((view.round.cut,))}; for {view.value}; "
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


def _event(event: Event) -> str:
    params = ", ".join(f"{k}={_param(v)}" for k, v in event.phrase.params.items())
    audience = "all" if event.audience is None else f"seat {event.audience[0]} only"
    return f"{audience}: {event.phrase.code} {params}".rstrip()


def _param(value: Param) -> str:
    match value:
        case SeatName(seat):
            return f"<{seat}>"
        case Cards(codes):
            return " ".join(codes)
        case Suit(code):
            return f"suit {code}"
        case _:
            return str(value)


def test_a_match_is_played_as_it_was() -> None:
    text = "\n".join(playthrough()) + "\n"
    check_as_written(FILE, text)


def test_the_match_shows_what_there_is_to_see() -> None:
    """Else the text above would be blind to it."""
    text = FILE.read_text(encoding="utf-8")
    for word in (
        "kaiser ", "raise 1", "raise 3", "lift", "stay", "threeup", "accept", "resign", "pass",
        "discard ? ?", "play ? down", "play kaiser down", "trick_won", "match_won",
    ):  # fmt: skip
        assert word in text, word
