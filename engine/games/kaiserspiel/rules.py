"""Kaiserspiel: what becomes of a state when somebody acts, in the order of the rules' text.

Only legal actions come here: `refusals` says what is wrong with any other.  d is the dealer, d+1
eldest.  Every action ends with `_ask`, the question that follows it; talking changes questions
only, of which there are about a thousand, so that what follows is remembered (`cache`).
"""

from __future__ import annotations

from functools import cache
from operator import add
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from engine.game import CHANCE, Seat
from engine.games.kaiserspiel.cards import BANNERS, DOWN, winner
from engine.games.kaiserspiel.moves import Move
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.questions import (
    ALL_SEATS,
    MORE_KAISERS,
    OFFERED,
    UNKNOWN,
    Question,
    Step,
    team,
)
from engine.games.kaiserspiel.state import (
    NOTHING,
    Action,
    Deal,
    Round,
    RoundCards,
    State,
    Tricks,
)
from engine.tricks import seats_from

VALUE: Final = 4
"""What a round is worth before anything is raised."""
NEEDED: Final = 3
"""Tricks that win a round."""

DEAL_DUE: Final = Question(Step.OVER, (CHANCE,))
MATCH_OVER: Final = Question(Step.OVER, ())


def before_first_deal(target: int) -> State:
    """The state before the first deal of a match to so many points."""
    cards = RoundCards(b"", NOTHING, NOTHING, NOTHING, Tricks((), (), (0, 0)))
    return State(DEAL_DUE, 0, 0, Round(0, UNKNOWN, (), UNKNOWN, NOTHING, None), cards, target)


def after(state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action."""
    if isinstance(action, Deal):
        return _begin(state, action)
    match action.verb:
        case "pass" | "threeup" | "accept" | "raise 1" | "raise 3" | "lift" | "stay":
            said = _said(state.question, action.verb)
            return _ask(state, said.question, rise=said.rise) if said else _deal_on(state)
        case "kaiser":
            return _declare(state, seat, action.cards)
        case "resign":
            return _end(state, state.cards, 1 - seat)
        case "discard":
            return _discard(state, seat, action.cards)
        case "play" | "down":
            return _play(state, seat, action)
        case _:
            assert_never(action.verb)


def _ask(
    state: State,
    question: Question,
    cards: RoundCards | None = None,
    round_: Round | None = None,
    *,
    rise: int = 0,
) -> State:
    """An action was applied: cards have moved, or the value has risen; now this is asked."""
    return State(
        question,
        state.applied + 1,
        state.value + rise,
        round_ or state.round,
        cards or state.cards,
        state.target,
    )


def _changed(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The values of all seats (or teams), that of one changed."""
    return (*values[:place], value, *values[place + 1 :])


# The deal.


def eldest(dealer: Seat) -> Seat:
    """d+1, who is asked first and leads first."""
    return (dealer + 1) % SEATS


_ORDERS: Final = tuple(seats_from(eldest(dealer), SEATS) for dealer in ALL_SEATS)
"""By dealer: d+1, d+2, d+3, d."""


def _begin(state: State, deal: Deal) -> State:
    """A round begins; its value is 4."""
    # 1. The cut card (last card of the pack) is shown to all; it is not dealt.
    stock, cut = deal.pack[:-1], deal.pack[-1]
    before, tricks = state.round, Tricks((), (eldest(deal.dealer),), (0, 0))
    round_ = Round(before.number + 1, deal.dealer, (), cut, before.scores, None)
    cards = RoundCards(stock, NOTHING, NOTHING, NOTHING, tricks)
    fresh = State(DEAL_DUE, state.applied, VALUE, round_, cards, state.target)
    # 2. One card face up to d+1 and d+2 — pause 1 …
    return _open(fresh, _ORDERS[deal.dealer][:2], 1)


def _deal_on(state: State) -> State:
    """The last captain has passed at a pause."""
    cards, order = state.cards, _ORDERS[state.round.dealer]
    match state.question.pause:
        case 1:
            # 2. … then to d+3 and d — pause 2.
            return _open(state, order[2:], 2)
        case 2 if state.round.special is None:
            # 3. Four open Banners: the round scores 0; raises lapse.
            return _end(state, cards, None)
        case 2:
            # 4. Two cards face down to d+1 and d+2 — pause 3 …
            return _pause(state, _dealt(cards, order[:2], 2), 3)
        case 3:
            # 4. … to d+3 and d — pause 4.
            return _pause(state, _dealt(cards, order[2:], 2), 4)
        case _:
            # 5. Two more to each of d+1, d+2, d+3, d, and again two.  No pause.
            # 6. Everyone discards two, face down, simultaneously.
            served = _dealt(cards, order + order, 2)
            return _ask(state, Question(Step.DISCARD, ALL_SEATS), served)


def _open(state: State, seats: tuple[Seat, ...], pause: int) -> State:
    """One card face up to each of the seats, and a pause."""
    opens = (*state.round.opens, *state.cards.stock[: len(seats)])
    round_ = state.round._replace(opens=opens)
    return _pause(state, _dealt(state.cards, seats, 1), pause, round_)


def _dealt(cards: RoundCards, seats: tuple[Seat, ...], count: int) -> RoundCards:
    """The next cards of the stock, so many to each of the seats in turn."""
    hands, stock = list(cards.hands), cards.stock
    for at, seat in enumerate(seats):
        for card in stock[at * count : (at + 1) * count]:
            hands[seat] |= 1 << card
    rest = stock[len(seats) * count :]
    return RoundCards(rest, tuple(hands), cards.kaisers, cards.discards, cards.tricks)


def _discard(state: State, seat: Seat, two: int) -> State:
    """6. Everyone discards two."""
    cards = state.cards._replace(
        hands=_changed(state.cards.hands, seat, state.cards.hands[seat] & ~two),
        discards=_changed(state.cards.discards, seat, two),
    )
    waiting = tuple(other for other in state.question.seats if other != seat)
    if waiting:
        return _ask(state, Question(Step.DISCARD, waiting), cards)
    # 7. More Kaisers.
    return _pause(state, cards, MORE_KAISERS)


# At a pause, in this order: declarations, Spieldrei.


def _pause(state: State, cards: RoundCards, pause: int, round_: Round | None = None) -> State:
    """The first question of a pause, or of *More Kaisers*, at which the cards lie like this."""
    dealer, barred = state.round.dealer, state.question.barred
    order = _ORDERS[dealer]
    just_served = order[:2] if pause in (1, 3) else order[2:]
    match pause:
        case 1 | 2:
            # Only the owner of an open Banner is asked.
            asked = tuple([seat for seat in just_served if cards.hands[seat] & BANNERS])
        case 3 | 4:
            # Both seats just served are asked, in order, whether they hold a Banner or not.
            asked = just_served
        case _:
            # 7. From eldest, every seat is asked.
            asked = order
    return _ask(state, _declarations(pause, asked, barred, dealer), cards, round_)


@cache
def _declarations(pause: int, queue: tuple[Seat, ...], barred: Seat, dealer: Seat) -> Question:
    """The first of a queue is asked for a Kaiser; when all have been asked, what follows."""
    if queue:
        return Question(Step.DECLARE, queue[:1], pause, queue, barred, dealer)
    if pause == MORE_KAISERS:
        # 8. Eldest leads.
        return Question(Step.PLAY, (eldest(dealer),))
    # Spieldrei.  Eldest's captain, then the other, is asked; who may not call is not asked.
    first = team(eldest(dealer))
    captains = tuple(captain for captain in (first, 1 - first) if captain != barred)
    return Question(Step.CALL, captains[:1], pause, captains, barred, dealer)


def _asked_on(question: Question, queue: tuple[Seat, ...]) -> Question:
    """The next of these seats is asked for a Kaiser."""
    return _declarations(question.pause, queue, question.barred, question.dealer)


def _declare(state: State, seat: Seat, banner: int) -> State:
    """A Kaiser brings a raise: the declaring team's captain offers."""
    kaisers = _changed(state.cards.kaisers, seat, state.cards.kaisers[seat] | banner)
    offering = state.question._replace(step=Step.RAISE, seats=(team(seat),))
    return _ask(state, offering, state.cards._replace(kaisers=kaisers))


class _Said(NamedTuple):
    """What is asked after a word, and by how much the value has risen."""

    question: Question
    rise: int = 0


_Word: TypeAlias = Literal["pass", "threeup", "accept", "raise 1", "raise 3", "lift", "stay"]


@cache
def _said(question: Question, word: _Word) -> _Said | None:
    """What a legal word leads to; None if it ends the pause, and the deal goes on."""
    match word:
        case "pass":
            return _passed(question)
        # Spieldrei: +3, `accept` or `resign`.
        case "threeup":
            return _offered(question, Step.ANSWER_CALL)
        # Kaiser raise: 1 or 3, `accept` or `resign`; after an accepted 1 `lift` or `stay`; a
        # `lift` is answered again.
        case "raise 1":
            return _offered(question, Step.ANSWER_1)
        case "raise 3":
            return _offered(question, Step.ANSWER_3)
        case "lift":
            return _offered(question, Step.ANSWER_LIFT)
        case "stay":
            return _Said(_settled(question))
        case "accept":
            return _accepted(question)
        case _:
            assert_never(word)


def _passed(question: Question) -> _Said | None:
    """The pause ends when a captain passes and no other captain is left to be asked."""
    rest = question.queue[1:]
    if question.step is Step.DECLARE:
        return _Said(_asked_on(question, rest))
    return _Said(question._replace(seats=rest, queue=rest)) if rest else None


def _offered(question: Question, answer: Step) -> _Said:
    """The other captain answers."""
    (captain,) = question.seats
    return _Said(question._replace(step=answer, seats=(1 - captain,)))


def _accepted(question: Question) -> _Said:
    """Accepted points are added to the value."""
    (captain,) = question.seats
    other, rise = 1 - captain, OFFERED[question.step]
    match question.step:
        case Step.ANSWER_CALL:
            # Only the other captain is asked now, once; the same team may not call twice running.
            again = question._replace(step=Step.CALL, queue=(captain,), barred=other)
            return _Said(again, rise)
        case Step.ANSWER_1:
            return _Said(question._replace(step=Step.LIFT, seats=(other,)), rise)
        case _:
            return _Said(_settled(question), rise)


def _settled(question: Question) -> Question:
    """After the raise the Kaiser's owner is asked again, unless it can have no other.

    At pauses 1 and 2 everybody knows that it has no other open Banner.
    """
    return _asked_on(question, question.queue[1:] if question.pause <= 2 else question.queue)


# Play, score, match.


def _play(state: State, seat: Seat, move: Move) -> State:
    """A card is laid; the winner of a trick leads the next one."""
    tricks, hands = state.cards.tricks, state.cards.hands
    card = move.cards.bit_length() - 1
    laid = (*tricks.laid, card + DOWN if move.verb == "down" else card)
    cards = state.cards._replace(
        hands=_changed(hands, seat, hands[seat] & ~move.cards),
        tricks=Tricks(laid, tricks.leaders, tricks.won),
    )
    if len(laid) % SEATS:
        return _ask(state, Question(Step.PLAY, ((seat + 1) % SEATS,)), cards)
    place = winner(laid[-SEATS:], state.round.special, cards.all_kaisers)
    leader = (tricks.leaders[-1] + place) % SEATS
    won = _changed(tricks.won, team(leader), tricks.won[team(leader)] + 1)
    cards = cards._replace(tricks=Tricks(laid, (*tricks.leaders, leader), won))
    # The first team with three tricks wins the value and the round stops.
    if won[team(leader)] == NEEDED:
        return _end(state, cards, team(leader))
    return _ask(state, Question(Step.PLAY, (leader,)), cards)


def _end(state: State, cards: RoundCards, which: int | None) -> State:
    """The round is over: a team scores the value, in which no open offer is, or nobody anything.

    The match ends when a team reaches the target.
    """
    points = NOTHING
    if which is not None:
        points = (0, state.value) * 2 if which else (state.value, 0) * 2
    scores = tuple(map(add, state.round.scores, points))
    round_ = state.round._replace(scores=scores, points=points)
    return _ask(state, MATCH_OVER if max(scores) >= state.target else DEAL_DUE, cards, round_)


def next_dealer(round_: Round) -> Seat | None:
    """The eldest of this round; after a void one its dealer again; None, first of all: random."""
    if not round_.number:
        return None
    return round_.dealer if round_.void else eldest(round_.dealer)
