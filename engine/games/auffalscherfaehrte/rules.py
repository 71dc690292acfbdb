"""Auf falscher Fährte: the rules, in the order of their text.

Why an action is refused stands at the end; above it every action is a legal one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import add
from typing import Final

from engine.deal import shuffle
from engine.game import CHANCE, Draw, RuleError, Seat
from engine.games.auffalscherfaehrte.cards import (
    A_JOKER,
    DECLINE,
    HIGHEST,
    JOKER,
    SUIT_OF,
    SUITS,
    TEXTS,
    Card,
    Hide,
    Move,
    NameTrump,
    Suit,
    code,
    codes,
    of_suit,
    pack_of,
    strength,
    sum_of,
    without_jokers,
)
from engine.games.auffalscherfaehrte.state import (
    NOBODY,
    Action,
    CompleteTrick,
    Deal,
    Match,
    Round,
    Stage,
    State,
)
from engine.tricks import best, in_order, seats_from, without

# Cards and deal.


def before_the_first_deal(seats: int, match: Match, trump: Suit) -> State:
    """Red is trump at the start of the match; of a round that is played again what was."""
    return State(
        round=Round(match, scores=(0,) * seats, opening_trump=trump, trump=trump),
        stage="deal",
        actors=(CHANCE,),
        hands=(b"",) * seats,
        hidden=(None,) * seats,
        reveal=(),
        trick=b"",
        tricks=(),
    )


def shuffled(state: State, draw: Draw) -> Deal:
    """13 cards each (14 with jokers); the one left over, if any, is out.

    The dealer of round 1 is random (`data/docs/notation.md`, 5 and 6).
    """
    seats, match = state.seats, state.round.match
    each = match.hand
    cards = shuffle(pack_of(seats, jokers=match.jokers), draw)
    hands = [in_order(cards[seat * each : (seat + 1) * each]) for seat in range(seats)]
    reveal = tuple(shuffle(range(seats), draw))
    dealer = next_dealer(state.round)
    return Deal(
        hands=tuple(hands),
        aside=bytes(cards[seats * each :]),
        reveal=reveal,
        dealer=draw(seats) if dealer is None else dealer,
    )


def next_dealer(last: Round) -> Seat | None:
    """The starter of a round is the next round's dealer; None: round 1, whose dealer is random.

    Switch `next_leader` = `again`: the starter of a round starts the next one too (the dealer
    stays).
    """
    if not last.number:
        return None
    return last.dealer if last.match.again else last.starter


def dealt(state: State, deal: Deal) -> State:
    """The seat after the dealer starts.  The trump is what it was at the end of the round before.

    First everyone hides a card.
    """
    seats, last = state.seats, state.round
    starter = (deal.dealer + 1) % seats
    return state._replace(
        round=last._replace(
            number=last.number + 1,
            dealer=deal.dealer,
            starter=starter,
            opening_trump=last.trump,
            aside=deal.aside,
            offers=(),
            points=None,
            plies=state.plies + 1,
        ),
        stage="hide",
        actors=tuple(range(seats)),
        hands=deal.hands,
        hidden=(None,) * seats,
        reveal=deal.reveal,
        tricks=(),
    )


# The face-down card.

GOAL: Final = {3: 14, 4: 24}
"""By seats: from this sum of the hidden cards on a round is Plus."""
TURNED_AFTER: Final = {3: (3, 4, 5), 4: (2, 3, 4, 5)}
"""By seats: the numbers of the tricks after which a hidden card is turned."""


def may_hide(hand: bytes) -> bytes:
    """Any card of the hand, never a joker."""
    return without_jokers(hand)


def hide(state: State, seat: Seat, card: Card) -> State:
    """The card is out of play.  When everyone has hidden one, the starter leads."""
    hidden = [*state.hidden]
    hidden[seat] = card
    waiting = tuple([each for each in state.actors if each != seat])
    after = state._replace(
        round=state.round._replace(plies=state.round.plies + 1),
        actors=waiting,
        hands=without(state.hands, seat, card),
        hidden=tuple(hidden),
    )
    return after if waiting else _lead(after)


def is_plus(hidden: Sequence[Card | None]) -> bool:
    """From the goal on Plus, below it Minus; all have hidden a card."""
    return sum_of([card for card in hidden if card is not None]) >= GOAL[len(hidden)]


def turned(state: State) -> tuple[Card, ...]:
    """The hidden cards that have been turned, one by one, in their order."""
    complete = len(state.tricks)
    if state.stage == "trump":
        # The change comes before the turning of a face-down card of the same trick.
        complete -= 1
    count = sum([number <= complete for number in TURNED_AFTER[state.seats]])
    cards = [state.hidden[seat] for seat in state.reveal[:count]]
    return tuple([card for card in cards if card is not None])


def known_plus(seats: int, turned_cards: Sequence[Card]) -> bool | None:
    """Whether the turned cards say Plus or Minus; None while the covered ones may still decide.

    It can be certain before the last card is turned: the goal is reached already, or out of
    reach even with the highest numbers.
    """
    total, covered = sum_of(turned_cards), seats - len(turned_cards)
    if total >= GOAL[seats]:
        return True
    return False if total + covered * HIGHEST[seats] < GOAL[seats] else None


# Tricks.


def may_play(hand: bytes, trick: bytes) -> bytes:
    """Must follow suit if able; otherwise anything, trump included.  Each card once."""
    coloured, led = without_jokers(hand), suit_led(trick)
    may = coloured if led is None else of_suit(coloured, led) or coloured
    return may + A_JOKER if coloured != hand and may_play_joker(coloured, trick) else may


def suit_led(trick: bytes) -> Suit | None:
    """The suit of the first coloured card; None while there is none.

    A joker led: the next seat sets the suit, and if it has only jokers the duty passes on.
    """
    for card in trick:
        if card != JOKER:
            return SUIT_OF[card]
    return None


def play(state: State, seat: Seat, card: Card) -> State:
    """The card joins the trick, which may be complete with it."""
    hands, trick = without(state.hands, seat, card), state.trick + bytes((card,))
    seats = len(hands)
    following = (seat + 1) % seats
    if len(trick) == seats:
        return _complete_trick(state, following, hands, trick)
    return state._replace(
        actors=(following,),
        hands=hands,
        trick=trick,
    )


def _complete_trick(state: State, leader: Seat, hands: tuple[bytes, ...], trick: bytes) -> State:
    """The winner leads; before that the trump may be changed.

    A trick that is nobody's is the last: no hand is left to lead from.
    """
    round_ = state.round
    place = winning_place(trick, round_.trump)
    winner = NOBODY if place is None else (leader + place) % len(hands)
    tricks = (*state.tricks, CompleteTrick(leader, trick, winner, round_.trump))
    offers = joker_rights(tricks) if round_.match.jokers else last_alone(tricks, state.hidden)
    return _go_on(
        state._replace(
            round=round_._replace(offers=offers),
            hands=hands,
            trick=b"",
            tricks=tricks,
        )
    )


def winning_place(trick: bytes, trump: Suit) -> int | None:
    """Highest trump wins, else highest of the suit led; its place in the trick.

    A joker never wins: all jokers, and nobody wins the trick (None).

    >>> yellow_3, yellow_9, red_0 = 16, 22, 0
    >>> winning_place(bytes([yellow_3, yellow_9, red_0]), SUITS.index("R"))
    2
    """
    led = suit_led(trick)
    if led is None:
        return None
    return best([strength(card, trump, led) for card in trick])


def _go_on(state: State) -> State:
    """After a trick and its changes of trump the winner leads on, until no cards are left."""
    if state.round.offers:
        return state._replace(stage="trump", actors=state.round.offers[:1])
    return _lead(state) if state.hands[0] else _complete_round(state)


def _lead(state: State) -> State:
    return state._replace(stage="play", actors=(state.leader,))


# Trump change (base game).

CHANGE_AFTER: Final = 8
"""The number of the trick after which the trump may be changed."""


def last_alone(tricks: Sequence[CompleteTrick], hidden: Sequence[Card | None]) -> tuple[Seat, ...]:
    """After trick 8 the seat alone in last place may name another trump; tied for last nobody may.

    Last is who has fewest tricks in Plus, most in Minus.
    """
    if len(tricks) != CHANGE_AFTER:
        return ()
    counts = tricks_taken(tricks, len(hidden))
    last = min(counts) if is_plus(hidden) else max(counts)
    return (counts.index(last),) if counts.count(last) == 1 else ()


def may_name(trump: Suit) -> tuple[NameTrump, ...]:
    """One of the other three colours as trump, or decline."""
    return (*[NameTrump(suit) for suit in range(len(SUITS)) if suit != trump], DECLINE)


def name_trump(state: State, suit: Suit | None) -> State:
    """A declined right lapses; whoever else has one is asked next."""
    round_ = state.round
    named = round_._replace(
        trump=round_.trump if suit is None else suit,
        offers=round_.offers[1:],
        plies=round_.plies + 1,
    )
    return _go_on(state._replace(round=named))


# Scoring.

POINTS: Final = {3: (3, 2, 0), 4: (4, 3, 2, 0)}
"""By seats: points by place."""


def tricks_taken(tricks: Sequence[CompleteTrick], seats: int) -> tuple[int, ...]:
    """Number of tricks won, by seat."""
    winners = [trick.winner for trick in tricks]
    return tuple([winners.count(seat) for seat in range(seats)])


@cache
def points_for(counts: tuple[int, ...], *, plus: bool) -> tuple[int, ...]:
    """Points by place, which is 1 + number of seats strictly better.

    Ties share the place's points; everyone on the worst count gets 0.

    >>> points_for((6, 4, 1, 1), plus=True), points_for((2, 2, 3, 5), plus=False)
    ((4, 3, 0, 0), (4, 4, 2, 0))
    """
    merits = counts if plus else tuple([-count for count in counts])
    worst = min(merits)
    places = [1 + sum(other > merit for other in merits) for merit in merits]
    return tuple(
        0 if merit == worst else POINTS[len(counts)][place - 1]
        for merit, place in zip(merits, places, strict=True)
    )


def _complete_round(state: State) -> State:
    """The points are added to the totals.  After the last round the match is over."""
    before = state.round
    points = points_for(tricks_taken(state.tricks, state.seats), plus=is_plus(state.hidden))
    round_ = before._replace(scores=tuple(map(add, before.scores, points)), points=points)
    if round_.number >= round_.match.rounds:
        return state._replace(round=round_, stage="over", actors=())
    return state._replace(round=round_, stage="deal", actors=(CHANCE,))


# Variant `jokers`.

RIGHTS: Final = 2
"""The first so many jokers played in a round give a right to change the trump."""


def may_play_joker(coloured: bytes, trick: bytes) -> bool:
    """A joker may be played at any time, even when able to follow.

    A second joker in one trick is forbidden except when the hand holds nothing else than jokers.
    """
    return JOKER not in trick or not coloured


def joker_rights(tricks: Sequence[CompleteTrick]) -> tuple[Seat, ...]:
    """Whoever played the 1st or 2nd joker of the round may change the trump at the trick's end.

    Winner or not, in order of play; the 3rd and 4th give no right.
    """
    trick = tricks[-1]
    if JOKER not in trick.cards:
        return ()
    order = seats_from(trick.leader, len(trick.cards))
    players = [seat for seat, card in zip(order, trick.cards, strict=True) if card == JOKER]
    return tuple(players[: max(0, RIGHTS - jokers_in(tricks[:-1]))])


def jokers_in(tricks: Sequence[CompleteTrick]) -> int:
    """Number of jokers played in these tricks."""
    return sum([trick.cards.count(JOKER) for trick in tricks])


# What may be done, by stage.


def moves(stage: Stage, hand: bytes, trick: bytes, trump: Suit) -> Sequence[Move]:
    """All moves of a seat that is to act, each once."""
    match stage:
        case "hide":
            return [Hide(card) for card in may_hide(hand)]
        case "trump":
            return may_name(trump)
        case "play":
            return may_play(hand, trick)
        case "deal" | "over":
            return ()


# Why an action is refused.


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal.

    Codes: `match_over`, `deal_due`, `no_deal_due`, `not_your_turn` (seat), `not_an_action`,
    `bad_deal`, `hide_first`, `already_chosen`, `joker_hidden`, `already_hidden`, `trump_first`,
    `no_trump_offer`, `same_trump` (suit), `not_in_hand` (cards), `must_follow_suit` (suit, cards),
    `second_joker`.
    """
    stage = state.stage
    if stage == "over":
        return RuleError("match_over")
    if stage == "deal":
        if seat != CHANCE:
            return RuleError("deal_due")
        return None if _is_deal(state, action) else RuleError("bad_deal")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    # An action may come from anywhere: it need not be what its type says.
    kinds = (int, Hide, NameTrump)
    if not isinstance(action, kinds) or isinstance(action, bool) or action not in TEXTS:
        return RuleError("not_an_action")
    if seat not in state.actors:
        if stage == "hide":
            return RuleError("already_chosen")
        return RuleError("not_your_turn", seat=state.actors[0])
    if stage == "play":
        return _play_refusal(state.hands[seat], state.trick, action)
    if stage == "hide":
        return _hide_refusal(state.hands[seat], action)
    return _trump_refusal(state.round.trump, action)


def _is_deal(state: State, action: Action) -> bool:
    """Whether these are full hands, the rest of the pack and an order, by the right dealer."""
    if not isinstance(action, Deal) or len(action.hands) != state.seats:
        return False
    seats, match, dealer = state.seats, state.round.match, next_dealer(state.round)
    dealt, pack = b"".join((*action.hands, action.aside)), pack_of(seats, jokers=match.jokers)
    return (
        # No card of the pack is missing, and there are no more cards or jokers than it has.
        not pack.translate(None, dealt)
        and len(dealt) == len(pack)
        and dealt.count(JOKER) == pack.count(JOKER)
        and [*map(len, action.hands)] == [match.hand] * seats
        and [*map(in_order, action.hands)] == [*action.hands]
        and sorted(action.reveal) == [*range(seats)]
        and action.dealer in range(seats)
        and dealer in (None, action.dealer)
    )


def _hide_refusal(hand: bytes, move: Move) -> RuleError | None:
    if not isinstance(move, Hide):
        return RuleError("hide_first")
    if move.card == JOKER:
        return RuleError("joker_hidden")
    return None if move.card in hand else _not_in_hand(move.card)


def _play_refusal(hand: bytes, trick: bytes, move: Move) -> RuleError | None:
    if isinstance(move, Hide):
        return RuleError("already_hidden")
    if isinstance(move, NameTrump):
        return RuleError("no_trump_offer")
    if move not in hand:
        return _not_in_hand(move)
    may, led = may_play(hand, trick), suit_led(trick)
    if move in may:
        return None
    if move == JOKER or led is None:
        return RuleError("second_joker")
    return RuleError("must_follow_suit", suit=SUITS[led], cards=codes(may))


def _trump_refusal(trump: Suit, move: Move) -> RuleError | None:
    if not isinstance(move, NameTrump):
        return RuleError("trump_first")
    return RuleError("same_trump", suit=SUITS[trump]) if move.suit == trump else None


def _not_in_hand(card: Card) -> RuleError:
    return RuleError("not_in_hand", cards=(code(card),))
