"""Sticheln: what people see, may press and are told.

Everything here is made from a `View` or, for events, from what an action makes public.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Event, Seat, winners_told
from engine.games.sticheln.cards import (
    CHOOSE,
    NUMBER,
    PACK,
    SINGLE,
    SUIT,
    SUITS,
    TRICKS,
    codes,
    in_order,
)
from engine.games.sticheln.notation import TEXTS
from engine.games.sticheln.rules import points, winning
from engine.games.sticheln.state import UNKNOWN, Action, Deal, Past, State, View
from engine.layout import (
    Act,
    Block,
    CardRow,
    Cards,
    CardView,
    Chips,
    Headline,
    Laid,
    Layout,
    Line,
    Param,
    Phrase,
    SeatName,
    SeatRow,
    SeatView,
    Suit,
    Trick,
)
from engine.tricks import seats_from


def _phrase(code: str, **params: Param) -> Phrase:
    return Phrase(code, params)


def _suit(card: int) -> Suit:
    return Suit(SUITS[SUIT[card]])


def _cards(cards: bytes) -> Cards:
    return Cards(codes(cards))


def layout(view: View) -> Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    return Layout(tuple(_blocks(view)), tuple(_acts(view)), tuple(_more(view)))


# Blocks.


def _blocks(view: View) -> Iterator[Block]:
    if not view.round.number:
        yield Headline(_phrase("not_dealt"))
    elif view.choosing:
        yield from _choice(view)
    elif view.round.points is None:
        yield from _play(view)
    else:
        yield from _round_over(view)
    yield SeatRow(tuple(_seat_view(view, seat) for seat in range(view.seats)))
    if view.seat is not None and view.playing:
        yield Line(_own_points(view, view.seat))
    if view.hand:
        yield CardRow("hand", tuple(_card_view(card, view.asked) for card in view.hand))
    if view.round.number:
        yield Line(_phrase("round_of", number=view.round.number, rounds=view.round.rounds), "small")


def _choice(view: View) -> Iterator[Block]:
    """The secret choice: what it means for whoever is asked, and for whom all wait."""
    if view.asked:
        yield Headline(_phrase("choose"))
        yield Line(_phrase("choose_means"))
    else:
        yield Headline(_phrase("choosing", count=len(view.actors)))
        if view.seat is not None:
            card = view.round.chosen[view.seat]
            yield Line(_phrase("you_chose", cards=_cards(SINGLE[card])), "strong")
    yield Line(_phrase("starts", seat=SeatName(view.round.start)))


def _play(view: View) -> Iterator[Block]:
    """Which trick it is, whose turn, and what lies there."""
    actor = view.actors[0]
    chips = [_phrase("trick_of", number=view.tricks.number + 1, tricks=TRICKS)]
    if view.trick:
        chips.append(_phrase("led", suit=_suit(view.trick[0])))
        yield Headline(
            _phrase("you_follow") if view.asked else _phrase("follows", seat=SeatName(actor))
        )
    else:
        yield Headline(
            _phrase("you_lead") if view.asked else _phrase("leads", seat=SeatName(actor))
        )
    yield Chips(tuple(chips))
    yield _trick(view)


def _trick(view: View) -> Trick:
    order = seats_from(view.tricks.leader, view.seats)
    played = len(view.trick)
    return Trick("current", _laid(order, view.trick), order[played:])


def _laid(order: tuple[Seat, ...], cards: bytes) -> tuple[Laid, ...]:
    """Cards in the order of play; the one that wins as they lie there is marked."""
    best = winning(cards) if cards else None
    return tuple(
        Laid(seat, PACK.names[card], ("winning",) if place == best else ())
        for place, (seat, card) in enumerate(zip(order, cards, strict=False))
    )


def _round_over(view: View) -> Iterator[Block]:
    yield Headline(_phrase("round_over", number=view.round.number))
    for seat in range(view.seats):
        yield Line(_account(view, seat))
    if view.tricks.aside:
        yield Line(_phrase("went_aside", cards=_cards(in_order(view.tricks.aside))), "small")


def _account(view: View, seat: Seat) -> Phrase:
    """What a seat took in the round, and what it did not want of that."""
    taken, chosen = view.tricks.taken[seat], view.round.chosen[seat]
    unwanted = in_order([chosen, *(card for card in taken if SUIT[card] == SUIT[chosen])])
    return _phrase(
        "account",
        seat=SeatName(seat),
        count=len(taken),
        suit=_suit(chosen),
        cards=_cards(unwanted),
    )


def _own_points(view: View, seat: Seat) -> Phrase:
    """What the observer would score if the round ended now; nobody is told of others."""
    taken, chosen = view.tricks.taken[seat], view.round.chosen[seat]
    return _phrase("own_points", count=len(taken), points=points(taken, chosen))


def _seat_view(view: View, seat: Seat) -> SeatView:
    acts = seat in view.actors
    marks = {
        "to_act": acts,
        "leads": acts and view.playing and not view.trick,
        "self": seat == view.seat,
        "chosen": view.choosing and not acts,
        "choosing": view.choosing and acts,
    }
    return SeatView(
        seat,
        view.count(seat),
        view.round.scores[seat],
        tuple(mark for mark, holds in marks.items() if holds),
        _facts(view, seat),
    )


def _facts(view: View, seat: Seat) -> tuple[Phrase, ...]:
    """The unwanted colour with its card, once all lie open."""
    card = view.round.chosen[seat]
    if view.choosing or card == UNKNOWN:
        return ()
    return (_phrase("unwanted", suit=_suit(card), number=NUMBER[card]),)


def _card_view(card: int, playable: bool) -> CardView:
    return CardView(PACK.names[card], SUITS[SUIT[card]], ("playable",) if playable else ())


def _acts(view: View) -> Iterator[Act]:
    for move in view.legal_actions:
        card = move % CHOOSE
        yield Act(TEXTS[move], cards=(PACK.names[card],), group=SUITS[SUIT[card]])


def _more(view: View) -> Iterator[Block]:
    """The last trick, and what became of it."""
    past = view.tricks.last
    if past is not None:
        yield Trick("last", _laid(seats_from(past.leader, view.seats), past.cards))
        yield Line(_result(past))


def _result(past: Past) -> Phrase:
    if past.winner == UNKNOWN:
        return _phrase("nobody_takes")
    return _phrase("takes", seat=SeatName(past.winner), count=len(past.cards))


# Events.


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal():
            yield from _dealt(action, after)
        case int() if action >= CHOOSE:
            yield Event(_phrase("chose", seat=SeatName(seat)))
            if not after.choosing:
                yield from _opened(after)
        case int():
            yield Event(_phrase("played", seat=SeatName(seat), cards=_cards(SINGLE[action])))
            last = after.tricks.last
            if last is not None and after.tricks.number > before.tricks.number:
                yield Event(_result(last))
            if after.round.points is not None:
                yield from _completed(after, after.round.points)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    yield Event(_phrase("dealt", number=after.round.number, count=len(deal.hands[0])))
    for seat, hand in enumerate(deal.hands):
        yield Event(_phrase("dealt_hand", cards=_cards(hand)), (seat,))
    yield Event(_phrase("starts", seat=SeatName(deal.start)))


def _opened(after: State) -> Iterator[Event]:
    for seat, card in enumerate(after.round.chosen):
        yield Event(_phrase("opened", seat=SeatName(seat), cards=_cards(SINGLE[card])))


def _completed(after: State, scored: tuple[int, ...]) -> Iterator[Event]:
    for seat, count in enumerate(scored):
        yield Event(_phrase("scored", seat=SeatName(seat), count=count))
    if after.stage == "over":
        yield from winners_told(after.round.scores)
