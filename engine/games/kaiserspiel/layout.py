"""Kaiserspiel: what people see, press and are told: raises, Kaisers, tricks.

Everything here is made from a `View` or, for events, from what an action makes public.  What others
read while somebody is asked follows from what is public alone: it is the same whether that seat has
anything to say or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, assert_never

from engine import layout as ui
from engine.cards import cards_in
from engine.game import Event, News, Seat
from engine.games.kaiserspiel.cards import (
    DOWN,
    HIDDEN,
    HIDDEN_KAISER,
    MUGG,
    PACK,
    PLAIN,
    SIZE,
    SUIT_CARDS,
    SUITS,
    TEXTS,
    Move,
    is_seven,
    is_unter,
    leads,
    mask,
    trump_rank,
    winner,
)
from engine.games.kaiserspiel.coach import (
    barred,
    can_declare,
    goal,
    gone,
    kaisers_left,
    no_other,
    resigns_match,
    tip,
    words,
)
from engine.games.kaiserspiel.questions import (
    ALL_SEATS,
    ANSWERS,
    CAPTAINS,
    MORE_KAISERS,
    OFFERED,
    SEATS,
    TEAMS,
    UNKNOWN,
    WORDS,
    Step,
    team,
)
from engine.games.kaiserspiel.rules import DEALT, NEEDED, VALUE, just_served
from engine.games.kaiserspiel.state import NOTHING, Action, Deal, State, View
from engine.layout import phrase
from engine.tricks import ANSWERED, won


def members(which: int) -> dict[str, ui.Param]:
    """The names of a team, for a phrase."""
    first, second = TEAMS[which]
    return {"first": ui.SeatName(first), "second": ui.SeatName(second)}


def layout(view: View) -> ui.Layout:
    """What the owner of the view sees, from top to bottom, and may press."""
    more = () if view.step == "over" else tuple(_last_trick(view))
    blocks, controls, ahead = tuple(_blocks(view)), tuple(_controls(view)), tuple(_ahead(view))
    asks, why, what_for = _asks(view), barred(view), tip(view)
    return ui.Layout(
        blocks, controls, more, asks=asks, ahead=ahead, tip=what_for, barred=why,
        goal=goal(view), words=words(view),
    )  # fmt: skip


def _asks(view: View) -> ui.Phrase | None:
    """What is asked: only whoever can just pass is told so, in words that no others read."""
    step = view.step
    if not view.round.number or step == "over":
        return None
    if step == "play":
        return phrase("asks_play" if view.trick else "asks_lead")
    if step == "declare" and view.asked and not can_declare(view):
        return phrase("asks_no_kaiser")
    return phrase("asks_discard" if step == "discard" else f"asks_{_ASKED[step]}")


# Blocks.

_ASKED: Final[Mapping[Step, str]] = {
    "declare": "kaiser",
    "raise": "raise",
    "raise by 1": "raise_1",
    "lift": "lift",
    "call": "threeup",
    **dict.fromkeys(OFFERED, "answer"),
}
"""What a seat is asked, `asks_…`."""
_BANNERS_TOLD: Final[tuple[Step, ...]] = ("declare", "call", "answer call")
"""Steps whose words say what a Banner is: there is no room for the letters of plain cards, too."""
_OFFER_CODES: Final[Mapping[Step, str]] = {
    "answer 1": "offer_raise",
    "answer 3": "offer_raise",
    "answer lift": "offer_lift",
    "answer call": "offer_threeup",
}
"""What the other captain has offered."""


def _blocks(view: View) -> Iterator[ui.Block]:
    if not view.round.number:
        yield ui.Headline(phrase("not_dealt"))
        yield ui.SeatRow(tuple(_seat_view(view, seat) for seat in ALL_SEATS))
        return
    if view.step == "over":
        yield ui.Headline(_round_over(view))
    yield from _situation(view)
    yield ui.Chips(tuple(_chips(view)))
    if view.step not in ("play", "over"):
        # Later they would look like a trick; each stands beside its owner's name anyway.
        yield ui.CardRow("open", tuple(_card_view(view, card, 0) for card in view.round.opens))
    if len(view.trick) < ANSWERED:
        yield from _last_trick(view)
    if view.trick:
        yield _trick(view, view.trick, "current")
    yield ui.SeatRow(tuple(_seat_view(view, seat) for seat in ALL_SEATS))
    if view.hand:
        playable = _playable(view)
        cards = tuple(_card_view(view, card, playable) for card in cards_in(view.hand))
        yield ui.CardRow("hand", cards)
        if view.round.special is None or not (view.discards or view.step in _BANNERS_TOLD):
            yield ui.Line(phrase("letters"), "small")
    if view.discards:
        yield ui.Line(phrase("your_discards", cards=ui.Cards(PACK.codes(view.discards))), "small")
    yield from _ranks(view)
    yield ui.Line(_round_line(view), "foot")


_LOW: Final = {"34": "bounds_low", "3": "bounds_low_3", "4": "bounds_low_4"}
"""By the low trumps that may still come: what they do not beat."""


def _ranks(view: View) -> Iterator[ui.Block]:
    """What beats what, the own trumps, and which cards of the special suit are none; where a low
    trump is in view, or a King or an Ober in hand, also what those do not beat that may come."""
    special = view.round.special
    if special is None or view.step == "over":
        return
    yield _ladder(view, special)
    for said in _own_trumps(view, special) if view.hand else (_bounds(view, special),):
        yield ui.Line(said, "small")
    ranks = {PLAIN[card % SIZE] for card in cards_in(SUIT_CARDS[special] & ~gone(view))}
    low = "".join(sorted(ranks & {"3", "4"}))
    if view.step == "play" and low:
        held = {PLAIN[card % SIZE] for card in cards_in(view.hand)}
        if not (held.isdisjoint("KO") and _special_seen(view, special).isdisjoint("34")):
            yield ui.Line(phrase(_LOW[low], suit=ui.Suit(SUITS[special])), "small")


def _own_trumps(view: View, special: int) -> Iterator[ui.Phrase]:
    """The trumps in hand, the highest first, and which cards there are of the special suit and
    none, but for Banners that may still become some; where somebody else has shown such a card,
    which these are."""
    ranks = {card: trump_rank(card, special, view.all_kaisers) for card in cards_in(view.hand)}
    trumps = {card: rank for card, rank in ranks.items() if rank is not None}
    best = tuple(PACK.names[card] for card in sorted(trumps, key=trumps.__getitem__))
    told: dict[str, ui.Param] = {"count": len(best), "cards": ui.Cards(best)} if best else {}
    code = "own_trumps" if best else "own_no_trump"
    plain = mask(card for card in cards_in(SUIT_CARDS[special]) if not _is_trump(view, card))
    up = {card for card in view.tricks.laid if card < DOWN}
    lying = up & {view.tricks.laid[place] for place in view.trick}
    if plain & mask({*view.round.opens} - up | lying) & ~view.hand:
        yield ui.Phrase(code, told)
        if view.step != "declare":
            yield _bounds(view, special)
        return
    plain &= view.hand & ~(can_declare(view, MORE_KAISERS) if view.step != "play" else 0)
    seven = mask(card for card in cards_in(plain) if is_seven(card, special))
    if others := plain & ~seven:
        code, told = f"{code}_but", told | {"others": ui.Cards(PACK.codes(others))}
    yield ui.Phrase(code, told)
    if seven and view.step != "declare":
        stops = any(is_unter(card, special) for card in {*up, *cards_in(gone(view) | view.hand)})
        cards = ui.Cards(PACK.codes(seven))
        yield phrase("own_seven_sure" if stops else "own_seven", cards=cards)


def _bounds(view: View, special: int) -> ui.Phrase:
    """Which cards of the special suit are no trumps, and that the Seven wins if it may be led."""
    ranks = {PLAIN[card % SIZE] for card in cards_in(SUIT_CARDS[special] & ~gone(view))}
    followed = [card for place, card in enumerate(view.tricks.laid) if place % SEATS]
    code = "bounds_seven" if "U" in ranks else "bounds_seven_sure"
    if "7" not in ranks or any(is_seven(card, special) for card in followed):
        code = "bounds"
    return phrase(code, suit=ui.Suit(SUITS[special]))


def _ladder(view: View, special: int) -> ui.Ladder:
    """Trumps of that suit from the highest, the Mugg before them and Kaisers among them; as long as
    nobody has declared one, these have no cards.  Those that cannot come any more are marked."""
    out = gone(view)

    def rung(card: int, *marks: str) -> ui.CardView:
        return ui.CardView(PACK.names[card], "", (*marks, *ui.holding(gone=bool(out >> card & 1))))

    trumps = {PLAIN[card % SIZE]: card for card in cards_in(SUIT_CARDS[special])}
    plain = {rank: (rung(card, "special"),) for rank, card in trumps.items()}
    mugg = rung(MUGG, "kaiser", "mugg")
    declared = cards_in(view.all_kaisers & ~(1 << MUGG))
    kaisers = tuple(rung(card, "kaiser") for card in declared) or (
        ui.CardView("", "", ("kaiser",)),
    )
    high, low = [plain[rank] for rank in "5U"], [plain[rank] for rank in "6234"]
    said = phrase("ranks", suit=ui.Suit(SUITS[special]))
    # What nobody has declared until the first card is led is none.
    late = view.step == "play"
    tops = [] if late and not view.all_kaisers >> MUGG & 1 else [(mugg,)]
    middle = [] if late and not any(card.code for card in kaisers) else [kaisers]
    return ui.Ladder((*tops, *high, *middle, *low), said)


def _special_seen(view: View, special: int) -> set[str]:
    """Ranks of the special suit in hand, or face up in the trick."""
    lying = [view.tricks.laid[place] for place in view.trick]
    cards = view.hand | mask(card for card in lying if card < DOWN)
    return {PLAIN[card % SIZE] for card in cards_in(cards & SUIT_CARDS[special])}


def _round_over(view: View) -> ui.Phrase:
    points = view.round.points or ()
    if view.round.void:
        return phrase("round_void")
    winner = 0 if points[0] else 1
    return ui.Phrase("round_over", members(winner) | {"count": points[winner]})


def story(view: View) -> ui.Story | None:
    """What the round was worth and why, who declared what, and how it was won."""
    points = view.round.points
    if points is None:
        return None
    facts = [
        phrase("story_kaisers", seat=ui.SeatName(seat), cards=ui.Cards(PACK.codes(kaisers)))
        for seat, kaisers in enumerate(view.kaisers)
        if kaisers
    ]
    if view.round.void:
        return ui.Story(((),) * SEATS, (phrase("round_void"), *facts))
    winner, won = 0 if points[0] else 1, view.tricks.won
    if won[winner] < NEEDED:
        # Only a captain's word ends a round before its third trick.
        facts.append(phrase("story_resigned", seat=ui.SeatName(1 - winner), value=view.value))
    else:
        facts.append(ui.Phrase("story_tricks", members(winner) | {"other": won[1 - winner]}))
    raised = view.value > VALUE
    parts = [ui.Term(VALUE, phrase("story_round" if raised else "story_unraised"))]
    if raised:
        parts.append(ui.Term(view.value - VALUE, phrase("story_raises")))
    return ui.Story(tuple(tuple(parts) if scored else () for scored in points), tuple(facts))


def _situation(view: View) -> Iterator[ui.Block]:
    """What has been offered, and where in the deal the round stands."""
    step, pause = view.step, view.question.pause
    if step in OFFERED:
        caller = ui.SeatName(1 - view.question.seats[0])
        yield ui.Line(_offer(view, caller), "strong")
    if view.round.doomed:
        if step != "over":
            yield ui.Line(phrase("four_banners"), "strong")
        return
    if step == "call" and view.question.barred != UNKNOWN:
        yield ui.Line(_call_back(view), "strong")
    if step == "discard" and view.asked and (later := can_declare(view, MORE_KAISERS)):
        cards = ui.Cards(PACK.codes(later))
        yield ui.Line(phrase("banners_later", count=later.bit_count(), cards=cards))
    if pause and step != "over":
        yield from map(ui.Line, _pause(view))


def _offer(view: View, caller: ui.SeatName) -> ui.Phrase:
    """What has been offered, and for whose Kaiser."""
    step, kaiser = view.step, view.question.kaiser
    code, more = _OFFER_CODES[step], dict[str, ui.Param]()
    if step in ("answer 1", "answer 3"):
        # The seat that declared it stands first.
        owner = ui.SeatName(view.question.queue[0])
        if owner == caller:
            code = "offer_raise_own"
        else:
            more["owner"] = owner
    if kaiser == MUGG:
        code += "_mugg"
    elif kaiser != UNKNOWN:
        # Its card stands beside its owner's name.
        more["suit"] = ui.Suit(SUITS[kaiser // SIZE])
    return phrase(code, seat=caller, count=OFFERED[step], **more)


def _call_back(view: View) -> ui.Phrase:
    """Why a captain is asked again, or now alone: the others have called last."""
    last, most = view.question.barred, view.round.most
    said: dict[str, ui.Param] = {"value": view.value, "seat": ui.SeatName(last)}
    code = "call_back"
    if most is not None:
        code, said["most"] = "call_back_most", most
    if view.seat == 1 - last:
        code += "_you"
    else:
        said["other"] = ui.SeatName(1 - last)
    return phrase(code, **said)


def _pause(view: View) -> Iterator[ui.Phrase]:
    """What a pause is for, why somebody is asked who may have nothing to say, and, to whoever gets
    them, how many cards are still to come."""
    pause, kept = view.question.pause, view.hand.bit_count()
    coming = 0 if view.seat is None or pause == MORE_KAISERS else DEALT - kept
    if view.asked and no_other(view):
        yield phrase("again")
    elif pause == MORE_KAISERS:
        yield phrase("more_kaisers")
    elif view.step == "declare" and pause > 2:
        first, second = map(ui.SeatName, just_served(pause, view.round.dealer))
        yield phrase("pause_all", first=first, second=second)
    elif _at_limit(view):
        yield phrase("pause_kaisers" if _can_rise(view) else "pause_kaisers_only")
    elif coming and not kept and view.asked:
        yield phrase("pause_no_card")
        return
    elif coming and kept:
        yield phrase("pause_coming", count=coming)
        return
    else:
        yield phrase("pause")
    if coming:
        yield phrase("coming", count=coming) if kept else phrase("no_card")


def _chips(view: View) -> Iterator[ui.Phrase]:
    special = view.round.special
    if special is not None:
        yield phrase("special", suit=ui.Suit(SUITS[special]))
    if view.step == "over" and view.seat is not None:
        return  # The result says the rest.
    most = view.round.most
    if view.round.doomed and not any(view.round.points or ()):
        pass  # It is worth nothing.
    elif most is None or most == view.value or view.step in ("play", "over"):
        yield phrase("value", value=view.value)
    else:
        yield phrase("value_most", value=view.value, most=most)
    if view.seat is not None and any(view.round.scores):
        mine = team(view.seat)
        ours, theirs = view.round.scores[mine], view.round.scores[1 - mine]
        yield phrase("match_stands", ours=ours, theirs=theirs)
    if view.step == "play" or view.tricks.laid:
        won = view.tricks.won
        if view.seat is None:
            for which in (0, 1):
                yield ui.Phrase("team_tricks", members(which) | {"count": won[which]})
        else:
            mine = team(view.seat)
            yield phrase("our_tricks", count=won[mine])
            yield phrase("their_tricks", count=won[1 - mine])


def _round_line(view: View) -> ui.Phrase:
    cut = _cards(view.round.cut)
    return phrase("round_line", number=view.round.number, count=view.round.target, cut=cut)


def _seat_view(view: View, seat: Seat) -> ui.SeatView:
    acts = view.step != "over" and seat in view.question.seats
    marks = ui.holding(
        to_act=acts,
        leads=acts and view.step == "play" and not view.trick,
        self=seat == view.seat,
        partner=view.seat is not None and seat == (view.seat + 2) % SEATS,
        chosen=view.step == "discard" and not acts,
        choosing=view.step == "discard" and acts,
    )
    return ui.SeatView(
        seat,
        view.counts[seat],
        view.round.scores[seat],
        marks,
        tuple(_facts(view, seat)),
        team(seat),
    )


def _facts(view: View, seat: Seat) -> Iterator[ui.Phrase]:
    """Who speaks for a team and who deals, who may still hold which Kaiser, and whose open card
    nobody has seen played."""
    if not view.round.number:
        return
    if seat in CAPTAINS and view.step != "play" and _can_rise(view):
        yield phrase("speaks")
    if seat == view.round.dealer:
        yield phrase("dealer")
    left, down = kaisers_left(view, seat)
    if down == left.bit_count():
        left = 0
    for others, code in ((left & 1 << MUGG, "has_mugg"), (left & ~(1 << MUGG), "has_kaisers")):
        if others:
            yield phrase(code, cards=ui.Cards(PACK.codes(others)))
    if left and down:
        yield phrase("has_laid_down", count=down)
    if view.step == "over" or not view.counts[seat]:
        return
    own = seat == view.seat
    played = ~view.hand if own else mask(card for card in view.tricks.laid if card < DOWN)
    for place, card in enumerate(view.round.opens):
        if view.round.owner(place) == seat and not (view.kaisers[seat] | played) >> card & 1:
            code = "had_open_trump" if _is_trump(view, card) else "had_open"
            yield phrase(code, cards=_cards(card))


def _card_view(view: View, card: int, playable: int) -> ui.CardView:
    code = PACK.names[card]
    kaiser = bool(view.all_kaisers >> card & 1)
    marks = ui.holding(
        kaiser=kaiser,
        mugg=kaiser and card == MUGG,
        special=_is_trump(view, card),
        playable=bool(playable >> card & 1),
    )
    return ui.CardView(code, code[0], marks)


def _is_trump(view: View, card: int) -> bool:
    """Whether it is a trump: of the special suit all but its King, Ober and Seven, and Kaisers."""
    return trump_rank(card, view.round.special, view.all_kaisers) is not None


def _playable(view: View) -> int:
    """The own cards that some legal action names."""
    cards = 0
    for move in view.legal_actions:
        cards |= move.cards
    return cards


def _last_trick(view: View) -> Iterator[ui.Block]:
    full = len(view.tricks.laid) // SEATS * SEATS
    if full:
        yield _trick(view, range(full - SEATS, full), "last")


def _trick(view: View, places: range, role: str) -> ui.Trick:
    laid = view.tricks.laid[places.start : places.stop]
    winning = winner(laid, view.round.special, view.all_kaisers)
    cards = tuple(
        _laid(view, place, card, winning=place - places.start == winning)
        for place, card in zip(places, laid, strict=True)
    )
    if role == "last":
        kaisers, leader = view.all_kaisers, view.tricks.seat_of(places.start)
        return ui.Trick("last", cards, reason=reason(laid, leader, view.round.special, kaisers))
    awaited = [view.tricks.seat_of(place) for place in range(places.stop, places.start + SEATS)]
    return ui.Trick("current", cards, tuple(awaited))


def _laid(view: View, place: int, card: int, *, winning: bool) -> ui.Laid:
    """A card in a trick; those that lie face down are open to whoever laid them."""
    down = card >= DOWN
    hidden = card >= HIDDEN
    face = card % DOWN
    kaiser = card == HIDDEN_KAISER or (not hidden and bool(view.all_kaisers >> face & 1))
    marks = ui.holding(
        winning=winning,
        kaiser=kaiser,
        mugg=kaiser and face == MUGG and not hidden,
        special=not hidden and _is_trump(view, face),
        down=down,
    )
    return ui.Laid(view.tricks.seat_of(place), "" if hidden else PACK.names[face], marks)


# Controls.


def _controls(view: View) -> Iterator[ui.Control]:
    if view.asked:
        yield from _own_controls(view, view.legal_actions)
    elif view.seat is None:
        # Everybody knows what may be answered; only a Kaiser is its owner's secret.
        for move in WORDS[view.step]:
            yield _word(view, move)
    if may_be_asked(view):
        # Beside an offer or the discards it would look like an answer; *Pass* may ask first.
        answers = view.asked and view.step not in ("declare", "call")
        offered = not answers and not lost_by_passing(view)
        called = view.question.pause < MORE_KAISERS and not _at_limit(view)
        label, means = (
            (phrase("standing"), phrase("standing_means"))
            if called
            else (phrase("standing_kaiser"), phrase("standing_kaiser_means"))
        )
        # Whoever has no Banner is not asked there.
        yield ui.Standing(label, phrase("standing_undo"), means, offered, alone=False)


def _at_limit(view: View) -> bool:
    """Whether three up would go above this round's limit."""
    most = view.round.most
    return most is not None and view.value + OFFERED["answer call"] > most


def _can_rise(view: View) -> bool:
    """Whether the limit lets captains raise this round, or have raised it."""
    return view.round.most is None or view.round.most > VALUE


def may_be_asked(view: View) -> bool:
    """Whether the owner is asked for a Kaiser or a Spieldrei now or later in this deal.

    Until the discards everybody is: *More Kaisers* asks every seat.
    """
    if view.seat is None or view.step in ("play", "over"):
        return False
    return view.question.pause < MORE_KAISERS or view.seat in view.question.queue


def lost_by_passing(view: View) -> int:
    """The Banners that are ordinary cards for the rest of the round if their owner passes now.

    At pauses 3 and 4 a Banner can be kept back.
    """
    if view.step != "declare" or 2 < view.question.pause < MORE_KAISERS:
        return 0
    return sum(move.cards for move in view.legal_actions if move.verb == "kaiser")


def _own_controls(view: View, moves: Sequence[Move]) -> Iterator[ui.Control]:
    if view.step == "discard":
        free = ui.Combine(PACK.codes(view.hand & ~view.all_kaisers), 2, 2)
        yield ui.Choice("discard", phrase("discard"), len(moves), combine=free, menu=True)
        return
    for move in moves:
        match move.verb:
            case "play":
                codes = PACK.codes(move.cards)
                forced = len(moves) == 1
                yield ui.Act(TEXTS[move], cards=codes, group=codes[0][0], forced=forced)
            case "kaiser":
                codes = PACK.codes(move.cards)
                mugg = move.cards >> MUGG & 1
                label = phrase("declare_mugg" if mugg else "declare", cards=ui.Cards(codes))
                yield ui.Act(TEXTS[move], label, codes, "primary")
            case "down" | "discard":
                pass
            case _:
                yield _word(view, move)
    down = tuple(_act_down(move) for move in moves if move.verb == "down")
    if down:
        how = phrase("face_down")
        told = (phrase("down_note"),) if view.hand & view.all_kaisers else ()
        title = phrase("down_title")
        yield ui.Choice(
            "down", phrase("play_down"), len(down), down, title=title, notes=told, how=how
        )


def _ahead(view: View) -> Iterator[ui.Act]:
    """Any card may be played to a trick; face down it would be a secret."""
    if view.step == "play" and not view.asked:
        for move in leads(view.hand):
            codes = PACK.codes(move.cards)
            yield ui.Act(TEXTS[move], cards=codes, group=codes[0][0])


def _act_down(move: Move) -> ui.Act:
    codes = PACK.codes(move.cards)
    return ui.Act(TEXTS[move], cards=codes, group=codes[0][0])


def _word(view: View, move: Move) -> ui.Act:
    """What is said, with its price."""
    value, text = view.value, TEXTS[move]
    match move.verb:
        case "accept":
            return ui.Act(text, _for(view, "accept", OFFERED[view.step]), style="success")
        case "resign":
            code = "resign_match" if resigns_match(view) else "resign"
            price = phrase(f"{code}_price", count=value)
            return ui.Act(text, phrase(code, value=value), style="danger", confirm=price)
        case "stay":
            void = view.round.doomed
            return ui.Act(text, phrase("stay_void") if void else phrase("stay", value=value))
        case "pass":
            lost = PACK.codes(lost_by_passing(view))
            told = phrase("pass_price", count=len(lost), cards=ui.Cards(lost))
            formal = len(view.legal_actions) == 1
            return ui.Act(text, phrase("pass"), confirm=told if lost else None, formal=formal)
        case offer:
            return ui.Act(text, _for(view, offer.replace(" ", "_"), OFFERED[ANSWERS[offer]]))


def _for(view: View, code: str, more: int) -> ui.Phrase:
    """An offer, or its acceptance, with what is played for then: the match where whoever wins the
    round wins it, and nothing where the round will be void."""
    value = view.value + more
    if view.round.doomed:
        return phrase(f"{code}_void")
    if value >= view.round.target - min(view.round.scores):
        code = f"{code}_match"
    return phrase(code, value=value)


# Why somebody won.


def reason(trick: Sequence[int], leader: Seat, special: int | None, kaisers: int) -> ui.Phrase:
    """Why the winner of a complete trick takes it; `kaisers` is the mask of all declared ones.

    What lies face down never wins, so whoever does not know it is told the same.
    """
    place = winner(trick, special, kaisers)
    code, beaten = _why(trick, place, special, kaisers)
    card = trick[place]
    more = dict[str, ui.Param]()
    if beaten is not None:
        more["beaten"] = _cards(beaten)
    seat = (leader + place) % len(trick)
    return won(code, seat, PACK.names[card], suit=ui.Suit(SUITS[card // SIZE]), **more)


def _why(
    trick: Sequence[int], place: int, special: int | None, kaisers: int
) -> tuple[str, int | None]:
    """The code, and the card that was in the way, if one was."""
    led, card = trick[0], trick[place]
    up = [each for each in trick if each < DOWN]
    ranks = {each: trump_rank(each, special, kaisers) for each in up}
    trumps = {each: rank for each, rank in ranks.items() if rank is not None}
    # 1. †7 led: it wins unless †U lies in the trick; then the highest of Mugg, †5, †U wins.
    if is_seven(led, special):
        if place == 0:
            return "won_seven", None
        return ("won_unter" if is_unter(card, special) else "won_with_unter"), led
    # 3. No trump is there, or the highest does not beat the highest of the suit led.
    if card not in trumps:
        if not trumps:
            return "won_suit_led", None
        return "won_over_trump", min(trumps, key=trumps.__getitem__)
    # 2., 3. The highest trump wins; of equal Kaisers the first played.
    if list(trumps.values()).count(trumps[card]) > 1:
        return "won_first_kaiser", None
    kind = "trump"
    if kaisers >> card & 1:
        kind = "mugg" if card == MUGG else "kaiser"
    if place == 0:
        return f"won_{kind}", None
    # The card that would win if this one lay face down.
    others = [*trick[:place], card + DOWN, *trick[place + 1 :]]
    return f"won_{kind}_over", others[winner(others, special, kaisers)]


# What is told about an action, and to whom.

NEWS: Final[Mapping[str, News]] = MappingProxyType(
    {
        **dict.fromkeys(("dealt", "served", "discards_due", "discarded"), News.SEEN),
        **dict.fromkeys(("passed_kaiser", "no_more_kaisers", "passed_threeup"), News.SEEN),
        **dict.fromkeys(("was_cut", "opened", "special_is"), News.SEEN | News.STANDS),
        **dict.fromkeys(("declared", "declared_mugg"), News.STANDS),
        **dict.fromkeys(("played", "played_down"), News.SEEN | News.LIES),
        "played_kaiser_down": News.SEEN,  # it also says that it was a Kaiser
        "leads_first": News.BEGINS,
    }
)
"""What events are about."""


def events(before: State, seat: Seat, action: Action, after: State) -> tuple[Event, ...]:
    """What to tell, and to whom, about an action that was applied."""
    return tuple(_events(before, seat, action, after))


def _events(before: State, seat: Seat, action: Action, after: State) -> Iterator[Event]:
    match action:
        case Deal(pack, dealer):
            yield Event(phrase("dealt", number=after.round.number, seat=ui.SeatName(dealer)))
            yield Event(phrase("was_cut", cards=_cards(pack[-1])))
            yield from _opened(after, 0)
            # Where nobody is asked at the first two pauses, cards come face down at once.
            yield from _face_down(NOTHING, after)
        case Move():
            yield from _done(before, seat, action, after)
            if action.verb == "kaiser" and VALUE < after.value == after.round.most:
                yield Event(phrase("no_raise", seat=ui.SeatName(seat), value=after.value))
            if before.step == "play" and after.lead_due:
                laid, leaders, special = after.laid, after.cards.leaders, after.round.special
                kaisers = after.cards.all_kaisers
                yield Event(reason(laid[-SEATS:], leaders[-2], special, kaisers))
            yield from _served(before, after)
            if before.step != "play" and after.step == "play":
                leader = ui.SeatName(after.question.seats[0])
                yield Event(phrase("leads_first", seat=leader))
            if after.round.points is not None:
                yield from _completed(after)
        case _:
            assert_never(action)


def _done(before: State, seat: Seat, move: Move, after: State) -> Iterator[Event]:
    """The action itself."""
    who, cards = ui.SeatName(seat), ui.Cards(PACK.codes(move.cards))
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
        case "accept" if not before.round.doomed:
            yield Event(phrase("accepted_worth", seat=who, value=after.value))
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


def _cards(card: int) -> ui.Cards:
    return ui.Cards((PACK.names[card],))


def _opened(after: State, known: int) -> Iterator[Event]:
    """The cards that were dealt face up, from the `known`-th on."""
    opens = after.round.opens
    for place in range(known, len(opens)):
        to = ui.SeatName(after.round.owner(place))
        yield Event(phrase("opened", seat=to, cards=_cards(opens[place])))
    if known < len(opens) == SEATS:
        special = after.round.special
        if special is None:
            yield Event(phrase("four_banners"))
        else:
            yield Event(phrase("special_is", suit=ui.Suit(SUITS[special])))


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
            yield Event(phrase("served", seat=ui.SeatName(seat), count=new.bit_count()))
            yield Event(phrase("you_got", cards=ui.Cards(PACK.codes(new))), (seat,))
    if any(new_cards) and after.step == "discard":
        yield Event(phrase("discards_due"))


def _completed(after: State) -> Iterator[Event]:
    points = after.round.points or ()
    if after.round.void:
        yield Event(phrase("void"))
        return
    winner = 0 if points[0] else 1
    yield Event(ui.Phrase("round_won", members(winner) | {"count": points[winner]}))
    if not after.question.seats:
        total = after.round.scores[winner]
        yield Event(ui.Phrase("match_won", members(winner) | {"count": total}))
