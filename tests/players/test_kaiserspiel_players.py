"""What computer players of Kaiserspiel do where the sensible move is plain; and compiled."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

import pytest

from engine.game import CHANCE
from engine.games.kaiserspiel import GAME
from engine.games.kaiserspiel.cards import DOWN, PACK, SUITS
from engine.games.kaiserspiel.moves import Move
from engine.games.kaiserspiel.questions import PLAYS, Question, Step
from engine.games.kaiserspiel.state import Round, RoundCards, State
from engine.players.kaiserspiel import KIT
from engine.players.player import Budget
from engine.players.roster import player
from engine.players.search import GreedyPlayer

ROSES: Final = SUITS.index("R")
FACES: Final = {code: card for card, code in enumerate(PACK.names)}


def position(
    hand: str,
    *,
    laid: Sequence[str] = (),
    leaders: tuple[int, ...],
    kaisers: tuple[str, str, str, str] = ("", "", "", ""),
    value: int = 4,
    question: Question | None = None,
) -> State:
    """Seat 0 is asked, and holds these cards; the rest is dealt by chance, roses are special.

    A card that is laid face down has a `-` behind it.
    """
    rng = Random(hand)
    cards = [FACES[card.rstrip("-")] + DOWN * card.endswith("-") for card in laid]
    mine = PACK.mask(hand.split())
    own = [PACK.mask(codes.split()) for codes in kaisers]
    used = mine | sum(own) | sum(1 << card % DOWN for card in cards)
    stock = [card for card in range(40) if not used >> card & 1 and card % 10 != 3]
    rng.shuffle(stock)
    places = [(leaders[place // 4] + place) % 4 for place in range(len(cards))]
    hands, discards, opens = [], [], []
    for seat in range(4):
        played = sum(1 << card % DOWN for card, by in zip(cards, places, strict=True) if by == seat)
        held = mine if seat == 0 else own[seat] & ~played
        while held.bit_count() < 5 - places.count(seat):
            held |= 1 << stock.pop()
        hands.append(held)
        thrown = [stock.pop(), stock.pop()]
        discards.append(sum(1 << card for card in thrown))
        opens.append(thrown[0])
    return State(
        question=question or PLAYS[0],
        applied=50,
        value=value,
        round=Round(41, 41, number=1, dealer=3, opens=tuple(opens), special=ROSES, cut=stock.pop()),
        cards=RoundCards(bytes(stock), tuple(own), tuple(discards), leaders),
        hands=tuple(hands),
        laid=bytes(cards),
    )


def chosen(state: State, name: str = "greedy", playouts: int = 150) -> str:
    """What a player does as seat 0."""
    decision = player(name, GAME).decide(GAME.observe(state, 0), Budget(playouts), Random(1))
    action: Move = decision.action
    return GAME.format_action(action)


JUNK: Final = ("A2", "S3", "B4", "A5", "S2", "B6", "A3", "S4")
"""Two tricks of cards that are worth little."""


def test_a_trick_of_the_partner_is_left_to_it() -> None:
    """The partner's Ober stands when the last card is laid."""
    state = position("R5 RU AK S2 B4", laid=("A4", "AO", "A6"), leaders=(1,))
    assert chosen(state) == "play S2"


def test_who_has_nothing_but_trumps_lays_one_face_down_on_the_partners_trick() -> None:
    state = position("R5 RU R2", laid=(*JUNK, "A4", "AO", "A6"), leaders=(1, 2, 1))
    assert chosen(state) == "play R2 down"


@pytest.mark.parametrize("name", ["greedy", "guided", "pimc"])
def test_a_trick_that_can_be_had_is_taken(name: str) -> None:
    """The others have two tricks, and the third lies on the table."""
    laid = (*JUNK, "AO", "A4", "A6")
    state = position("S5 RU B2", laid=laid, leaders=(1, 1, 1))
    assert chosen(state, name) == "play RU"


def test_the_cheapest_card_that_is_enough_takes_the_trick() -> None:
    state = position("R5 AK RU S2 B4", laid=("A4", "A2", "AO"), leaders=(1,))
    assert chosen(state) == "play AK"


def test_no_good_card_is_thrown_after_a_trick_that_is_lost() -> None:
    """The Mugg lies there: nothing beats it."""
    state = position(
        "R5 AK RU S2 B4", laid=("BB", "A2", "AO"), leaders=(1,), kaisers=("", "BB", "", "")
    )
    assert chosen(state) == "play S2"


@pytest.mark.parametrize("name", ["greedy", "guided"])
def test_a_special_seven_wins_when_it_is_led(name: str) -> None:
    """The special Unter is gone; the others have two tricks."""
    laid = ("RU", "A2", "B3", "S4", "A3", "S2", "B2", "B4", "B6", "S3", "A4", "B5")
    state = position("R7 BO", laid=laid, leaders=(3, 3, 0, 0))
    assert chosen(state, name) == "play R7"


def test_what_can_win_nothing_is_thrown_out() -> None:
    question = Question("discard", (0, 1, 2, 3))
    state = position("R5 RU R6 AK SK B2 A3", leaders=(0,), question=question)
    state = state._replace(cards=state.cards._replace(discards=(0,) * 4))
    assert chosen(state) == "discard A3 B2"


def asked(step: Step, seat: int = 0) -> Question:
    """A question of the captain of seat 0 after the discards, when seat 1 or 0 has a Kaiser."""
    return Question(step, (seat,), 5, (1, 2, 3, 0), -1, 3)


@pytest.mark.parametrize("name", ["greedy", "guided"])
@pytest.mark.parametrize("step", ["answer 1", "answer 3", "answer lift"])
def test_nobody_gives_up_with_the_best_cards(name: str, step: Step) -> None:
    state = position("R5 RU R6 R2 BB", leaders=(0,), kaisers=("BB", "", "", ""))
    state = state._replace(question=asked(step))
    assert chosen(state, name) == "accept"


def test_a_hopeless_hand_answers_what_the_raise_is() -> None:
    """For three more the round is given up, for one more it is played."""
    state = position(
        "A2 S3 B4 A5 SO", leaders=(0,), kaisers=("", "BB", "", ""), question=asked("answer 3")
    )
    assert chosen(state) == "resign"
    assert chosen(state._replace(question=asked("answer 1"), value=25)) == "accept"


@pytest.mark.parametrize("name", ["greedy", "guided"])
def test_the_best_cards_are_worth_a_lift(name: str) -> None:
    state = position("R5 RU R6 R2 BB", leaders=(0,), kaisers=("BB", "", "", ""))
    assert chosen(state._replace(question=asked("lift")), name) == "lift"


@pytest.mark.parametrize("name", ["greedy", "guided", "pimc"])
def test_a_banner_in_good_company_is_declared(name: str) -> None:
    state = position("R5 RU R6 R2 BB", leaders=(0,))
    state = state._replace(question=Question("declare", (0,), 5, (0,), -1, 3))
    assert chosen(state, name) == "kaiser BB"


def test_whole_matches_are_played_by_all_players() -> None:
    names = ("random", "greedy", "pimc", "guided")
    players = [player(name, GAME) for name in names]
    rng = Random(4)
    state = GAME.initial(4, {"target": 10})
    while GAME.actors(state):
        if GAME.actors(state) == (CHANCE,):
            state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
            continue
        seat = GAME.actors(state)[0]
        view = GAME.observe(state, seat)
        state = GAME.apply(state, seat, players[seat].decide(view, Budget(8), rng).action)
    assert GAME.outcome(state) is not None


def test_greedy_beats_random() -> None:
    """A share of 96 % of all points was measured compiled."""
    rng = Random(11)
    thumb, any_card = GreedyPlayer(KIT), player("random", GAME)
    points = [0, 0]
    for match in range(12):
        state = GAME.initial(4, {"target": 41})
        while GAME.actors(state):
            if GAME.actors(state) == (CHANCE,):
                state = GAME.apply(state, CHANCE, GAME.deal(state, rng.randrange))
                continue
            seat = GAME.actors(state)[0]
            who = thumb if seat % 2 == match % 2 else any_card
            action = who.decide(GAME.observe(state, seat), Budget(), rng).action
            state = GAME.apply(state, seat, action)
        scores = GAME.scores(state)
        points[0] += scores[match % 2]
        points[1] += scores[1 - match % 2]
    assert points[0] > 0.9 * sum(points)


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
