"""Sticheln: the rules, in the order of their text.

Which cards so many play with, always 15 each and none left, stands in `cards`.
"""

from __future__ import annotations

from engine.deal import shuffle
from engine.game import CHANCE, Draw, RuleError, Seat
from engine.games.sticheln.cards import (
    CHOOSE,
    HAND,
    HIGHEST,
    NUMBER,
    PACK,
    SUIT,
    TRICKS,
    USED,
    codes,
)
from engine.games.sticheln.state import UNKNOWN, Action, Deal, Past, Round, State, Tricks
from engine.tricks import in_order, without


def before_the_first_deal(seats: int, rounds: int, *, zeros_taken: bool) -> State:
    """The start of a match of so many rounds."""
    nothing = (b"",) * seats
    return State(
        stage="deal",
        actors=(CHANCE,),
        hands=nothing,
        trick=b"",
        tricks=Tricks(leader=UNKNOWN, taken=nothing),
        round=Round(rounds, zeros_taken, chosen=(UNKNOWN,) * seats, scores=(0,) * seats),
    )


# Always 15 cards each, none left.


def deal(state: State, draw: Draw) -> Deal:
    """Hands for all; the first leader is drawn after them (`data/docs/notation.md`, 5 and 6)."""
    seats = len(state.hands)
    pack = shuffle(USED[seats], draw)
    hands = [in_order(pack[seat * HAND : (seat + 1) * HAND]) for seat in range(seats)]
    start = next_start(state)
    return Deal(tuple(hands), draw(seats) if start == UNKNOWN else start)


def dealt(state: State, deal: Deal) -> State:
    """The first state of a round: everyone is to choose."""
    seats = len(state.hands)
    applied = state.tricks.applied + 1
    return state._replace(
        stage="choose",
        actors=tuple(range(seats)),
        hands=deal.hands,
        tricks=Tricks(leader=deal.start, taken=(b"",) * seats, applied=applied),
        round=state.round._replace(
            number=state.round.number + 1,
            start=deal.start,
            chosen=(UNKNOWN,) * seats,
            points=None,
        ),
    )


# Everyone chooses one card of the hand secretly; all are turned together.  It lies open until
# scoring and is not played.


def chosen(state: State, seat: Seat, card: int) -> State:
    """A card laid aside for its colour; with the last one the play begins."""
    cards = list(state.round.chosen)
    cards[seat] = card
    after = state._replace(
        actors=tuple([actor for actor in state.actors if actor != seat]),
        hands=without(state.hands, seat, card),
        round=state.round._replace(chosen=tuple(cards)),
    )
    if after.actors:
        return after
    return after._replace(
        stage="play",
        actors=(state.round.start,),
        tricks=state.tricks._replace(applied=state.tricks.applied + len(state.hands)),
    )


# First leader of round 1: random.  Each further round starts one seat later.


def next_start(state: State) -> Seat:
    """Who leads first in the coming round; UNKNOWN if that is to be drawn."""
    start = state.round.start
    return start if start == UNKNOWN else (start + 1) % len(state.hands)


# Any card may be led; the others play any card (no duty to follow).


def played(state: State, seat: Seat, card: int) -> State:
    """A card added to the trick; the last one completes it."""
    hands = without(state.hands, seat, card)
    trick = state.trick + bytes((card,))
    seats = len(hands)
    if len(trick) == seats:
        return _complete(state, hands, trick)
    return state._replace(actors=((seat + 1) % seats,), hands=hands, trick=trick)


def winning(trick: bytes, *, zeros_taken: bool = False) -> int | None:
    """The place in a trick, begun at least, of the card that wins it; None if all are zeros.

    Zeros are ignored; a led 0 still sets the lead colour.  If any card not of the lead colour was
    played, the highest number among those wins; otherwise the highest card of the lead colour.
    Among equals the first played wins.

    Switch `zeros` = `leader`: of nothing but zeros it is the seat that led that takes them, and
    leads again.

    >>> winning(bytes(map(PACK.index, "B3 B10 Y0 B7".split())))
    1
    >>> winning(bytes(map(PACK.index, "G11 R5 Y5 G8".split())))
    1
    """
    counting = [card for card in trick if NUMBER[card]]
    if not counting:
        return 0 if zeros_taken else None
    others = [card for card in counting if SUIT[card] != SUIT[trick[0]]]
    return trick.index(max(others or counting, key=NUMBER.__getitem__))


def _complete(state: State, hands: tuple[bytes, ...], trick: bytes) -> State:
    """The state after the last card of a trick.

    All zeros: nobody wins, the cards are set aside, the same seat leads again, unless the seat
    that led takes them (`winning`).
    """
    before, seats = state.tricks, len(hands)
    leader, taken, aside = before.leader, before.taken, before.aside
    place = winning(trick, zeros_taken=state.round.zeros_taken)
    winner = UNKNOWN if place is None else (leader + place) % seats
    last = Past(leader, trick, winner)
    if winner == UNKNOWN:
        aside += trick
    else:
        taken = (*taken[:winner], taken[winner] + trick, *taken[winner + 1 :])
        leader = winner
    tricks = before._replace(
        number=before.number + 1,
        leader=leader,
        taken=taken,
        aside=aside,
        last=last,
        applied=before.applied + seats,
        played=before.played + trick,
    )
    after = state._replace(actors=(leader,), hands=hands, trick=b"", tricks=tricks)
    return after if tricks.number < TRICKS else _scored(after)


# Score of a round.


def points(taken: bytes, chosen: int) -> int:
    """What a seat scores that chose `chosen` and took these cards.

    Each collected card of the own unwanted colour, and the chosen card, counts minus its number;
    every other collected card counts 1, zeros of other colours too.

    >>> points(bytes(map(PACK.index, "Y4 Y5 R0 R1 R2 R3 B0 B1".split())), PACK.index("Y2"))
    -5
    """
    unwanted = SUIT[chosen]
    counts = [-NUMBER[card] if SUIT[card] == unwanted else 1 for card in taken]
    return sum(counts) - NUMBER[chosen]


def _scored(state: State) -> State:
    """The state after the last trick of a round: another deal, or the match is over."""
    before = state.round
    scored = tuple(map(points, state.tricks.taken, before.chosen))
    scores = tuple([a + b for a, b in zip(before.scores, scored, strict=True)])
    more = before.number < before.rounds
    return state._replace(
        stage="deal" if more else "over",
        actors=(CHANCE,) if more else (),
        round=before._replace(scores=scores, points=scored),
    )


# What is refused.


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal.

    Codes: `match_over`, `deal_due`, `no_deal_due`, `not_your_turn` (seat), `not_an_action`,
    `bad_deal`, `wrong_start` (seat), `no_such_card` (cards, highest), `not_in_hand` (cards),
    `choose_first`, `chosen_already`.
    """
    stage, actors = state.stage, state.actors
    if seat not in actors or seat == CHANCE:
        if stage == "deal":
            return _deal_refusal(state, action) if seat == CHANCE else RuleError("deal_due")
        return _not_asked(state, seat)
    if type(action) is not int or not 0 <= action < 2 * CHOOSE:
        return RuleError("not_an_action")
    chooses = action >= CHOOSE
    card = action - CHOOSE if chooses else action
    if chooses == (stage == "choose") and card in state.hands[seat]:
        return None
    if card >= len(PACK):
        return RuleError("not_an_action")
    seats = len(state.hands)
    if card not in USED[seats]:
        return RuleError("no_such_card", cards=codes((card,)), highest=HIGHEST[seats])
    if chooses != (stage == "choose"):
        return RuleError("chosen_already" if chooses else "choose_first")
    return RuleError("not_in_hand", cards=codes((card,)))


def _not_asked(state: State, seat: Seat) -> RuleError:
    """Why a seat that is not to act (or CHANCE where no deal is due) may not."""
    if state.stage == "over":
        return RuleError("match_over")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    if state.stage == "choose":
        return RuleError("chosen_already")
    return RuleError("not_your_turn", seat=state.actors[0])


def _deal_refusal(state: State, action: Action) -> RuleError | None:
    """Whether these are full hands of the whole pack, and the right seat leads."""
    seats = len(state.hands)
    if not isinstance(action, Deal) or not _is_deal(action, seats):
        return RuleError("bad_deal")
    start = next_start(state)
    if start not in (UNKNOWN, action.start):
        return RuleError("wrong_start", seat=start)
    return None


def _is_deal(deal: Deal, seats: int) -> bool:
    """Whether these are `seats` hands of 15, in canonical order, with the whole pack in them.

    No card of the pack is left over, and there are no more cards than the pack has.
    """
    hands, start = deal
    return (
        type(start) is int
        and 0 <= start < seats
        and type(hands) is tuple
        and len(hands) == seats
        and all(type(hand) is bytes and len(hand) == HAND for hand in hands)
        and not USED[seats].translate(None, b"".join(hands))
        and all(in_order(hand) == hand for hand in hands)
    )
