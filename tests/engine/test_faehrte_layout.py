"""Auf falscher Fährte: what people see, press and are told, and what they may guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest

from engine.game import CHANCE, Json, NotationError, RoundHead, RuleError
from engine.games.auffalscherfaehrte import GAME
from engine.games.auffalscherfaehrte.cards import (
    DECLINE,
    JOKER,
    Hide,
    NameTrump,
    Play,
    codes,
    hand_of,
)
from engine.games.auffalscherfaehrte.rules import turned
from engine.games.auffalscherfaehrte.state import Action, CompleteTrick, Deal, State
from engine.layout import (
    Act,
    Cards,
    CardView,
    Chips,
    Headline,
    Laid,
    Layout,
    Line,
    Param,
    Phrase,
    SeatName,
    SeatRow,
    Suit,
    Tally,
    Trick,
)
from tests.determinizing import determinize
from tests.determinizing.auffalscherfaehrte import closed_to
from tests.engine.shown import all_of, one, row, seats_in
from tests.engine.walking import walk
from tests.engine.words import Catalogue

Step = tuple[State, int, Action, State]
RED: Final = Suit("R")


def steps(seats: int, seed: int, *, jokers: bool = False, rounds: int = 2) -> Iterator[Step]:
    return walk(GAME, seats, {"rounds": rounds, "jokers": jokers}, seed)


HANDS: Final = (
    "R0 R1 R2 Y0 Y1 Y2 G0 G1 G2 B0 B1 B2 B3",
    "R3 R4 R5 Y3 Y4 Y5 G3 G4 G5 B4 B5 B6 B7",
    "R6 R7 R8 Y6 Y7 Y8 G6 G7 G8 B8 B9 B10 B11",
    "R9 R10 R11 R12 Y9 Y10 Y11 Y12 G9 G10 G11 G12 B12",
)
"""Everybody can follow everything, and the higher seat has the higher cards."""


def scene(*script: str, hands: tuple[str, ...] = HANDS, rounds: int = 2, aside: str = "") -> State:
    """A match of three or four, seat 0 to lead, after lines such as `0 hide R5`."""
    seats = len(hands)
    jokers = any("J" in hand for hand in hands)
    state = GAME.initial(seats, GAME.complete_options(seats, {"rounds": rounds, "jokers": jokers}))
    data: Json = {
        "hands": [hand.split() for hand in hands],
        "aside": aside.split(),
        "reveal": list(range(seats)),
    }
    deal = GAME.deal_from_json(state, data, RoundHead(seats - 1, 0, "R"))
    state = GAME.apply(state, CHANCE, deal)
    for line in script:
        seat, text = line.split(" ", 1)
        state = GAME.apply(state, int(seat), GAME.parse_action(text))
    return state


HIDDEN: Final = ("0 hide B3", "1 hide B4", "2 hide B8", "3 hide B12")
JOKERS: Final = tuple(" ".join(f"{suit}{number}" for number in range(13)) + " J" for suit in "RYGB")
JOKERS_HIDDEN: Final = ("0 hide R12", "1 hide Y12", "2 hide G12", "3 hide B12")


def shown(state: State, seat: int | None = None) -> Layout:
    return GAME.layout(GAME.observe(state, seat))


def lines(layout: Layout) -> list[Phrase]:
    return [line.phrase for line in all_of(layout, Line)]


def chips(layout: Layout) -> list[str]:
    found = one(layout, Chips)
    return [each.code for each in found.chips]


def acts(layout: Layout) -> list[Act]:
    assert all(isinstance(control, Act) for control in layout.controls)
    return [control for control in layout.controls if isinstance(control, Act)]


# Hiding.


def test_before_the_deal_there_are_the_seats_only() -> None:
    state = GAME.initial(4, GAME.complete_options(4, {}))
    layout = shown(state)
    assert [type(block) for block in layout.blocks] == [Headline, SeatRow]
    assert not layout.controls


def test_hiding_offers_every_coloured_card_by_colour() -> None:
    layout = shown(scene(hands=JOKERS), 1)
    assert layout.asks == Phrase("asks_hide", {})
    found = acts(layout)
    assert [act.action for act in found] == [f"hide Y{number}" for number in range(13)]
    assert {act.group for act in found} == {"Y"}
    assert found[0].cards == ("Y0",)
    assert {act.style for act in found} == {"secondary"}
    hand = row(layout, "hand")
    assert [card.code for card in hand] == [*(f"Y{number}" for number in range(13)), "J"]
    assert [card.group for card in hand][-2:] == ["Y", "J"]
    assert [bool(card.marks) for card in hand] == [True] * 13 + [False]


def test_the_board_shows_who_has_chosen_and_nothing_else() -> None:
    state = scene("2 hide G6", "0 hide R0")
    layout = shown(state)
    assert layout.asks == Phrase("asks_hide", {})
    assert [seat.marks for seat in seats_in(layout)] == [
        ("chosen",), ("to_act", "choosing"), ("chosen",), ("to_act", "choosing"),
    ]  # fmt: skip
    assert not layout.controls
    assert chips(layout) == ["chip_trump"]
    own = shown(state, 2)
    assert not own.controls
    assert Phrase("own_hidden", {"cards": Cards(("G6",))}) in lines(own)
    assert "own_hidden" not in {line.code for line in lines(layout)}


def test_the_card_left_over_is_seen_all_the_time() -> None:
    hands = (
        "R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 Y0 Y1 Y2",
        "Y3 Y4 Y5 Y6 Y7 Y8 Y9 G0 G1 G2 G3 G4 G5",
        "G6 G7 G8 G9 B0 B1 B2 B3 B4 B5 B6 B7 B8",
    )
    state = scene("0 hide R0", "1 hide Y3", hands=hands, aside="B9")
    for each in (state, GAME.apply(state, 2, GAME.parse_action("hide B0"))):
        for seat in (None, 0, 2):
            assert row(shown(each, seat), "aside") == (CardView("B9", "B"),)


def test_a_joker_left_over_is_seen_too() -> None:
    for seed in range(60):
        (_, _, _, state), *_ = steps(3, seed, jokers=True)
        if state.round.aside == hand_of(["J"]):
            assert row(shown(state), "aside") == (CardView("J", "J"),)
            return
    raise AssertionError("no joker was left over")


# Playing.


def test_a_leader_may_press_every_card() -> None:
    state = scene(*HIDDEN)
    layout = shown(state, 0)
    assert layout.blocks[0] == Headline(Phrase("kind_open", {}), "±")
    assert layout.asks == Phrase("asks_lead", {})
    found = acts(layout)
    assert [act.action for act in found] == [f"play {code}" for code in HANDS[0].split()[:-1]]
    assert [act.group for act in found] == ["R"] * 3 + ["Y"] * 3 + ["G"] * 3 + ["B"] * 3
    assert {act.style for act in found} == {"secondary"}
    assert seats_in(layout)[0].marks == ("to_act", "leads", "self")
    assert shown(state).asks == Phrase("asks_lead", {})
    assert chips(layout) == ["chip_trump", "chip_trick"]


def test_who_follows_gets_only_the_legal_cards() -> None:
    state = scene(*HIDDEN, "0 play Y0")
    layout = shown(state, 1)
    found = acts(layout)
    assert [(act.action, act.group, act.style) for act in found] == [
        ("play Y3", "Y", "primary"), ("play Y4", "Y", "primary"), ("play Y5", "Y", "primary"),
    ]  # fmt: skip
    assert layout.asks == Phrase("asks_follow", {"suit": Suit("Y")})
    playable = [card.code for card in row(layout, "hand") if "playable" in card.marks]
    assert playable == ["Y3", "Y4", "Y5"]
    trumps = [card.code for card in row(layout, "hand") if "special" in card.marks]
    assert trumps == ["R3", "R4", "R5"]
    assert shown(state, 2).asks == Phrase("asks_follow", {"suit": Suit("Y")})
    assert not shown(state, 2).controls


def test_who_is_void_is_told_so() -> None:
    state = scene(*JOKERS_HIDDEN, "0 play R0", hands=JOKERS)
    assert lines(shown(state, 1))[0] == Phrase("you_are_void", {"suit": RED})
    assert shown(state, 1).asks == Phrase("asks_any")
    for other in (0, 2, None):
        assert shown(state, other).asks == Phrase("asks_follow", {"suit": RED}), "a secret"


def test_an_only_card_says_that_it_is() -> None:
    state = scene(*HIDDEN, "0 play Y0", "1 play Y3", "2 play Y6", "3 play Y9")
    assert not any(act.forced for act in acts(shown(state, 3)))
    for seed in range(20):
        for before, seat, action, _ in steps(4, seed, rounds=1):
            if seat != CHANCE and len(GAME.legal_actions(before, seat)) == 1:
                (act,) = acts(shown(before, seat))
                assert act.forced
                assert not isinstance(action, Deal)
                assert act.action == GAME.format_action(action)
                return
    raise AssertionError("nobody was ever forced")


def test_a_led_joker_asks_for_a_colour() -> None:
    state = scene(*JOKERS_HIDDEN, "0 play J", hands=JOKERS)
    assert lines(shown(state, 1))[0] == Phrase("you_set_colour", {})
    for seat in (1, 2, None):
        assert shown(state, seat).asks == Phrase("asks_set_colour")


def only_jokers_lie(*left: str) -> State:
    """The last trick but one of a round of three, in which all others have played a joker."""
    state = scene("0 hide R9", "1 hide Y9", "2 hide G9", aside="B9", hands=THREE)
    tricks = tuple(CompleteTrick(1, hand_of(["B0", "B1", "B2"]), 0, 0) for _ in range(11))
    jokers, hands = hand_of(["J", "J"]), tuple(hand_of(hand.split()) for hand in ("J", "J", *left))
    return state._replace(trick=jokers, tricks=tricks, hands=hands, actors=(2,))


THREE: Final = (
    *("R0 R1 R2 R3 R4 R5 R6 R7 R8 R9 B0 B1 B2 J", "Y0 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 B3 B4 B5 J"),
    "G0 G1 G2 G3 G4 G5 G6 G7 G8 G9 B6 B7 B8 J",
)


@pytest.mark.parametrize(
    ("hand", "asks", "line", "tip"),
    [
        ("Y3 G0", "asks_any", "you_beat_jokers", "tip_after_all_jokers"),
        ("Y3 J", "asks_no_joker", "you_beat_jokers", "tip_after_all_jokers"),
        ("J", "asks_joker", "you_all_jokers", "tip_only_jokers"),
    ],
)
def test_nobody_is_told_to_set_a_colour_that_nobody_follows(
    hand: str, asks: str, line: str, tip: str
) -> None:
    layout = shown(only_jokers_lie(hand), 2)
    assert layout.asks == Phrase(asks)
    assert lines(layout)[0] == Phrase(line)
    assert layout.tip == Phrase(tip)
    assert shown(only_jokers_lie(hand)).asks == Phrase("asks_any"), "a secret"


def test_no_tip_says_to_play_any_card_where_a_joker_is_forbidden() -> None:
    state = scene(*JOKERS_HIDDEN, "0 play R0", "1 play J", hands=JOKERS)
    assert shown(state, 2).asks == Phrase("asks_no_joker")
    assert shown(state._replace(round=state.round._replace(trump=3)), 2).tip == Phrase(
        "tip_void_no_joker", {"suit": RED, "trump": Suit("B")}
    )


@pytest.mark.parametrize(("rounds", "when"), [(2, "next"), (1, "end")])
def test_a_trump_after_the_last_trick_of_a_round_is_not_said_to_count_now(
    rounds: int, when: str
) -> None:
    state = scene("0 hide R9", "1 hide Y9", "2 hide G9", aside="B9", hands=THREE, rounds=rounds)
    state = state._replace(
        stage="trump",
        hands=(b"", b"", b""),
        tricks=(CompleteTrick(0, hand_of(["B0", "B2", "J"]), 1, 0),),
        actors=(2,),
        round=state.round._replace(offers=(2,)),
    )
    assert shown(state, 2).tip == Phrase(f"tip_trump_{when}")
    view = GAME.observe(state, 2)
    for action in GAME.legal_actions(state, 2):
        assert [*GAME.advice(view, action)] == [Phrase(f"advice_trump_{when}")]


def test_whoever_holds_only_jokers_is_not_told_how_many_cards_a_trump_has() -> None:
    state = scene("0 hide R9", "1 hide Y9", "2 hide G9", aside="B9", hands=THREE)
    joker = hand_of(["J"])
    state = state._replace(
        stage="trump",
        hands=(joker, joker, joker),
        tricks=(CompleteTrick(0, hand_of(["B0", "B2", "J"]), 1, 0),),
        actors=(2,),
        round=state.round._replace(offers=(2,)),
    )
    view = GAME.observe(state, 2)
    for action in GAME.legal_actions(state, 2):
        assert [*GAME.advice(view, action)] == [Phrase("advice_trump_jokers")]


def test_the_trick_shows_the_winning_card_and_who_is_awaited() -> None:
    layout = shown(scene(*HIDDEN, "0 play Y0", "1 play Y5"))
    trick = one(layout, Trick)
    assert trick == Trick("current", (Laid(0, "Y0"), Laid(1, "Y5", ("winning",))), (2, 3))
    assert layout.more == ()
    jokers = scene(*JOKERS_HIDDEN, "0 play J", hands=JOKERS)
    trick = one(shown(jokers), Trick)
    assert trick == Trick("current", (Laid(0, "J"),), (1, 2, 3)), "a joker never wins"


def test_the_last_trick_can_be_looked_at() -> None:
    state = scene(*HIDDEN, "0 play Y0", "1 play Y3", "2 play Y6", "3 play Y9")
    layout = shown(state)
    why: dict[str, Param] = {"seat": SeatName(3), "cards": Cards(("Y9",)), "suit": Suit("Y")}
    last = Trick(
        "last",
        (Laid(0, "Y0"), Laid(1, "Y3"), Laid(2, "Y6"), Laid(3, "Y9", ("winning",))),
        reason=Phrase("won_colour_led", why),
    )
    assert layout.more == (last,)
    tricks = all_of(layout, Trick)
    assert tricks == [last, Trick("current", (), (3, 0, 1, 2))]
    assert [seat.facts for seat in seats_in(layout)] == [
        (Phrase("tricks", {"count": count}),) for count in (0, 0, 0, 1)
    ]


def test_the_trail_adds_up() -> None:
    trick = ("0 play Y0", "1 play Y3", "2 play Y6", "3 play Y9")
    more = ("3 play Y10", "0 play Y1", "1 play Y4", "2 play Y7")
    state = scene(*HIDDEN, *trick)
    tally = one(shown(state), Tally)
    assert tally == Tally((None, None, None, None), 0, 24)
    state = scene(*HIDDEN, *trick, *more)
    tally = one(shown(state, 0), Tally)
    assert tally == Tally((3, None, None, None), 3, 24)
    assert Phrase("own_turned", {"cards": Cards(("B3",))}) in lines(shown(state, 0))
    assert Phrase("turned", {"cards": Cards(("B3",)), "total": 3, "goal": 24}) in lines(
        shown(state)
    )
    adds = Phrase("own_adds", {"cards": Cards(("B4",)), "total": 7})
    assert adds in lines(shown(state, 1))


def test_the_kind_is_said_as_soon_as_it_is_certain() -> None:
    """12 + 12 are enough for Plus; 0 + 1 + 2 are too little even with a 12."""
    plus = "0 hide R12", "1 hide Y12", "2 hide G0", "3 hide B0"
    minus = "0 hide R0", "1 hide Y1", "2 hide G2", "3 hide B12"
    for hide, wanted, symbol, after in ((plus, "kind_plus", "+", 2), (minus, "kind_minus", "−", 3)):
        state = scene(*hide, hands=JOKERS)
        seen = []
        while len(state.tricks) < 7:
            (seat,) = GAME.actors(state)
            move = GAME.default_action(GAME.observe(state, seat))
            state = GAME.apply(state, seat, move)
            head = shown(state).blocks[0]
            assert isinstance(head, Headline)
            count = len(turned(state))
            assert (head.phrase.code, head.symbol) == (
                (wanted, symbol) if count >= after else ("kind_open", "±")
            )
            seen.append(count)
        assert set(seen) == {0, 1, 2, 3, 4}


# The trump.


def offer(seats: int = 4) -> tuple[State, int]:
    for seed in range(100):
        for before, seat, _, _ in steps(seats, seed, rounds=1):
            if before.stage == "trump":
                return before, seat
    raise AssertionError("no trump was ever offered")


def test_the_trump_is_offered_to_the_one_seat_in_words() -> None:
    state, seat = offer()
    layout = shown(state, seat)
    now = "RYGB"[state.round.trump]
    others = [suit for suit in "RYGB" if suit != now]
    assert [(act.action, act.label) for act in acts(layout)] == [
        *((f"trump {suit}", Phrase("trump_to", {"suit": Suit(suit)})) for suit in others),
        ("trump keep", Phrase("trump_keep", {"suit": Suit(now)})),
    ]
    assert layout.asks == Phrase("asks_trump", {"suit": Suit(now)})
    for other in (None, (seat + 1) % 4):
        seen = shown(state, other)
        assert seen.asks == layout.asks
        assert not seen.controls
        trick = one(seen, Trick)
        assert trick.role == "last", "what just happened stays on the table"
        assert seen.more == ()
    chip = one(layout, Chips)
    assert chip.chips[1] == Phrase("chip_trick", {"number": 8, "tricks": 12})


def test_the_jokers_played_are_counted_on_the_board() -> None:
    state = scene(*JOKERS_HIDDEN, "0 play R0", "1 play J", hands=JOKERS)
    assert chips(shown(state)) == ["chip_trump", "chip_trick", "chip_jokers"]
    found = one(shown(state), Chips)
    assert found.chips[2] == Phrase("chip_jokers", {"count": 1})
    assert found.chips[1] == Phrase("chip_trick", {"number": 1, "tricks": 13})


# After the round.


@pytest.mark.parametrize("jokers", [False, True])
@pytest.mark.parametrize("seats", [3, 4])
def test_after_a_round_everybody_sees_how_it_ended(seats: int, jokers: bool) -> None:
    ended = 0
    for _, _, _, after in steps(seats, 5, jokers=jokers):
        points = GAME.round_scores(after)
        if points is None:
            continue
        ended += 1
        layout = shown(after)
        head = layout.blocks[0]
        assert isinstance(head, Headline)
        tally = one(layout, Tally)
        assert None not in tally.terms
        kind = "plus" if tally.total >= tally.goal else "minus"
        assert head.phrase == Phrase(f"round_over_{kind}", {"total": tally.total})
        story = GAME.story(GAME.observe(after, None))
        assert story is not None
        told = [term for (term,) in story.accounts]
        assert [term.points for term in told] == list(points)
        assert [term.why.params["count"] for term in told] == [*GAME.observe(after, None).taken]
        assert not layout.controls
    assert ended == 2


# Determinization.


def test_a_seat_known_to_be_void_is_given_nothing_of_that_colour() -> None:
    state = scene(*JOKERS_HIDDEN, "0 play R0", "1 play Y1", "2 play G1", "3 play B1", hands=JOKERS)
    assert list(map(sorted, known_not_to_hold(state))) == [[], *[list(range(13))] * 3]
    rng, looked = Random(2), 0
    for seed in range(4):
        for _, _, _, after in steps(4, seed, jokers=seed % 2 == 1, rounds=1):
            guess, closed = determinize(GAME, GAME.observe(after, 0), rng), known_not_to_hold(after)
            for seat in (1, 2, 3):
                assert not closed[seat] & {*guess.hands[seat]}
                looked += bool(closed[seat] and guess.hands[seat])
    assert looked > 100


def known_not_to_hold(state: State) -> tuple[frozenset[int], ...]:
    """By seat, after all tricks up to the present one."""
    complete = [(trick.leader, trick.cards) for trick in state.tricks]
    return closed_to(state.seats, [*complete, (state.leader, state.trick)])


def test_a_second_joker_says_that_nothing_else_is_held() -> None:
    script = [*JOKERS_HIDDEN]
    state = scene(*script, hands=JOKERS)
    while len(state.tricks) < 12:
        (seat,) = GAME.actors(state)
        state = GAME.apply(state, seat, GAME.default_action(GAME.observe(state, seat)))
    for seat in (0, 1):
        state = GAME.apply(state, seat, GAME.parse_action("play J"))
    assert len(known_not_to_hold(state)[1]) == 52


def test_every_unknown_card_may_lie_in_every_open_place() -> None:
    """Who knows nothing but its own hand guesses every other card everywhere, evenly."""
    state = scene(*HIDDEN)
    view = GAME.observe(state, 0)
    rng = Random(3)
    places: Counter[str] = Counter()
    for _ in range(3900):
        guess = determinize(GAME, view, rng)
        (card,) = (each for each in GAME.cards(guess) if each.card == "R12")
        places[card.place] += 1
    # 12 of 39 unknown cards lie in each hand, 1 in each hidden place.
    assert set(places) == {f"{where} {seat}" for where in ("hand", "hidden") for seat in (1, 2, 3)}
    assert all(1050 < places[f"hand {seat}"] < 1350 for seat in (1, 2, 3)), places
    assert all(60 < places[f"hidden {seat}"] < 145 for seat in (1, 2, 3)), places


# Words.


def two_might_name_a_trump() -> State:
    """Two jokers lay in one trick, and the trump is another one since."""
    tricks = scene(*JOKERS_HIDDEN, "0 play J", "1 play Y0", "2 play G0", "3 play B0", hands=JOKERS)
    named = GAME.apply(tricks, 0, GAME.parse_action("trump B"))
    (trick,) = named.tricks
    cards = bytes((JOKER, trick.cards[1], JOKER, trick.cards[3]))
    return named._replace(tricks=(trick._replace(cards=cards),))


def test_of_two_who_might_name_a_trump_nobody_is_said_to_have_done_it() -> None:
    first, *_ = lines(shown(two_might_name_a_trump()))
    assert first == Phrase("new_trump", {"suit": Suit("B")})


def test_every_phrase_and_refusal_has_words_that_its_parameters_fill() -> None:
    catalogue = Catalogue(GAME, exact=True)
    catalogue.show(shown(GAME.initial(3, GAME.complete_options(3, {}))))
    for seats, jokers, seed in ((3, False, 1), (4, False, 4), (3, True, 1), (4, True, 8)):
        for step in steps(seats, seed, jokers=jokers, rounds=4):
            catalogue.step(*step)
    last = scene(*JOKERS_HIDDEN, hands=JOKERS, rounds=1)
    while actors := GAME.actors(last):
        move = GAME.default_action(GAME.observe(last, actors[0]))
        after = GAME.apply(last, actors[0], move)
        catalogue.step(last, actors[0], move, after)
        last = after
    catalogue.show(shown(two_might_name_a_trump()))
    for hand in ("Y3", "J"):
        catalogue.show(shown(only_jokers_lie(hand), 2))
    for seed in range(30):
        *_, end = steps(3, seed, rounds=1)
        for event in GAME.events(*end):
            catalogue.say(event.phrase)
    catalogue.check_all_was_said()
    catalogue.check_refusals()
    suits = {f"suit.{suit}{what}" for suit in "RYGB" for what in ("", ".mark")}
    cards = {"card.name", "card.J", "card.J.name"}
    options = {"option.rounds", "option.jokers", "option.next_leader"}
    assert {"game.name", "game.tagline", *suits, *cards, *options} <= set(catalogue.words)


def test_refusals_fill_their_sentences() -> None:
    catalogue, rng, found = Catalogue(GAME), Random(3), set[str]()
    for jokers in (False, True):
        for state, actor, _, after in steps(3, 5, jokers=jokers):
            texts = ["play J", "hide J", "trump R", "trump keep", "hide R1"]
            for seat in (actor, (actor + 1) % 3, CHANCE):
                cards = rng.sample(range(40), 6)
                plays = [f"play {GAME.pack(3, {'jokers': False})[card]}" for card in cards]
                for text in (*texts, *plays):
                    found |= catalogue.refuse(state, seat, GAME.parse_action(text))
            found |= catalogue.refuse(after, 0, 99_999)
    second = scene(*JOKERS_HIDDEN, "0 play J", hands=JOKERS)
    found |= catalogue.refuse(second, 1, GAME.parse_action("play J"))
    assert found == {
        "not_your_turn", "not_in_hand", "must_follow_suit", "second_joker", "joker_hidden",
        "hide_first", "already_chosen", "already_hidden", "trump_first", "no_trump_offer",
        "same_trump", "deal_due", "no_deal_due", "bad_deal", "not_an_action", "match_over",
    }  # fmt: skip


# What is no move.


def test_what_is_no_move_at_all_is_refused_and_breaks_nothing() -> None:
    """An action may come from anywhere: wrong numbers, other types, a deal at the wrong time."""
    hiding = scene()
    playing = scene(*HIDDEN)
    _, _, deal, _ = next(steps(4, 1))
    wrong: list[Any] = [
        Play(-1),
        Play(JOKER + 1),
        Hide(256),
        NameTrump(4),
        -1,
        54,
        127,
        133,
        256,
        10**30,
        0.0,
        "R0",
        b"\0",
        None,
        (),
        [],
        deal,
    ]
    for state in (hiding, playing):
        for action in wrong:
            assert not GAME.is_legal(state, 0, action)
            with pytest.raises(RuleError) as caught:
                GAME.apply(state, 0, action)
            assert caught.value.code == "not_an_action", action
    assert GAME.format_action(DECLINE) == "trump keep"


def test_hands_name_a_coloured_card_once() -> None:
    assert codes(hand_of(["R1", "J", "B12", "J"])) == ("R1", "B12", "J", "J")
    for cards, code in ((["R1", "R1"], "card_twice"), (["Q1"], "unknown_card")):
        with pytest.raises(NotationError) as caught:
            hand_of(cards)
        assert caught.value.code == code
