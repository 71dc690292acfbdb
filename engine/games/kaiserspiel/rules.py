"""Kaiserspiel: what becomes of a state when somebody acts, in the order of the rules' text.

Only legal actions come here: `refusals` says what is wrong with any other.  d is the dealer, d+1
eldest.  Every action ends with `_ask`, the question that follows it; talking changes questions
only, of which there are about a thousand, so that what follows is remembered (`cache`).
"""

from __future__ import annotations

from functools import cache
from operator import add
from typing import Final, NamedTuple, assert_never

from engine.game import CHANCE, Seat
from engine.games.kaiserspiel.cards import BANNERS, DOWN, SINGLE, special_suit, winner
from engine.games.kaiserspiel.moves import LAID, Verb
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
from engine.games.kaiserspiel.state import NOTHING, Action, Deal, Round, RoundCards, State, Tricks
from engine.tricks import seats_from

VALUE: Final = 4
"""What a round is worth before anything is raised."""
LAST_PAUSE: Final = 4
NEEDED: Final = 3
"""Tricks that win a round."""

DEAL_DUE: Final = Question("over", (CHANCE,))
MATCH_OVER: Final = Question("over", ())


def before_first_deal(target: int) -> State:
    """The state before the first deal of a match to so many points."""
    cards = RoundCards(b"", NOTHING, NOTHING, ())
    round_ = Round(0, UNKNOWN, (), None, UNKNOWN, NOTHING, None, target)
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
    said = _said(state.question, word)
    if said is None:
        return _end(state, 1 - seat) if word == "resign" else _deal_on(state)
    # `__new__` by names takes a third of the time of calling the class by names.
    return State.__new__(
        State,
        question=said.question,
        applied=state.applied + 1,
        value=state.value + said.rise,
        round=state.round,
        cards=state.cards,
        hands=state.hands,
        laid=state.laid,
    )


def _ask(
    state: State,
    question: Question,
    cards: RoundCards,
    hands: tuple[int, ...],
    round_: Round | None = None,
) -> State:
    """An action was applied, cards have moved but not to the table; now this is asked."""
    return State.__new__(
        State,
        question=question,
        applied=state.applied + 1,
        value=state.value,
        round=round_ or state.round,
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


def eldest(dealer: Seat) -> Seat:
    """d+1, who is asked first and leads first."""
    return (dealer + 1) % SEATS


_ORDERS: Final = tuple(seats_from(eldest(dealer), SEATS) for dealer in ALL_SEATS)
"""By dealer: d+1, d+2, d+3, d."""


def _begin(state: State, deal: Deal) -> State:
    """A round begins; its value is 4."""
    # 1. The cut card (last card of the pack) is shown to all; it is not dealt.
    dealer, before, stock, cut = deal.dealer, state.round, deal.pack[2:-1], deal.pack[-1]
    # 2. One card face up to d+1 and d+2 — pause 1 …
    dealt, opens = list(NOTHING), (deal.pack[0], deal.pack[1])
    for seat, card in zip(_ORDERS[dealer], opens, strict=False):
        dealt[seat] = 1 << card
    hands = tuple(dealt)
    cards = RoundCards.__new__(RoundCards, stock, NOTHING, NOTHING, (eldest(dealer),))
    question = _first_question(1, dealer, hands, UNKNOWN)
    number, scores, target = before.number + 1, before.scores, before.target
    round_ = Round.__new__(Round, number, dealer, opens, None, cut, scores, None, target)
    return State.__new__(State, question, state.applied + 1, VALUE, round_, cards, hands, b"")


def _deal_on(state: State) -> State:
    """The last captain has passed at a pause."""
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
    barred, dealer = state.question.barred, state.round.dealer
    return _ask(state, _first_question(pause, dealer, hands, barred), cards, hands, round_)


def _first_question(pause: int, dealer: Seat, hands: tuple[int, ...], barred: Seat) -> Question:
    """The first question of a pause, or of *More Kaisers*."""
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
    return _declarations(pause, asked, barred, dealer)


@cache
def _declarations(pause: int, queue: tuple[Seat, ...], barred: Seat, dealer: Seat) -> Question:
    """The first of a queue is asked for a Kaiser; when all have been asked, what follows."""
    if queue:
        return Question("declare", queue[:1], pause, queue, barred, dealer)
    if pause == MORE_KAISERS:
        # 8. Eldest leads.
        return _PLAYS[eldest(dealer)]
    # Spieldrei.  Eldest's captain, then the other, is asked; who may not call is not asked.
    first = team(eldest(dealer))
    captains = tuple(captain for captain in (first, 1 - first) if captain != barred)
    return Question("call", captains[:1], pause, captains, barred, dealer)


def _asked_on(question: Question, queue: tuple[Seat, ...]) -> Question:
    """The next of these seats is asked for a Kaiser."""
    return _declarations(question.pause, queue, question.barred, question.dealer)


def _declare(state: State, seat: Seat, banner: int) -> State:
    """A Kaiser brings a raise: the declaring team's captain offers."""
    cards = state.cards
    kaisers = _changed(cards.kaisers, seat, cards.kaisers[seat] | banner)
    cards = cards._replace(kaisers=kaisers)
    return _ask(state, _raise(state.question, team(seat)), cards, state.hands)


@cache
def _raise(question: Question, captain: Seat) -> Question:
    return question._replace(step="raise", seats=(captain,))


class _Said(NamedTuple):
    """What is asked after a word, and by how much the value has risen."""

    question: Question
    rise: int = 0


@cache
def _said(question: Question, word: Verb) -> _Said | None:
    """What a legal word leads to; None if it ends the round, or the pause: the deal goes on."""
    match word:
        case "pass":
            return _passed(question)
        # Spieldrei: +3, `accept` or `resign`.
        case "threeup":
            return _offered(question, "answer call")
        # Kaiser raise: 1 or 3, `accept` or `resign`; after an accepted 1 `lift` or `stay`; a
        # `lift` is answered again.
        case "raise 1":
            return _offered(question, "answer 1")
        case "raise 3":
            return _offered(question, "answer 3")
        case "lift":
            return _offered(question, "answer lift")
        case "stay":
            return _Said(_settled(question))
        case "accept":
            return _accepted(question)
        case "resign" | "kaiser" | "discard" | "play" | "down":
            return None
        case _:
            assert_never(word)


def _passed(question: Question) -> _Said | None:
    """The pause ends when a captain passes and no other captain is left to be asked."""
    rest = question.queue[1:]
    if question.step == "declare":
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
        case "answer call":
            # Only the other captain is asked now, once; the same team may not call twice running.
            again = question._replace(step="call", queue=(captain,), barred=other)
            return _Said(again, rise)
        case "answer 1":
            return _Said(question._replace(step="lift", seats=(other,)), rise)
        case _:
            return _Said(_settled(question), rise)


def _settled(question: Question) -> Question:
    """After the raise the Kaiser's owner is asked again, unless it can have no other.

    At pauses 1 and 2 everybody knows that it has no other open Banner.
    """
    return _asked_on(question, question.queue[1:] if question.pause <= 2 else question.queue)


# Play, score, match.


_PLAYS: Final = tuple(Question("play", (seat,)) for seat in ALL_SEATS)
"""By seat."""


def may_lay(state: State, seat: Seat, card: int) -> bool:
    """Any card may be played; it may be played face down except as a lead."""
    held = state.hands[seat] >> card % DOWN & 1
    return held != 0 and (card < DOWN or not state.lead_due)


def lay(state: State, seat: Seat, card: int) -> State:
    """A card is laid; the winner of a trick leads the next one."""
    round_, cards, question = state.round, state.cards, _PLAYS[(seat + 1) % SEATS]
    hands = _changed(state.hands, seat, state.hands[seat] & ~(1 << card % DOWN))
    laid = state.laid + SINGLE[card]
    if not len(laid) % SEATS:
        place = winner(laid[-SEATS:], round_.special, cards.all_kaisers)
        leader = (cards.leaders[-1] + place) % SEATS
        leaders = (*cards.leaders, leader)
        cards = cards._replace(leaders=leaders)
        question = _PLAYS[leader]
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
