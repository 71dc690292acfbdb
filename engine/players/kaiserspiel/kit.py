"""Kaiserspiel: its `KIT`, from an observation to the search and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import cards_in
from engine.games.kaiserspiel.coach import resigns_match
from engine.games.kaiserspiel.moves import Move
from engine.games.kaiserspiel.questions import OFFERED
from engine.games.kaiserspiel.state import State, View
from engine.players.chance import below
from engine.players.compiled import Ints, ints, jit
from engine.players.kaiserspiel import flat
from engine.players.kaiserspiel.policy import candidates, choose
from engine.players.kaiserspiel.slots import (
    ACTOR,
    DECK,
    DOWN,
    HANDS,
    LAID,
    LAID_COUNT,
    LEADERS,
    MOVES,
    OVER,
    PLAY,
    POINTS,
    SEATS,
    SIZE,
    SPECIAL,
    STEP,
    VALUE,
    WON,
)
from engine.players.kaiserspiel.twin import (
    KAISER_STRENGTH,
    all_kaisers,
    play,
    random_move,
    trump_strength,
    winner,
)
from engine.players.kaiserspiel.worlds import draw_world
from engine.players.kit import FLAT, Begin, Kit, Question, Tried, add, next_move

# Moves that a partner would not understand, left out of the search: the rules of thumb make none.


def silly(known: Ints, moves: Sequence[int]) -> frozenset[int]:
    """Of the moves those that spoil or waste; never all of them."""
    pos = known[LAID_COUNT] % SEATS
    if known[STEP] != PLAY:
        return frozenset()
    spare = any(not _is_best(known, card) for card in cards_in(int(known[HANDS + known[ACTOR]])))
    partners = pos >= 2 and winner(known, known[LAID_COUNT] - pos, pos) == pos - 2
    found = []
    for move in moves:
        spoils = partners and _is_lost(known, move)
        wastes = (
            spare and _is_best(known, move % DECK) and _is_in_vain(known, move, partners=partners)
        )
        if spoils or wastes or _gives_away(known, move, moves):
            found.append(move)
    return frozenset(found)


def _is_best(known: Ints, card: int) -> bool:
    """Whether it is the Mugg, the special Five or the special Unter."""
    return trump_strength(card, known[SPECIAL], all_kaisers(known)) > KAISER_STRENGTH


def _is_lost(known: Ints, move: int) -> bool:
    """Whether the trick is the others' as it lies after a move."""
    laid = known[LAID_COUNT]
    pos = laid % SEATS
    known[LAID + laid] = move
    place = winner(known, laid - pos, pos + 1)
    known[LAID + laid] = 0
    return place % 2 != pos % 2


def _is_in_vain(known: Ints, move: int, *, partners: bool) -> bool:
    """Whether a high card takes no trick that would not be had without it."""
    last = known[LAID_COUNT] % SEATS == SEATS - 1
    return move >= DOWN or (last and (partners or _is_lost(known, move)))


def _gives_away(known: Ints, move: int, moves: Sequence[int]) -> bool:
    """Whether the last one leaves a trick that decides the round, and could have it."""
    last = known[LAID_COUNT] % SEATS == SEATS - 1
    decides = last and max(known[WON], known[WON + 1]) == 2
    return decides and _is_lost(known, move) and not all(_is_lost(known, one) for one in moves)


# The search.

_SELDOM: Final = 24
"""In playouts by the rules of thumb one card of so many is any card."""


@jit
def play_out(s: Ints, way: int, room: Ints, r: Ints) -> None:
    """Plays a round to its end."""
    while s[STEP] != OVER:
        if way == FLAT or (s[STEP] == PLAY and below(r, _SELDOM) == 0):
            play(s, random_move(s, room, r))
        else:
            play(s, choose(s, s[ACTOR], r))


@jit
def search(
    known: Ints, truth: Ints, tried: Tried, playouts: int, way: int, r: Ints, s: Ints, room: Ints
) -> None:
    """As `Kit.search`; `s` is room for a state, `room` for a pack and for a seat's moves."""
    seat = known[ACTOR]
    team = seat % 2
    spread = 1.5 * known[VALUE]
    taker = LEADERS + known[LAID_COUNT] // SEATS + 1
    for _ in range(playouts):
        at = next_move(tried, way, spread)
        if len(truth):
            s[:] = truth
            s[ACTOR] = seat
        else:
            draw_world(known, s, room, r)
        play(s, tried.moves[at])
        play_out(s, way, room, r)
        takes = 1 if s[taker] % 2 == team else 0
        points = s[POINTS + team] - s[POINTS + 1 - team]
        add(tried, at, points, 1.0 if points > 0 else 0.5 if points == 0 else 0.0, takes)


class KaiserspielKit(Kit):
    """The flat twin of Kaiserspiel."""

    def question(self, view: View) -> Question:
        known, room = flat.known(view), ints(MOVES)
        count = candidates(known, room)
        moves = tuple([int(move) for move in room[:count]])
        actions = tuple([flat.ACTIONS[move] for move in moves])
        plays = view.step == "play"
        return Question(known, moves, actions, exchange=plays, silly=silly(known, moves))

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        return moves.index(int(choose(known, known[ACTOR], r)))

    def search(
        self, asked: Question, begin: Begin, tried: Tried, playouts: int, way: int, r: Ints
    ) -> None:
        search(asked.known, begin.truth, tried, playouts, way, r, ints(SIZE), ints(DECK))

    def pays(self, known: Ints) -> bool:
        """Cards only: playouts take the other captain at his word, who may bluff."""
        return bool(known[STEP] == PLAY)

    def gives_up(self, view: View) -> frozenset[Move]:
        loses = view.step in OFFERED and resigns_match(view)
        return frozenset(one for one in view.legal_actions if loses and one.verb == "resign")

    def flatten(self, state: State) -> Ints:
        return flat.flatten(state)


KIT: Final = KaiserspielKit()
