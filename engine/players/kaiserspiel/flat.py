"""Kaiserspiel: from states and observations to vectors of integers, and back to moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import cards_in
from engine.games.kaiserspiel.cards import DOWN as FACE_DOWN
from engine.games.kaiserspiel.cards import HIDDEN, HIDDEN_KAISER, mask
from engine.games.kaiserspiel.moves import (
    ACCEPT,
    LIFT,
    PASS,
    RAISE_1,
    RAISE_3,
    RESIGN,
    STAY,
    TEXTS,
    THREEUP,
    Move,
    laid,
)
from engine.games.kaiserspiel.questions import ALL_SEATS, Question, Step
from engine.games.kaiserspiel.state import Round, State, Tricks, View
from engine.players.compiled import Ints, ints
from engine.players.kaiserspiel import slots

STEPS: Final[tuple[Step, ...]] = (
    "declare",
    "raise",
    "raise by 1",
    "lift",
    "call",
    "answer 1",
    "answer 3",
    "answer lift",
    "answer call",
    "discard",
    "play",
    "over",
)
"""By the twin's number."""

SECRET: Final = -1
"""In place of another seat's discards in what a seat knows."""

_WORDS: Final = (PASS, THREEUP, RAISE_1, RAISE_3, LIFT, STAY, ACCEPT, RESIGN)
"""From the twin's `PASS` on."""


def move_of(action: Move) -> int:
    """How the twin writes an action."""
    cards = list(cards_in(action.cards))
    match action.verb:
        case "play" | "down":
            return laid(action)
        case "kaiser":
            return slots.KAISER + cards[0]
        case "discard":
            return slots.TWO + cards[0] * slots.DECK + cards[1]
        case _:
            return slots.PASS + _WORDS.index(action)


ACTIONS: Final = {move_of(action): action for action in TEXTS}
"""By the twin's number: the action."""


def flatten(state: State) -> Ints:
    """The twin's state of a state of the game in which a round has begun."""
    s = _public(state.question, state.round, state.tricks, state.value, state.cards.kaisers)
    s[slots.ACTOR] = state.question.seats[0] if state.step != "over" else -1
    stock = state.cards.stock
    s[slots.STOCK_AT] = slots.STOCK_SIZE - len(stock)
    _fill(s, slots.STOCK + s[slots.STOCK_AT], stock)
    _fill(s, slots.HANDS, state.hands)
    _fill(s, slots.DISCARDS, state.cards.discards)
    _fill(s, slots.LAID, state.laid)
    for place, card in enumerate(state.laid):
        if card >= FACE_DOWN:
            seat, bit = state.tricks.seat_of(place), 1 << card % FACE_DOWN
            s[slots.DOWNS + seat] |= bit
            s[slots.KAISERS_DOWN + seat] += bool(state.cards.kaisers[seat] & bit)
    return ints(s)


def known(view: View) -> Ints:
    """All that a seat which is asked knows, in the slots of the twin's state.

    Others have no cards there but in open slots, hidden cards are `HIDDEN` or `HIDDEN_KAISER` in
    `LAID`, and nothing stands in the stock.
    """
    me = view.seat
    if me is None or not view.asked:
        raise ValueError("nobody is asked")
    s = _public(view.question, view.round, view.tricks, view.value, view.kaisers)
    s[slots.ACTOR] = me
    dealt = sum(view.counts) + 2 * sum(view.done) + len(view.tricks.laid)
    s[slots.STOCK_AT] = dealt - 2
    s[slots.HANDS + me] = view.hand
    for seat in ALL_SEATS:
        s[slots.DISCARDS + seat] = SECRET if view.done[seat] else 0
    s[slots.DISCARDS + me] = view.discards
    _fill(s, slots.LAID, view.tricks.laid)
    for place, card in enumerate(view.tricks.laid):
        seat = view.tricks.seat_of(place)
        if card == HIDDEN_KAISER:
            s[slots.KAISERS_DOWN + seat] += 1
        elif FACE_DOWN <= card < HIDDEN:
            bit = 1 << card % FACE_DOWN
            s[slots.DOWNS + seat] |= bit
            s[slots.KAISERS_DOWN + seat] += bool(view.kaisers[seat] & bit)
    return ints(s)


def _public(
    question: Question, round_: Round, tricks: Tricks, value: int, kaisers: Sequence[int]
) -> list[int]:
    """What everybody knows."""
    s = [0] * slots.SIZE
    s[slots.STEP] = STEPS.index(question.step)
    s[slots.PAUSE] = question.pause
    for seat in reversed(question.queue):
        s[slots.QUEUE] = s[slots.QUEUE] << 3 | (seat + 1)
    s[slots.BARRED] = question.barred
    s[slots.DEALER] = round_.dealer
    s[slots.VALUE] = value
    s[slots.MOST] = slots.UNBOUNDED if round_.most is None else round_.most
    s[slots.SPECIAL] = -1 if round_.special is None else round_.special
    s[slots.CUT] = round_.cut
    s[slots.LAID_COUNT] = len(tricks.laid)
    s[slots.UP] = mask(card for card in tricks.laid if card < FACE_DOWN)
    s[slots.OPEN_COUNT] = len(round_.opens)
    _fill(s, slots.WON, tricks.won)
    _fill(s, slots.POINTS, (round_.points or (0, 0))[:2])
    _fill(s, slots.KAISERS, kaisers)
    _fill(s, slots.OPENS, [*round_.opens, *[slots.NO_CARD] * (slots.SEATS - len(round_.opens))])
    _fill(s, slots.LEADERS, tricks.leaders)
    return s


def _fill(s: list[int], at: int, values: Sequence[int]) -> None:
    s[at : at + len(values)] = values
