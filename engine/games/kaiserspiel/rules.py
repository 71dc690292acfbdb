"""Kaiserspiel: the state after an action, in the order of the rules text.

Why an action is refused stands at the end; above it every action is a legal one.  d is the dealer,
d+1 eldest.  Every action ends with `_ask`, the question that follows it; talking changes questions
only (`questions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from operator import add
from typing import Final

from engine.game import CHANCE, RuleError, Seat
from engine.games.kaiserspiel.cards import (
    BANNERS,
    DOWN,
    PACK,
    TEXTS,
    Move,
    laid,
    special_suit,
    winner,
)
from engine.games.kaiserspiel.questions import (
    ALL_SEATS,
    MORE_KAISERS,
    OFFERED,
    PLAYS,
    SEATS,
    WORDS,
    Question,
    Step,
    asked_for_kaisers,
    declarable,
    declared,
    eldest,
    said,
    team,
)
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
    return State(
        question=DEAL_DUE,
        applied=0,
        value=0,
        round=Round(target, most=max(target, VALUE) if limit else None),
        cards=RoundCards(),
        hands=NOTHING,
        laid=b"",
    )


def after(state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action."""
    if isinstance(action, Deal):
        return _begin(state, action)
    match action.verb:
        case "play" | "down":
            return _lay(state, seat, laid(action))
        case "discard":
            return _discard(state, seat, action.cards)
        case "kaiser":
            return _declare(state, seat, action.cards)
        case "resign":
            return _end(state, 1 - seat)
        case word:
            question, rise = said(state.question, word, _room(state))
            return _ask(state._replace(value=state.value + rise), question)


def _room(state: State) -> float:
    """By how much offers may raise the value still."""
    most = state.round.most
    return inf if most is None else most - state.value


def _ask(state: State, question: Question) -> State:
    """An action was applied, and what it changes has changed; now this is asked."""
    asked = state._replace(question=question)
    if question.pause and not question.seats:
        return _deal_on(asked)
    return asked._replace(applied=state.applied + 1)


def _changed(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    """The values of all seats (or teams), that of one changed."""
    changed = list(values)
    changed[place] = value
    return tuple(changed)


# The deal.


def _order(dealer: Seat) -> tuple[Seat, ...]:
    """d+1, d+2, d+3, d."""
    return seats_from(eldest(dealer), SEATS)


def _begin(state: State, deal: Deal) -> State:
    """A round begins; its value is 4."""
    # 1. The cut card (last card of the pack) is shown to all; it is not dealt.
    dealer, before = deal.dealer, state.round
    # Switch `limit`: N is what the team further from the target still needs.
    most = None if before.most is None else max(before.target - min(before.scores), VALUE)
    round_ = before._replace(
        number=before.number + 1,
        dealer=dealer,
        opens=tuple(deal.pack[:2]),
        special=None,
        cut=deal.pack[-1],
        points=None,
        most=most,
    )
    cards = RoundCards(stock=deal.pack[:-1], leaders=(eldest(dealer),))
    begun = state._replace(value=VALUE, round=round_, cards=cards, hands=NOTHING, laid=b"")
    # 2. One card face up to d+1 and d+2 — pause 1 …
    return _pause(_dealt(begun, _order(dealer)[:2]), 1)


def _deal_on(state: State) -> State:
    """Nobody is left to be asked at a pause."""
    round_, pause = state.round, state.question.pause
    one, two, three, four = _order(round_.dealer)
    match pause:
        case 1:
            # 2. … then to d+3 and d — pause 2.
            served: tuple[Seat, ...] = (three, four)
            # 3. The special suit is the suit of the lowest of the four open cards.
            opens = (*round_.opens, *state.cards.stock[:2])
            round_ = round_._replace(opens=opens, special=special_suit(opens))
            state = state._replace(round=round_)
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
    dealt = _dealt(state, served)
    if pause == LAST_PAUSE:
        # 6. Everyone discards two, face down, simultaneously.
        return _ask(dealt, Question("discard", ALL_SEATS))
    return _pause(dealt, pause + 1)


def _dealt(state: State, seats: tuple[Seat, ...]) -> State:
    """With the next cards of the stock, one to each of the seats in turn."""
    hands, cards = list(state.hands), state.cards
    for seat, card in zip(seats, cards.stock, strict=False):
        hands[seat] |= 1 << card
    cards = cards._replace(stock=cards.stock[len(seats) :])
    return state._replace(cards=cards, hands=tuple(hands))


def _discard(state: State, seat: Seat, two: int) -> State:
    """6. Everyone discards two."""
    hands = _changed(state.hands, seat, state.hands[seat] & ~two)
    discards = _changed(state.cards.discards, seat, two)
    thrown = state._replace(hands=hands, cards=state.cards._replace(discards=discards))
    waiting = tuple([other for other in state.question.seats if other != seat])
    if waiting:
        return _ask(thrown, Question("discard", waiting))
    # 7. More Kaisers.
    return _pause(thrown, MORE_KAISERS)


# At a pause, in this order: declarations, Spieldrei.


def just_served(pause: int, dealer: Seat) -> tuple[Seat, ...]:
    """Who got cards right before one of the four pauses."""
    order = _order(dealer)
    return order[:2] if pause in (1, 3) else order[2:]


def _pause(state: State, pause: int) -> State:
    """A pause, or *More Kaisers*."""
    dealer = state.round.dealer
    served = just_served(pause, dealer)
    match pause:
        case 1 | 2:
            # Only the owner of an open Banner is asked.
            asked = tuple([seat for seat in served if state.hands[seat] & BANNERS])
        case 3 | 4:
            # Both seats just served are asked, in order, whether they hold a Banner or not.
            asked = served
        case _:
            # 7. From eldest, every seat is asked.
            asked = _order(dealer)
    question = asked_for_kaisers(pause, asked, state.question.barred, dealer, _room(state))
    return _ask(state, question)


def _declare(state: State, seat: Seat, banner: int) -> State:
    """A Kaiser brings a raise: the declaring team's captain offers."""
    before = state.cards.kaisers
    cards = state.cards._replace(kaisers=_changed(before, seat, before[seat] | banner))
    kaiser = banner.bit_length() - 1
    question = declared(state.question, kaiser, team(seat), _room(state))
    return _ask(state._replace(cards=cards), question)


# Play, score, match.


def may_lay(state: State, seat: Seat, card: int) -> bool:
    """Any card may be played; it may be played face down except as a lead."""
    held = state.hands[seat] >> card % DOWN & 1
    return held != 0 and (card < DOWN or not state.lead_due)


def _lay(state: State, seat: Seat, card: int) -> State:
    """A card is laid; the winner of a trick leads the next one."""
    round_, cards, question = state.round, state.cards, PLAYS[(seat + 1) % SEATS]
    hands = _changed(state.hands, seat, state.hands[seat] & ~(1 << card % DOWN))
    played = state.laid + bytes((card,))
    if not len(played) % SEATS:
        place = winner(played[-SEATS:], round_.special, cards.all_kaisers)
        leader = (cards.leaders[-1] + place) % SEATS
        leaders = (*cards.leaders, leader)
        cards = cards._replace(leaders=leaders)
        question = PLAYS[leader]
        # The first team with three tricks wins the value and the round stops.
        if len(leaders) > NEEDED and Tricks(played, leaders).won[team(leader)] == NEEDED:
            round_, question = _scored(state, team(leader))
    return state._replace(
        question=question,
        applied=state.applied + 1,
        round=round_,
        cards=cards,
        hands=hands,
        laid=played,
    )


def _end(state: State, which: int | None) -> State:
    """A word has ended the round."""
    round_, question = _scored(state, which)
    return _ask(state._replace(round=round_), question)


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


# Why an action is refused.

UNANSWERED: Final[Mapping[Step, str]] = {
    "declare": "asked_kaiser",
    "raise": "asked_raise",
    "raise by 1": "asked_raise_by_1",
    "lift": "asked_lift",
    "call": "asked_threeup",
    **dict.fromkeys(OFFERED, "asked_answer"),
    "discard": "asked_discard",
    "play": "asked_play",
    "over": "deal_due",
}
"""The refusal of what does not answer what is asked."""

_WHOLE: Final = bytes(range(len(PACK)))


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal.

    Codes: `match_over`, `deal_due`, `no_deal_due`, `bad_deal`, `not_your_turn`,
    `already_discarded`, `not_an_action`, those of `UNANSWERED`, `not_in_hand` (cards),
    `not_a_banner` (cards), `already_kaiser` (cards), `was_open` (cards), `kaiser_stays` (cards),
    `lead_face_up`.
    """
    question = state.question
    step = question.step
    if seat not in question.seats:
        return _not_asked(state, seat)
    if step == "over":
        return None if _is_due(state, action) else RuleError("bad_deal")
    if not isinstance(action, Move) or action not in TEXTS:
        return RuleError("not_an_action")
    if action in WORDS[step]:
        return None
    verb, cards = action
    if step == "play" and verb in ("play", "down"):
        if may_lay(state, seat, laid(action)):
            return None
        held = cards & state.hands[seat]
        return RuleError("lead_face_up") if held else _not_in_hand(cards)
    if step == "discard" and verb == "discard":
        return _refused_discard(state, seat, cards)
    if step == "declare" and verb == "kaiser":
        return _refused_kaiser(state, seat, cards)
    return RuleError(UNANSWERED[step])


def _not_asked(state: State, seat: Seat) -> RuleError:
    if not state.question.seats:
        return RuleError("match_over")
    if state.step == "over":
        return RuleError("deal_due")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    waits = state.step == "discard" and seat in ALL_SEATS
    return RuleError("already_discarded" if waits else "not_your_turn")


def _not_in_hand(cards: int) -> RuleError:
    return RuleError("not_in_hand", cards=PACK.codes(cards))


def _is_due(state: State, action: Action) -> bool:
    """Whether this is the whole pack, no Banner cut, dealt by whoever has to."""
    # Forty cards, and nothing is left of the whole pack without them: each is there once.
    if not isinstance(action, Deal) or len(action.pack) != len(PACK):
        return False
    if _WHOLE.translate(None, action.pack):
        return False
    due = next_dealer(state.round)
    right = action.dealer in ALL_SEATS if due is None else action.dealer == due
    return right and not BANNERS >> action.pack[-1] & 1


def _refused_kaiser(state: State, seat: Seat, card: int) -> RuleError | None:
    hand, kaisers = state.hands[seat], state.cards.kaisers[seat]
    if card & declarable(state.question.pause, hand, state.cards.kaisers, state.round.opens):
        return None
    code = "was_open"
    if not card & BANNERS:
        code = "not_a_banner"
    elif not card & hand:
        code = "not_in_hand"
    elif card & kaisers:
        code = "already_kaiser"
    return RuleError(code, cards=PACK.codes(card))


def _refused_discard(state: State, seat: Seat, two: int) -> RuleError | None:
    """Cards that are not held, and Kaisers, may not be discarded."""
    if missing := two & ~state.hands[seat]:
        return _not_in_hand(missing)
    if kaisers := two & state.cards.kaisers[seat]:
        return RuleError("kaiser_stays", cards=PACK.codes(kaisers))
    return None
