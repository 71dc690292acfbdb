"""Sticheln: its `KIT`, from an observation to the search and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.games.sticheln.cards import HIGHEST as HIGHEST_OF
from engine.games.sticheln.rules import points, winning
from engine.games.sticheln.state import UNKNOWN, State, View
from engine.players.chance import below
from engine.players.compiled import Ints, ints, jit
from engine.players.kit import GUIDED, THIN, Begin, Kit, Question, Tried, add_points, next_move
from engine.players.sticheln import twin
from engine.players.sticheln.policy import choose
from engine.players.sticheln.twin import (
    COUNT,
    LEFT,
    NONE,
    POINTS,
    SEATS,
    SECRET,
    SIZE,
    TURN,
    play,
    random_move,
)
from engine.players.sticheln.worlds import draw_world, room, walk_on

SPREAD: Final = 8.0
"""How far the values of playouts lie apart: about a standard deviation of a round's score."""

SELDOM: Final = 16
"""One in so many moves of a playout is any: nobody plays by rules of thumb alone."""


class StichelnKit(Kit):
    """The twin of Sticheln."""

    def question(self, view: View) -> Question:
        """All moves are looked at: there are 15 at most.

        Raises ValueError if the view is a spectator's.
        """
        if view.seat is None:
            raise ValueError("a spectator is not asked")
        hands = [b""] * view.seats
        hands[view.seat] = view.hand
        counts = [view.count(seat) for seat in range(view.seats)]
        known = _flat(view, hands, counts, view.seat)
        moves = tuple(view.legal_actions)
        return Question(known, moves, moves, ints(_history(view)), not view.choosing)

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        return moves.index(choose(known, known[TURN], r))

    def search(
        self, asked: Question, begin: Begin, tried: Tried, playouts: int, way: int, r: Ints
    ) -> None:
        world = ints(SIZE)
        search(asked.known, asked.history, begin, THIN, tried, playouts, way, r, world)

    def room(self, asked: Question) -> int:
        return room(int(asked.known[SEATS]), len(asked.history))

    def flatten(self, state: State) -> Ints:
        """Nobody's turn where nobody is to play; the lowest seat's while several choose."""
        counts = [len(hand) for hand in state.hands]
        acting = state.stage in ("choose", "play")
        return _flat(state, state.hands, counts, state.actors[0] if acting else NONE)


KIT: Final = StichelnKit()


def _history(view: View) -> list[int]:
    """What all saw the others do in this round, as `walk` reads it: nothing while all choose."""
    if view.choosing:
        return []
    return [view.round.start, *view.tricks.played, *view.trick]


def _flat(game: State | View, hands: Sequence[bytes], counts: Sequence[int], turn: int) -> Ints:
    """The vector with these hands; choices that `game` does not know are SECRET if made."""
    tricks, head, seats = game.tricks, game.round, len(hands)
    flat = ints([NONE] * SIZE)
    for slot in (*range(twin.OPEN, twin.CHOSEN), *range(twin.COUNT, twin.HANDS)):
        flat[slot] = 0
    flat[SEATS] = seats
    flat[twin.ZEROS] = int(head.zeros_taken)
    flat[twin.HIGHEST] = HIGHEST_OF[seats]
    flat[TURN] = turn
    flat[twin.OPEN] = len(game.actors) if game.stage == "choose" else 0
    flat[twin.LEADER] = tricks.leader
    flat[twin.LAID] = len(game.trick)
    flat[LEFT] = twin.TRICKS - tricks.number
    flat[twin.BEST] = NONE
    for seat in range(seats):
        flat[COUNT + seat] = counts[seat]
        card = head.chosen[seat]
        if card != UNKNOWN:
            flat[twin.CHOSEN + seat] = card
            flat[POINTS + seat] = points(tricks.taken[seat], card)
        elif game.stage == "choose" and seat not in game.actors:
            flat[twin.CHOSEN + seat] = SECRET
        for at, card in enumerate(hands[seat]):
            colour, number = divmod(card, twin.NUMBERS)
            flat[twin.HANDS + seat * twin.HAND + at] = card
            flat[twin.HELD + seat * twin.COLOURS + colour] |= 1 << number
    if game.stage == "choose":
        return flat
    for card in b"".join((*tricks.taken, tricks.aside, game.trick, bytes(head.chosen))):
        colour, number = divmod(card, twin.NUMBERS)
        flat[twin.SEEN + colour] |= 1 << number
    if game.trick:
        flat[twin.LEAD] = lead = game.trick[0] // twin.NUMBERS
        for seat, card in enumerate(head.chosen):
            # The chosen card counts itself; without it, this is what the trick would bring.
            number = card % twin.NUMBERS
            flat[twin.WORTH + seat] = points(game.trick, card) + number
        best = winning(game.trick)
        if best is not None:
            flat[twin.BEST] = (tricks.leader + best) % seats
            flat[twin.POWER] = twin.strength(game.trick[best], lead)
    return flat


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
    world: Ints,
) -> None:
    """As `Kit.search`, with so many steps of a walk to each world; `world` is room for a state."""
    for _ in range(playouts):
        at = next_move(tried, way, SPREAD)
        if len(begin.truth):
            world[:] = begin.truth
            world[TURN] = known[TURN]
        elif len(begin.walk):
            walk_on(known, history, begin.walk, steps, r, world)
        else:
            draw_world(known, r, world)
        left = world[LEFT]
        taker = play(world, tried.moves[at])
        while world[LEFT] == left:
            taker = _go_on(world, way, r)
        while world[TURN] != NONE:
            _go_on(world, way, r)
        seat = known[TURN]
        add_points(tried, at, world, POINTS, world[SEATS], seat, 1 if taker == seat else 0)


@jit
def _go_on(world: Ints, way: int, r: Ints) -> int:
    """The next move of a playout; who takes a trick by that, or NONE."""
    if way == GUIDED and below(r, SELDOM):
        return play(world, choose(world, world[TURN], r))
    return play(world, random_move(world, r))
