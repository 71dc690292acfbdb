"""Kaiserspiel: what people see and may press.

Everything here is made from a `View`.  What others read while somebody is asked follows from what
is public alone: it is the same whether that seat has anything to say or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.cards import cards_in
from engine.game import Seat
from engine.games.kaiserspiel.cards import (
    DOWN,
    HIDDEN,
    HIDDEN_KAISER,
    PACK,
    SUITS,
    winner,
)
from engine.games.kaiserspiel.moves import (
    ACCEPT,
    LIFT,
    RAISE_1,
    RAISE_3,
    RESIGN,
    STAY,
    TEXTS,
    THREEUP,
    Move,
)
from engine.games.kaiserspiel.options import INFO, SEATS
from engine.games.kaiserspiel.questions import (
    ALL_SEATS,
    MORE_KAISERS,
    OFFERED,
    WORDS,
    Step,
    team,
)
from engine.games.kaiserspiel.state import View
from engine.layout import (
    Act,
    Block,
    CardRow,
    Cards,
    CardView,
    Chips,
    Choice,
    Combine,
    Control,
    Headline,
    Laid,
    Layout,
    Line,
    Param,
    Phrase,
    SeatName,
    SeatRow,
    SeatView,
    Standing,
    Suit,
    Trick,
)


def phrase(code: str, **params: Param) -> Phrase:
    """A phrase with its parameters by name."""
    return Phrase(code, params)


def members(which: int) -> dict[str, Param]:
    """The names of a team, for a phrase."""
    first, second = INFO.teams[which]
    return {"first": SeatName(first), "second": SeatName(second)}


def layout(view: View) -> Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    more = () if view.step == "over" else tuple(_last_trick(view))
    return Layout(tuple(_blocks(view)), tuple(_controls(view)), more)


# Blocks.

_YOU_CODES: Final[Mapping[Step, str]] = {
    "declare": "you_kaiser",
    "raise": "you_raise",
    "lift": "you_lift",
    "call": "you_threeup",
    **dict.fromkeys(OFFERED, "you_answer"),
    "discard": "you_discard",
}
"""The headline of whoever is asked."""
_THEY_CODES: Final[Mapping[Step, str]] = {
    "declare": "asks_kaiser",
    "raise": "asks_raise",
    "lift": "asks_lift",
    "call": "asks_threeup",
    **dict.fromkeys(OFFERED, "asks_answer"),
}
"""The headline of everybody else, with the seat that is asked."""
_OFFER_CODES: Final[Mapping[Step, str]] = {
    "answer 1": "offer_raise",
    "answer 3": "offer_raise",
    "answer lift": "offer_lift",
    "answer call": "offer_threeup",
}
"""What the other captain has offered."""


def _blocks(view: View) -> Iterator[Block]:
    if not view.round.number:
        yield Headline(phrase("not_dealt"))
        yield SeatRow(tuple(_seat_view(view, seat) for seat in ALL_SEATS))
        return
    yield Headline(_headline(view))
    yield from _situation(view)
    yield Chips(tuple(_chips(view)))
    if view.step not in ("play", "over"):
        # Later they would look like a trick; each stands beside its owner's name anyway.
        yield CardRow("open", tuple(_card_view(view, card, 0) for card in view.round.opens))
    if view.step == "over":
        yield from _last_trick(view)
    elif view.trick:
        yield _trick(view, view.trick, "current")
    yield SeatRow(tuple(_seat_view(view, seat) for seat in ALL_SEATS))
    if view.hand:
        playable = _playable(view)
        cards = tuple(_card_view(view, card, playable) for card in cards_in(view.hand))
        yield CardRow("hand", cards)
    if view.discards:
        yield Line(phrase("your_discards", cards=Cards(PACK.codes(view.discards))), "small")
    if view.round.special is not None and view.step != "over":
        yield Line(phrase("ranks"), "small")
    yield Line(_round_line(view), "small")


def _headline(view: View) -> Phrase:
    """What is to be done now, or how the round ended."""
    step = view.step
    if step == "over":
        return _round_over(view)
    if step == "play":
        (seat,) = view.question.seats
        code = "play" if view.trick else "lead"
        return phrase(f"you_{code}") if view.me_asked else phrase(f"{code}s", seat=SeatName(seat))
    if view.me_asked:
        return phrase(_YOU_CODES[step])
    if step == "discard":
        return phrase("all_discard")
    return phrase(_THEY_CODES[step], seat=SeatName(view.question.seats[0]))


def _round_over(view: View) -> Phrase:
    points = view.round.points or ()
    if view.round.void:
        return phrase("round_void")
    winner = 0 if points[0] else 1
    return Phrase("round_over", members(winner) | {"count": points[winner]})


def _situation(view: View) -> Iterator[Block]:
    """What has been offered, and where in the deal the round stands."""
    step, pause = view.step, view.question.pause
    if step in OFFERED:
        caller = SeatName(1 - view.question.seats[0])
        yield Line(phrase(_OFFER_CODES[step], seat=caller, count=OFFERED[step]), "strong")
    if pause and step != "over":
        last = pause == MORE_KAISERS
        yield Line(phrase("more_kaisers") if last else phrase("pause", number=pause))
        if len(view.round.opens) == SEATS and view.round.special is None:
            yield Line(phrase("four_banners"))


def _chips(view: View) -> Iterator[Phrase]:
    special = view.round.special
    if special is not None:
        yield phrase("special", suit=Suit(SUITS[special]))
    yield phrase("value", value=view.value)
    if view.step == "play" or view.tricks.laid:
        won = view.tricks.won
        if view.seat is None:
            for which in (0, 1):
                yield Phrase("team_tricks", members(which) | {"count": won[which]})
        else:
            mine = team(view.seat)
            yield phrase("our_tricks", count=won[mine])
            yield phrase("their_tricks", count=won[1 - mine])


def _round_line(view: View) -> Phrase:
    cut = Cards((PACK.names[view.round.cut],))
    return phrase("round_line", number=view.round.number, target=view.target, cut=cut)


def _seat_view(view: View, seat: Seat) -> SeatView:
    acts = view.step != "over" and seat in view.question.seats
    marks = {
        "to_act": acts,
        "leads": acts and view.step == "play" and not view.trick,
        "self": seat == view.seat,
        "partner": view.seat is not None and seat == (view.seat + 2) % SEATS,
        "chosen": view.step == "discard" and not acts,
        "choosing": view.step == "discard" and acts,
    }
    return SeatView(
        seat,
        view.counts[seat],
        view.round.scores[seat],
        tuple(mark for mark, holds in marks.items() if holds),
        tuple(_facts(view, seat)),
        team(seat),
    )


def _facts(view: View, seat: Seat) -> Iterator[Phrase]:
    """Who deals, whose Kaiser is whose, and whose open card is whose."""
    if not view.round.number:
        return
    if seat == view.round.dealer:
        yield phrase("dealer")
    kaisers = view.kaisers[seat]
    if kaisers:
        yield phrase("has_kaisers", cards=Cards(PACK.codes(kaisers)))
    for place, card in enumerate(view.round.opens):
        if view.round.owner(place) == seat and not kaisers >> card & 1:
            yield phrase("had_open", cards=Cards((PACK.names[card],)))


def _card_view(view: View, card: int, playable: int) -> CardView:
    marks = {"kaiser": view.all_kaisers, "playable": playable}
    code = PACK.names[card]
    shown = tuple(mark for mark, cards in marks.items() if cards >> card & 1)
    return CardView(code, code[0], shown)


def _playable(view: View) -> int:
    """The own cards that some legal action names."""
    cards = 0
    for move in view.legal_actions:
        cards |= move.cards
    return cards


def _last_trick(view: View) -> Iterator[Block]:
    full = len(view.tricks.laid) // SEATS * SEATS
    if full:
        yield _trick(view, range(full - SEATS, full), "last")


def _trick(view: View, places: range, role: str) -> Trick:
    laid = view.tricks.laid[places.start : places.stop]
    winning = winner(laid, view.round.special, view.all_kaisers)
    cards = tuple(
        _laid(view, place, card, winning=place - places.start == winning)
        for place, card in zip(places, laid, strict=True)
    )
    if role == "last":
        return Trick("last", cards)
    awaited = [view.tricks.seat_of(place) for place in range(places.stop, places.start + SEATS)]
    return Trick("current", cards, tuple(awaited))


def _laid(view: View, place: int, card: int, *, winning: bool) -> Laid:
    """A card in a trick; those that lie face down are open to whoever laid them."""
    down = card >= DOWN
    hidden = card >= HIDDEN
    face = card % DOWN
    kaiser = card == HIDDEN_KAISER or (not hidden and bool(view.all_kaisers >> face & 1))
    marks = {"winning": winning, "kaiser": kaiser, "down": down}
    return Laid(
        view.tricks.seat_of(place),
        "" if hidden else PACK.names[face],
        tuple(mark for mark, holds in marks.items() if holds),
    )


# Controls.


def _controls(view: View) -> Iterator[Control]:
    if view.me_asked:
        yield from _own_controls(view, view.legal_actions)
    elif view.seat is None:
        # Everybody knows what may be answered; only a Kaiser is its owner's secret.
        for move in WORDS[view.step]:
            yield _word(view, move)
    # Beside an offer or the discards it would look like an answer.
    if may_be_asked(view) and (not view.me_asked or view.step in ("declare", "call")):
        yield Standing(phrase("standing"), phrase("standing_undo"))


def may_be_asked(view: View) -> bool:
    """Whether the owner is asked for a Kaiser or a Spieldrei now or later in this deal.

    Until the discards everybody is: *More Kaisers* asks every seat.
    """
    if view.seat is None or view.step in ("play", "over"):
        return False
    return view.question.pause < MORE_KAISERS or view.seat in view.question.queue


def _own_controls(view: View, moves: Sequence[Move]) -> Iterator[Control]:
    if view.step == "discard":
        free = Combine(PACK.codes(view.hand & ~view.all_kaisers), 2, 2)
        yield Choice("discard", phrase("discard"), len(moves), combine=free, menu=True)
        return
    for move in moves:
        match move.verb:
            case "play":
                codes = PACK.codes(move.cards)
                yield Act(TEXTS[move], cards=codes, group=codes[0][0])
            case "kaiser":
                codes = PACK.codes(move.cards)
                label = phrase("declare", cards=Cards(codes))
                yield Act(TEXTS[move], label, codes, "primary")
            case "down" | "discard":
                pass
            case _:
                yield _word(view, move)
    down = tuple(_act_down(view, move) for move in moves if move.verb == "down")
    if down:
        yield Choice("down", phrase("play_down"), len(down), down, menu=True)


def _act_down(view: View, move: Move) -> Act:
    codes = PACK.codes(move.cards)
    told = (phrase("note_announced"),) if move.cards & view.all_kaisers else ()
    return Act(TEXTS[move], cards=codes, notes=told, group=codes[0][0])


def _word(view: View, move: Move) -> Act:
    """What is said, with its price."""
    value = view.value
    text = TEXTS[move]
    match move:
        case _ if move == ACCEPT:
            label = phrase("accept", value=value + OFFERED[view.step])
            return Act(text, label, style="success")
        case _ if move == RESIGN:
            return Act(text, phrase("resign", value=value), style="danger")
        case _ if move == THREEUP:
            return Act(
                text, phrase("threeup", value=value + OFFERED["answer call"]), style="primary"
            )
        case _ if move == RAISE_1:
            return Act(text, phrase("raise_1", value=value + OFFERED["answer 1"]), style="primary")
        case _ if move == RAISE_3:
            return Act(text, phrase("raise_3", value=value + OFFERED["answer 3"]), style="primary")
        case _ if move == LIFT:
            return Act(text, phrase("lift", value=value + OFFERED["answer lift"]), style="primary")
        case _ if move == STAY:
            return Act(text, phrase("stay", value=value))
        case _:
            return Act(text, phrase("pass"), style="danger")
