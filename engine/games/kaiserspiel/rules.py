"""Kaiserspiel: what becomes of a state when somebody acts, in the order of the rules' text.

Only legal actions come here: `refusals` says what is wrong with any other.  d is the dealer, d+1
eldest.  Every action ends with `_ask`, the question that follows it; talking changes questions
only (`raising`).
"""

from __future__ import annotations

from functools import cache
from operator import add
from typing import Final

from engine.game import CHANCE, Seat
from engine.games.kaiserspiel.cards import BANNERS, DOWN, SINGLE, special_suit, winner
from engine.games.kaiserspiel.moves import LAID, Verb
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.questions import (
    ALL_SEATS,
    MORE_KAISERS,
    PLAYS,
    UNKNOWN,
    Question,
    eldest,
    team,
)
from engine.games.kaiserspiel.raising import AMPLE, declarations, declared, said
from engine.games.kaiserspiel.state import NOTHING, Action, Deal, Round, RoundCards, State, Tricks
from engine.tricks import seats_from

VALUE: Final = 4
"""What a round is worth before anything is raised."""
LAST_PAUSE: Final = 4
DEALT: Final = 7
"""Cards that everybody has in the end, before two of them are thrown out."""
NEEDED: Final = 3
"""Tricks that win a round."""

DEAL_DUE: Final = Question("over", (CHANCE,))
MATCH_OVER: Final = Question("over", ())


def before_first_deal(target: int, *, limit: bool) -> State:
    """The state before the first deal of a match to so many points; `limit` is the switch."""
    cards = RoundCards(b"", NOTHING, NOTHING, ())
    most = max(target, VALUE) if limit else None
    round_ = Round(0, UNKNOWN, (), None, UNKNOWN, NOTHING, None, target, most)
    return State(DEAL_DUE, 0, 0, round_, cards, NOTHING, b"")


def after(state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action."""
    if isinstance(action, Deal):
        return _begin(state, action)
    match action.verb:
        case "play" | "down":
            return lay(state, seat, LAID[action])
        case "discard":
            return _discard(state, seat, action.cards)
        case "kaiser":
            return _declare(state, seat, action.cards)
        case _:
            return after_word(state, seat, action.verb)


def after_word(state: State, seat: Seat, word: Verb) -> State:
    """The state after a word that may be said."""
    if word == "resign":
        return _end(state, 1 - seat)
    question, rise = said(state.question, word, _room(state))
    if not question.seats:
        return _deal_on(state._replace(question=question, value=state.value + rise))
    # `__new__` by names takes a third of the time of calling the class by names.
    return State.__new__(
        State,
        question=question,
        applied=state.applied + 1,
        value=state.value + rise,
        round=state.round,
        cards=state.cards,
        hands=state.hands,
        laid=state.laid,
    )


def _room(state: State) -> int:
    """By how much offers may raise the value still; `AMPLE` stands for that much and more."""
    most = state.round.most
    return AMPLE if most is None else min(most - state.value, AMPLE)


def _ask(
    state: State,
    question: Question,
    cards: RoundCards,
    hands: tuple[int, ...],
    round_: Round | None = None,
) -> State:
    """An action was applied, cards have moved but not to the table; now this is asked."""
    round_ = round_ or state.round
    if question.pause and not question.seats:
        asked = state._replace(question=question, round=round_, cards=cards, hands=hands)
        return _deal_on(asked)
    return State.__new__(
        State,
        question=question,
        applied=state.applied + 1,
        value=state.value,
        round=round_,
        cards=cards,
        hands=hands,
        laid=state.laid,
    )


def _changed(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The values of all seats (or teams), that of one changed."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)


# The deal.


_ORDERS: Final = tuple(seats_from(eldest(dealer), SEATS) for dealer in ALL_SEATS)
"""By dealer: d+1, d+2, d+3, d."""


def _begin(state: State, deal: Deal) -> State:
    """A round begins; its value is 4."""
    # 1. The cut card (last card of the pack) is shown to all; it is not dealt.
    dealer, before, stock, cut = deal.dealer, state.round, deal.pack[2:-1], deal.pack[-1]
    number, scores, target = before.number + 1, before.scores, before.target
    # Switch `limit`: N is what the team further from the target still needs.
    most = None if before.most is None else max(target - min(scores), VALUE)
    # 2. One card face up to d+1 and d+2 — pause 1 …
    dealt, opens = list(NOTHING), (deal.pack[0], deal.pack[1])
    for seat, card in zip(_ORDERS[dealer], opens, strict=False):
        dealt[seat] = 1 << card
    hands = tuple(dealt)
    cards = RoundCards.__new__(RoundCards, stock, NOTHING, NOTHING, (eldest(dealer),))
    round_ = Round.__new__(Round, number, dealer, opens, None, cut, scores, None, target, most)
    begun = State.__new__(State, DEAL_DUE, state.applied, VALUE, round_, cards, hands, b"")
    return _pause(begun, cards, hands, 1)


def _deal_on(state: State) -> State:
    """Nobody is left to be asked at a pause."""
    round_, pause = state.round, state.question.pause
    one, two, three, four = _ORDERS[round_.dealer]
    match pause:
        case 1:
            # 2. … then to d+3 and d — pause 2.
            served: tuple[Seat, ...] = (three, four)
            # 3. The special suit is the suit of the lowest of the four open cards.
            opens = (*round_.opens, *state.cards.stock[:2])
            round_ = round_._replace(opens=opens, special=special_suit(opens))
        case 2 if round_.special is None:
            # 3. Four open Banners: the round scores 0; raises lapse.
            return _end(state, None)
        case 2:
            # 4. Two cards face down to d+1 and d+2 — pause 3 …
            served = (one, one, two, two)
        case 3:
            # 4. … to d+3 and d — pause 4.
            served = (three, three, four, four)
        case _:
            # 5. Two more to each of d+1, d+2, d+3, d, and again two.  No pause.
            served = (one, one, two, two, three, three, four, four) * 2
    cards, hands = _dealt(state, served)
    if pause == LAST_PAUSE:
        # 6. Everyone discards two, face down, simultaneously.
        return _ask(state, _DISCARDS, cards, hands)
    return _pause(state, cards, hands, pause + 1, round_)


_DISCARDS: Final = Question("discard", ALL_SEATS)


def _dealt(state: State, seats: tuple[Seat, ...]) -> tuple[RoundCards, tuple[int, ...]]:
    """The next cards of the stock, one to each of the seats in turn: what is left, and hands."""
    hands, cards = list(state.hands), state.cards
    for seat, card in zip(seats, cards.stock, strict=False):
        hands[seat] |= 1 << card
    rest = cards.stock[len(seats) :]
    left = RoundCards.__new__(RoundCards, rest, cards.kaisers, cards.discards, cards.leaders)
    return left, tuple(hands)


def _discard(state: State, seat: Seat, two: int) -> State:
    """6. Everyone discards two."""
    cards = state.cards
    hands = _changed(state.hands, seat, state.hands[seat] & ~two)
    discards = _changed(cards.discards, seat, two)
    cards = RoundCards.__new__(RoundCards, cards.stock, cards.kaisers, discards, cards.leaders)
    waiting = _waiting(state.question.seats, seat)
    if waiting:
        return _ask(state, waiting, cards, hands)
    # 7. More Kaisers.
    return _pause(state, cards, hands, MORE_KAISERS)


@cache
def _waiting(seats: tuple[Seat, ...], done: Seat) -> Question | None:
    """The discards of the other seats, if there are any."""
    others = tuple(seat for seat in seats if seat != done)
    return Question("discard", others) if others else None


# At a pause, in this order: declarations, Spieldrei.


def _pause(
    state: State,
    cards: RoundCards,
    hands: tuple[int, ...],
    pause: int,
    round_: Round | None = None,
) -> State:
    """A pause, or *More Kaisers*, at which the cards lie like this."""
    dealer = state.round.dealer
    order = _ORDERS[dealer]
    just_served = order[:2] if pause in (1, 3) else order[2:]
    match pause:
        case 1 | 2:
            # Only the owner of an open Banner is asked.
            asked = tuple([seat for seat in just_served if hands[seat] & BANNERS])
        case 3 | 4:
            # Both seats just served are asked, in order, whether they hold a Banner or not.
            asked = just_served
        case _:
            # 7. From eldest, every seat is asked.
            asked = order
    question = declarations(pause, asked, state.question.barred, dealer, _room(state))
    return _ask(state, question, cards, hands, round_)


def _declare(state: State, seat: Seat, banner: int) -> State:
    """A Kaiser brings a raise: the declaring team's captain offers."""
    cards = state.cards
    kaisers = _changed(cards.kaisers, seat, cards.kaisers[seat] | banner)
    cards = cards._replace(kaisers=kaisers)
    return _ask(state, declared(state.question, team(seat), _room(state)), cards, state.hands)


# Play, score, match.


def may_lay(state: State, seat: Seat, card: int) -> bool:
    """Any card may be played; it may be played face down except as a lead."""
    held = state.hands[seat] >> card % DOWN & 1
    return held != 0 and (card < DOWN or not state.lead_due)


def lay(state: State, seat: Seat, card: int) -> State:
    """A card is laid; the winner of a trick leads the next one."""
    round_, cards, question = state.round, state.cards, PLAYS[(seat + 1) % SEATS]
    hands = _changed(state.hands, seat, state.hands[seat] & ~(1 << card % DOWN))
    laid = state.laid + SINGLE[card]
    if not len(laid) % SEATS:
        place = winner(laid[-SEATS:], round_.special, cards.all_kaisers)
        leader = (cards.leaders[-1] + place) % SEATS
        leaders = (*cards.leaders, leader)
        cards = cards._replace(leaders=leaders)
        question = PLAYS[leader]
        # The first team with three tricks wins the value and the round stops.
        if len(leaders) > NEEDED and Tricks(laid, leaders).won[team(leader)] == NEEDED:
            round_, question = _scored(state, team(leader))
    return State.__new__(
        State,
        question=question,
        applied=state.applied + 1,
        value=state.value,
        round=round_,
        cards=cards,
        hands=hands,
        laid=laid,
    )


def _end(state: State, which: int | None) -> State:
    """A word has ended the round."""
    round_, question = _scored(state, which)
    return _ask(state, question, state.cards, state.hands, round_)


def _scored(state: State, which: int | None) -> tuple[Round, Question]:
    """A team scores the value, in which no open offer is, or nobody anything.

    The match ends when a team reaches the target.
    """
    before, points = state.round, NOTHING
    if which is not None:
        points = (0, state.value) * 2 if which else (state.value, 0) * 2
    scores = tuple(map(add, before.scores, points))
    question = MATCH_OVER if max(scores) >= before.target else DEAL_DUE
    return before._replace(scores=scores, points=points), question


def next_dealer(round_: Round) -> Seat | None:
    """The eldest of this round; after a void one its dealer again; None, first of all: random."""
    if not round_.number:
        return None
    return round_.dealer if round_.void else eldest(round_.dealer)
