"""Kaiserspiel: what is told about an action, and to whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from engine.game import Event, Seat
from engine.games.kaiserspiel.cards import MUGG, PACK, SUITS, mask
from engine.games.kaiserspiel.layout import members
from engine.games.kaiserspiel.moves import Move
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.questions import ALL_SEATS
from engine.games.kaiserspiel.reasons import reason
from engine.games.kaiserspiel.state import NOTHING, Action, Deal, State
from engine.layout import Cards, Phrase, SeatName, Suit, phrase


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal(pack, dealer):
            yield Event(phrase("dealt", number=after.round.number, seat=SeatName(dealer)))
            yield Event(phrase("was_cut", cards=_cards(pack[-1])))
            yield from _opened(after, 0)
            # Where nobody is asked at the first two pauses, cards come face down at once.
            yield from _face_down(NOTHING, after)
        case Move():
            yield from _done(before, seat, action)
            if action.verb == "kaiser" and after.value == after.round.most:
                yield Event(phrase("no_raise", seat=SeatName(seat), value=after.value))
            if before.step == "play" and after.lead_due:
                laid, leaders, special = after.laid, after.cards.leaders, after.round.special
                kaisers = after.cards.all_kaisers
                yield Event(reason(laid[-SEATS:], leaders[-2], special, kaisers))
            yield from _served(before, after)
            if after.round.points is not None:
                yield from _completed(after)
        case _:
            assert_never(action)


def _done(before: State, seat: Seat, move: Move) -> Iterator[Event]:
    """The action itself."""
    who, cards = SeatName(seat), Cards(PACK.codes(move.cards))
    match move.verb:
        case "play":
            yield Event(phrase("played", seat=who, cards=cards))
        case "down":
            kaiser = move.cards & before.cards.kaisers[seat]
            yield Event(phrase("played_kaiser_down" if kaiser else "played_down", seat=who))
            yield Event(phrase("you_played_down", cards=cards), (seat,))
        case "kaiser":
            mugg = move.cards >> MUGG & 1
            yield Event(phrase("declared_mugg" if mugg else "declared", seat=who, cards=cards))
        case "discard":
            yield Event(phrase("discarded", seat=who))
            yield Event(phrase("you_discarded", cards=cards), (seat,))
        case "pass":
            more = before.step == "declare" and before.cards.kaisers[seat]
            yield Event(phrase("no_more_kaisers" if more else _PASSED[before.step], seat=who))
        case "resign":
            yield Event(phrase("resigned", seat=who))
        case "raise 1" | "raise 3" | "threeup" | "lift" | "stay" | "accept":
            yield Event(phrase(_SAID[move.verb], seat=who))
        case _:
            assert_never(move.verb)


_PASSED: Final = {"call": "passed_threeup", "declare": "passed_kaiser"}
_SAID: Final = {
    "raise 1": "raised_1",
    "raise 3": "raised_3",
    "threeup": "called",
    "lift": "lifted",
    "stay": "stayed",
    "accept": "accepted",
}


def _cards(card: int) -> Cards:
    return Cards((PACK.names[card],))


def _opened(after: State, known: int) -> Iterator[Event]:
    """The cards that were dealt face up, from the `known`-th on."""
    opens = after.round.opens
    for place in range(known, len(opens)):
        to = SeatName(after.round.owner(place))
        yield Event(phrase("opened", seat=to, cards=_cards(opens[place])))
    if known < len(opens) == SEATS:
        special = after.round.special
        if special is None:
            yield Event(phrase("four_banners"))
        else:
            yield Event(phrase("special_is", suit=Suit(SUITS[special])))


def _served(before: State, after: State) -> Iterator[Event]:
    """Cards that came after a pause; face down, only their owner is told which."""
    yield from _opened(after, len(before.round.opens))
    yield from _face_down(before.hands, after)


def _face_down(hands: Sequence[int], after: State) -> Iterator[Event]:
    """The cards that came face down to those who held these hands; an open one is no news."""
    opens = mask(after.round.opens)
    new_cards = [now & ~(old | opens) for old, now in zip(hands, after.hands, strict=True)]
    for seat, new in zip(ALL_SEATS, new_cards, strict=True):
        if new:
            yield Event(phrase("served", seat=SeatName(seat), count=new.bit_count()))
            yield Event(phrase("you_got", cards=Cards(PACK.codes(new))), (seat,))
    if any(new_cards) and after.step == "discard":
        yield Event(phrase("discards_due"))


def _completed(after: State) -> Iterator[Event]:
    points = after.round.points or ()
    if after.round.void:
        yield Event(phrase("void"))
        return
    winner = 0 if points[0] else 1
    yield Event(Phrase("round_won", members(winner) | {"count": points[winner]}))
    if not after.question.seats:
        total = after.round.scores[winner]
        yield Event(Phrase("match_won", members(winner) | {"count": total}))
