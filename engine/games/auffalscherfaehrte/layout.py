"""Auf falscher Fährte: what people see, press and are told: trail, trump, tricks.

Everything here is made from a `View` or, for events, from what an action makes public.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, assert_never

from engine import layout as ui
from engine.game import Event, News, Seat, dealt_told, winners_told
from engine.games.auffalscherfaehrte.cards import (
    JOKER,
    NUMBER_OF,
    SUIT_OF,
    SUITS,
    TEXTS,
    Card,
    Hide,
    Move,
    NameTrump,
    code,
    codes,
    of_suit,
    sum_of,
)
from engine.games.auffalscherfaehrte.cards import Suit as SuitIndex
from engine.games.auffalscherfaehrte.coach import barred, goal, tip, words
from engine.games.auffalscherfaehrte.rules import (
    CHANGE_AFTER,
    GOAL,
    TURNED_AFTER,
    joker_rights,
    known_plus,
    last_alone,
    may_play,
    suit_led,
    tricks_taken,
    turned,
    winning_place,
)
from engine.games.auffalscherfaehrte.state import NOBODY, Action, CompleteTrick, Deal, Round, State
from engine.games.auffalscherfaehrte.view import View
from engine.layout import phrase
from engine.tricks import ANSWERED, laid_trick, seats_from, won
from engine.tricks import JOKER as JOKER_CODE

SYMBOLS: Final = {True: "+", False: "−", None: "±"}
"""By the kind of a round: Plus, Minus, still open."""
_KIND_CODES: Final = {True: "kind_plus", False: "kind_minus", None: "kind_open"}
_OVER_CODES: Final = {True: "round_over_plus", False: "round_over_minus"}

FEW: Final = 5
"""Up to so many cards are offered as the one thing to do."""


def suit_param(suit: SuitIndex) -> ui.Suit:
    return ui.Suit(SUITS[suit])


def cards_param(*cards: Card) -> ui.Cards:
    return ui.Cards(codes(cards))


def layout(view: View) -> ui.Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    legal = view.legal_actions
    more = () if view.stage == "trump" else tuple(_last_trick(view))
    blocks, controls = tuple(_blocks(view, legal)), tuple(_controls(view, legal))
    asks, ahead = _asks(view, legal), tuple(_ahead(view))
    return ui.Layout(
        blocks, controls, more, asks=asks, ahead=ahead, tip=tip(view),
        barred=barred(view, legal), goal=goal(view), words=words(view),
    )  # fmt: skip


def _asks(view: View, legal: Sequence[Move]) -> ui.Phrase | None:
    """What is asked; of the seat itself what its hand lets it do."""
    if not view.round.number or view.round.points is not None:
        return None
    if view.stage == "hide":
        return phrase("asks_hide")
    if view.stage == "trump":
        return phrase("asks_trump", suit=suit_param(view.round.trump))
    if not view.trick:
        return phrase("asks_lead")
    led = suit_led(view.trick)
    if led is None and {*legal} == {JOKER}:
        return phrase("asks_joker")
    if led is None and not view.plays_last:
        return phrase("asks_set_colour")
    if led is not None and (not view.asked or of_suit(view.hand, led)):
        code = "asks_follow_joker" if JOKER in legal else "asks_follow"
        return phrase(code, suit=suit_param(led))
    return phrase("asks_any" if {*view.hand} <= {*legal} else "asks_no_joker")


# Blocks.


def _blocks(view: View, legal: Sequence[Move]) -> Iterator[ui.Block]:
    if not view.round.number:
        yield ui.Headline(phrase("not_dealt"))
        yield _seat_row(view)
        return
    if view.stage == "hide":
        yield _chips(view)
    elif view.round.points is not None:
        yield from _round_over(view)
    else:
        yield ui.Headline(phrase(_KIND_CODES[view.plus]), SYMBOLS[view.plus])
        yield _chips(view)
        if view.asked:
            yield from _situation(view, legal)
        if view.stage == "trump":
            yield from _last_trick(view)
        else:
            if len(view.trick) < ANSWERED:
                yield from _last_trick(view)
            yield from _turns(view)
            yield _trick(view, view.leader, view.trick, view.round.trump)
    if view.stage != "hide":
        if view.round.points is None:
            yield ui.Line(phrase("trail", goal=view.goal), "small", seen=True)
        yield _tally(view)
    yield _seat_row(view)
    if view.hand:
        yield ui.CardRow("hand", tuple(_hand(view, legal)))
    if view.own is not None:
        yield ui.Line(_own(view, view.own))
    if view.round.aside:
        yield ui.Line(phrase("aside"), "small", seen=True)
        yield ui.CardRow(
            "aside", tuple([_card_view(view, card, playable=False) for card in view.round.aside])
        )
    yield ui.Line(
        phrase("round_of", number=view.round.number, rounds=view.round.match.rounds), "foot"
    )


def _own(view: View, card: Card) -> ui.Phrase:
    """The card that the owner hid, and what it makes of the sum while only they know it."""
    own = cards_param(card)
    if card in view.turned:
        return phrase("own_turned", cards=own)
    if not view.turned or view.plus is not None:
        return phrase("own_hidden", cards=own)
    code = {None: "own_adds", True: "own_plus", False: "own_minus"}[view.sure]
    return phrase(code, cards=own, total=sum_of(view.known))


def _turns(view: View) -> Iterator[ui.Line]:
    """What has changed with the last complete trick: all that was planned is to be thought over."""
    if view.tricks and view.tricks[-1].trump != view.round.trump:
        seat = _who_changed(view)
        told = phrase("new_trump", suit=suit_param(view.round.trump))
        if seat is not None:
            told = _told_trump(view.round, seat)
        yield ui.Line(told, "strong")
    if len(view.tricks) in TURNED_AFTER[len(view.counts)]:
        yield ui.Line(_told_turned(view.turned, len(view.counts)))


def _who_changed(view: View) -> Seat | None:
    """Who named the trump after the last trick; None where two had the right to."""
    jokers = view.round.match.jokers
    had = joker_rights(view.tricks) if jokers else last_alone(view.tricks, view.turned)
    return had[0] if len(had) == 1 else None


def _told_trump(now: Round, seat: Seat) -> ui.Phrase:
    """Who named the trump there is now, and why they might."""
    code = "new_trump_joker" if now.match.jokers else "new_trump_last"
    return phrase(code, seat=ui.SeatName(seat), suit=suit_param(now.trump))


def _told_turned(cards: tuple[Card, ...], seats: int) -> ui.Phrase:
    """The last card of these, which are turned up, and what kind of round they make."""
    last, total = cards_param(cards[-1]), sum_of(cards)
    plus = known_plus(seats, cards)
    if plus is None:
        return phrase("turned", cards=last, total=total, goal=GOAL[seats])
    return phrase("turned_plus" if plus else "turned_minus", cards=last, total=total)


def _situation(view: View, legal: Sequence[Move]) -> Iterator[ui.Line]:
    """To whoever is asked: why just that, where it does not go without saying."""
    if view.stage == "trump" or not view.trick:
        return
    led = suit_led(view.trick)
    if led is None:
        # After the last card nobody is left to follow, or to pass it on to.
        jokers, last = {*legal} == {JOKER}, view.plays_last
        then = ("you_beat_jokers", "you_all_jokers") if last else ("you_set_colour", "you_pass_on")
        yield ui.Line(phrase(then[jokers]))
    elif not of_suit(view.hand, led):
        yield ui.Line(phrase("you_are_void", suit=suit_param(led)))


def _chips(view: View) -> ui.Chips:
    trump = phrase("chip_trump", suit=suit_param(view.round.trump))
    if view.stage == "hide":
        return ui.Chips((trump,))
    done = len(view.tricks)
    number = done if view.stage == "trump" else done + 1
    trick = phrase("chip_trick", number=number, tricks=view.round.match.tricks)
    if not view.jokers:
        return ui.Chips((trump, trick))
    return ui.Chips((trump, trick, phrase("chip_jokers", count=view.jokers)))


def _last_trick(view: View) -> Iterator[ui.Trick]:
    """The last complete trick of the round, if there is one."""
    if view.tricks:
        last = view.tricks[-1]
        yield _trick(view, last.leader, last.cards, last.trump, reason(last))


def _trick(
    view: View, leader: Seat, cards: bytes, trump: SuitIndex, why: ui.Phrase | None = None
) -> ui.Trick:
    """The winner's card and those of the trump of then are marked."""
    best, trumps = winning_place(cards, trump), codes(of_suit(cards, trump))
    return laid_trick(leader, len(view.counts), codes(cards), best, trumps, reason=why)


def _tally(view: View) -> ui.Tally:
    numbers = [NUMBER_OF[card] for card in view.turned]
    covered = [None] * (len(view.counts) - len(numbers))
    return ui.Tally((*numbers, *covered), view.total, view.goal)


def _round_over(view: View) -> Iterator[ui.Block]:
    kind = view.plus is True
    yield ui.Headline(phrase(_OVER_CODES[kind], total=view.total), SYMBOLS[kind])
    yield ui.Chips((phrase("chip_trump", suit=suit_param(view.round.trump)),))
    yield from _last_trick(view)


def story(view: View) -> ui.Story | None:
    """The tricks of each, and the place that they make."""
    points = view.round.points
    if points is None:
        return None
    taken, plus = view.taken, view.plus is True
    worst = min(taken) if plus else max(taken)
    accounts = []
    for seat, count in enumerate(taken):
        place = 1 + sum((other > count) if plus else (other < count) for other in taken)
        why = phrase("story_place", count=count, place=place)
        if count == worst:
            why = phrase("story_fewest" if plus else "story_most", count=count)
        accounts.append((ui.Term(points[seat], why),))
    return ui.Story(tuple(accounts))


def _seat_row(view: View) -> ui.SeatRow:
    return ui.SeatRow(tuple(_seat_view(view, seat) for seat in range(len(view.counts))))


def _seat_view(view: View, seat: Seat) -> ui.SeatView:
    hiding = view.stage == "hide"
    acts = seat in view.actors
    marks = ui.holding(
        to_act=acts,
        leads=view.stage == "play" and not view.trick and acts,
        self=seat == view.seat,
        chosen=hiding and view.chosen[seat],
        choosing=hiding and not view.chosen[seat],
    )
    facts = (phrase("tricks", count=view.taken[seat]),) if view.round.number and not hiding else ()
    return ui.SeatView(seat, view.counts[seat], view.round.scores[seat], marks, facts)


def _hand(view: View, legal: Sequence[Move]) -> Iterator[ui.CardView]:
    playable = {move.card if isinstance(move, Hide) else move for move in legal}
    for card in view.hand:
        yield _card_view(view, card, playable=card in playable)


def _card_view(view: View, card: Card, *, playable: bool) -> ui.CardView:
    marks = ui.holding(playable=playable, special=_is_of(view.round.trump, card))
    return ui.CardView(code(card), _group(card), marks)


def _is_of(trump: SuitIndex, card: Card) -> bool:
    return card != JOKER and SUIT_OF[card] == trump


def _group(card: Card) -> str:
    return JOKER_CODE if card == JOKER else SUITS[SUIT_OF[card]]


# Controls.


def _controls(view: View, legal: Sequence[Move]) -> Iterator[ui.Act]:
    style: Literal["primary", "secondary"] = "primary" if len(legal) <= FEW else "secondary"
    for move in legal:
        match move:
            case Hide(card) | int(card):
                forced = len(legal) == 1 and not isinstance(move, Hide)
                yield ui.Act(
                    TEXTS[move], None, (code(card),), style, group=_group(card), forced=forced
                )
            case NameTrump(suit):
                yield _trump_act(view, move, suit)
            case _:
                assert_never(move)


def _ahead(view: View) -> Iterator[ui.Act]:
    """Cards that may be played to this trick, or to the next by whoever has played to this one, or
    while somebody is asked for the trump."""
    if view.stage not in ("play", "trump") or view.asked:
        return
    order = seats_from(view.leader, len(view.counts))
    awaited = view.seat in order[len(view.trick) :]
    for card in may_play(view.hand, view.trick if awaited else b""):
        yield ui.Act(TEXTS[card], cards=(code(card),), group=_group(card))


def _trump_act(view: View, move: Move, suit: SuitIndex | None) -> ui.Act:
    if suit is None:
        return ui.Act(TEXTS[move], phrase("trump_keep", suit=suit_param(view.round.trump)))
    return ui.Act(TEXTS[move], phrase("trump_to", suit=suit_param(suit)))


# Why somebody won.


def reason(trick: CompleteTrick) -> ui.Phrase:
    """Why the winner of a trick takes it, or why nobody does: by the trump as it was then."""
    cards, led = trick.cards, suit_led(trick.cards)
    if trick.winner == NOBODY or led is None:
        return phrase("trick_nobodys")
    card = cards[(trick.winner - trick.leader) % len(cards)]
    colour = suit_param(SUIT_OF[card])
    if SUIT_OF[card] == trick.trump:
        alone = len(of_suit(cards, trick.trump)) == 1
        return won(
            "won_only_trump" if alone else "won_trump", trick.winner, code(card), suit=colour
        )
    # A joker has no colour: the first card after it said which one was followed.
    said = "won_after_joker" if cards[0] == JOKER else "won_colour_led"
    return won(said, trick.winner, code(card), suit=colour)


# What is told about an action, and to whom.

NEWS: Final[Mapping[str, News]] = MappingProxyType(
    {
        "dealt": News.SEEN,
        "starts": News.SEEN,
        "hid": News.SEEN,
        "all_hid": News.SEEN,
        "played": News.SEEN | News.LIES,
        "turned": News.SEEN,
        "turned_plus": News.SEEN,
        "turned_minus": News.SEEN,
    }
)
"""What events are about."""


def events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    """What to tell, and to whom, about an action that was applied."""
    match action:
        case Deal():
            yield from _dealt(action, after)
        case Hide(card):
            yield Event(phrase("hid", seat=ui.SeatName(seat)))
            yield Event(phrase("you_hid", cards=cards_param(card)), (seat,))
            if after.stage == "play":
                yield Event(phrase("all_hid", seat=ui.SeatName(after.round.starter)))
        case int(card):
            yield Event(phrase("played", seat=ui.SeatName(seat), cards=cards_param(card)))
            if len(after.tricks) > len(before.tricks):
                yield from _trick_over(after)
                yield from _went_on(before, after)
        case NameTrump():
            trump = after.round.trump
            kept = phrase("trump_kept", seat=ui.SeatName(seat), suit=suit_param(trump))
            stays = trump == before.round.trump
            yield Event(kept if stays else _told_trump(after.round, seat))
            yield from _went_on(before, after)
        case _:
            assert_never(action)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    yield from dealt_told(after.round.number, [codes(hand) for hand in deal.hands])
    if deal.aside:
        yield Event(phrase("was_aside", cards=cards_param(*deal.aside)))
    yield Event(
        phrase("starts", seat=ui.SeatName(after.round.starter), suit=suit_param(after.round.trump))
    )


def _trick_over(after: State) -> Iterator[Event]:
    yield Event(reason(after.tricks[-1]))
    no_offer = len(after.tricks) == CHANGE_AFTER and after.stage != "trump"
    if no_offer and not after.round.match.jokers:
        yield Event(phrase("no_offer"))


def _went_on(before: State, after: State) -> Iterator[Event]:
    """What followed a trick or a decision about the trump."""
    if after.stage == "trump":
        why = "may_change_joker" if after.round.match.jokers else "may_change_last"
        yield Event(phrase(why, seat=ui.SeatName(after.round.offers[0])))
    were_turned, are_turned = turned(before), turned(after)
    if len(are_turned) > len(were_turned):
        yield from _turned(after, are_turned)
    if after.round.points is not None:
        yield from _completed(after)


def _turned(after: State, cards: tuple[Card, ...]) -> Iterator[Event]:
    yield Event(_told_turned(cards, after.seats))
    owner = after.reveal[len(cards) - 1]
    yield Event(phrase("turned_own"), (owner,))


def _completed(after: State) -> Iterator[Event]:
    points = after.round.points or ()
    counts = tricks_taken(after.tricks, after.seats)
    for seat, count in enumerate(points):
        yield Event(phrase("scored", seat=ui.SeatName(seat), tricks=counts[seat], count=count))
    if after.stage == "over":
        yield from winners_told(after.round.scores)
