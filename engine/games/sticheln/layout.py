"""Sticheln: what people see, press and are told: unwanted colours, tricks, cards put aside.

Everything here is made from a `View` or, for events, from what an action makes public.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from engine import layout as ui
from engine.game import Event, News, Seat, dealt_told, winners_told
from engine.games.sticheln.cards import (
    CHOOSE,
    NUMBER,
    PACK,
    SUIT,
    SUITS,
    TEXTS,
    TRICKS,
    codes,
)
from engine.games.sticheln.coach import tip, words
from engine.games.sticheln.rules import points, winning
from engine.games.sticheln.state import UNKNOWN, Action, Deal, Past, State, View
from engine.layout import phrase
from engine.tricks import ANSWERED, in_order, laid_trick, won


def _suit(card: int) -> ui.Suit:
    return ui.Suit(SUITS[SUIT[card]])


def _cards(cards: Iterable[int]) -> ui.Cards:
    return ui.Cards(codes(cards))


def layout(view: View) -> ui.Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    blocks, more = tuple(_blocks(view)), tuple(_last_trick(view))
    acts, ahead = tuple(_acts(view)), tuple(_ahead(view))
    goal = phrase("goal")
    return ui.Layout(
        blocks, acts, more, asks=_asks(view), ahead=ahead, tip=tip(view), goal=goal,
        words=words(view),
    )  # fmt: skip


def _asks(view: View) -> ui.Phrase | None:
    if not view.actors or not view.round.number or view.round.points is not None:
        return None
    if view.choosing:
        return phrase("asks_choose")
    return phrase("asks_follow" if view.trick else "asks_lead")


# Blocks.


def _blocks(view: View) -> Iterator[ui.Block]:
    if not view.round.number:
        yield ui.Headline(phrase("not_dealt"))
    elif view.choosing:
        yield from _choice(view)
    elif view.round.points is None:
        yield from _play(view)
    else:
        yield from _round_over(view)
    yield ui.SeatRow(tuple(_seat_view(view, seat) for seat in range(view.seats)))
    if view.seat is not None and view.playing:
        yield ui.Line(_own_points(view, view.seat))
    if view.hand:
        yield ui.CardRow("hand", tuple(_card_view(view, card) for card in view.hand))
    if view.round.number:
        yield ui.Line(
            phrase("round_of", number=view.round.number, rounds=view.round.rounds), "foot"
        )


def _choice(view: View) -> Iterator[ui.Block]:
    """The secret choice: what it means for whoever is asked, and for whom all wait."""
    if view.asked:
        yield ui.Line(phrase("choose_means"))
    elif view.seat is not None:
        card = view.round.chosen[view.seat]
        yield ui.Line(phrase("you_chose", cards=_cards((card,))), "strong")
    yield ui.Line(phrase("starts", seat=ui.SeatName(view.round.start)))


def _play(view: View) -> Iterator[ui.Block]:
    """Which trick it is, and what lies there."""
    chips = [phrase("trick_of", number=view.tricks.number + 1, tricks=TRICKS)]
    if view.trick:
        chips.append(phrase("led", suit=_suit(view.trick[0])))
    yield ui.Chips(tuple(chips))
    if len(view.trick) < ANSWERED:
        yield from _last_trick(view)
    yield _trick(view, view.tricks.leader, view.trick)


def _trick(view: View, leader: Seat, cards: bytes, why: ui.Phrase | None = None) -> ui.Trick:
    best = winning(cards, zeros_taken=view.round.zeros_taken) if cards else None
    return laid_trick(leader, view.seats, codes(cards), best, reason=why)


def _round_over(view: View) -> Iterator[ui.Block]:
    yield ui.Headline(phrase("round_over", number=view.round.number))
    yield from _last_trick(view)
    if view.tricks.aside:
        yield ui.Line(phrase("went_aside", cards=_cards(in_order(view.tricks.aside))), "small")


def story(view: View) -> ui.Story | None:
    """What each took in the round, and what they did not want of that."""
    if view.round.points is None:
        return None
    return ui.Story(tuple(tuple(_terms(view, seat)) for seat in range(view.seats)))


def _terms(view: View, seat: Seat) -> Iterator[ui.Term]:
    taken, chosen = view.tricks.taken[seat], view.round.chosen[seat]
    unwanted = in_order([card for card in taken if SUIT[card] == SUIT[chosen]])
    others = len(taken) - len(unwanted)
    if others:
        yield ui.Term(others, phrase("story_others" if unwanted else "story_cards", count=others))
    if unwanted:
        points = -sum(NUMBER[card] for card in unwanted)
        yield ui.Term(points, phrase("story_unwanted", cards=_cards(unwanted)))
    yield ui.Term(-NUMBER[chosen], phrase("story_own", cards=_cards((chosen,))))


def _own_points(view: View, seat: Seat) -> ui.Phrase:
    """What the observer would score if the round ended now; nobody is told of others."""
    taken, chosen = view.tricks.taken[seat], view.round.chosen[seat]
    return phrase("own_points", count=len(taken), points=points(taken, chosen))


def _seat_view(view: View, seat: Seat) -> ui.SeatView:
    acts = seat in view.actors
    marks = ui.holding(
        to_act=acts,
        leads=acts and view.playing and not view.trick,
        self=seat == view.seat,
        chosen=view.choosing and not acts,
        choosing=view.choosing and acts,
    )
    return ui.SeatView(seat, view.count(seat), view.round.scores[seat], marks, _facts(view, seat))


def _facts(view: View, seat: Seat) -> tuple[ui.Phrase, ...]:
    """The unwanted colour with its card, once all lie open."""
    card = view.round.chosen[seat]
    if view.choosing or card == UNKNOWN:
        return ()
    return (phrase("unwanted", suit=_suit(card), number=NUMBER[card]),)


def _card_view(view: View, card: int) -> ui.CardView:
    """A card of the observer's; once all have chosen those of the unwanted colour are marked."""
    own = UNKNOWN if view.seat is None or view.choosing else view.round.chosen[view.seat]
    unwanted = own != UNKNOWN and SUIT[own] == SUIT[card]
    marks = ui.holding(playable=view.asked, unwanted=unwanted)
    return ui.CardView(PACK.names[card], SUITS[SUIT[card]], marks)


def _acts(view: View) -> Iterator[ui.Act]:
    legal = view.legal_actions
    for move in legal:
        card = move % CHOOSE
        forced = len(legal) == 1 and move == card
        names, suit = (PACK.names[card],), SUITS[SUIT[card]]
        yield ui.Act(TEXTS[move], cards=names, group=suit, forced=forced)


def _ahead(view: View) -> Iterator[ui.Act]:
    """Any card may be played to a trick, whatever lies there."""
    if view.playing and not view.asked:
        for card in view.hand:
            yield ui.Act(TEXTS[card], cards=(PACK.names[card],), group=SUITS[SUIT[card]])


def _last_trick(view: View) -> Iterator[ui.Trick]:
    """The last complete trick of the round, if there is one."""
    past = view.tricks.last
    if past is not None:
        yield _trick(view, past.leader, past.cards, reason(past))


# Events.

NEWS: Final[Mapping[str, News]] = MappingProxyType(
    {
        "dealt": News.SEEN,
        "chose": News.SEEN,
        "opened": News.SEEN | News.STANDS,
        "starts": News.SEEN,
        "played": News.SEEN | News.LIES,
    }
)
"""What events are about."""


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal():
            yield from _dealt(action, after)
        case int() if action >= CHOOSE:
            yield Event(phrase("chose", seat=ui.SeatName(seat)))
            if after.stage != "choose":
                yield from _opened(after)
        case int():
            yield Event(phrase("played", seat=ui.SeatName(seat), cards=_cards((action,))))
            last = after.tricks.last
            if last is not None and after.tricks.number > before.tricks.number:
                yield Event(reason(last))
            if after.round.points is not None:
                yield from _completed(after, after.round.points)


def _dealt(deal: Deal, after: State) -> Iterator[Event]:
    yield from dealt_told(after.round.number, [codes(hand) for hand in deal.hands])
    yield Event(phrase("starts", seat=ui.SeatName(deal.start)))


def _opened(after: State) -> Iterator[Event]:
    for seat, card in enumerate(after.round.chosen):
        yield Event(phrase("opened", seat=ui.SeatName(seat), cards=_cards((card,))))


def _completed(after: State, scored: tuple[int, ...]) -> Iterator[Event]:
    for seat, count in enumerate(scored):
        yield Event(phrase("scored", seat=ui.SeatName(seat), count=count))
    if after.stage == "over":
        yield from winners_told(after.round.scores)


# Why somebody won.


def reason(past: Past) -> ui.Phrase:
    """Why the winner of a complete trick takes it, or why nobody does.

    Zeros never count; of the others a card that is not of the colour led goes before all that are.
    """
    cards, led = past.cards, SUIT[past.cards[0]]
    if past.winner == UNKNOWN:
        return phrase("nobody_takes")
    card = cards[(past.winner - past.leader) % len(cards)]
    colour = ui.Suit(SUITS[led])
    if not NUMBER[card]:
        # Switch `zeros` = `leader`.
        return won("won_zeros", past.winner, PACK.names[card], suit=colour)
    others = [each for each in cards if SUIT[each] != led]
    if SUIT[card] != led:
        equals = sum(NUMBER[each] == NUMBER[card] for each in others)
        code = "won_other_colour" if equals == 1 else "won_other_colour_first"
    else:
        code = "won_colour_led" if not others else "won_over_zeros"
    return won(code, past.winner, PACK.names[card], suit=colour)
