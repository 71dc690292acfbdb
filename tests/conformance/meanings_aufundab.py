"""Auf und Ab: what each claim means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from engine.games.aufundab.cards import PACK
from tests.conformance.claims import Claim, Meaning


def counting(card: str, mode: int) -> int:
    """The number of a card that counts: the low one in UP (0), the high one in DOWN."""
    return int(card.partition("x")[0].split("-")[mode])


def better(number: int, other: int, mode: int) -> bool:
    return number < other if mode else number > other


def double(card: str) -> bool:
    low, high = card.partition("x")[0].split("-")
    return low == high


def cards(claim: Claim) -> list[str]:
    """What the reason of a hint speaks for; a card that counts two has `x2`."""
    return claim.action.split()[1:]


def quantity(played: Sequence[str]) -> int:
    return len(played) + sum(card.endswith("x2") for card in played)


def mode(claim: Claim) -> int:
    return int(claim.state.mode)


def lying(claim: Claim) -> list[str]:
    """The set to beat, as it was played; [] for whoever leads."""
    for done in reversed(claim.before):
        if done.text.startswith("play"):
            return done.text.split()[1:] if claim.state.quantity else []
    return []


def leading(claim: Claim) -> bool:
    return claim.asked and not lying(claim)


def alone(claim: Claim) -> bool:
    """Whether all others have passed since the series began."""
    if not claim.asked or not lying(claim):
        return False
    return claim.state.owner == claim.seat and len(_passed(claim)) == claim.seats - 1


def _passed(claim: Claim) -> set[int]:
    return {seat for seat in range(claim.seats) if claim.state.out >> seat & 1}


def sets(claim: Claim) -> list[list[str]]:
    return [text.split()[1:] for text in claim.legal if text != "pass"]


def number(played: Sequence[str], claim: Claim) -> int:
    (one,) = {counting(card, mode(claim)) for card in played}
    return one


def beat_what_lies(claim: Claim) -> bool:
    """Whether all that may be played are as many as lie there, of a better number."""
    lies = lying(claim)
    return all(
        quantity(played) == quantity(lies)
        and better(number(played, claim), number(lies, claim), mode(claim))
        for played in sets(claim)
    )


def leads_after_pass(claim: Claim) -> bool:
    state = claim.once("pass")
    return claim.game.actors(state) == (claim.seat,) and not state.quantity


def lowest_double(claim: Claim) -> str:
    return min(card for card in [*claim.hand, *claim.others] if double(card))


def first(claim: Claim) -> bool:
    return leading(claim) and not any(done.text.startswith("play") for done in claim.before)


def beatable(claim: Claim) -> bool:
    """Whether somebody else really holds as many of a better number."""
    return outdone(claim, number(cards(claim), claim))


def may_be_beaten(claim: Claim) -> bool:
    """Whether the cards that whoever is told does not see have as many of a better number."""
    seen = {word[:3] for done in claim.before for word in done.text.split()} | {*claim.hand}
    return _outdone(claim, number(cards(claim), claim), [[*{*PACK.names} - seen]])


def outdone(claim: Claim, played: int) -> bool:
    """Whether somebody else really holds as many cards of a number that is better than that."""
    hands = [claim.at(f"hand {seat}") for seat in range(claim.seats) if seat != claim.seat]
    return _outdone(claim, played, hands)


def _outdone(claim: Claim, played: int, hands: Sequence[Sequence[str]]) -> bool:
    for hand in hands:
        held = Counter[int]()
        for card in hand:
            held[counting(card, mode(claim))] += 1 + double(card)
        for one, many in held.items():
            if many >= quantity(cards(claim)) and better(one, played, mode(claim)):
                return True
    return False


def weakest(claim: Claim) -> bool:
    """Whether every number that stays is better than what is played."""
    played = number(cards(claim), claim)
    stay = [counting(card, mode(claim)) for card in left(claim, claim.after)]
    return all(better(one, played, mode(claim)) for one in stay)


def left(claim: Claim, state: Any) -> list[str]:
    return claim.at(f"hand {claim.seat}", state)


def too_few(claim: Claim) -> bool:
    needed = int(claim.param("needed"))
    for card in claim.cards:
        same = [o for o in claim.hand if counting(o, mode(claim)) == counting(card, mode(claim))]
        if len(same) + sum(map(double, same)) >= needed:
            return False
    return quantity(lying(claim)) == needed


def not_better(claim: Claim, falling: int, *, ever: bool) -> bool:
    lies = number(lying(claim), claim)
    could = any(better(one, lies, mode(claim)) for one in range(10))
    return (
        mode(claim) == falling
        and claim.param("number") == lies
        and could == ever
        and not any(better(counting(c, mode(claim)), lies, mode(claim)) for c in claim.cards)
    )


def taken(claim: Claim, *, falling: int | None, best: bool) -> bool:
    """Whether the last to play takes the series with the cards named, and leads."""
    lies = lying(claim)
    one = number(lies, claim)
    return (
        claim.later[-1].text == "pass"
        and claim.named() == lies
        and claim.game.actors(claim.after) == (claim.param("seat").seat,)
        and (not best or not any(better(other, one, mode(claim)) for other in range(10)))
        and (falling is None or mode(claim) == falling)
    )


def of_its_number(claim: Claim) -> list[str]:
    """Cards in hand with the number that is played."""
    played = number(cards(claim), claim)
    return [card for card in claim.hand if counting(card, mode(claim)) == played]


def turns_next(claim: Claim) -> bool:
    """Whether the next series has the other mode if nobody plays anything after that."""
    return bool(int(claim.after.changes) & 1)


def stays(claim: Claim) -> bool:
    """Whether it has this mode still."""
    return not turns_next(claim)


def others_of_its_number(claim: Claim) -> list[str]:
    """Cards that stay in the hand and have the number that is played."""
    played = number(cards(claim), claim)
    kept = left(claim, claim.after)
    return [card for card in kept if counting(card, mode(claim)) == played]


def left_of(claim: Claim, number: int, counted: int) -> int:
    """Cards with that number, in that mode, that stay in the hand."""
    return [counting(card, counted) for card in left(claim, claim.after)].count(number)


def together(claim: Claim) -> list[str]:
    """The cards in hand of the number that is named, in the mode that is named."""
    counted = "▲▼".index(claim.param("symbol"))
    return [card for card in claim.hand if counting(card, counted) == claim.param("number")]


def kept_together(claim: Claim) -> bool:
    """Whether every set that could be played takes something of the cards that are named."""
    named = {*together(claim)}
    return (
        claim.action == "pass"
        and not alone(claim)
        and left(claim, claim.after) == claim.hand
        and claim.count == len(named) > 1
        and all(named & {card[:3] for card in played} for played in sets(claim))
    )


def still_in(claim: Claim) -> list[int]:
    """The others who have not passed in this series."""
    out = claim.state.out
    return [seat for seat in range(claim.seats) if seat != claim.seat and not out >> seat & 1]


def set_to_lead(claim: Claim) -> int:
    """Cards of the number that is named, where no other has more in the mode of the next series."""
    turned = int(claim.once("pass").mode)
    numbers = [counting(card, turned) for card in left(claim, claim.after)]
    found = numbers.count(claim.param("number"))
    most = found == max(map(numbers.count, numbers))
    return found if most and claim.param("symbol") == "▲▼"[turned] else 0


def the_others(claim: Claim) -> list[int]:
    return [seat for seat in range(claim.seats) if seat != claim.seat]


def last_card(claim: Claim, falling: int) -> bool:
    """Whether whoever still plays in the series with one card really needs a better number to go
    out on this, and one there is."""
    played = number(cards(claim), claim)
    nearly_out = [seat for seat in still_in(claim) if len(claim.at(f"hand {seat}")) == 1]
    return (
        playing(claim)
        and mode(claim) == falling
        and claim.param("number") == played
        and quantity(cards(claim)) == 1
        and bool(nearly_out)
        and any(better(one, played, falling) for one in range(10))
    )


def quantities(claim: Claim, number: int) -> set[int]:
    """What the cards of a number that stay in the hand may count as together."""
    kept = [c for c in left(claim, claim.after) if counting(c, mode(claim)) == number]
    return set(range(1, len(kept) + any(map(double, kept)) + 1)) if kept else set()


def playing(claim: Claim) -> bool:
    return claim.action.startswith("play")


def asks_to_beat(many: int) -> Meaning:
    """That so many of a number lie there, and can be beaten by whoever is told."""
    return lambda c: (
        quantity(lying(c)) == many
        and c.param("number") == number(lying(c), c)
        and not alone(c)
        and len(sets(c)) > 0
    )


def changes(claim: Claim) -> int:
    """How many change cards have been played in this series, by whomever."""
    found, out = 0, set[int]()
    for done in claim.before:
        if done.text == "pass":
            out.add(done.seat)
            if len(out) == claim.seats:
                found, out = 0, set()
        else:
            played = [card.partition("x")[0] for card in done.text.split()[1:]]
            found += sum(int(card[0]) + int(card[2]) == 9 for card in played)
    return found


def changes_are(claim: Claim, rest: int) -> bool:
    """That there are so many, and what the next series will be after an odd or even number."""
    turned = mode(claim) ^ rest
    return (
        claim.param("number") == changes(claim) > 0
        and changes(claim) % 2 == rest
        and claim.param("symbol") == ("▼" if turned else "▲")
    )


def one_left(claim: Claim, many: int) -> bool:
    """That just these of the others hold one card each."""
    held = {seat: len(claim.at(f"hand {seat}")) for seat in range(claim.seats)}
    named = {claim.param(name).seat for name in claim.phrase.params}
    return len(named) == many and named == {s for s, n in held.items() if n == 1} - {claim.seat}


MOST: Final = 11
"""The largest quantity: ten cards of a number, and its double counts two."""


def keeps_for_later(claim: Claim) -> bool:
    """Whoever passes could play sets of the number that is named, and no others."""
    return (
        claim.action == "pass"
        and not alone(claim)
        and claim.param("symbol") == "▲▼"[mode(claim)]
        and {number(played, claim) for played in sets(claim)} == {claim.param("number")}
    )


def still_beaten(claim: Claim) -> bool:
    """Whether so many cards that are not in sight beat every set that they could play."""
    numbers = {number(played, claim) for played in sets(claim)}
    return (
        claim.action == "pass"
        and not alone(claim)
        and len(numbers) > 0
        and claim.count
        == sum(
            all(better(counting(card, mode(claim)), one, mode(claim)) for one in numbers)
            for card in [*claim.others, *claim.at("aside")]
        )
        > 0
    )


def still_beaten_sets(claim: Claim) -> bool:
    """Whether there are so many better numbers than they could play of which others may hold as
    many cards as lie there, a double counted twice."""
    numbers = {number(played, claim) for played in sets(claim)}
    hidden = [*claim.others, *claim.at("aside")]
    able = 0
    for one in range(10):
        of_it = [card for card in hidden if counting(card, mode(claim)) == one]
        enough = len(of_it) + (f"{one}-{one}" in of_it) >= claim.state.quantity
        able += enough and all(better(one, other, mode(claim)) for other in numbers)
    return claim.action == "pass" and bool(numbers) and claim.count == able > 0


def beaten_by(claim: Claim) -> int:
    """How many numbers beat the one that is named."""
    return sum(better(one, claim.param("number"), mode(claim)) for one in range(10))


def best_is_left(claim: Claim) -> bool:
    """Whether a card of the best number is in a hand or was not dealt."""
    best = 0 if mode(claim) else 9
    cards = [*claim.hand, *claim.others, *claim.at("aside")]
    return any(counting(card, mode(claim)) == best for card in cards)


def follows(claim: Claim) -> bool:
    """Whether there are sets to play, each of which beats what others have played."""
    return bool(lying(claim)) and not alone(claim) and bool(sets(claim)) and beat_what_lies(claim)


MEANINGS: Final[dict[str, Meaning]] = {
    "asks_lead": lambda c: leading(c) and not first(c) and len(c.hand) > 1,
    "asks_lead_last": lambda c: leading(c) and not first(c) and len(c.hand) == 1,
    "asks_open": lambda c: first(c) and c.named() == [lowest_double(c)],
    "asks_alone": lambda c: alone(c) and len(sets(c)) > 0 and "pass" in c.legal,
    "asks_end_series": lambda c: alone(c) and c.legal == ["pass"],
    "asks_pass": lambda c: not alone(c) and c.legal == ["pass"],
    **{f"asks_beat_{many}": asks_to_beat(many) for many in range(1, MOST + 1)},
    "tip_open": lambda c: (
        first(c)
        and lowest_double(c) in c.hand
        and all(lowest_double(c) in [x.partition("x")[0] for x in played] for played in sets(c))
    ),
    "tip_lead": lambda c: (
        leading(c)
        and not first(c)
        and all(len({counting(x, mode(c)) for x in played}) == 1 for played in sets(c))
    ),
    "tip_follow_up": lambda c: follows(c) and mode(c) == 0,
    "tip_follow_down": lambda c: follows(c) and mode(c) == 1,
    "tip_pass": lambda c: c.legal == ["pass"] and not alone(c),
    "tip_alone": lambda c: alone(c) and len(sets(c)) > 0,
    # What is taken scores nothing.
    "tip_end_series": lambda c: (
        alone(c) and c.legal == ["pass"] and c.game.round_scores(c.once("pass")) is None
    ),
    # It may empty their hand instead, and there is no next series.
    "you_alone": lambda c: alone(c) and len(sets(c)) > 0 and leads_after_pass(c),
    "you_alone_nothing": lambda c: alone(c) and c.legal == ["pass"] and leads_after_pass(c),
    "changes_none": lambda c: changes(c) == 0,
    "changes_odd": lambda c: changes_are(c, 1),
    "changes_even": lambda c: changes_are(c, 0),
    **{f"one_left_{many}": partial(one_left, many=many) for many in (1, 2, 3)},
    "why_opening": lambda c: first(c) and c.named() == [lowest_double(c)],
    "why_not_above": lambda c: not_better(c, 0, ever=True),
    "why_not_below": lambda c: not_better(c, 1, ever=True),
    "why_nothing_above": lambda c: not_better(c, 0, ever=False),
    "why_nothing_below": lambda c: not_better(c, 1, ever=False),
    "why_too_few": too_few,
    "advice_keep": lambda c: c.action == "pass" and not alone(c) and left(c, c.after) == c.hand,
    "advice_keep_best": lambda c: (
        stays(c) and keeps_for_later(c) and beaten_by(c) == 1 and best_is_left(c)
    ),
    "advice_keep_best_left": lambda c: (
        stays(c) and keeps_for_later(c) and beaten_by(c) == 1 and not best_is_left(c)
    ),
    "advice_keep_top": lambda c: stays(c) and keeps_for_later(c) and beaten_by(c) == 0,
    "advice_still_beaten": still_beaten,
    "advice_still_beaten_sets": still_beaten_sets,
    "advice_weakest_turned": lambda c: (
        playing(c)
        and turns_next(c)
        and c.param("symbol") == "▲▼"[1 - mode(c)]
        and all(
            better(counting(kept, 1 - mode(c)), counting(played, 1 - mode(c)), 1 - mode(c))
            for kept in left(c, c.after)
            for played in cards(c)
        )
        and len(left(c, c.after)) > 0
    ),
    "advice_keep_set": lambda c: (
        stays(c) and kept_together(c) and c.param("symbol") == "▲▼"[mode(c)]
    ),
    "advice_keep_set_turned": lambda c: kept_together(c) and c.param("symbol") == "▲▼"[1 - mode(c)],
    "advice_only_double": lambda c: (
        playing(c)
        and c.count + 1 == quantity(cards(c))
        and c.count in (len(c.at(f"hand {seat}")) for seat in still_in(c))
        and not any(
            len(hand) >= quantity(cards(c))
            for hand in (c.at(f"hand {seat}") for seat in still_in(c))
            if len(hand) <= c.count
        )
    ),
    "advice_too_few": lambda c: (
        playing(c)
        and c.count + 1 < quantity(cards(c))
        and c.count in (len(c.at(f"hand {seat}")) for seat in still_in(c))
        and not any(
            # Of cards that share a number one is a double at most.
            len(hand) + any(map(double, hand)) >= quantity(cards(c))
            for hand in (c.at(f"hand {seat}") for seat in still_in(c))
            if len(hand) <= c.count
        )
    ),
    "advice_sheds_in_time": lambda c: (
        playing(c)
        and len(c.hand) - len(left(c, c.after)) == c.count > 0
        and c.param("least") == min(len(c.at(f"hand {seat}")) for seat in the_others(c))
    ),
    "advice_last_card_above": lambda c: last_card(c, 0) and may_be_beaten(c),
    "advice_last_card_below": lambda c: last_card(c, 1) and may_be_beaten(c),
    "advice_comes_back": lambda c: (
        leading(c)
        and may_be_beaten(c)
        and better(c.param("number"), number(cards(c), c), mode(c))
        and quantity(cards(c)) in quantities(c, c.param("number"))
        and not outdone(c, c.param("number"))
    ),
    "advice_lead_next": lambda c: (
        c.action == "pass" and alone(c) and leads_after_pass(c) and left(c, c.after) == c.hand
    ),
    "advice_lead_next_set": lambda c: (
        c.action == "pass" and alone(c) and leads_after_pass(c) and c.count == set_to_lead(c) > 1
    ),
    "advice_out": lambda c: not left(c, c.after) and c.game.round_scores(c.after) is not None,
    "advice_then_out": lambda c: (
        playing(c)
        and (alone(c) or not beatable(c))
        and len({counting(x, "▲▼".index(c.param("symbol"))) for x in left(c, c.after)}) == 1
        and "▲▼".index(c.param("symbol")) == int(c.after.mode) ^ (int(c.after.changes) & 1)
    ),
    "advice_alone": lambda c: playing(c) and alone(c),
    "advice_unbeatable": lambda c: playing(c) and not beatable(c),
    "advice_top": lambda c: (
        playing(c) and not any(better(one, number(cards(c), c), mode(c)) for one in range(10))
    ),
    "advice_double_leads": lambda c: (
        leading(c)
        and quantity(cards(c)) == len(cards(c)) + 1
        and any(better(one, number(cards(c), c), mode(c)) for one in range(10))
    ),
    "advice_weak": lambda c: (
        playing(c)
        and len(cards(c)) == c.count
        and all(counting(card, 0) < 5 <= counting(card, 1) for card in cards(c))
    ),
    "advice_weakest": lambda c: playing(c) and weakest(c) and not turns_next(c),
    "advice_rest": lambda c: (
        playing(c) and len(others_of_its_number(c)) == c.count > 0 and not turns_next(c)
    ),
    "advice_sets": lambda c: (
        playing(c)
        and better(c.param("number"), number(cards(c), c), mode(c))
        and c.count == left_of(c, c.param("number"), mode(c)) > 1
    ),
    "advice_sets_turned": lambda c: (
        playing(c)
        and turns_next(c)
        and c.param("symbol") == "▲▼"[1 - mode(c)]
        and c.count == left_of(c, c.param("number"), 1 - mode(c)) > 1
    ),
    "advice_stronger_kept": lambda c: (
        playing(c)
        and bool(lying(c))
        and not alone(c)
        and not turns_next(c)
        and better(c.param("number"), number(cards(c), c), mode(c))
        and c.param("number") in (could := [number(played, c) for played in sets(c)])
        and not any(better(one, c.param("number"), mode(c)) for one in could)
        and c.count == left_of(c, c.param("number"), mode(c)) > 0
    ),
    "advice_sheds": lambda c: playing(c) and len(c.hand) - len(left(c, c.after)) == c.count > 0,
    "won_passed": lambda c: taken(c, falling=None, best=False),
    "won_highest": lambda c: taken(c, falling=0, best=True) and c.param("number") == 9,
    "won_lowest": lambda c: taken(c, falling=1, best=True) and c.param("number") == 0,
    "won_out": lambda c: (
        c.named() == c.later[-1].text.split()[1:]
        and not c.at(f"hand {c.param('seat').seat}", c.after)
        and c.param("seat").seat == c.later[-1].seat
    ),
    "story_left": lambda c: (
        c.points == len(c.at(f"hand {c.param('seat').seat}", c.after))
        and c.param("seat").seat != c.seat
        and not c.at(f"hand {c.seat}", c.after)
    ),
    "was_aside": lambda c: sorted(c.named()) == sorted(c.at("aside", c.after)),
}
