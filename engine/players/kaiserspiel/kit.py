"""Kaiserspiel: its `KIT`, from an observation to the search and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from engine.cards import cards_in
from engine.games.kaiserspiel.cards import (
    ACCEPT,
    HIDDEN,
    HIDDEN_KAISER,
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
    mask,
)
from engine.games.kaiserspiel.cards import DOWN as FACE_DOWN
from engine.games.kaiserspiel.coach import pointless
from engine.games.kaiserspiel.questions import ALL_SEATS, TEAMS, Step
from engine.games.kaiserspiel.questions import Question as GameQuestion
from engine.games.kaiserspiel.rules import VALUE as UNRAISED
from engine.games.kaiserspiel.state import Round, State, Tricks, View
from engine.players.chance import below
from engine.players.compiled import Floats, Ints, floats, ints, jit
from engine.players.kaiserspiel import twin
from engine.players.kaiserspiel.policy import candidates, choose
from engine.players.kaiserspiel.twin import (
    ACTOR,
    DECK,
    DOWN,
    HANDS,
    KAISER_STRENGTH,
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
    all_kaisers,
    play,
    random_move,
    trump_strength,
    winner,
)
from engine.players.kaiserspiel.worlds import draw_world
from engine.players.kit import FLAT, Begin, Kit, Question, Tried, add, next_move

# From states and observations to vectors of integers, and back to moves.

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
            return twin.KAISER + cards[0]
        case "discard":
            return twin.TWO + cards[0] * DECK + cards[1]
        case _:
            return twin.PASS + _WORDS.index(action)


ACTIONS: Final = {move_of(action): action for action in TEXTS}
"""By the twin's number: the action."""


def flatten(state: State) -> Ints:
    """The twin's state of a state of the game in which a round has begun."""
    s = _public(state.question, state.round, state.tricks, state.value, state.cards.kaisers)
    s[twin.ACTOR] = state.question.seats[0] if state.step != "over" else -1
    stock = state.cards.stock
    s[twin.STOCK_AT] = twin.STOCK_SIZE - len(stock)
    _fill(s, twin.STOCK + s[twin.STOCK_AT], stock)
    _fill(s, twin.HANDS, state.hands)
    _fill(s, twin.DISCARDS, state.cards.discards)
    _fill(s, twin.LAID, state.laid)
    for place, card in enumerate(state.laid):
        if card >= FACE_DOWN:
            seat, bit = state.tricks.seat_of(place), 1 << card % FACE_DOWN
            s[twin.DOWNS + seat] |= bit
            s[twin.KAISERS_DOWN + seat] += bool(state.cards.kaisers[seat] & bit)
    return ints(s)


def known_to(view: View) -> Ints:
    """All that a seat which is asked knows, in the slots of the twin's state.

    Others have no cards there but in open slots, hidden cards are `HIDDEN` or `HIDDEN_KAISER` in
    `LAID`, and nothing stands in the stock.
    """
    me = view.seat
    if me is None or not view.asked:
        raise ValueError("nobody is asked")
    s = _public(view.question, view.round, view.tricks, view.value, view.kaisers)
    s[twin.ACTOR] = me
    dealt = sum(view.counts) + 2 * sum(view.done) + len(view.tricks.laid)
    s[twin.STOCK_AT] = dealt - 2
    s[twin.HANDS + me] = view.hand
    for seat in ALL_SEATS:
        s[twin.DISCARDS + seat] = SECRET if view.done[seat] else 0
    s[twin.DISCARDS + me] = view.discards
    _fill(s, twin.LAID, view.tricks.laid)
    for place, card in enumerate(view.tricks.laid):
        seat = view.tricks.seat_of(place)
        if card == HIDDEN_KAISER:
            s[twin.KAISERS_DOWN + seat] += 1
        elif FACE_DOWN <= card < HIDDEN:
            bit = 1 << card % FACE_DOWN
            s[twin.DOWNS + seat] |= bit
            s[twin.KAISERS_DOWN + seat] += bool(view.kaisers[seat] & bit)
    return ints(s)


def _public(
    question: GameQuestion, round_: Round, tricks: Tricks, value: int, kaisers: Sequence[int]
) -> list[int]:
    """What everybody knows."""
    scored = round_.points or (0, 0)
    s = [0] * twin.SIZE
    s[twin.STEP] = STEPS.index(question.step)
    s[twin.PAUSE] = question.pause
    for seat in reversed(question.queue):
        s[twin.QUEUE] = s[twin.QUEUE] << 3 | (seat + 1)
    s[twin.BARRED] = question.barred
    s[twin.DEALER] = round_.dealer
    s[twin.VALUE] = value
    s[twin.MOST] = twin.UNBOUNDED if round_.most is None else round_.most
    s[twin.SPECIAL] = -1 if round_.special is None else round_.special
    s[twin.CUT] = round_.cut
    s[twin.LAID_COUNT] = len(tricks.laid)
    s[twin.UP] = mask(card for card in tricks.laid if card < FACE_DOWN)
    s[twin.OPEN_COUNT] = len(round_.opens)
    _fill(s, twin.WON, tricks.won)
    _fill(s, twin.POINTS, scored[:2])
    _fill(s, twin.KAISERS, kaisers)
    _fill(s, twin.OPENS, [*round_.opens, *[twin.NO_CARD] * (twin.SEATS - len(round_.opens))])
    _fill(s, twin.LEADERS, tricks.leaders)
    needs = [round_.target - round_.scores[team] + scored[team] for team in range(len(TEAMS))]
    _fill(s, twin.NEEDS, needs)
    return s


def _fill(s: list[int], at: int, values: Sequence[int]) -> None:
    s[at : at + len(values)] = values


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


# What a round brings for the match.

REACH: Final = 64
"""Points of a round, at most, that are told apart."""

_ROUNDS: Final = (4, 7, 11, 14, 17, 20)
"""What a round to come is worth, each as often, up to the limit: with these the shares of matches
that `normal` wins from a score are met within 0.05, to 10, 21 and 41 points."""


@cache
def match_share(own: int, other: int, *, bounded: bool) -> float:
    """Share of matches that a team wins which needs `own` points, against one that needs `other`.

    Rounds to come are worth what `_ROUNDS` says, and go to either team as often.  `bounded`: none
    is worth more than the team needs that needs more.
    """
    if own <= 0 or other <= 0:
        return float(own <= 0)
    limit = max(own, other, UNRAISED) if bounded else REACH
    rounds = [min(worth, limit) for worth in _ROUNDS]
    after = [(own - worth, other) for worth in rounds] + [(own, other - worth) for worth in rounds]
    return sum(match_share(*needs, bounded=bounded) for needs in after) / len(after)


def _worth(view: View, mine: int) -> Floats:
    """What points of this round are worth to a team, from -`REACH` to `REACH`.

    How much is at stake is settled by words: for these the match decides, and not the points.
    """
    round_ = view.round
    own, other = (round_.target - round_.scores[team] for team in (mine, 1 - mine))
    bounded = round_.most is not None
    return floats(
        [
            match_share(own - max(points, 0), other + min(points, 0), bounded=bounded)
            for points in range(-REACH, REACH + 1)
        ]
    )


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
def valued(points: int, worth: Floats) -> float:
    """What points are worth, more than which are told apart like the most that are."""
    if len(worth) == 0:
        return float(points)
    return worth[min(max(points + REACH, 0), 2 * REACH)]


@jit
def search(
    known: Ints,
    truth: Ints,
    worth: Floats,
    tried: Tried,
    playouts: int,
    way: int,
    r: Ints,
    s: Ints,
    room: Ints,
) -> None:
    """As `Kit.search`; `s` is room for a state, `room` for a pack and for a seat's moves."""
    seat = known[ACTOR]
    team = seat % 2
    spread = 1.5 * known[VALUE]
    if len(worth):
        # Words may settle the match; of two or three each gets enough playouts to be compared.
        spread = 2.0 * (worth[2 * REACH] - worth[0])
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
        won = 1.0 if points > 0 else 0.5 if points == 0 else 0.0
        add(tried, at, valued(points, worth), won, takes)


class KaiserspielKit(Kit):
    """The flat twin of Kaiserspiel."""

    def question(self, view: View) -> Question:
        known, room = known_to(view), ints(MOVES)
        count = candidates(known, room)
        moves = tuple([int(move) for move in room[:count]])
        actions = tuple([ACTIONS[move] for move in moves])
        plays = view.step == "play"
        worth = floats(0) if plays or view.step == "discard" else _worth(view, known[ACTOR] % 2)
        foolish = silly(known, moves)
        return Question(known, moves, actions, exchange=plays, worth=worth, silly=foolish)

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        return moves.index(int(choose(known, known[ACTOR], r)))

    def search(
        self, asked: Question, begin: Begin, tried: Tried, playouts: int, way: int, r: Ints
    ) -> None:
        s, room = ints(SIZE), ints(DECK)
        search(asked.known, begin.truth, asked.worth, tried, playouts, way, r, s, room)

    def pays(self, known: Ints) -> bool:
        """Cards only: playouts take the other captain at his word, who may bluff."""
        return bool(known[STEP] == PLAY)

    def pointless(self, view: View) -> frozenset[Move]:
        verbs = pointless(view)
        return frozenset(one for one in view.legal_actions if one.verb in verbs)

    def flatten(self, state: State) -> Ints:
        return flatten(state)


KIT: Final = KaiserspielKit()
