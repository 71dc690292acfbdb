"""Auf falscher Fährte: what each claim means."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import Final

from tests.conformance.claims import Claim, Done, Meaning

SUITS: Final = "RYGB"
JOKER: Final = "J"


def suit(card: str) -> str:
    return card[0]


def number(card: str) -> int:
    return int(card[1:])


def led_by(cards: Sequence[str]) -> str:
    """The colour led: that of the first card that is no joker; empty if none lies there."""
    return next((suit(one) for one in cards if one != JOKER), "")


def strength(card: str, trump: str, led: str) -> int:
    """How high a card is in a trick; 0 never wins."""
    if card == JOKER or suit(card) not in (trump, led):
        return 0
    return 1 + number(card) + 100 * (suit(card) == trump)


def winner(trick: Sequence[Done], trump: str) -> int | None:
    led = led_by([done.text for done in trick])
    top = max(trick, key=lambda done: strength(done.text, trump, led), default=None)
    return top.seat if top is not None and strength(top.text, trump, led) else None


def trump(claim: Claim) -> str:
    return SUITS[claim.state.round.trump]


def card(claim: Claim) -> str:
    return claim.action.split()[1]


def of(cards: Sequence[str], colour: str) -> list[str]:
    return sorted((one for one in cards if suit(one) == colour), key=number)


def lying(claim: Claim) -> list[str]:
    return [done.text for done in claim.trick]


def led(claim: Claim) -> str:
    return led_by(lying(claim))


def with_it(claim: Claim) -> list[Done]:
    return [*claim.trick, Done(claim.seat, card(claim))]


def playing(claim: Claim) -> bool:
    return claim.action.startswith("play")


def wins(claim: Claim) -> bool:
    return bool(claim.whole_trick) and winner(claim.whole_trick, trump(claim)) == claim.seat


def loses(claim: Claim) -> bool:
    return playing(claim) and winner(with_it(claim), trump(claim)) != claim.seat and not wins(claim)


def follows(claim: Claim) -> bool:
    """Whoever plays to the trick after this, and holds the colour, plays it, or a joker."""
    played = claim.whole_trick[len(claim.trick) :]
    colour = led_by([done.text for done in claim.whole_trick])
    return all(
        suit(done.text) == colour
        or done.text == JOKER
        or not of(claim.at(f"hand {done.seat}"), colour)
        for done in played
    )


def jokers(claim: Claim) -> bool:
    return bool(claim.state.round.match.jokers)


def goal(claim: Claim) -> int:
    return {3: 14, 4: 24}[claim.seats]


def highest_or_trump(claim: Claim) -> bool:
    """The highest of the colour led takes the trick, or a trump."""
    if not claim.whole_trick:
        return True
    cards, taker = [d.text for d in claim.whole_trick], winner(claim.whole_trick, trump(claim))
    (taken,) = [done.text for done in claim.whole_trick if done.seat == taker]
    return taken == of(cards, led(claim))[-1] or suit(taken) == trump(claim)


def void(claim: Claim) -> bool:
    return bool(led(claim)) and not of(claim.hand, led(claim))


def last(claim: Claim) -> bool:
    """Whether whoever is told plays the last card of the trick."""
    return len(claim.trick) == claim.seats - 1


def sets_colour(claim: Claim) -> bool:
    """Whether only jokers lie there, and whatever may be played now has a colour."""
    return bool(claim.trick) and not led(claim) and JOKER not in playable(claim)


def needs_a_trump(claim: Claim) -> bool:
    """Whether nothing but a trump, which was not led, can take the trick, for want of the colour
    led.
    """
    return (
        void(claim)
        and led(claim) == claim.param("suit").code
        and claim.param("trump").code == trump(claim) != led(claim)
        and all(suit(one) == trump(claim) or not_taking(claim, one) for one in playable(claim))
    )


def naming(claim: Claim) -> bool:
    return all(text.startswith("trump") for text in claim.legal)


def last_round(claim: Claim) -> bool:
    return bool(claim.state.round.number == claim.state.round.match.rounds)


def must_follow(claim: Claim) -> bool:
    """Whether all cards of the colour led are named, and no barred one is of it or a joker."""
    return (
        led(claim) == claim.param("suit").code
        and sorted(claim.named()) == sorted(of(claim.hand, led(claim)))
        and bool(claim.named())
        and all(suit(one) not in (led(claim), JOKER) for one in claim.cards)
    )


def held(claim: Claim) -> list[int]:
    return [len(of(claim.hand, one)) for one in SUITS]


def named_trump(claim: Claim) -> str:
    return trump(claim) if card(claim) == "keep" else card(claim)


def beats(claim: Claim, cards: Sequence[str]) -> bool:
    """Whether one of these beats what the reason speaks for."""
    colour = led_by([done.text for done in with_it(claim)])
    own = strength(card(claim), trump(claim), colour)
    return any(strength(one, trump(claim), colour) > own for one in cards)


def unseen(claim: Claim) -> list[str]:
    """Cards that may be with others, for all that whoever is told knows."""
    hidden = [one for s in range(claim.seats) if s != claim.seat for one in claim.at(f"hidden {s}")]
    return [*claim.others, *hidden]


def known(claim: Claim) -> list[int]:
    """Numbers of the hidden cards that whoever is told knows."""
    cards = [*claim.at("turned"), *claim.at(f"hidden {claim.seat}")]
    return [*map(number, cards)]


def certain(claim: Claim) -> bool | None:
    """Whether it is Plus or Minus whatever the cards are that they do not know."""
    low, covered = sum(known(claim)), claim.seats - len(known(claim))
    high = low + covered * {3: 9, 4: 12}[claim.seats]
    return low >= goal(claim) if (low >= goal(claim)) == (high >= goal(claim)) else None


def leaning(claim: Claim) -> bool:
    """Whether it is, or would be with the others as high on average as those they know."""
    if (sure := certain(claim)) is not None:
        return sure
    return bool(mean(known(claim) or [0]) * claim.seats >= goal(claim))


def points(claim: Claim) -> bool:
    """Whether it is open, and so many cards that they know say more of the one than the other."""
    told = claim.count == len(known(claim)) > 0 and certain(claim) is None
    return told and mean(known(claim)) * claim.seats != goal(claim)


def public(claim: Claim) -> bool:
    """Whether everybody knows that."""
    low, covered = sum(map(number, claim.at("turned"))), claim.seats - len(claim.at("turned"))
    high = low + covered * {3: 9, 4: 12}[claim.seats]
    return (low >= goal(claim)) == (high >= goal(claim))


def turned_to(claim: Claim) -> bool:
    """Whether that card is turned up, the sum is right, and everybody knows what it makes."""
    total = sum(map(number, claim.at("turned")))
    return (
        {*claim.named()} <= {*claim.at("turned")}
        and claim.param("total") == total
        and public(claim)
    )


def adds(claim: Claim) -> bool:
    """Whether that card is one's own, and only oneself knows what the sum is with it."""
    own = claim.named() == claim.at(f"hidden {claim.seat}")
    open_ = public(claim) or not claim.at("turned")
    return own and not open_ and bool(claim.param("total") == sum(known(claim)))


def changed_trump(claim: Claim) -> bool:
    """Whether the trump is another one than in the trick before."""
    return bool(trump(claim) == claim.param("suit").code != SUITS[claim.state.tricks[-1].trump])


def last_named(claim: Claim) -> int:
    """Who named the trump last."""
    return [done.seat for done in claim.before if done.text.startswith("trump")][-1]


def said_of(claim: Claim) -> int:
    return int(claim.param("seat").seat)


def beaters(claim: Claim) -> list[str]:
    """Cards that may be with others and beat the one that is spoken for."""
    return [one for one in unseen(claim) if one != JOKER and beats(claim, [one])]


def left(claim: Claim, *, above: bool) -> list[str]:
    """Other cards in hand that are high, or low."""
    third = {3: 3, 4: 4}[claim.seats]
    numbers = [number(one) for one in claim.hand if one not in (JOKER, card(claim))]
    return [str(one) for one in numbers if (one > 2 * third if above else one < third)]


def loses_so_far(claim: Claim) -> bool:
    """Whether another card in the trick is higher."""
    return winner(with_it(claim), trump(claim)) != claim.seat


def able(claim: Claim) -> bool:
    """Whether a card that may be played would take the trick as it lies."""
    return any(
        winner([*claim.trick, Done(claim.seat, one)], trump(claim)) == claim.seat
        for one in playable(claim) - {JOKER}
    )


def won(claim: Claim) -> bool:
    """The card that is named takes the trick."""
    seat = winner(claim.whole_trick, trump(claim))
    taken = [done.text for done in claim.whole_trick if done.seat == seat]
    return taken == claim.named() and seat == claim.param("seat").seat


def trumps(claim: Claim) -> list[str]:
    return of([done.text for done in claim.whole_trick], trump(claim))


def taken(claim: Claim) -> list[int]:
    tricks = claim.after.tricks
    return [sum(trick.winner == seat for trick in tricks) for seat in range(claim.seats)]


def plus(claim: Claim) -> bool:
    return sum(map(number, claim.at("turned", claim.after))) >= goal(claim)


def place(claim: Claim) -> int:
    own, all_ = taken(claim)[claim.seat], taken(claim)
    return 1 + sum((other > own) if plus(claim) else (other < own) for other in all_)


MEANINGS: Final[dict[str, Meaning]] = {
    "asks_hide": lambda c: all(text.startswith("hide") for text in c.legal),
    "asks_trump": lambda c: (
        all(text.startswith("trump") for text in c.legal) and c.param("suit").code == trump(c)
    ),
    "asks_lead": lambda c: not c.trick and c.legal[0].startswith("play"),
    "asks_follow": lambda c: (
        led(c) == c.param("suit").code
        and {suit(text.split()[1]) for text in c.legal} == {led(c)}
        and f"play {of(c.hand, led(c))[0]}" in c.legal
    ),
    "asks_follow_joker": lambda c: (
        led(c) == c.param("suit").code
        and {suit(text.split()[1]) for text in c.legal} == {led(c), JOKER}
    ),
    "asks_any": lambda c: (bool(led(c)) or last(c)) and playable(c) == {*c.hand},
    "asks_no_joker": lambda c: (
        (bool(led(c)) or last(c)) and playable(c) == {*c.hand} - {JOKER} != {*c.hand}
    ),
    "asks_set_colour": lambda c: (
        bool(c.trick) and not led(c) and JOKER not in playable(c) and not last(c)
    ),
    "asks_joker": lambda c: bool(c.trick) and not led(c) and playable(c) == {JOKER},
    "tip_hide": lambda c: c.legal[0].startswith("hide") and c.param("goal") == goal(c),
    "tip_lead": lambda c: (
        c.legal[0].startswith("play") and not c.trick and JOKER not in c.others and follows(c)
    ),
    "tip_lead_jokers": lambda c: (
        c.legal[0].startswith("play") and not c.trick and JOKER in c.others and follows(c)
    ),
    "tip_follow": lambda c: (
        led(c) == c.param("suit").code != trump(c) and not void(c) and highest_or_trump(c)
    ),
    "tip_follow_trump": lambda c: (
        led(c) == c.param("suit").code == trump(c) and not void(c) and highest_or_trump(c)
    ),
    "tip_void": lambda c: needs_a_trump(c) and playable(c) == {*c.hand},
    "tip_void_no_joker": lambda c: (
        needs_a_trump(c) and playable(c) == {*c.hand} - {JOKER} != {*c.hand}
    ),
    "tip_void_trump": lambda c: (
        void(c)
        and led(c) == c.param("suit").code == trump(c)
        and all(not_taking(c, text.split()[1]) for text in c.legal)
    ),
    "tip_after_joker": lambda c: sets_colour(c) and not last(c),
    "tip_after_all_jokers": lambda c: (
        sets_colour(c) and all(not not_taking(c, one) for one in playable(c))
    ),
    "tip_only_jokers": lambda c: bool(c.trick) and not led(c) and set(c.hand) == {JOKER},
    "tip_trump": lambda c: naming(c) and bool(c.hand),
    "tip_trump_next": lambda c: naming(c) and not c.hand and not last_round(c),
    "tip_trump_end": lambda c: naming(c) and not c.hand and last_round(c),
    "you_are_void": lambda c: void(c) and c.param("suit").code == led(c),
    "you_set_colour": lambda c: sets_colour(c) and not last(c) and follows(c),
    "you_pass_on": lambda c: c.legal == [f"play {JOKER}"] and not led(c) and not last(c),
    "you_beat_jokers": lambda c: (
        sets_colour(c) and all(not not_taking(c, one) for one in playable(c))
    ),
    "you_all_jokers": lambda c: (
        c.legal == [f"play {JOKER}"] and {done.text for done in c.whole_trick} == {JOKER}
    ),
    "why_joker_hidden": lambda c: c.legal[0].startswith("hide") and set(c.cards) == {JOKER},
    "why_follow": lambda c: must_follow(c) and JOKER not in playable(c),
    "why_follow_joker": lambda c: must_follow(c) and JOKER in playable(c),
    "why_second_joker": lambda c: (
        set(c.cards) == {JOKER} and JOKER in lying(c) and set(c.hand) != {JOKER}
    ),
    "why_trump": lambda c: all(text.startswith("trump") for text in c.legal),
    "goal_plus": lambda c: public(c) and certain(c) is True and c.param("goal") == goal(c),
    "goal_minus": lambda c: public(c) and certain(c) is False and c.param("goal") == goal(c),
    "goal_plus_own": lambda c: not public(c) and certain(c) is True and c.param("goal") == goal(c),
    "goal_minus_own": lambda c: (
        not public(c) and certain(c) is False and c.param("goal") == goal(c)
    ),
    "turned": lambda c: (
        {*c.named()} < {*c.at("turned"), ""}
        and c.param("total") == sum(map(number, c.at("turned")))
        and c.param("goal") == goal(c)
        and not public(c)
    ),
    "turned_plus": lambda c: turned_to(c) and certain(c) is True,
    "turned_minus": lambda c: turned_to(c) and certain(c) is False,
    "new_trump": lambda c: changed_trump(c) and jokers(c),
    "new_trump_last": lambda c: changed_trump(c) and not jokers(c) and last_named(c) == said_of(c),
    "new_trump_joker": lambda c: changed_trump(c) and jokers(c) and last_named(c) == said_of(c),
    "own_adds": lambda c: adds(c) and certain(c) is None,
    "own_plus": lambda c: adds(c) and certain(c) is True,
    "own_minus": lambda c: adds(c) and certain(c) is False,
    "advice_plus": lambda c: c.action.startswith("hide") and number(card(c)) > goal(c) / c.seats,
    "advice_minus": lambda c: c.action.startswith("hide") and number(card(c)) < goal(c) / c.seats,
    "advice_middle": lambda c: c.action.startswith("hide") and number(card(c)) == goal(c) / c.seats,
    "advice_high_hand": lambda c: (
        number(card(c)) > goal(c) / c.seats
        and c.count == len(left(c, above=True)) > len(left(c, above=False))
        and min(map(int, left(c, above=True))) >= c.param("number")
    ),
    "advice_low_hand": lambda c: (
        number(card(c)) < goal(c) / c.seats
        and c.count == len(left(c, above=False)) > len(left(c, above=True))
        and max(map(int, left(c, above=False))) <= c.param("number")
    ),
    "advice_leaning_plus": lambda c: (
        leaning(c) and points(c) and playing(c) and not loses_so_far(c)
    ),
    "advice_leaning_minus": lambda c: (
        not leaning(c) and points(c) and playing(c) and (loses_so_far(c) or bool(beaters(c)))
    ),
    "advice_others_beat": lambda c: (
        playing(c)
        and not loses_so_far(c)
        and len(c.trick) < c.seats - 1
        and c.count == len(beaters(c)) > 0
    ),
    "advice_beaters_left": lambda c: (
        playing(c) and not led(c) and c.param("left") == len(of(beaters(c), suit(card(c)))) > 0
    ),
    "advice_then_trump": lambda c: (
        playing(c)
        and not led(c)
        and of(c.hand, suit(card(c))) == [card(c)]
        and suit(card(c)) != trump(c)
        and bool(of(c.hand, trump(c)))
    ),
    "advice_trump": lambda c: (
        c.action.startswith("trump")
        and len(of(c.hand, named_trump(c))) == c.count == max(held(c)) > 0
    ),
    "advice_trump_few": lambda c: (
        c.action.startswith("trump") and len(of(c.hand, named_trump(c))) == c.count < max(held(c))
    ),
    "advice_trump_jokers": lambda c: naming(c) and set(c.hand) == {JOKER},
    "advice_trump_next": lambda c: naming(c) and not c.hand and not last_round(c),
    "advice_trump_end": lambda c: naming(c) and not c.hand and last_round(c),
    "advice_joker": lambda c: card(c) == JOKER and playing(c) and not wins(c),
    "advice_joker_trump": lambda c: (
        card(c) == JOKER
        and playing(c)
        and not wins(c)
        and [done.text for done in c.before].count(f"play {JOKER}") < 2
    ),
    "advice_throws": lambda c: void(c) and suit(card(c)) != led(c) and loses(c),
    "advice_low": lambda c: bool(c.trick) and loses(c) and card(c) == of(c.hand, led(c))[0],
    "advice_leaves": lambda c: bool(c.trick) and loses(c),
    "advice_cannot": lambda c: loses(c) and leaning(c) and not able(c),
    "advice_saves": lambda c: loses(c) and leaning(c) and able(c),
    "advice_takes": lambda c: len(c.trick) == c.seats - 1 and wins(c),
    "advice_keeps_higher": lambda c: playing(c) and card(c) != of(c.hand, suit(card(c)))[-1],
    "advice_highest": lambda c: (
        playing(c) and len(same := of(c.hand, suit(card(c)))) > 1 and card(c) == same[-1]
    ),
    "advice_unbeatable": lambda c: playing(c) and not beats(c, [*lying(c), *c.others]),
    "advice_only_trump": lambda c: (
        playing(c)
        and suit(card(c)) != trump(c)
        and {suit(one) for one in unseen(c) if beats(c, [one])} == {trump(c)}
    ),
    "advice_only_higher": lambda c: (
        playing(c)
        and suit(card(c)) == trump(c) != led(c)
        and {suit(one) for one in unseen(c) if beats(c, [one])} == {trump(c)}
    ),
    "advice_wins_so_far": lambda c: (
        bool(c.trick)
        and playing(c)
        and winner(with_it(c), trump(c)) == c.seat
        and c.count == c.seats - 1 - len(c.trick) > 0
    ),
    "won_trump": lambda c: won(c) and len(trumps(c)) > 1 and trumps(c)[-1] == c.named()[0],
    "won_only_trump": lambda c: won(c) and trumps(c) == c.named(),
    "won_colour_led": lambda c: (
        won(c)
        and not trumps(c)
        and c.whole_trick[0].text != JOKER
        and c.param("suit").code == suit(c.whole_trick[0].text)
    ),
    "won_after_joker": lambda c: (
        won(c)
        and not trumps(c)
        and c.whole_trick[0].text == JOKER
        and c.param("suit").code == led_by([done.text for done in c.whole_trick])
    ),
    "trick_nobodys": lambda c: {done.text for done in c.whole_trick} == {JOKER},
    "story_place": lambda c: (
        taken(c)[c.seat] == c.count
        and place(c) == c.param("place")
        and c.count != (min if plus(c) else max)(taken(c))
    ),
    "story_fewest": lambda c: plus(c) and taken(c)[c.seat] == c.count == min(taken(c)),
    "story_most": lambda c: not plus(c) and taken(c)[c.seat] == c.count == max(taken(c)),
}


def playable(claim: Claim) -> set[str]:
    """The cards that may be played."""
    return {text.split()[1] for text in claim.legal if text.startswith("play")}


def not_taking(claim: Claim, played: str) -> bool:
    """Whether whoever is told cannot win the trick with that card."""
    return winner([*claim.trick, Done(claim.seat, played)], trump(claim)) != claim.seat
