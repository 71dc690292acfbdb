"""Auf und Ab: its `KIT`, from an observation to the search and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.games.aufundab.cards import DOUBLES, Move
from engine.games.aufundab.state import State, View
from engine.players.aufundab import twin
from engine.players.aufundab.policy import LOOKED_AT, SCORES, choose, new_room, weigh
from engine.players.aufundab.twin import (
    ACTOR,
    ALL,
    MOST,
    OWNER,
    QUANTITY,
    SEATS,
    SIZE,
    TWICE,
    legal,
    play,
    points,
    random_move,
)
from engine.players.aufundab.worlds import CHAINS, FIRST, THEN, WALK, Desk, fill, go_on, recall
from engine.players.compiled import COMPILED, Ints, ints, jit
from engine.players.kit import GUIDED, Begin, Kit, Question, Tried, add, next_move

MOST_MOVES: Final = 40
"""Maximum number of moves that are looked at; a lead may have hundreds."""

NOISE: Final = 1.0
"""How far the rules of thumb may be off in a playout, so that playouts differ."""
SPREAD: Final = 10.0
"""How far the values of playouts lie apart, in points."""
OFTEN: Final = 4
"""Playouts in a likely world: to walk to the next one takes longer than all of them."""


@jit
def search(
    known: Ints,
    history: Ints,
    begin: Begin,
    tried: Tried,
    playouts: int,
    way: int,
    r: Ints,
    desk: Desk,
) -> None:
    """As `Kit.search`."""
    world, walk = desk.world, begin.walk
    fresh = len(walk) > 0 and walk[SEATS] == 0
    if len(walk) > 0:
        recall(known, history, walk, r, desk)
    chain = 0
    for turn in range(playouts):
        if len(begin.truth) > 0:
            world[:] = begin.truth
        elif len(walk) > 0:
            if turn % OFTEN == 0:
                chain = turn // OFTEN % CHAINS
                proposals = FIRST if fresh and turn < OFTEN * CHAINS else THEN
                go_on(history, walk, chain, proposals, r, desk)
            for i in range(SIZE):
                world[i] = walk[chain * SIZE + i]
        else:
            fill(known, world, r)
        at = next_move(tried, way, SPREAD)
        play(world, tried.moves[at])
        taker = -1
        while world[ACTOR] >= 0:
            if taker < 0 and world[QUANTITY] == 0:
                taker = world[OWNER]
            if way == GUIDED:
                play(world, choose(world, desk.room, desk.found, r))
            else:
                play(world, random_move(world, r))
        if taker < 0:
            taker = world[OWNER]
        takes = 1 if taker == known[ACTOR] else 0
        scored = points(world)
        if world[OWNER] == known[ACTOR]:
            add(tried, at, scored, 1.0, takes)
        else:
            add(tried, at, -scored / (world[SEATS] - 1.0), 0.0, takes)


class AufUndAbKit(Kit):
    """The twin of Auf und Ab."""

    effort = OFTEN if COMPILED else 1

    def question(self, view: View) -> Question:
        hands = [0] * len(view.counts)
        hands[view.actor] = view.hand
        known = _flat(view, view.round.opening, hands, view.counts, view.pile | view.gone)
        moves = _worth_a_look(known)
        actions = tuple([action_of(move) for move in moves])
        return Question(known, moves, actions, _told(view, known), exchange=True)

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        return moves.index(int(choose(known, new_room(0.0), ints(LOOKED_AT), r)))

    def search(
        self, asked: Question, begin: Begin, tried: Tried, playouts: int, way: int, r: Ints
    ) -> None:
        desk = Desk.with_noise(NOISE)
        search(asked.known, asked.history, begin, tried, playouts, way, r, desk)

    def room(self, asked: Question) -> int:
        # A walk takes thousands of steps, far too slow where it is interpreted.
        return WALK if COMPILED and len(asked.history) > SIZE else 0

    def obvious(self, asked: Question) -> frozenset[int]:
        """The largest sets, of more than one card."""
        sizes = [(move & ALL).bit_count() for move in asked.moves]
        most = max(2, *sizes)
        return frozenset(at for at, size in enumerate(sizes) if size == most)

    def flatten(self, state: State) -> Ints:
        in_hands = sum(state.hands)  # disjoint, so the sum is the union
        counts = [hand.bit_count() for hand in state.hands]
        played = ALL & ~(in_hands | state.round.aside)
        return _flat(state, state.round.opening, state.hands, counts, played)


def _flat(
    seen: View | State, opening: int, hands: Sequence[int], counts: Sequence[int], played: int
) -> Ints:
    """The twin's state; what is open stands in views and states alike."""
    seats = len(hands)
    flat = [0] * SIZE
    flat[SEATS] = seats
    flat[ACTOR] = max(seen.actor, -1)
    flat[twin.MODE] = seen.mode
    flat[twin.NUMBER] = seen.number
    flat[twin.QUANTITY] = seen.quantity
    flat[OWNER] = seen.owner
    flat[twin.OUT] = seen.out
    flat[twin.CHANGES] = seen.changes
    flat[twin.OPENING] = opening
    flat[twin.PLAYED] = played
    flat[twin.HANDS : twin.HANDS + seats] = hands
    flat[twin.COUNTS : twin.COUNTS + seats] = counts
    return ints(flat)


def _told(view: View, known: Ints) -> Ints:
    """The twin's state at the beginning of the round, as far as it was seen, and all moves since.

    In each hand are the cards that were played from it since.
    """
    s = ints(SIZE)
    seats = len(view.counts)
    s[SEATS], s[ACTOR], s[twin.OPENING] = seats, view.round.start, known[twin.OPENING]
    s[twin.NUMBER] = s[OWNER] = -1
    for seat in range(seats):
        s[twin.COUNTS + seat] = ALL.bit_count()
    begun, moves = list(s), [move_of(action) for action in view.history]
    for move in moves:
        play(s, move)
    for seat, left in enumerate(view.counts):
        played = int(s[twin.HANDS + seat])
        begun[twin.HANDS + seat] = played
        begun[twin.COUNTS + seat] = left + played.bit_count()
    return ints([int(number) for number in begun] + moves)


def _worth_a_look(known: Ints) -> tuple[int, ...]:
    """All moves if they are few, else those that the rules of thumb weigh, the best of them."""
    found = ints(MOST)
    count = legal(known, found)
    if count <= MOST_MOVES:
        return tuple([int(found[i]) for i in range(count)])
    room = new_room(0.0)
    count = weigh(known, room, found)
    best = sorted(range(count), key=lambda i: -room[SCORES + i])[:MOST_MOVES]
    return tuple([int(found[i]) for i in best])


def action_of(move: int) -> Move:
    """The game's action that a move of the twin is."""
    cards = move & ALL
    return Move(cards, cards & DOUBLES if move & TWICE else 0)


def move_of(action: Move) -> int:
    """The twin's move that an action of the game is."""
    return action.cards | (TWICE if action.doubled else 0)


KIT: Final = AufUndAbKit()
