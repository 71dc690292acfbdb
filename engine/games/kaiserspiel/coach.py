"""Kaiserspiel: what a decision is for, why a card is barred, what speaks for an action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from engine.cards import cards_in
from engine.game import Seat
from engine.games.kaiserspiel.cards import (
    BANNERS,
    DOWN,
    HIDDEN,
    HIDDEN_KAISER,
    MUGG,
    PACK,
    PLAIN,
    SIZE,
    SUITS,
    Move,
    is_seven,
    is_unter,
    laid,
    mask,
    trump_rank,
    winner,
)
from engine.games.kaiserspiel.questions import (
    ANSWERS,
    CAPTAINS,
    MORE_KAISERS,
    OFFERED,
    SEATS,
    TEAMS,
    UNKNOWN,
    Step,
    declarable,
    team,
)
from engine.games.kaiserspiel.rules import NEEDED, VALUE
from engine.games.kaiserspiel.state import View
from engine.layout import Barred, Cards, Phrase, SeatName, Suit, phrase


def tip(view: View) -> Phrase | None:
    """What the decision of whoever is asked is for, with what it would cost or bring."""
    if not view.asked:
        return None
    step, value = view.step, view.value
    if step in OFFERED and resigns_match(view):
        return phrase("tip_answer_match", value=value)
    if view.round.doomed and step != "over":
        return phrase(_TIPS_VOID.get(step, "tip_offer_void"), value=value)
    match step:
        case "declare":
            if no_other(view):
                return phrase("tip_no_other_kaiser")
            if not can_declare(view):
                return phrase("tip_no_kaiser")
            code = _TIPS_DECLARE.get(view.question.pause, "tip_declare_later")
            raises = view.round.most is None or value < view.round.most
            return phrase(f"{code}_raise" if raises else code)
        case "raise":
            low, high = OFFERED["answer 1"], OFFERED["answer 3"]
            return phrase("tip_raise", value=value, low=value + low, high=value + high)
        case "raise by 1":
            return phrase("tip_raise_1", value=value, raised=value + OFFERED["answer 1"])
        case "lift":
            return phrase("tip_lift", value=value, raised=value + OFFERED["answer lift"])
        case "call":
            raised = value + OFFERED["answer call"]
            again = view.round.most is None or raised + OFFERED["answer call"] <= view.round.most
            return phrase("tip_call_again" if again else "tip_call", value=value, raised=raised)
        case "answer 1" | "answer 3" | "answer lift" | "answer call":
            raised = value + OFFERED[step]
            high = raised + OFFERED["answer lift"]
            if step == "answer 1" and (view.round.most is None or high <= view.round.most):
                return phrase("tip_answer_1", value=value, raised=raised, high=high)
            return phrase("tip_answer", value=value, raised=raised)
        case "discard":
            return phrase("tip_discard")
        case "play":
            if view.hand.bit_count() == 1:
                return phrase("tip_last")
            if not view.trick:
                return phrase("tip_lead")
            best = _winner(view)
            if is_seven(view.tricks.laid[view.trick[best]], view.round.special):
                stops = any(is_unter(card, view.round.special) for card in cards_in(gone(view)))
                return phrase("tip_follow_seven_sure" if stops else "tip_follow_seven")
            if _is_partners(view, best):
                return _threat(view) or _open(view) or phrase("tip_partner")
            return phrase("tip_follow" if _could_win(view) else "tip_lost")
        case "over":
            return None
        case _:
            assert_never(step)


_TIPS_DECLARE: Final[Mapping[int, str]] = {
    **dict.fromkeys((1, 2), "tip_declare_open"),
    MORE_KAISERS: "tip_declare_last",
}
"""By pause: what declaring brings, and what becomes of a Banner that is not declared."""


_TIPS_VOID: Final[Mapping[Step, str]] = {
    "declare": "tip_declare_void",
    "lift": "tip_lift_void",
    **dict.fromkeys(OFFERED, "tip_answer_void"),
}
"""The same where the round will be void, but for an offer that has not been made."""


def _threat(view: View) -> Phrase | None:
    """That somebody plays after whoever is asked who may hold an open card that takes the trick
    from their pair."""
    for seat, card in _opens_to_come(view):
        if _winner(view, card) == len(view.trick):
            return phrase(
                "tip_partner_threat", seat=SeatName(seat), cards=Cards((PACK.names[card],))
            )
    return None


def _open(view: View) -> Phrase | None:
    """That an opponent plays after whoever is asked, who can make the trick of their pair surer:
    by a card that fewer others beat."""
    (asked,) = view.question.seats
    place, unseen = len(view.trick), tuple(cards_in(_unseen(view)))
    threats = sum(_winner(view, card) == place for card in unseen)
    able = [own for own in cards_in(view.hand) if _winner(view, own) == place]
    if all(sum(_winner(view, own, card) > place for card in unseen) >= threats for own in able):
        return None
    return phrase("tip_partner_open", seat=SeatName((asked + 1) % SEATS))


def _opens_to_come(view: View) -> Iterator[tuple[Seat, int]]:
    """Open cards that nobody has seen played of opponents who are still to play to the trick."""
    (asked,) = view.question.seats
    to_come = [(asked + ahead) % SEATS for ahead in range(1, SEATS - len(view.trick))]
    for place, card in enumerate(view.round.opens):
        seat = view.round.owner(place)
        if seat in to_come and team(seat) != team(asked) and card not in view.tricks.laid:
            yield seat, card


def goal(view: View) -> Phrase:
    """What everybody plays for, and with whom the owner of the view does."""
    fixed = view.round.most is not None and view.round.most <= VALUE
    if view.seat is None:
        seats = map(SeatName, (*TEAMS[0], *TEAMS[1]))
        both = dict(zip(("first", "second", "third", "fourth"), seats, strict=True))
        if view.round.doomed:
            return phrase("goal_void", **both)
        return phrase("goal_fixed" if fixed else "goal", value=view.value, **both)
    partner = SeatName((view.seat + 2) % SEATS)
    if view.round.doomed:
        return phrase("goal_with_void", partner=partner)
    return phrase("goal_with_fixed" if fixed else "goal_with", partner=partner, value=view.value)


def words(view: View) -> tuple[Phrase, ...]:
    """What the words mean that are met at this question."""
    match view.step:
        case "call" | "answer call":
            return phrase("words_threeup"), phrase("words_kaiser"), _special(view)
        case "declare":
            others = view.all_kaisers & ~(1 << MUGG)
            equal = (phrase("words_equal"),) if others and view.asked and can_declare(view) else ()
            return phrase("words_kaiser"), *equal, _special(view)
        case "raise" | "raise by 1" | "lift" | "answer 1" | "answer 3" | "answer lift":
            most = view.round.most
            limited = (
                phrase("words_raise") if most is None else phrase("words_raise_most", most=most)
            )
            if view.round.special is not None:  # what beats what stands there, Kaisers among it
                return _captains(), limited
            return phrase("words_kaiser_declared"), _captains(), limited
        case "discard":
            none = view.asked and not view.hand & BANNERS
            return phrase("words_no_banner" if none else "words_kaiser_declared"), _special(view)
        case "play":
            if _may_meet(view):
                return (phrase("words_equal"),)
            return (phrase("words_down" if view.trick else "words_kaiser_declared"),)
        case "over":
            return ()
        case _:
            assert_never(view.step)


def gone(view: View) -> int:
    """Cards that cannot come any more, for all that the reader knows."""
    laid = view.tricks.laid[: len(view.tricks.laid) - len(view.trick)]
    out = view.discards | 1 << view.round.cut | mask(card for card in laid if card < HIDDEN)
    for seat in range(SEATS):
        left, down = kaisers_left(view, seat)
        if down == left.bit_count():
            out |= left
    return out


def kaisers_left(view: View, seat: Seat) -> tuple[int, int]:
    """Declared Kaisers that a seat has not laid face up, and how many of these it has laid face
    down: nobody else knows which."""
    laid = [view.tricks.laid[place] for place in view.tricks.places_of(seat)]
    left = view.kaisers[seat] & ~mask(card for card in laid if card < DOWN)
    down = sum(
        card == HIDDEN_KAISER or (DOWN <= card < HIDDEN and left >> card % DOWN & 1)
        for card in laid
    )
    return left, down


def _may_meet(view: View) -> bool:
    """Whether Kaisers of two seats, of which neither is the Mugg, may come into one trick, one of
    them from the reader's hand, or it lies there."""
    left = ~gone(view) & ~(1 << MUGG)
    seen = view.hand | mask(card for card in view.tricks.laid if card < DOWN)
    owners = [kaisers & left for kaisers in view.kaisers if kaisers & left]
    return len(owners) > 1 and any(kaisers & seen for kaisers in owners)


def _special(view: View) -> Phrase:
    """How the special suit is found, or why it is the one it is."""
    suit, opens = view.round.special, view.round.opens
    if suit is None:
        return phrase("words_special")
    ranks = [card % SIZE for card in opens if not BANNERS >> card & 1]
    lowest = max(ranks)
    card = next(card for card in opens if card % SIZE == lowest)
    code = "words_special_first" if ranks.count(lowest) > 1 else "words_special_is"
    return phrase(code, cards=Cards((PACK.names[card],)), suit=Suit(SUITS[suit]))


def _captains() -> Phrase:
    first, second = CAPTAINS
    return phrase("words_captain", first=SeatName(first), second=SeatName(second))


def resigns_match(view: View) -> bool:
    """Whether the others win the match if whoever is asked resigns."""
    (seat,) = view.question.seats
    return view.round.scores[1 - seat] + view.value >= view.round.target


def pointless(view: View) -> tuple[str, ...]:
    """Words that the score of the match speaks against, whatever the cards: to resign it, to play
    for more where the round as it is wins it for the pair of whoever is asked."""
    if view.step in OFFERED:
        return ("resign",) if resigns_match(view) else ()
    if view.step not in ("call", "raise", "lift") or view.round.doomed:
        return ()
    (seat,) = view.question.seats
    enough = view.round.scores[seat] + view.value >= view.round.target
    return ("threeup", "raise 3", "lift") if enough else ()


def barred(view: View) -> tuple[Barred, ...]:
    """The cards of whoever is asked that they may not declare, throw out or play."""
    return tuple(_why(view)) if view.asked else ()


def _why(view: View) -> Iterator[Barred]:
    hand, kaisers = view.hand, view.all_kaisers
    match view.step:
        case "play":
            return  # Nobody has to follow.
        case "discard":
            yield from _group(hand & kaisers, "why_kaiser_stays")
        case "declare":
            left = hand & ~can_declare(view)
            yield from _group(left & ~BANNERS, "why_not_a_banner")
            yield from _group(left & BANNERS & kaisers, "why_already_kaiser")
            yield from _group(left & BANNERS & ~kaisers, "why_was_open")
        case _:
            yield from _group(hand, "why_word", idle=True)


def _group(cards: int, code: str, *, idle: bool = False) -> Iterator[Barred]:
    if cards:
        yield Barred(PACK.codes(cards), phrase(code), idle)


def can_declare(view: View, pause: int = UNKNOWN) -> int:
    """The Banners that the owner of the view may declare at a pause; at the present one."""
    at = view.question.pause if pause == UNKNOWN else pause
    return declarable(at, view.hand, view.kaisers, view.round.opens)


def no_other(view: View) -> bool:
    """Whether whoever is asked for a Kaiser has declared one, and has no other to declare."""
    declared = view.seat is not None and view.kaisers[view.seat]
    return bool(declared) and view.step == "declare" and not can_declare(view)


# What speaks for an action.


def advice(view: View, action: Move) -> Iterator[Phrase]:
    """What speaks for an action of whoever is asked, or against it, from what they know."""
    decides = action.verb in ("accept", "resign") and resigns_match(view)
    if decides:
        yield phrase(f"advice_{action.verb}_match")
    if view.round.doomed:
        if not decides:
            yield _in_vain(view, action)
        return
    lost_anyway = view.step in _TO_OFFER and _loses_match(view)
    if lost_anyway and action.verb in _BOLD:
        yield phrase("advice_nothing_to_lose")
    if view.step not in OFFERED and (more := pointless(view)) and action.verb not in more:
        yield phrase("advice_enough", count=view.value)
    yield from _trumps_held(view, action)
    match action.verb:
        case "kaiser":
            is_mugg = action.cards & 1 << MUGG
            yield phrase("advice_kaiser_mugg" if is_mugg else "advice_kaiser")
        case "raise 1" | "raise 3" | "lift" | "threeup":
            raised = view.value + OFFERED[ANSWERS[action.verb]]
            high, most = raised + OFFERED["answer lift"], view.round.most
            if action.verb == "raise 1" and (most is None or high <= most):
                yield phrase("advice_raise_1", count=view.value, raised=raised, high=high)
            else:
                yield phrase("advice_raise", count=view.value, raised=raised)
        case "accept" | "resign":
            if not decides:
                yield _answered(view, action)
        case "pass" | "stay" if view.step in _COULD_OFFER and not lost_anyway:
            raised = view.value + OFFERED[_COULD_OFFER[view.step]]
            yield phrase("advice_stakes", count=raised, value=view.value)
        case "pass" | "stay":
            yield phrase("advice_stays", count=view.value)
        case "discard":
            yield from _to_discard(view, action)
        case "play" | "down":
            yield from _to_play(view, action)
        case _:
            assert_never(action.verb)


def _answered(view: View, action: Move) -> Phrase:
    """What an answer costs, the match perhaps; of a raise by 1 what may still come."""
    (seat,) = view.question.seats
    raised, most = view.value + OFFERED[view.step], view.round.most
    if action.verb == "resign" and view.round.scores[1 - seat] + raised >= view.round.target:
        return phrase("advice_resign_saves")
    high = raised + OFFERED["answer lift"]
    if view.step == "answer 1" and (most is None or high <= most):
        code = f"advice_{action.verb}_1"
        return phrase(code, count=view.value, raised=raised, high=high)
    return phrase(f"advice_{action.verb}", count=view.value, raised=raised)


_TO_OFFER: Final = ("call", "raise", "raise by 1", "lift")
"""Steps at which a captain may play for more, or has to."""


def _loses_match(view: View) -> bool:
    """Whether the others win the match if they win the round as it is, and whoever is asked does
    not yet."""
    (seat,) = view.question.seats
    needed = [view.round.target - view.round.scores[team] for team in (seat, 1 - seat)]
    return needed[1] <= view.value < needed[0]


_BOLD: Final = ("raise 1", "raise 3", "lift", "threeup", "accept")
"""Words for more at stake."""


def _trumps_held(view: View, action: Move) -> Iterator[Phrase]:
    """The trumps in hand, where they speak for what is said about an offer.

    As many as tricks win a round are many.  Before all cards are dealt fewer say something, too.
    """
    bold, cards = action.verb in _BOLD, view.hand.bit_count()
    if view.round.special is None:
        if bold:
            yield from _first_five(view)
        return
    count = _trumps(view, view.hand)
    if bold and count >= NEEDED:
        yield phrase("advice_many_trumps", count=count)
    elif bold and count and cards == 1:
        yield phrase("advice_first_trump")
    elif bold and count and cards <= NEEDED:
        yield phrase("advice_trumps_so_far", count=count, cards=cards)
    meek = action.verb in ("resign", "stay") or (action.verb == "pass" and view.step == "call")
    if meek and count <= 1 and not can_declare(view, MORE_KAISERS):
        if cards > 1:
            yield phrase("advice_one_trump" if count else "advice_trumpless")
        elif not count:
            yield phrase("advice_first_no_trump")


def _first_five(view: View) -> Iterator[Phrase]:
    """A five that lies open, if it is one's own or the partner's: of a pair one has a card."""
    (seat,) = view.question.seats
    for place, card in enumerate(view.round.opens):
        owner = view.round.owner(place)
        if PLAIN[card % SIZE] == "5" and team(owner) == team(seat):
            yield phrase("advice_first_five" if owner == seat else "advice_partner_five")


def _in_vain(view: View, action: Move) -> Phrase:
    """The same where the round will be void."""
    match action.verb:
        case "raise 1" | "raise 3" | "lift" | "threeup":
            return phrase("advice_raise_void", count=view.value)
        case "resign":
            return phrase("advice_resign_void", count=view.value)
        case "accept":
            return phrase("advice_accept_void")
        case _:
            return phrase("advice_void")


_COULD_OFFER: Final[Mapping[Step, Step]] = {"call": "answer call", "lift": "answer lift"}
"""Where nobody has to offer anything, and how the other captain would be asked."""


def _to_discard(view: View, action: Move) -> Iterator[Phrase]:
    """The trumps that stay, and before them the Banners that may still become some."""
    later = can_declare(view, MORE_KAISERS)
    left, gone = _trumps(view, view.hand & ~action.cards), _trumps(view, action.cards)
    if later & action.cards:
        yield phrase("advice_banner_gone")
    elif later:
        yield phrase("advice_banner_kept", count=later.bit_count())
    elif not left:
        yield phrase("advice_no_trump_left" if gone else "advice_no_trumps")
    if left:
        yield phrase("advice_trumps_left" if gone else "advice_keep_trumps", count=left)
    if not gone and not later & action.cards and _are_lowest(view, action.cards, later):
        code = "advice_lowest" if later else "advice_lowest_plain"
        yield phrase(code if left or later else "advice_lowest_of_all")


def _are_lowest(view: View, gone: int, banners: int) -> bool:
    """Whether no card that stays is lower, of those that are no trumps and may not become any."""
    special, kaisers = view.round.special, view.all_kaisers
    plain = [
        card
        for card in cards_in(view.hand & ~banners)
        if trump_rank(card, special, kaisers) is None
    ]
    # From the King, 0, to the Two.
    highest = min((card % SIZE for card in cards_in(gone)), default=0)
    return not any(card % SIZE > highest and not gone >> card & 1 for card in plain)


_FEW: Final = 2
"""Cards that beat one that is led, at most, where their number speaks for it."""


def _to_lead(view: View, action: Move) -> Phrase:
    """What can beat a card that is led; of the lowest plain one that others are kept."""
    if is_seven(laid(action), view.round.special) and _holds_unter(view):
        return phrase("advice_lead_seven_own")
    if is_seven(laid(action), view.round.special) and not _is_sure(view, action):
        return phrase("advice_lead_seven")
    if not (beaters := _beaters(view, action)):
        return _sure(view, action)
    # Of many cards that beat it the number would be a warning.
    left = len(beaters)
    if _trumps(view, action.cards):
        few = phrase("advice_lead_trump", left=left)
        return few if left <= _FEW else phrase("advice_lead_trump_unless")
    if not laid(action) % SIZE:
        return phrase("advice_lead_king")
    stay = [card for card in cards_in(view.hand & ~action.cards) if not _trumps(view, 1 << card)]
    better = any(card % SIZE < laid(action) % SIZE for card in stay)
    if better and _are_lowest(view, action.cards, 0):
        return phrase("advice_lead_lowest")
    return phrase("advice_lead", left=left) if left <= _FEW else phrase("advice_lead_unless")


def _trumps(view: View, cards: int) -> int:
    """How many trumps there are among them."""
    special, kaisers = view.round.special, view.all_kaisers
    return sum(trump_rank(card, special, kaisers) is not None for card in cards_in(cards))


def _to_play(view: View, action: Move) -> Iterator[Phrase]:
    best, before = _winner(view, laid(action)), len(view.trick)
    if best == before and _decides(view, action):
        yield phrase("advice_wins_round")
    kept = 0 if _trumps(view, action.cards) else _trumps(view, view.hand)
    if best == before:
        if not before:
            lead = _to_lead(view, action)
            if kept and lead.code == "advice_lead_unless":  # that tells against it
                yield phrase("advice_keeps", count=kept)
                return
            yield lead
        elif before + 1 == SEATS:
            yield phrase("advice_takes")
        elif _is_sure(view, action):
            yield _sure(view, action)
        else:
            if any(_beats_open(view, action, card) for _, card in _opens_to_come(view)):
                yield phrase("advice_beats_open")
            yield phrase("advice_wins_so_far", left=len(_beaters(view, action)))
    elif _is_partners(view, best):
        yield phrase("advice_partner_sure" if _is_sure(view, action) else "advice_partner")
    else:
        if action.verb == "down":
            yield phrase("advice_down")
        last = _is_their_last(view)
        if before < 2 and last:
            yield phrase("advice_partner_must")
        if before == 1:
            yield from _partner_can(view, action)
        if kept and not last:  # there may be no later trick
            yield phrase("advice_spares_trumps", count=kept)
        else:
            yield phrase("advice_keeps_better" if _could_win(view) else "advice_loses")
        return
    if kept:
        yield phrase("advice_keeps", count=kept)


def _partner_can(view: View, action: Move) -> Iterator[Phrase]:
    """That the partner, who plays last, has a declared Kaiser that would take the trick after that
    action, or may have one or an open card that would."""
    (asked,) = view.question.seats
    partner = (asked + 2) % SEATS
    owned = [
        card for place, card in enumerate(view.round.opens) if view.round.owner(place) == partner
    ]
    kaisers, own = view.kaisers[partner], view.tricks.places_of(partner)
    cards = {*owned, *cards_in(kaisers)} - {*view.tricks.laid}
    last = len(view.trick) + 1
    able = mask(card for card in cards if _winner(view, laid(action), card) == last)
    if able & kaisers and HIDDEN_KAISER not in [view.tricks.laid[place] for place in own]:
        yield phrase("advice_partner_kaiser")
    elif able:
        yield phrase("advice_partner_can")


def _winner(view: View, *more: int) -> int:
    """The place of the card that wins the trick as it lies there, or would with one more."""
    lying = [view.tricks.laid[place] for place in view.trick]
    return winner([*lying, *more], view.round.special, view.all_kaisers)


def _is_sure(view: View, action: Move) -> bool:
    """Whether no opponent who is still to play can beat what wins the trick by that action."""
    return not _beaters(view, action)


def _beaters(view: View, action: Move) -> list[int]:
    """The cards that can, and that an opponent who is still to play may hold."""
    before, cards = len(view.trick), cards_in(_unseen(view) & ~action.cards)
    return [card for card in cards if _winner(view, laid(action), card) > before]


def _decides(view: View, action: Move) -> bool:
    """Whether the trick is sure to be the third of whoever plays that card."""
    (seat,) = view.question.seats
    return _is_sure(view, action) and view.tricks.won[team(seat)] == NEEDED - 1


def _is_their_last(view: View) -> bool:
    """Whether the others need one more trick."""
    (seat,) = view.question.seats
    return view.tricks.won[1 - team(seat)] == NEEDED - 1


def _holds_unter(view: View) -> bool:
    """Whether the special Unter is in hand, so that nobody else can play it."""
    return any(is_unter(card, view.round.special) for card in cards_in(view.hand))


def _sure(view: View, action: Move) -> Phrase:
    is_mugg = action.cards & view.all_kaisers & 1 << MUGG
    return phrase("advice_mugg" if is_mugg else "advice_unbeatable")


def _unseen(view: View) -> int:
    """The cards that opponents who are still to play may hold, for all that the seat knows."""
    (asked,) = view.question.seats
    to_come = range(asked + 1, asked + SEATS - len(view.trick), 2)
    seats = [seat % SEATS for seat in to_come]
    known = view.hand | view.discards | 1 << view.round.cut
    known |= mask(card for card in view.tricks.laid if card < HIDDEN)
    for place, card in enumerate(view.round.opens):
        if view.round.owner(place) not in seats:
            known |= 1 << card
    for seat, kaisers in enumerate(view.kaisers):
        if seat not in seats:
            known |= kaisers
    return PACK.all & ~known if seats else 0


def _beats_open(view: View, action: Move, card: int) -> bool:
    """Whether a card would take the trick as it lies, and not after that action."""
    before = len(view.trick)
    return _winner(view, card) == before and _winner(view, laid(action), card) == before


def _is_partners(view: View, place: int) -> bool:
    """Whether a card that lies in the trick is that of the partner of whoever is asked."""
    (seat,) = view.question.seats
    return team(view.tricks.leaders[-1] + place) == team(seat)


def _could_win(view: View) -> bool:
    """Whether a card in hand would beat what lies there."""
    return any(_winner(view, card) == len(view.trick) for card in cards_in(view.hand))
