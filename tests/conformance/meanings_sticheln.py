"""Sticheln: what each claim means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests.conformance.claims import Claim, Done, Meaning

LOW: Final = 2
"""The sentences call a card low up to this number."""


def suit(card: str) -> str:
    return card[0]


def number(card: str) -> int:
    return int(card[1:])


def best(cards: Sequence[str]) -> int | None:
    """The place of the card that takes a trick, none if only zeros lie there: rules, "Who takes
    the trick".
    """
    rated = [(suit(card) != suit(cards[0]), number(card)) for card in cards]
    counting = [place for place, card in enumerate(cards) if number(card)]
    return max(counting, key=lambda place: (rated[place], -place), default=None)


def winner(trick: Sequence[Done]) -> int | None:
    place = best([done.text for done in trick])
    return None if place is None else trick[place].seat


def wins(claim: Claim) -> bool:
    return bool(claim.whole_trick) and winner(claim.whole_trick) == claim.seat


def loses(claim: Claim) -> bool:
    return not claim.whole_trick or winner(claim.whole_trick) != claim.seat


def card(claim: Claim) -> str:
    """What the reason of a hint speaks for."""
    return claim.action.split()[1]


def leading(claim: Claim) -> bool:
    return claim.asked and not claim.trick and claim.legal[0].startswith("play")


def unwanted(claim: Claim, seat: int) -> str:
    return suit(claim.at(f"chosen {seat}")[0])


def held(claim: Claim, colour: str) -> int:
    return sum(suit(one) == colour for one in claim.hand)


def most(claim: Claim) -> int:
    return max(held(claim, suit(one)) for one in claim.hand)


def worth(claim: Claim) -> int:
    """What the whole trick brings whoever is told."""
    own = unwanted(claim, claim.seat)
    cards = [done.text for done in claim.whole_trick]
    return sum(-number(one) if suit(one) == own else 1 for one in cards)


def by_the_rule(claim: Claim, led: str) -> bool:
    """Of the cards above zero the highest that is not of the colour led takes the trick; else the
    highest of that.
    """
    if not claim.whole_trick:
        return True
    cards = [done.text for done in claim.whole_trick if number(done.text)]
    other = [one for one in cards if suit(one) != led] or cards
    highest = {one for one in other if number(one) == max(map(number, other))}
    takers = {done.seat for done in claim.whole_trick if done.text in highest}
    return not cards or winner(claim.whole_trick) in takers


def easily_beaten(claim: Claim) -> bool:
    """It would win, being of the colour led, and any other colour above zero beats it."""
    lying = [*(done.text for done in claim.trick), card(claim)]
    return (
        claim.action.startswith("play")
        and suit(lying[0]) == suit(lying[-1])
        and best(lying) == len(lying) - 1
        and all(
            best([*lying, one]) == len(lying)
            for one in claim.others
            if suit(one) != suit(lying[0]) and number(one)
        )
    )


def beaters(claim: Claim) -> list[str]:
    """The cards of others that would win the trick from the one that is spoken for."""
    lying = [*claim.trick, Done(claim.seat, card(claim))]
    return [one for one in claim.others if winner([*lying, Done(-1, one)]) == -1]


def higher(claim: Claim) -> list[str]:
    """Own cards of the colour of the one that is spoken for that are higher."""
    spoken_for = card(claim)
    same = [one for one in claim.hand if suit(one) == suit(spoken_for)]
    return [one for one in same if number(one) > number(spoken_for)]


def mine(claim: Claim) -> list[str]:
    return claim.at(f"taken {claim.seat}", claim.after)


def hated(claim: Claim) -> list[str]:
    chosen = claim.at(f"chosen {claim.seat}", claim.after)[0]
    return [one for one in mine(claim) if suit(one) == suit(chosen)]


def won(claim: Claim, kept: Sequence[str]) -> bool:
    """The card that is named takes the trick, since it is the highest of those kept."""
    (named,), trick = claim.named(), claim.whole_trick
    seat = next(done.seat for done in trick if done.text == named)
    high = number(named) == max(map(number, kept)) and named in kept
    return high and winner(trick) == seat == claim.param("seat").seat


def cards_of(claim: Claim) -> list[str]:
    return [done.text for done in claim.whole_trick]


def of_led(claim: Claim) -> list[str]:
    return [one for one in cards_of(claim) if suit(one) == suit(cards_of(claim)[0])]


def of_others(claim: Claim) -> list[str]:
    return [one for one in cards_of(claim) if one not in of_led(claim)]


def equals(claim: Claim) -> list[str]:
    """Cards of other colours than led as high as the one that is named."""
    (named,) = claim.named()
    return [one for one in of_others(claim) if number(one) == number(named)]


def only_zeros(claim: Claim) -> bool:
    return not any(map(number, cards_of(claim)))


MEANINGS: Final[dict[str, Meaning]] = {
    "asks_choose": lambda c: len(c.legal) == len(c.hand) and c.legal[0].startswith("choose"),
    "asks_lead": leading,
    "asks_follow": lambda c: bool(c.trick) and len(c.legal) == len(c.hand),
    "tip_choose": lambda c: c.legal[0].startswith("choose") and most(c) >= 3,
    "tip_lead": lambda c: (
        leading(c) and (not c.whole_trick or by_the_rule(c, suit(c.whole_trick[0].text)))
    ),
    "tip_follow": lambda c: (
        bool(c.trick)
        and c.param("suit").code == suit(c.trick[0].text)
        and by_the_rule(c, suit(c.trick[0].text))
    ),
    "advice_chosen_low": lambda c: c.action.startswith("choose") and number(card(c)) <= LOW,
    "advice_chosen_many": lambda c: (
        c.action.startswith("choose") and held(c, suit(card(c))) == most(c)
    ),
    "advice_chosen_few": lambda c: (
        c.action.startswith("choose") and held(c, suit(card(c))) == c.count < most(c)
    ),
    "advice_zero": lambda c: (
        c.action.startswith("play") and not number(card(c)) and not _taken_by(c)
    ),
    "advice_zero_led": lambda c: (
        leading(c)
        and not number(card(c))
        and bool(c.state.round.zeros_taken)
        and (not c.whole_trick or only_zeros(c) == _taken_by(c))
    ),
    "advice_lead_low": lambda c: leading(c) and easily_beaten(c) and 0 < number(card(c)) <= LOW,
    "advice_colour_led": lambda c: easily_beaten(c) and bool(beaters(c)),
    "advice_colour_own": lambda c: (
        easily_beaten(c) and bool(beaters(c)) and suit(card(c)) == unwanted(c, c.seat)
    ),
    "advice_others_beat": lambda c: (
        bool(c.trick)
        and winner([*c.trick, Done(c.seat, card(c))]) == c.seat
        and len(c.trick) < c.seats - 1
        and c.count == len(beaters(c)) > 0
    ),
    "advice_wins_so_far": lambda c: (
        bool(c.trick)
        and suit(card(c)) != suit(c.trick[0].text)
        and winner([*c.trick, Done(c.seat, card(c))]) == c.seat
        and len(c.trick) < c.seats - 1
        and c.param("left") == len(beaters(c)) > 0
    ),
    "advice_unbeatable": lambda c: wins(c) and not beaters(c) and len(c.trick) < c.seats - 1,
    "advice_hurts": lambda c: (
        (taker := winner([*c.trick, Done(c.seat, card(c))])) is not None
        and taker != c.seat
        and unwanted(c, taker) == suit(card(c))
        and number(card(c)) > 0
    ),
    "advice_rid": lambda c: suit(card(c)) == unwanted(c, c.seat) and bool(c.trick) and loses(c),
    "advice_leaves": lambda c: bool(c.trick) and c.action.startswith("play") and loses(c),
    "advice_takes": lambda c: len(c.trick) == c.seats - 1 and wins(c) and worth(c) == c.count >= 0,
    "advice_costs": lambda c: (
        len(c.trick) == c.seats - 1 and wins(c) and worth(c) == -c.param("left") < 0
    ),
    "advice_keeps_higher": lambda c: (
        c.action.startswith("play") and bool(higher(c)) and suit(card(c)) != unwanted(c, c.seat)
    ),
    "advice_highest": lambda c: (
        c.action.startswith("play")
        and not higher(c)
        and any(suit(one) == suit(card(c)) for one in c.hand if one != card(c))
    ),
    "won_other_colour": lambda c: won(c, of_others(c)) and len(equals(c)) == 1,
    "won_other_colour_first": lambda c: (
        won(c, of_others(c)) and len(equals(c)) > 1 and equals(c)[0] == c.named()[0]
    ),
    "won_colour_led": lambda c: won(c, of_led(c)) and not of_others(c),
    "won_over_zeros": lambda c: (
        won(c, of_led(c)) and bool(of_others(c)) and not any(map(number, of_others(c)))
    ),
    "won_zeros": lambda c: only_zeros(c) and c.param("seat").seat == c.whole_trick[0].seat,
    "nobody_takes": lambda c: only_zeros(c) and set(cards_of(c)) <= set(c.at("aside", c.after)),
    "story_cards": lambda c: c.count == c.points == len(mine(c)) and not hated(c),
    "story_others": lambda c: c.count == c.points == len(mine(c)) - len(hated(c)) < len(mine(c)),
    "story_unwanted": lambda c: (
        sorted(c.named()) == sorted(hated(c))
        and len(set(map(suit, c.named()))) == 1
        and c.points == -sum(map(number, hated(c)))
    ),
    "story_own": lambda c: (
        c.named() == c.at(f"chosen {c.seat}", c.after) and c.points == -number(c.named()[0])
    ),
}


def _taken_by(claim: Claim) -> bool:
    """Whether whoever is told takes the trick, also one of zeros that they led where they go to
    whoever led.
    """
    if wins(claim) or not claim.whole_trick or not claim.state.round.zeros_taken:
        return wins(claim)
    return only_zeros(claim) and claim.whole_trick[0].seat == claim.seat
