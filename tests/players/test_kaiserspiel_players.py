"""What computer players of Kaiserspiel do where the sensible move is plain; and compiled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Final, NamedTuple

import pytest

from engine.game import CHANCE, Options
from engine.games.kaiserspiel import GAME
from engine.games.kaiserspiel.cards import PACK, SUITS, Move
from engine.games.kaiserspiel.questions import PLAYS, Question, Step
from engine.games.kaiserspiel.state import Round, RoundCards, State, View
from engine.players.chance import chance_of
from engine.players.kaiserspiel.kit import match_share
from engine.players.player import Budget
from engine.players.roster import adviser, kit_of, player

ROSES: Final = SUITS.index("R")
FACES: Final = {code: card for card, code in enumerate(PACK.names)}


def position(
    hand: str,
    *,
    laid: Sequence[str] = (),
    leaders: tuple[int, ...],
    kaisers: tuple[str, str, str, str] = ("", "", "", ""),
    question: Question = PLAYS[0],
) -> State:
    """Seat 0 is asked, and holds these cards; the rest is dealt by chance, roses are special."""
    rng = Random(hand)
    cards = [FACES[card] for card in laid]
    mine = PACK.mask(hand.split())
    own = [PACK.mask(codes.split()) for codes in kaisers]
    used = mine | sum(own) | sum(1 << card for card in cards)
    stock = [card for card in range(40) if not used >> card & 1 and card % 10 != 3]
    rng.shuffle(stock)
    places = [(leaders[place // 4] + place) % 4 for place in range(len(cards))]
    hands, discards, opens = [], [], []
    for seat in range(4):
        played = sum(1 << card for card, by in zip(cards, places, strict=True) if by == seat)
        held = mine if seat == 0 else own[seat] & ~played
        while held.bit_count() < 5 - places.count(seat):
            held |= 1 << stock.pop()
        hands.append(held)
        thrown = [stock.pop(), stock.pop()]
        discards.append(sum(1 << card for card in thrown))
        opens.append(thrown[0])
    return State(
        question=question,
        applied=50,
        value=4,
        round=Round(41, 41, number=1, dealer=3, opens=tuple(opens), special=ROSES, cut=stock.pop()),
        cards=RoundCards(bytes(stock), tuple(own), tuple(discards), leaders),
        hands=tuple(hands),
        laid=bytes(cards),
    )


def scores_of(view: View) -> tuple[int, int]:
    """Points of the team that is asked, and of the other."""
    seat = view.question.seats[0]
    return view.round.scores[seat], view.round.scores[1 - seat % 2]


def is_for_the_match(view: View) -> bool:
    """Whether it is asked about an offer that makes the round decide a match to 10 points, and
    to resign does not."""
    own, other = scores_of(view)
    return (
        view.step == "answer call"
        and not view.round.doomed
        and view.value + 3 >= 10 - min(own, other)
        and other + view.value < 10
    )


def chosen(state: State, name: str = "greedy", playouts: int = 150) -> str:
    """What a player does as seat 0."""
    decision = player(name, GAME).decide(GAME.observe(state, 0), Budget(playouts), Random(1))
    action: Move = decision.action
    return GAME.format_action(action)


JUNK: Final = ("A2", "S3", "B4", "A5", "S2", "B6", "A3", "S4")
"""Two tricks of cards that are worth little."""


def asked(step: Step, pause: int = 5, queue: tuple[int, ...] = (1, 2, 3, 0)) -> Question:
    """A question of seat 0 after the discards."""
    return Question(step, (0,), pause, queue, -1, 3)


class Plain(NamedTuple):
    """A position with a move that anybody would make."""

    state: State
    best: str
    names: tuple[str, ...] = ("greedy",)


BEST: Final = position("R5 RU R6 R2 BB", leaders=(0,), kaisers=("BB", "", "", ""))
"""The best cards there are."""
HOPELESS: Final = position(
    "A2 S3 B4 A5 SO", leaders=(0,), kaisers=("", "BB", "", ""), question=asked("answer 3")
)
DISCARDING: Final = position(
    "R5 RU R6 AK SK B2 A3", leaders=(0,), question=Question("discard", (0, 1, 2, 3))
)
LATE: Final = ("RU", "A2", "B3", "S4", "A3", "S2", "B2", "B4", "B6", "S3", "A4", "B5")
"""Three tricks, two of them the others'; the special Unter is gone."""

PLAIN: Final = {
    "the partner's Ober stands when the last card is laid": Plain(
        position("R5 RU AK S2 B4", laid=("A4", "AO", "A6"), leaders=(1,)), "play S2"
    ),
    "who has nothing but trumps lays one face down on the partner's trick": Plain(
        position("R5 RU R2", laid=(*JUNK, "A4", "AO", "A6"), leaders=(1, 2, 1)), "play R2 down"
    ),
    "the others have two tricks, and the third can be had": Plain(
        position("S5 RU B2", laid=(*JUNK, "AO", "A4", "A6"), leaders=(1, 1, 1)),
        "play RU",
        ("greedy", "guided", "pimc"),
    ),
    "the cheapest card that is enough takes the trick": Plain(
        position("R5 AK RU S2 B4", laid=("A4", "A2", "AO"), leaders=(1,)), "play AK"
    ),
    "no good card is thrown after the Mugg, which nothing beats": Plain(
        position(
            "R5 AK RU S2 B4", laid=("BB", "A2", "AO"), leaders=(1,), kaisers=("", "BB", "", "")
        ),
        "play S2",
    ),
    "a special Seven wins when it is led": Plain(
        position("R7 BO", laid=LATE, leaders=(3, 3, 0, 0)), "play R7", ("greedy", "guided")
    ),
    "what can win nothing is thrown out": Plain(
        DISCARDING._replace(cards=DISCARDING.cards._replace(discards=(0,) * 4)), "discard A3 B2"
    ),
    "nobody gives up with the best cards, for 1": Plain(
        BEST._replace(question=asked("answer 1")), "accept", ("greedy", "guided")
    ),
    "nobody gives up with the best cards, for 3": Plain(
        BEST._replace(question=asked("answer 3")), "accept", ("greedy", "guided")
    ),
    "nobody gives up with the best cards, for a lift": Plain(
        BEST._replace(question=asked("answer lift")), "accept", ("greedy", "guided")
    ),
    "a hopeless hand gives the round up for three more": Plain(HOPELESS, "resign"),
    "a hopeless hand plays on for one more": Plain(
        HOPELESS._replace(question=asked("answer 1"), value=25), "accept"
    ),
    "the best cards are worth a lift": Plain(
        BEST._replace(question=asked("lift")), "lift", ("greedy", "guided")
    ),
    "a Banner in good company is declared": Plain(
        position("R5 RU R6 R2 BB", leaders=(0,), question=asked("declare", queue=(0,))),
        "kaiser BB",
        ("greedy", "guided", "pimc"),
    ),
}


@pytest.mark.parametrize("what", PLAIN)
def test_what_is_plain_is_found(what: str) -> None:
    plain = PLAIN[what]
    assert {name: chosen(plain.state, name) for name in plain.names} == dict.fromkeys(
        plain.names, plain.best
    )


EVERY_PLAYER: Final = ("easy", "normal", "pimc", "guided", "strong")

LEAST: Final[Mapping[Step, Move]] = {
    "call": Move("pass"),
    "raise": Move("raise 1"),
    "lift": Move("stay"),
}
"""By question: the word for no more at stake than has to be."""


def asked_at_random(seed: int, options: Options) -> Iterator[View]:
    """What is asked in matches of random play, one after the other, without an end."""
    rng = Random(seed)
    while True:
        state = GAME.initial(4, GAME.complete_options(4, options))
        while actors := GAME.actors(state):
            if actors == (CHANCE,):
                state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
                continue
            view = GAME.observe(state, actors[0])
            yield view
            state = GAME.apply(state, actors[0], rng.choice(view.legal_actions))


@pytest.mark.parametrize("name", EVERY_PLAYER)
@pytest.mark.parametrize("playouts", [0, 20])
def test_nobody_resigns_the_match(name: str, playouts: int) -> None:
    """To accept may lose it as well, but no more: what a round costs says nothing any more."""
    views = asked_at_random(8, {"target": 4, "limit": False})
    offers = (view for view in views if Move("resign") in view.legal_actions)
    for number, view in enumerate(islice(offers, 12)):
        found = player(name, GAME).decide(view, Budget(playouts), Random(number))
        assert found.action == Move("accept")
        assert Move("resign") not in [one.action for one in found.estimates]


@pytest.mark.parametrize("name", EVERY_PLAYER)
@pytest.mark.parametrize("playouts", [0, 20])
def test_nobody_plays_for_more_than_wins_the_match(name: str, playouts: int) -> None:
    """Who needs no more than the round is worth already could only lose more by a raise."""
    views = asked_at_random(5, {"target": 4, "limit": False})
    open_to_more = (view for view in views if view.step in LEAST and not view.round.doomed)
    asked = set()
    for number, view in enumerate(islice(open_to_more, 200)):
        found = player(name, GAME).decide(view, Budget(playouts), Random(number))
        assert found.action == LEAST[view.step]
        asked.add(view.step)
    assert asked == {*LEAST}


MOST: Final[Mapping[Step, Move]] = {
    "call": Move("threeup"),
    "raise": Move("raise 3"),
    "lift": Move("lift"),
}
"""By question: the word for as much at stake as can be."""


def test_rules_of_thumb_know_the_score_of_the_match() -> None:
    """They also play for both pairs in playouts, where nobody looks for what is pointless."""
    kit = kit_of("kaiserspiel")
    assert kit is not None
    asked: Counter[str] = Counter()
    for number, view in enumerate(islice(asked_at_random(1, {"target": 10}), 12_000)):
        (seat, *_), scores = view.question.seats, view.round.scores
        if view.round.doomed or not (view.step in MOST or Move("resign") in view.legal_actions):
            continue
        known = kit.question(view)
        said = known.actions[kit.greedy(known.known, known.moves, chance_of(Random(number)))]
        if said.verb in ("accept", "resign") and scores[1 - seat] + view.value >= 10:
            assert said.verb == "accept", "to resign would give them the match"
            asked["accept"] += 1
        elif view.step in MOST and scores[seat] + view.value >= 10:
            assert said == LEAST[view.step], "that is enough"
            asked["enough"] += 1
        elif view.step in MOST and scores[1 - seat] + view.value >= 10:
            assert said == MOST[view.step], "the round costs the match, whatever it is worth"
            asked[view.step] += 1
    assert {*asked} == {"accept", "enough", *MOST}, asked


@pytest.mark.parametrize("bounded", [True, False])
def test_what_is_won_of_matches_adds_up_and_is_more_the_less_is_needed(bounded: bool) -> None:
    for own in range(1, 42):
        assert match_share(own, own, bounded=bounded) == pytest.approx(0.5)
        for other in range(1, 42):
            share = match_share(own, other, bounded=bounded)
            assert share + match_share(other, own, bounded=bounded) == pytest.approx(1)
            assert match_share(own - 1, other, bounded=bounded) >= share
    assert match_share(3, 4, bounded=True) == 0.5, "any round decides it"


def test_no_point_is_given_away_for_nothing() -> None:
    """Rounds of few sizes would make four points of a long match worthless, as often as not."""
    for needs in range(16, 42):
        share = partial(match_share, bounded=True)
        resigned = share(needs, needs - 4)
        assert resigned < 0.5 - 0.01
        accepted = 0.34 * share(needs - 7, needs) + 0.66 * share(needs, needs - 7)
        assert accepted > resigned, "seven points for a third, or four for sure"


def test_whoever_advises_on_an_offer_weighs_the_match_and_not_the_points() -> None:
    """At 7:0 of 10 to resign 7 points leaves an even match; to accept 10 stakes it on this hand."""
    chosen_verbs = set()
    offers = (view for view in asked_at_random(2, {"target": 10}) if is_for_the_match(view))
    for number, view in enumerate(islice(offers, 60)):
        own, other = scores_of(view)
        found = adviser(GAME).decide(view, Budget(300), Random(number))
        rows = {row.action.verb: row for row in found.estimates}
        after = match_share(10 - own, 10 - other - view.value, bounded=True)
        assert rows["resign"].value == pytest.approx(after)
        assert rows["accept"].value == pytest.approx(rows["accept"].won)
        chosen_verbs.add(found.action.verb)
    assert chosen_verbs == {"accept", "resign"}


def test_strong_says_what_the_rules_of_thumb_say_and_searches_for_cards() -> None:
    said = searched = 0
    rng, options = Random(4), GAME.complete_options(4, {})
    state = GAME.initial(4, options)
    while said < 5 or searched < 5:
        (seat, *_) = GAME.actors(state) or (None,)
        if seat is None:
            state = GAME.initial(4, options)
            continue
        if seat == CHANCE:
            state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
            continue
        view = GAME.observe(state, seat)
        strong = player("strong", GAME).decide(view, Budget(20), Random(1))
        greedy = player("greedy", GAME).decide(view, Budget(20), Random(1))
        if state.step != "play":
            assert strong == greedy
            said += 1
        searched += bool(strong.estimates)
        state = GAME.apply(state, seat, greedy.action)
