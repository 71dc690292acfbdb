"""Kaiserspiel: what each claim means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.games.kaiserspiel.cards import PACK, SUITS
from tests.conformance.claims import Claim, Done, Meaning
from tests.engine.test_kaiserspiel_oracle import Laid, rank
from tests.engine.test_kaiserspiel_oracle import winner as place_of

BANNERS: Final = ("AB", "RB", "SB", "BB")
PLAIN: Final = "KOUB765432"


def special(claim: Claim) -> str:
    return SUITS[claim.state.round.special]


def kaisers(claim: Claim) -> frozenset[str]:
    return frozenset(PACK.codes(sum(claim.state.cards.kaisers)))


def laid(trick: Sequence[Done]) -> list[Laid]:
    return [Laid(done.text.split()[0], not done.text.endswith("down")) for done in trick]


def winner(trick: Sequence[Done], claim: Claim) -> int:
    return trick[place_of(laid(trick), special(claim), kaisers(claim))].seat


def with_it(claim: Claim) -> list[Done]:
    return [*claim.trick, Done(claim.seat, claim.action.removeprefix("play "))]


def wins_so_far(claim: Claim) -> bool:
    return playing(claim) and winner(with_it(claim), claim) == claim.seat


def winning_cards(claim: Claim) -> list[str]:
    """The own cards that would win the trick as it lies there."""
    trick = claim.trick
    held = [(card, winner([*trick, Done(claim.seat, card)], claim)) for card in claim.hand]
    return [card for card, seat in held if seat == claim.seat]


def loses(claim: Claim) -> bool:
    """Whether it neither wins now nor once the trick is complete."""
    whole = claim.whole_trick
    return not wins_so_far(claim) and (not whole or winner(whole, claim) != claim.seat)


def playing(claim: Claim) -> bool:
    return claim.action.startswith("play")


def value(state: Any) -> int:
    return int(state.value)


def scores(claim: Claim, *texts: str) -> tuple[int, ...]:
    """Points of a round that ends by what is said."""
    found = claim.game.round_scores(claim.once(*texts))
    assert found is not None
    return found


def refused(claim: Claim, offer: str, points: int) -> bool:
    """Whether that offer, if it is refused, brings so many points."""
    return scores(claim, offer, "resign")[claim.seat] == points == value(claim.state)


def accepted(claim: Claim, offer: str) -> int:
    return value(claim.once(offer, "accept"))


def resigned(claim: Claim, points: int) -> bool:
    found = scores(claim, "resign")
    return found[claim.seat] == 0 and found[claim.seat - 1] == points


def declares(claim: Claim, *, raised: bool, opens: bool = False, later: bool = False) -> bool:
    """Whether a Kaiser may be declared, of a card that lay open or not, that could become one
    `later`, too; and whether a raise would follow."""
    found = [text.split()[1] for text in claim.legal if text.startswith("kaiser")]
    if step(claim) != "declare" or doomed(claim) or not found or not raises(claim):
        return False
    follows = claim.once(f"kaiser {found[0]}").question.step in ("raise", "raise by 1")
    return (
        follows is raised
        and all(opened(claim, one) is opens for one in found)
        and (claim.state.question.pause in (3, 4)) is later
    )


def ends_match(claim: Claim) -> bool:
    """Whether the match is over, and lost, once whoever is asked has resigned."""
    found = claim.once("resign")
    return not claim.game.actors(found) and claim.game.scores(found)[claim.seat] < max(
        claim.game.scores(found)
    )


def meek(claim: Claim) -> bool:
    """Whether an offer is refused, or none is made."""
    offers = "threeup" in claim.legal or "lift" in claim.legal
    return claim.action == "resign" or (claim.action in ("pass", "stay") and offers)


def bold(claim: Claim) -> bool:
    """Whether more is put at stake."""
    return claim.action in ("raise 1", "raise 3", "lift", "threeup", "accept")


def doomed(claim: Claim) -> bool:
    """Whether four Banners lie open, and nobody scores unless somebody resigns."""
    state = claim.after
    if sorted(PACK.names[card] for card in state.round.opens) != sorted(BANNERS):
        return False
    while claim.game.round_scores(state) is None:
        seat = claim.game.actors(state)[0]
        texts = map(claim.game.format_action, claim.game.legal_actions(state, seat))
        text = next(text for text in texts if text in ("pass", "accept", "stay", "raise 1"))
        state = claim.game.apply(state, seat, claim.game.parse_action(text))
    return not any(claim.game.round_scores(state) or ())


def calls(claim: Claim) -> bool:
    """Whether three up brings and costs what is said."""
    return (
        refused(claim, "threeup", claim.param("value"))
        and accepted(claim, "threeup") == claim.param("raised")
        and not doomed(claim)
    )


def is_asked_in_turn(claim: Claim) -> bool:
    """Whether the other captain may call three up once that of whoever is told is accepted."""
    question = claim.once("threeup", "accept").question
    return bool(question.step == "call" and question.seats == ((claim.seat + 1) % 2,))


def opponents_to_come(claim: Claim) -> set[int]:
    """Seats of the other pair that have not yet played to the trick."""
    return {(claim.seat + 1) % 4, (claim.seat + 3) % 4} - {done.seat for done in claim.trick}


def opens_unseen(claim: Claim) -> set[tuple[int, str]]:
    """Whose open card nobody has seen played."""
    seen = {done.text.removeprefix("play ") for done in claim.before}
    opens = ((claim.state.round.owner(at), PACK.names[card])
             for at, card in enumerate(claim.state.round.opens))  # fmt: skip
    return {(seat, card) for seat, card in opens if card not in seen}


def unseen(claim: Claim) -> set[str]:
    """All cards but those that whoever is told holds, has discarded or has seen played."""
    told = [
        done.text
        for done in claim.before
        if done.seat == claim.seat
        or (done.text.startswith("play") and not done.text.endswith("down"))
    ]
    seen = {word for text in told for word in text.split()[1:]}
    return {*PACK.names} - seen - {*claim.hand} - {PACK.names[claim.state.round.cut]}


def beaters(claim: Claim) -> list[str]:
    """The cards by which an opponent who plays next would win the trick."""
    seat = (claim.seat + 1) % 4
    return [one for one in PACK.names if winner([*with_it(claim), Done(seat, one)], claim) == seat]


def held_against(claim: Claim) -> set[str]:
    """The cards that opponents who are to play yet hold, and that would win the trick."""
    held = (claim.at(f"hand {seat}") for seat in opponents_to_come(claim))
    return {*beaters(claim)} & {card for cards in held for card in cards}


def takes(claim: Claim, seat: int, card: str) -> int:
    """Who takes the trick as it lies if that seat plays that card to it."""
    return winner([*claim.trick, Done(seat, card)], claim)


def fewer_beat(claim: Claim, card: str) -> bool:
    """Whether that card takes the trick, and fewer cards of whoever plays next would then."""
    seat, own = claim.param("seat").seat, Done(claim.seat, card)
    now = sum(takes(claim, seat, one) == seat for one in unseen(claim))
    cards = (winner([*claim.trick, own, Done(seat, one)], claim) for one in unseen(claim) - {card})
    return takes(claim, claim.seat, card) == claim.seat and sum(one == seat for one in cards) < now


def step(claim: Claim) -> str:
    return str(claim.state.question.step)


def raises(claim: Claim) -> bool:
    """Whether a Kaiser lets the captain raise, but for the limit."""
    for text in (text for text in claim.legal if text.startswith("kaiser")):
        after = claim.once(text)
        if after.question.step in ("raise", "raise by 1"):
            if after.question.seats != (claim.seat % 2,):
                return False
            continue
        now = claim.state.round
        needed = max(4, now.target - min(now.scores))
        if now.most is None or value(claim.state) + 1 <= needed:
            return False
    return True


def trumps(claim: Claim, cards: Sequence[str]) -> list[str]:
    return [one for one in cards if rank(one, special(claim), kaisers(claim)) is not None]


def to_be(claim: Claim, cards: Sequence[str]) -> list[str]:
    """The Banners among cards of whoever is told that may be declared after the discards."""
    dealt_open = {PACK.names[card] for card in claim.state.round.opens}
    return [one for one in cards if one in {*BANNERS} - kaisers(claim) - dealt_open]


def names_own_trumps(claim: Claim) -> bool:
    """Whether all own trumps are named, none before a higher one."""
    ranks = [rank(one, special(claim), kaisers(claim)) or 0 for one in claim.named()]
    return {*claim.named()} == {*trumps(claim, claim.hand)} and ranks == sorted(ranks)


def names_others(claim: Claim) -> bool:
    """Whether those own cards of the special suit are named that will not be trumps this round,
    but for its Seven."""
    suit, later = special(claim), to_be(claim, claim.hand) if step(claim) != "play" else []
    of_suit = {one for one in claim.hand if one[0] == suit} - {suit + "7", *later}
    return {*claim.named("others")} == of_suit - {*trumps(claim, claim.hand)}


def stop_the_seven(claim: Claim) -> set[str]:
    """The cards that others may hold and that would win a trick if the own special Seven led."""
    own = special(claim) + "7"
    assert claim.named() == [own] == [one for one in claim.hand if one == own]
    led, other = Done(claim.seat, own), (claim.seat + 1) % 4
    return {one for one in unseen(claim) if winner([led, Done(other, one)], claim) == other}


def taken_by(claim: Claim) -> Laid:
    trick = laid(claim.whole_trick)
    return trick[place_of(trick, special(claim), kaisers(claim))]


def up(claim: Claim) -> list[str]:
    return [one.card for one in laid(claim.whole_trick) if one.up]


def highest_trump(claim: Claim) -> bool:
    """Whether no trump that lies face up is higher than the card that takes the trick."""
    ranks = [rank(one, special(claim), kaisers(claim)) for one in up(claim)]
    own = rank(taken_by(claim).card, special(claim), kaisers(claim))
    return own is not None and own == min(one for one in ranks if one is not None)


def higher_trump(claim: Claim) -> bool:
    """Whether the card that takes the trick is a higher trump than the one that was led."""
    own, first = (
        rank(one, special(claim), kaisers(claim)) for one in (taken_by(claim).card, up(claim)[0])
    )
    return own is not None and first is not None and own < first


def highest_led(claim: Claim) -> bool:
    led = up(claim)[0][0]
    of_led = [one for one in up(claim) if one[0] == led and one not in trumps(claim, up(claim))]
    plain = [one for one in of_led if one != special(claim) + "7"]
    return bool(plain) and taken_by(claim).card == min(plain, key=lambda one: PLAIN.index(one[1]))


def by_the_rule(claim: Claim) -> bool:
    if not claim.whole_trick:
        return True
    return taken_by(claim).up and (highest_trump(claim) or highest_led(claim))


def seven(claim: Claim, trick: Sequence[Done]) -> bool:
    return trick[0].text == special(claim) + "7"


def by_seven(claim: Claim) -> bool:
    """Whether the special Seven was led and wins as it lies there."""
    return seven(claim, claim.trick) and winner(claim.trick, claim) == claim.trick[0].seat


def by_the_seven(claim: Claim) -> bool:
    if not claim.whole_trick:
        return True
    stopped = special(claim) + "U" in up(claim)
    best = ("BB" if "BB" in kaisers(claim) else "", special(claim) + "5", special(claim) + "U")
    expected = next(one for one in best if one in up(claim)) if stopped else up(claim)[0]
    return taken_by(claim).card == expected


def won(claim: Claim) -> bool:
    """The card that is named takes the trick, and its seat leads the next one."""
    trick = claim.whole_trick
    return (
        claim.named() == [taken_by(claim).card]
        and claim.param("seat").seat == winner(trick, claim)
        and claim.param("suit").code == taken_by(claim).card[0]
    )


def beaten(claim: Claim) -> str:
    (one,) = claim.named("beaten")
    return one


def is_mugg(claim: Claim) -> bool:
    return taken_by(claim).card == "BB" and "BB" in kaisers(claim)


def is_kaiser(claim: Claim) -> bool:
    return taken_by(claim).card in kaisers(claim) - {"BB"}


def over(claim: Claim) -> bool:
    """Whether what is named as beaten would take the trick if the card that does lay face down."""
    taken, trick = taken_by(claim), laid(claim.whole_trick)
    without = [one._replace(up=False) if one == taken else one for one in trick]
    next_best = without[place_of(without, special(claim), kaisers(claim))]
    return taken != trick[0] and beaten(claim) == next_best.card


def led(claim: Claim) -> bool:
    return taken_by(claim) == laid(claim.whole_trick)[0]


def led_plain(claim: Claim) -> bool:
    """Whether a card that is no trump is led."""
    return not claim.trick and wins_so_far(claim) and not trumps(claim, [claim.action.split()[1]])


def holds_unless(claim: Claim, *others: Callable[[Claim], bool]) -> bool:
    """Whether the trick goes to the card led, to the highest trump, or in another of these ways."""
    return not claim.whole_trick or any(one(claim) for one in (led, highest_trump, *others))


def opened(claim: Claim, card: str) -> bool:
    """Whether that card of whoever is told lay open when it was dealt."""
    now = claim.state.round
    places = [place for place, one in enumerate(now.opens) if PACK.names[one] == card]
    return any(now.owner(place) == claim.seat for place in places)


def gone(claim: Claim) -> list[str]:
    return claim.action.split()[1:]


def left(claim: Claim) -> list[str]:
    return [one for one in claim.hand if one not in gone(claim)]


def ended(claim: Claim) -> tuple[int, ...]:
    points = claim.game.round_scores(claim.after)
    assert points is not None
    return points


def tricks_won(claim: Claim, team: int) -> int:
    return int(claim.after.tricks.won[team])


def declared(claim: Claim, seat: int, among: Sequence[Done] | None = None) -> list[str]:
    """The Kaisers that somebody declared in this round, or `among` what was done."""
    done = [*claim.before, *claim.later] if among is None else among
    return [one.text.split()[1] for one in done if one.seat == seat and "kaiser" in one.text]


def known_of(claim: Claim, seat: int) -> set[str]:
    """Cards that everybody has seen of a seat, and nobody has seen played."""
    played = {done.text.removeprefix("play ") for done in claim.before}
    opens = {card for owner, card in opens_unseen(claim) if owner == seat}
    return opens | ({*declared(claim, seat, claim.before)} - played)


def partner(claim: Claim) -> int:
    return (claim.seat + 2) % 4


def partner_takes(claim: Claim, cards: set[str]) -> bool:
    """Whether the partner would take the trick with one of these cards after that play."""
    lying, seat = with_it(claim), partner(claim)
    return any(winner([*lying, Done(seat, card)], claim) == seat for card in cards)


def throws_lowest(claim: Claim) -> bool:
    """Whether no card that stays is lower than what is thrown out, of those that are no trumps and
    may not become any."""
    return (
        claim.action.startswith("discard")
        and not trumps(claim, gone(claim))
        and not to_be(claim, gone(claim))
        and all(
            PLAIN.index(one[1]) <= min(PLAIN.index(thrown[1]) for thrown in gone(claim))
            for one in left(claim)
            if not trumps(claim, [one]) and not to_be(claim, [one])
        )
    )


def led_trump(claim: Claim) -> bool:
    """Whether a trump is led that only a higher one beats."""
    return (
        not claim.trick
        and bool(trumps(claim, [claim.action.split()[1]]))
        and (not claim.whole_trick or led(claim) or (highest_trump(claim) and higher_trump(claim)))
    )


MEANINGS: Final[dict[str, Meaning]] = {
    # Of whoever holds no Banner the same is asked: the board must not tell.
    "asks_kaiser": lambda c: step(c) == "declare" and "pass" in c.legal,
    "asks_no_kaiser": lambda c: step(c) == "declare" and c.asked and c.legal == ["pass"],
    "asks_threeup": lambda c: set(c.legal) == {"threeup", "pass"},
    "asks_raise": lambda c: c.legal == ["raise 1", "raise 3"],
    "asks_raise_1": lambda c: c.legal == ["raise 1"],
    "asks_lift": lambda c: set(c.legal) == {"lift", "stay"},
    "asks_answer": lambda c: set(c.legal) == {"accept", "resign"},
    "asks_discard": lambda c: all(len(text.split()) == 3 for text in c.legal),
    "asks_lead": lambda c: not c.trick and len(c.legal) == len(c.hand),
    "asks_play": lambda c: bool(c.trick) and len(c.legal) == 2 * len(c.hand),
    "own_trumps": names_own_trumps,
    "own_trumps_but": lambda c: names_own_trumps(c) and names_others(c),
    "own_no_trump": lambda c: not trumps(c, c.hand),
    "own_no_trump_but": lambda c: not trumps(c, c.hand) and names_others(c),
    "own_seven": lambda c: stop_the_seven(c) == {special(c) + "U"},
    "own_seven_sure": lambda c: not stop_the_seven(c),
    "tip_declare_open": lambda c: declares(c, opens=True, raised=False),
    "tip_declare_open_raise": lambda c: declares(c, opens=True, raised=True),
    "tip_declare_later": lambda c: declares(c, later=True, raised=False),
    "tip_declare_later_raise": lambda c: declares(c, later=True, raised=True),
    "tip_declare_last": lambda c: declares(c, raised=False),
    "tip_declare_last_raise": lambda c: declares(c, raised=True),
    "tip_no_kaiser": lambda c: (
        c.legal == ["pass"] and step(c) == "declare" and not declared(c, c.seat, c.before)
    ),
    "tip_no_other_kaiser": lambda c: (
        c.legal == ["pass"] and step(c) == "declare" and bool(declared(c, c.seat, c.before))
    ),
    "tip_raise": lambda c: (
        c.legal == ["raise 1", "raise 3"]
        and refused(c, "raise 1", c.param("value"))
        and refused(c, "raise 3", c.param("value"))
        and accepted(c, "raise 1") == c.param("low")
        and accepted(c, "raise 3") == c.param("high")
        and value(c.once("raise 1", "accept", "lift", "accept")) == c.param("high")
        and any(declared(c, seat) for seat in (c.seat, (c.seat + 2) % 4))
    ),
    "tip_raise_1": lambda c: (
        c.legal == ["raise 1"]
        and refused(c, "raise 1", c.param("value"))
        and accepted(c, "raise 1") == c.param("raised")
        and any(declared(c, seat) for seat in (c.seat, (c.seat + 2) % 4))
    ),
    "tip_lift": lambda c: (
        refused(c, "lift", c.param("value")) and accepted(c, "lift") == c.param("raised")
    ),
    "tip_call": lambda c: calls(c) and not is_asked_in_turn(c),
    "tip_call_again": lambda c: calls(c) and is_asked_in_turn(c),
    "tip_answer": lambda c: (
        resigned(c, c.param("value"))
        and not ends_match(c)
        and value(c.once("accept")) == c.param("raised")
        and not doomed(c)
    ),
    "tip_answer_match": lambda c: resigned(c, c.param("value")) and ends_match(c),
    "tip_answer_1": lambda c: (
        resigned(c, c.param("value"))
        and value(c.once("accept")) == c.param("raised")
        and value(c.once("accept", "lift", "accept")) == c.param("high")
        and not ends_match(c)
        and not doomed(c)
    ),
    "tip_declare_void": lambda c: step(c) == "declare" and doomed(c),
    "tip_offer_void": lambda c: (
        all(refused(c, text, c.param("value")) for text in c.legal if text != "pass")
        and step(c) in ("raise", "raise by 1", "call")
        and doomed(c)
    ),
    "tip_lift_void": lambda c: refused(c, "lift", c.param("value")) and doomed(c),
    "tip_answer_void": lambda c: resigned(c, c.param("value")) and doomed(c),
    "tip_discard": lambda c: step(c) == "discard" and len(c.hand) == 7,
    "tip_lead": lambda c: step(c) == "play" and not c.trick,
    "tip_follow": lambda c: bool(c.trick) and not by_seven(c) and by_the_rule(c),
    "tip_last": lambda c: step(c) == "play" and len(c.hand) == 1,
    "tip_lost": lambda c: bool(c.trick) and not winning_cards(c) and not by_seven(c),
    "tip_partner": lambda c: (
        bool(c.trick)
        and not by_seven(c)
        and winner(c.trick, c) == (c.seat + 2) % 4
        and all(text.startswith("play") for text in c.legal)
    ),
    "tip_partner_open": lambda c: (
        not by_seven(c)
        and winner(c.trick, c) == (c.seat + 2) % 4
        and {c.param("seat").seat} == opponents_to_come(c)
        and any(fewer_beat(c, card) for card in c.hand)
    ),
    "tip_partner_threat": lambda c: (
        not by_seven(c)
        and winner(c.trick, c) == (c.seat + 2) % 4
        and c.param("seat").seat in opponents_to_come(c)
        and (c.param("seat").seat, *c.named()) in opens_unseen(c)
        and takes(c, c.param("seat").seat, *c.named()) == c.param("seat").seat
    ),
    "tip_follow_seven": lambda c: bool(c.trick) and by_seven(c) and by_the_seven(c),
    "tip_follow_seven_sure": lambda c: (
        bool(c.trick)
        and by_seven(c)
        and (not c.whole_trick or led(c))
        and special(c) + "U" not in [*c.hand, *c.others]
    ),
    "why_kaiser_stays": lambda c: step(c) == "discard" and set(c.cards) <= kaisers(c),
    "why_not_a_banner": lambda c: step(c) == "declare" and not {*c.cards} & {*BANNERS},
    "why_already_kaiser": lambda c: step(c) == "declare" and {*c.cards} <= kaisers(c),
    "why_was_open": lambda c: (
        {*c.cards} <= {*BANNERS} - kaisers(c) and all(opened(c, one) for one in c.cards)
    ),
    "why_word": lambda c: step(c) not in ("play", "discard", "declare"),
    "advice_kaiser": lambda c: (
        c.action.startswith("kaiser") and c.action != "kaiser BB" and not doomed(c)
    ),
    "advice_kaiser_mugg": lambda c: c.action == "kaiser BB" and not doomed(c),
    "advice_raise_1": lambda c: (
        c.action == "raise 1"
        and refused(c, c.action, c.count)
        and accepted(c, c.action) == c.param("raised")
        and value(c.once("raise 1", "accept", "lift", "accept")) == c.param("high")
    ),
    "advice_raise": lambda c: (
        c.action in ("raise 1", "raise 3", "lift", "threeup")
        and refused(c, c.action, c.count)
        and accepted(c, c.action) == c.param("raised")
    ),
    "advice_many_trumps": lambda c: bold(c) and len(trumps(c, c.hand)) == c.count >= 3,
    "advice_trumps_so_far": lambda c: (
        bold(c)
        and len(trumps(c, c.hand)) == c.count > 0
        and len(c.hand) == c.param("cards") in range(2, 4)
    ),
    "advice_first_trump": lambda c: bold(c) and len(trumps(c, c.hand)) == len(c.hand) == 1,
    "advice_first_five": lambda c: (
        bold(c)
        and c.state.round.special is None
        and [rank(one, one[0], frozenset()) for one in c.hand if opened(c, one)] == [2]
    ),
    "advice_partner_five": lambda c: (
        bold(c)
        and c.state.round.special is None
        and not c.hand
        and any(
            PACK.names[card][1] == "5" and c.state.round.owner(place) == (c.seat + 2) % 4
            for place, card in enumerate(c.state.round.opens)
        )
    ),
    "advice_first_no_trump": lambda c: meek(c) and len(c.hand) == 1 and not trumps(c, c.hand),
    "advice_one_trump": lambda c: meek(c) and len(trumps(c, c.hand)) == 1 and not to_be(c, c.hand),
    "advice_trumpless": lambda c: meek(c) and not trumps(c, c.hand) and not to_be(c, c.hand),
    "advice_accept": lambda c: (
        c.action == "accept"
        and resigned(c, c.count)
        and value(c.after) == c.param("raised")
        and not doomed(c)
        and not ends_match(c)
    ),
    "advice_accept_1": lambda c: (
        c.action == "accept"
        and resigned(c, c.count)
        and value(c.after) == c.param("raised")
        and value(c.once("accept", "lift", "accept")) == c.param("high")
        and not doomed(c)
        and not ends_match(c)
    ),
    "advice_resign_1": lambda c: (
        c.action == "resign"
        and resigned(c, c.count)
        and value(c.once("accept", "lift", "accept")) == c.param("high")
        and not ends_match(c)
    ),
    "advice_enough": lambda c: (
        c.action in ("pass", "stay", "raise 1")
        and len(c.legal) == 2
        and c.count == value(c.state)
        and c.state.round.scores[c.seat] + c.count >= c.state.round.target
        and not doomed(c)
    ),
    "advice_resign": lambda c: c.action == "resign" and resigned(c, c.count) and not ends_match(c),
    "advice_resign_saves": lambda c: (
        c.action == "resign"
        and not ends_match(c)
        and value(c.once("accept")) + c.state.round.scores[1 - c.seat] >= c.state.round.target
    ),
    "advice_accept_match": lambda c: c.action == "accept" and ends_match(c),
    "advice_resign_match": lambda c: c.action == "resign" and ends_match(c),
    "advice_stays": lambda c: c.action in ("pass", "stay") and value(c.after) == c.count,
    "advice_stakes": lambda c: (
        c.action in ("pass", "stay")
        and value(c.after) == c.param("value")
        and accepted(c, "threeup" if "threeup" in c.legal else "lift") == c.count
        and (
            c.state.round.scores[1 - c.seat] + value(c.state) < c.state.round.target
            or c.state.round.scores[c.seat] + value(c.state) >= c.state.round.target
        )
    ),
    "advice_nothing_to_lose": lambda c: (
        c.action in ("raise 1", "raise 3", "lift", "threeup")
        and c.state.round.scores[1 - c.seat] + value(c.state) >= c.state.round.target
        and c.state.round.scores[c.seat] + value(c.state) < c.state.round.target
        and not doomed(c)
    ),
    "advice_raise_void": lambda c: refused(c, c.action, c.count) and doomed(c),
    "advice_accept_void": lambda c: c.action == "accept" and doomed(c),
    "advice_resign_void": lambda c: (
        c.action == "resign" and resigned(c, c.count) and doomed(replace(c, after=c.state))
    ),
    "advice_void": lambda c: c.action.split()[0] in ("kaiser", "pass", "stay") and doomed(c),
    "advice_no_trumps": lambda c: (
        c.action.startswith("discard") and not trumps(c, c.hand) and not to_be(c, c.hand)
    ),
    "advice_no_trump_left": lambda c: (
        c.action.startswith("discard") and not trumps(c, left(c)) and not to_be(c, left(c))
    ),
    "advice_banner_kept": lambda c: (
        c.action.startswith("discard") and len(to_be(c, left(c))) == c.count > 0
    ),
    "advice_banner_gone": lambda c: c.action.startswith("discard") and bool(to_be(c, gone(c))),
    "advice_keep_trumps": lambda c: (
        c.action.startswith("discard")
        and not trumps(c, gone(c))
        and c.count > 0
        and len(trumps(c, left(c))) == c.count
    ),
    "advice_trumps_left": lambda c: (
        c.action.startswith("discard")
        and len(trumps(c, gone(c))) > 0
        and len(trumps(c, left(c))) == c.count
    ),
    "advice_lowest_of_all": lambda c: (
        c.action.startswith("discard")
        and not any(trumps(c, [one]) or to_be(c, [one]) for one in c.hand)
        and all(
            PLAIN.index(one[1]) <= min(PLAIN.index(thrown[1]) for thrown in gone(c))
            for one in left(c)
        )
    ),
    "advice_lowest": lambda c: throws_lowest(c) and bool(to_be(c, c.hand)),
    "advice_lowest_plain": lambda c: throws_lowest(c) and not to_be(c, c.hand),
    "advice_takes": lambda c: len(c.trick) == 3 and wins_so_far(c),
    "advice_wins_round": lambda c: (
        wins_so_far(c)
        and c.state.tricks.won[c.seat % 2] == 2
        and (not c.whole_trick or winner(c.whole_trick, c) % 2 == c.seat % 2)
    ),
    "advice_lead_seven_own": lambda c: (
        not c.trick
        and c.action.split()[1] == special(c) + "7"
        and special(c) + "U" in c.hand
        and (not c.whole_trick or led(c))
    ),
    "advice_beats_open": lambda c: (
        bool(c.trick)
        and wins_so_far(c)
        and any(
            takes(c, seat, card) == seat and winner([*with_it(c), Done(seat, card)], c) == c.seat
            for seat, card in opens_unseen(c)
            if seat in opponents_to_come(c)
        )
    ),
    "advice_wins_so_far": lambda c: (
        wins_so_far(c)
        and 0 < len(c.trick) < 3
        and len(held_against(c)) <= c.param("left") <= len({*beaters(c)} & unseen(c))
        and c.param("left") > 0
    ),
    "advice_unbeatable": lambda c: (
        wins_so_far(c)
        and not held_against(c)
        and (not c.whole_trick or winner(c.whole_trick, c) % 2 == c.seat % 2)
    ),
    "advice_lead": lambda c: (
        led_plain(c)
        and holds_unless(c, highest_led)
        and c.param("left") <= 2
        and len(held_against(c)) <= c.param("left") <= len({*beaters(c)} & unseen(c))
    ),
    "advice_lead_unless": lambda c: (
        led_plain(c) and holds_unless(c, highest_led) and len({*beaters(c)} & unseen(c)) > 2
    ),
    "advice_lead_lowest": lambda c: (
        led_plain(c)
        and len({PLAIN.index(one[1]) for one in c.hand if not trumps(c, [one])}) > 1
        and all(
            trumps(c, [one]) or PLAIN.index(one[1]) <= PLAIN.index(c.action.split()[1][1])
            for one in c.hand
        )
    ),
    "advice_lead_king": lambda c: led_plain(c) and holds_unless(c),
    "advice_keeps": lambda c: (
        playing(c)
        and len(trumps(c, [one for one in c.hand if one not in c.action.split()])) == c.count > 0
        and not trumps(c, c.action.split()[1:2])
    ),
    "advice_lead_trump_unless": lambda c: led_trump(c) and len({*beaters(c)} & unseen(c)) > 2,
    "advice_lead_trump": lambda c: (
        led_trump(c)
        and c.param("left") <= 2
        and len(held_against(c)) <= c.param("left") <= len({*beaters(c)} & unseen(c))
    ),
    "advice_mugg": lambda c: (
        c.action == "play BB"
        and "BB" in kaisers(c)
        and winner(c.whole_trick or with_it(c), c) == c.seat
    ),
    "advice_lead_seven": lambda c: (
        not c.trick
        and c.action.split()[1] == special(c) + "7"
        and special(c) + "U" in unseen(c)
        and (not c.whole_trick or led(c) or special(c) + "U" in up(c))
    ),
    # After the special Seven it may still win, if the special Unter comes.
    "advice_partner": lambda c: (
        playing(c) and winner(with_it(c), c) == (c.seat + 2) % 4 and (loses(c) or seven(c, c.trick))
    ),
    "advice_partner_sure": lambda c: (
        playing(c)
        and winner(with_it(c), c) == (c.seat + 2) % 4
        and not held_against(c)
        and (not c.whole_trick or winner(c.whole_trick, c) % 2 == c.seat % 2)
    ),
    "advice_partner_kaiser": lambda c: (
        playing(c)
        and loses(c)
        and len(c.trick) == 1
        and partner_takes(c, {*declared(c, partner(c), c.before)} & {*c.at(f"hand {partner(c)}")})
    ),
    "advice_partner_must": lambda c: (
        playing(c)
        and (loses(c) or seven(c, c.trick))
        and len(c.trick) < 2
        and c.state.tricks.won[1 - c.seat % 2] == 2
    ),
    "advice_partner_can": lambda c: (
        playing(c) and loses(c) and len(c.trick) == 1 and partner_takes(c, known_of(c, partner(c)))
    ),
    "advice_down": lambda c: c.action.endswith("down") and loses(c),
    "advice_spares_trumps": lambda c: (
        playing(c)
        and loses(c)
        and len(trumps(c, c.hand)) == c.count > 0
        and not trumps(c, [c.action.split()[1]])
    ),
    "advice_loses": lambda c: playing(c) and not wins_so_far(c) and not winning_cards(c),
    "advice_keeps_better": lambda c: playing(c) and not wins_so_far(c) and bool(winning_cards(c)),
    "won_seven": lambda c: won(c) and seven(c, c.whole_trick) and special(c) + "U" not in up(c),
    "won_unter": lambda c: (
        won(c)
        and seven(c, c.whole_trick)
        and taken_by(c).card == special(c) + "U"
        and beaten(c) == special(c) + "7"
    ),
    "won_with_unter": lambda c: (
        won(c)
        and seven(c, c.whole_trick)
        and special(c) + "U" in up(c)
        and highest_trump(c)
        and beaten(c) == special(c) + "7"
    ),
    "won_mugg": lambda c: won(c) and is_mugg(c) and led(c),
    "won_mugg_over": lambda c: won(c) and is_mugg(c) and over(c),
    "won_kaiser": lambda c: won(c) and is_kaiser(c) and highest_trump(c) and led(c),
    "won_kaiser_over": lambda c: won(c) and is_kaiser(c) and highest_trump(c) and over(c),
    "won_first_kaiser": lambda c: (
        won(c)
        and len({*up(c)} & (kaisers(c) - {"BB"})) > 1
        and taken_by(c).card == next(one for one in up(c) if one in kaisers(c) - {"BB"})
    ),
    "won_trump": lambda c: (
        won(c) and highest_trump(c) and not is_mugg(c) and not is_kaiser(c) and led(c)
    ),
    "won_trump_over": lambda c: won(c) and highest_trump(c) and over(c),
    "won_suit_led": lambda c: won(c) and highest_led(c) and not trumps(c, up(c)),
    "won_over_trump": lambda c: (
        won(c) and highest_led(c) and bool(trumps(c, [beaten(c)])) and beaten(c) in up(c)
    ),
    "round_void": lambda c: not any(ended(c)),
    "story_kaisers": lambda c: sorted(c.named()) == sorted(declared(c, c.param("seat").seat)),
    "story_resigned": lambda c: (
        c.later[-1] == Done(c.param("seat").seat, "resign")
        and ended(c)[c.param("seat").seat - 1] == c.param("value")
    ),
    "story_tricks": lambda c: (
        {c.param("first").seat % 2} == {c.param("second").seat % 2}
        and tricks_won(c, c.param("first").seat % 2) == 3
        and tricks_won(c, 1 - c.param("first").seat % 2) == c.param("other")
    ),
    "story_round": lambda c: c.points == 4 < ended(c)[c.seat],
    "story_unraised": lambda c: c.points == 4 == ended(c)[c.seat],
    "story_raises": lambda c: c.points == ended(c)[c.seat] - 4 > 0,
}
