"""Auf falscher Fährte: its `KIT`, from an observation to the search and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.games.auffalscherfaehrte.cards import JOKER, SUIT_OF, Hide, Move, NameTrump
from engine.games.auffalscherfaehrte.rules import winning_place
from engine.games.auffalscherfaehrte.state import NOBODY, State
from engine.games.auffalscherfaehrte.view import View, observe
from engine.players.auffalscherfaehrte import twin
from engine.players.auffalscherfaehrte.policy import WEIGHTS, choose
from engine.players.auffalscherfaehrte.twin import (
    ACTOR,
    DONE,
    OVER,
    RIGHTS,
    SCRATCH,
    SEATS,
    STAGE,
    TAKEN,
    any_of,
    legal,
    play,
    points,
)
from engine.players.auffalscherfaehrte.walk import FRAMES, PLAYS, walk_on
from engine.players.auffalscherfaehrte.worlds import world
from engine.players.chance import below
from engine.players.compiled import Ints, ints, jit
from engine.players.kit import GUIDED, THIN, Begin, Kit, Question, Tried, add_points, next_move

STAGES: Final = {
    "hide": twin.HIDING,
    "play": twin.PLAYING,
    "trump": twin.NAMING,
    "deal": twin.OVER,
    "over": twin.OVER,
}

SPREAD: Final = 1.5
"""How far the values of moves lie apart: points of a round."""
SLIPS: Final = 16
"""One in so many moves of a playout by rules of thumb is any move."""


@jit
def search(
    known: Ints,
    history: Ints,
    begin: Begin,
    steps: int,
    tried: Tried,
    playouts: int,
    way: int,
    r: Ints,
    s: Ints,
) -> None:
    """As `Kit.search`, with so many steps of a walk to each world; `s` is room for a state."""
    for _ in range(playouts):
        at = next_move(tried, way, SPREAD)
        if len(begin.truth):
            s[:] = begin.truth
            s[ACTOR] = known[ACTOR]
        elif len(begin.walk):
            walk_on(known, history, begin.walk, steps, r, s)
        else:
            world(known, r, s)
        seat = known[ACTOR]
        done = s[DONE]
        taken = s[TAKEN + seat]
        play(s, tried.moves[at])
        while s[DONE] == done and s[STAGE] != OVER:
            _go_on(s, way, r)
        taken = s[TAKEN + seat] - taken
        while s[STAGE] != OVER:
            _go_on(s, way, r)
        for each in range(s[SEATS]):
            s[SCRATCH + each] = points(s, each)
        add_points(tried, at, s, SCRATCH, s[SEATS], seat, taken)


@jit
def _go_on(s: Ints, way: int, r: Ints) -> None:
    """The next move of a playout."""
    if way == GUIDED and below(r, SLIPS) > 0:
        play(s, choose(s, WEIGHTS))
    else:
        play(s, any_of(legal(s), r))


class AufFalscherFaehrteKit(Kit):
    """The twin of Auf falscher Fährte."""

    def question(self, view: View) -> Question:
        if view.seat is None:
            raise ValueError("a spectator is not asked")
        known = public(view)
        known[twin.ACTOR] = view.seat
        _hold(known, view.seat, view.hand)
        if view.own is not None:
            known[twin.HIDDEN + view.seat] = view.own
        moves: dict[int, Move] = {_move(action): action for action in view.legal_actions}
        actions, told = tuple(moves.values()), ints(history(view))
        return Question(ints(known), tuple(moves), actions, told, view.stage == "play")

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        return moves.index(choose(known, WEIGHTS))

    def search(
        self, asked: Question, begin: Begin, tried: Tried, playouts: int, way: int, r: Ints
    ) -> None:
        s = ints(twin.SIZE)
        search(asked.known, asked.history, begin, THIN, tried, playouts, way, r, s)

    def room(self, asked: Question) -> int:
        known, seats = asked.known, int(asked.known[twin.SEATS])
        hidden = [known[twin.HIDDEN + seat] for seat in range(seats)]
        decisions = hidden.count(twin.UNKNOWN)  # each may have a right to change the trump, too
        if not decisions:
            return 0
        decisions += (seats - 1) * (len(asked.history) - PLAYS) // (2 + seats) + RIGHTS
        return FRAMES + twin.SIZE * decisions

    def flatten(self, state: State) -> Ints:
        flat = public(observe(state, None))
        for seat, hand in enumerate(state.hands):
            _hold(flat, seat, hand)
            hidden = state.hidden[seat]
            flat[twin.HIDDEN + seat] = twin.NONE if hidden is None else hidden
            flat[twin.REVEAL + seat] = state.reveal[seat]
        return ints(flat)


def public(view: View) -> list[int]:
    """The part of the twin's state that everybody sees."""
    seats = len(view.counts)
    flat = [0] * twin.SIZE
    flat[twin.SEATS] = seats
    jokers = seats if view.round.match.jokers else 0
    flat[twin.PACK_JOKERS] = jokers - view.round.aside.count(JOKER)
    flat[twin.TRICKS] = view.round.match.tricks
    flat[twin.STAGE] = STAGES[view.stage]
    flat[twin.ACTOR] = view.actors[0] if flat[twin.STAGE] != twin.OVER else twin.NONE
    flat[twin.TRUMP] = view.round.trump
    offers = [*view.round.offers, twin.NONE, twin.NONE]
    flat[twin.OFFERS], flat[twin.OFFERS + 1] = offers[:2]
    flat[twin.TURNED] = len(view.turned)
    flat[twin.TURNED_CARDS] = _mask(view.turned)
    for seat in range(seats):
        flat[twin.HELD + seat] = view.counts[seat]
        flat[twin.HIDDEN + seat] = twin.UNKNOWN if view.chosen[seat] else twin.NONE
        flat[twin.REVEAL + seat] = twin.NONE
    _tell_tricks(flat, view)
    return flat


def history(view: View) -> list[int]:
    """What all saw the others do in this round, as `walk` reads it."""
    seats = len(view.counts)
    told = [
        _mask(view.round.aside.rstrip(bytes([JOKER]))),
        view.round.opening_trump,
        view.round.starter,
    ]
    told += [*view.turned, *[twin.NONE] * (4 - len(view.turned))]
    for trick in view.tricks:
        told += [trick.trump, trick.leader, *trick.cards]
    if view.stage == "play":
        missing = [twin.NONE] * (seats - len(view.trick))
        told += [view.round.trump, view.leader, *view.trick, *missing]
    return told


def _tell_tricks(flat: list[int], view: View) -> None:
    """The cards that were played, who took them, and what that showed."""
    seats = len(view.counts)
    seen = bytes(view.turned) + view.round.aside.rstrip(bytes([JOKER])) + view.trick
    for trick in view.tricks:
        _tell_trick(flat, trick.leader, trick.cards)
        seen += trick.cards
        if trick.winner != NOBODY:
            flat[twin.TAKEN + trick.winner] += 1
    flat[twin.DONE] = len(view.tricks)
    flat[twin.JOKERS_BEFORE] = flat[twin.JOKERS_SEEN]
    # After a trick that was nobody's the twin keeps who led it.
    last = view.tricks[-1].leader if view.tricks else view.round.starter
    flat[twin.LEADER] = last if view.leader == NOBODY else view.leader
    for seat in range(seats):
        flat[twin.CARD + seat] = twin.NONE
    for step, card in enumerate(view.trick):
        flat[twin.CARD + (view.leader + step) % seats] = card
    flat[twin.PLACED] = len(view.trick)
    flat[twin.LED] = _tell_trick(flat, view.leader, view.trick)
    flat[twin.BEST] = twin.NONE
    best = winning_place(view.trick, view.round.trump)
    if best is not None:
        flat[twin.BEST] = (view.leader + best) % seats
        flat[twin.STRENGTH] = twin.strength_of(flat, view.trick[best])
    flat[twin.SEEN] = _mask(card for card in seen if card != JOKER)


def _tell_trick(flat: list[int], leader: int, cards: bytes) -> int:
    """Jokers and suits not followed; the suit led."""
    led, jokers = twin.NONE, 0
    for step, card in enumerate(cards):
        seat = (leader + step) % flat[twin.SEATS]
        if card == JOKER:
            jokers += 1
            if jokers > 1:
                flat[twin.VOID + seat] = 15
        elif led == twin.NONE:
            led = SUIT_OF[card]
        elif SUIT_OF[card] != led:
            flat[twin.VOID + seat] |= 1 << led
    flat[twin.JOKERS_SEEN] += jokers
    return led


def _hold(flat: list[int], seat: int, hand: bytes) -> None:
    flat[twin.HAND + seat] = _mask(hand.rstrip(bytes([JOKER])))
    flat[twin.JOKERS + seat] = hand.count(JOKER)


def _mask(cards: Iterable[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _move(action: Move) -> int:
    """The twin's number of an action."""
    match action:
        case NameTrump(suit):
            return twin.KEEP if suit is None else suit
        case Hide(card):
            return card
        case int():
            return action


KIT: Final = AufFalscherFaehrteKit()
