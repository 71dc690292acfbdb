"""Kaiserspiel: what people see, press and are told, and what they may guess."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest

from engine.cards import cards_in
from engine.deal import Seeded
from engine.game import CHANCE, RuleError
from engine.games.kaiserspiel import GAME
from engine.games.kaiserspiel.cards import (
    BANNERS,
    DOWN,
    HIDDEN,
    HIDDEN_KAISER,
    PACK,
    RANKS,
    SUITS,
    Move,
    mask,
)
from engine.games.kaiserspiel.layout import lost_by_passing
from engine.games.kaiserspiel.questions import MORE_KAISERS
from engine.games.kaiserspiel.rules import VALUE
from engine.games.kaiserspiel.state import Action, Deal, State
from engine.layout import (
    Act,
    Cards,
    Chips,
    Choice,
    Combine,
    Headline,
    Ladder,
    Laid,
    Layout,
    Line,
    Phrase,
    SeatName,
    Standing,
    Suit,
    Trick,
)
from tests.determinizing import determinize
from tests.engine.kaiserspiel_script import MORE, PAUSES, deal, discarded, ready, run, start
from tests.engine.shown import all_of, one, row, seats_in
from tests.engine.words import RAISED, Catalogue

Step_ = tuple[State, int, Action, State]


def steps(
    seed: int, target: int = 12, quiet: float = 0.9, *, limit: bool = False
) -> Iterator[Step_]:
    """A match in which few resign or call, so that most rounds are played out."""
    rng = Random(seed)
    draw = Seeded(rng)
    state = GAME.initial(4, {"target": target, "limit": limit})
    while actors := GAME.actors(state):
        seat = rng.choice(actors)
        action: Action
        if seat == CHANCE:
            action = GAME.deal(state, draw)
        else:
            legal = GAME.legal_actions(state, seat)
            action = legal[draw(len(legal))]
            if action.verb in ("resign", "threeup") and rng.random() < quiet:
                action = legal[0]
        after = GAME.apply(state, seat, action)
        yield state, seat, action, after
        state = after


def shown(state: Any, seat: int | None) -> Layout:
    return GAME.layout(GAME.observe(state, seat))


def lines(layout: Layout) -> dict[str, Phrase]:
    return {line.phrase.code: line.phrase for line in all_of(layout, Line)}


def chips(layout: Layout) -> list[Phrase]:
    return [*one(layout, Chips).chips]


def acts(layout: Layout) -> dict[str, Act]:
    return {each.action: each for each in layout.controls if isinstance(each, Act)}


def choice(layout: Layout) -> Choice:
    (found,) = (each for each in layout.controls if isinstance(each, Choice))
    return found


def standing(layout: Layout) -> bool:
    return any(isinstance(each, Standing) and each.offered for each in layout.controls)


# Scenes.  Dealer 3, so that seat 0 is eldest; roses are special.

OPEN: Final = "SB R2 A7 BK"
HELD: Final = {
    0: "AB AK SK R7 R6 S2",
    1: "AO RU S3 B6 B4 B3",
    2: "RB SO R5 R4 B2 A2",
    3: "BB SU BO A6 A5 A3",
}
KAISER: Final = "0 kaiser SB, 0 raise 1, 1 accept, 0 stay"


def at_pause_3() -> Any:
    return run(deal(OPEN, HELD), KAISER, PAUSES[0], PAUSES[1])


def at_discards() -> Any:
    return run(at_pause_3(), PAUSES[2], PAUSES[3])


def one_down() -> Any:
    """Seat 0 has laid one of its two Kaisers face down."""
    state = run(at_play(), "0 play AK, 1 play AO, 2 play R5, 3 play A6, 2 play A7, 3 play BO")
    return run(state, "0 play AB down")


def at_play() -> Any:
    """Hands: 0 AB SB AK SK R7, 1 R2 AO RU S3 B6, 2 RB SO R5 R4 A7, 3 BB SU BO BK A6."""
    state = at_discards()
    thrown = {0: "R6 S2", 1: "B4 B3", 2: "A2 B2", 3: "A5 A3"}
    for seat, cards in thrown.items():
        state = run(state, f"{seat} discard {cards}")
    return run(state, "0 kaiser AB, 0 raise 3, 1 accept", MORE)


# Legality.


# What stands on the table.


def test_whoever_is_asked_and_the_others_read_what_is_asked() -> None:
    """Nobody else can tell who can only pass."""
    state = at_pause_3()
    for seat in (0, 1, 2, 3, None):
        assert shown(state, seat).asks == Phrase("asks_kaiser")
    second = run(state, "0 pass")
    for seat in (0, 2, 3, None):
        assert shown(second, seat).asks == Phrase("asks_kaiser")
    assert shown(second, 1).asks == Phrase("asks_no_kaiser")
    assert lines(shown(state, 1))["pause_all"].params == {
        "first": SeatName(0),
        "second": SeatName(1),
    }
    later = run(state, PAUSES[2])
    assert lines(shown(later, 1))["pause_all"].params == {
        "first": SeatName(2),
        "second": SeatName(3),
    }


def test_a_pause_says_what_it_is_for() -> None:
    """Both seats that were served are asked at pause 3; three up needs room for three points."""
    called = run(at_pause_3(), "0 pass, 1 pass")
    assert lines(shown(called, None))["pause"].params == {}
    assert lines(shown(called, 0))["pause_coming"].params == {"count": 4}
    small = run(deal(OPEN, HELD, before=start(target=5, limit=True)), "0 kaiser SB")
    assert "pause_kaisers" in lines(shown(small, None))
    assert "pause_kaisers" in lines(shown(run(small, "0 raise 1"), None))


def test_who_may_call_back_is_told_why() -> None:
    """The sides take turns at calling, in later pauses too."""
    state = deal("AK R2 A7 BK")
    assert not {"call_back", "call_back_most"} & lines(shown(state, 0)).keys()
    state = run(state, "0 threeup, 1 accept")
    said = lines(shown(state, 0))["call_back"].params
    assert said == {"value": 7, "seat": SeatName(0), "other": SeatName(1)}
    later = run(state, "1 pass")
    assert lines(shown(later, 0))["call_back"].params == said
    limited = deal("AK R2 A7 BK", before=start(target=20, limit=True))
    limited = run(limited, "0 threeup, 1 accept")
    assert lines(shown(limited, 0))["call_back_most"].params == {**said, "most": 20}


def test_the_others_read_the_same_whether_a_seat_has_a_kaiser_to_declare_or_not() -> None:
    """At pauses 3 and 4 and after the discards."""
    with_banners = at_pause_3()
    swapped = {**HELD, 0: HELD[0].replace("AB", "B5")}
    without = run(deal(OPEN, swapped), KAISER, PAUSES[0], PAUSES[1])
    for name in ("pass", "kaiser AB"):
        assert name in acts(shown(with_banners, 0))
        assert (name in acts(shown(without, 0))) == (name == "pass")
    for other in (1, 2, 3, None):
        assert shown(with_banners, other) == shown(without, other)
    later = run(at_pause_3(), PAUSES[2], PAUSES[3])
    never = run(without, PAUSES[2], PAUSES[3])
    for other in (1, 2, 3, None):
        assert shown(discarded(later), other).blocks[0] == shown(discarded(never), other).blocks[0]


def test_who_leads_first_and_why_is_told_once() -> None:
    told = 0
    for before, seat, action, after in (step for seed in range(3) for step in steps(seed)):
        events = GAME.events(before, seat, action, after)
        said = [one.phrase for one in events if one.phrase.code == "leads_first"]
        begins = before.step != "play" and after.step == "play"
        eldest = SeatName((after.round.dealer + 1) % 4)
        assert said == [Phrase("leads_first", {"seat": eldest})] * begins
        assert not begins or GAME.actors(after) == (eldest.seat,)
        told += begins
    assert told > 3


def test_special_suit_and_value_are_chips() -> None:
    state = deal(OPEN, HELD)
    assert chips(shown(state, 0)) == [Phrase("value", {"value": 4})]
    assert chips(shown(at_pause_3(), 0)) == [
        Phrase("special", {"suit": Suit("R")}),
        Phrase("value", {"value": 5}),
    ]
    assert not any(code.startswith("bounds") for code in lines(shown(state, 0)))
    assert "bounds_seven" in lines(shown(at_pause_3(), None))


def test_tricks_are_counted_by_team() -> None:
    """Seat 2 wins the first trick with the Five."""
    state = run(at_play(), "0 play AK, 1 play AO, 2 play R5, 3 play A6")
    assert chips(shown(state, 2))[2:] == [
        Phrase("our_tricks", {"count": 1}),
        Phrase("their_tricks", {"count": 0}),
    ]
    assert [chip.params["count"] for chip in chips(shown(state, 1))[2:]] == [0, 1]
    assert chips(shown(state, None))[2:] == [
        Phrase("team_tricks", {"first": SeatName(0), "second": SeatName(2), "count": 1}),
        Phrase("team_tricks", {"first": SeatName(1), "second": SeatName(3), "count": 0}),
    ]


def test_open_cards_lie_in_the_order_of_dealing_and_kaisers_are_marked() -> None:
    cards = row(shown(at_pause_3(), None), "open")
    assert [card.code for card in cards] == OPEN.split()
    assert [card.marks for card in cards] == [("kaiser", "special"), ("special",), (), ()]
    assert [card.code for card in row(shown(deal(OPEN, HELD), 3), "open")] == ["SB", "R2"]
    cut = lines(shown(at_pause_3(), None))["round_line"].params["cut"]
    assert cut is not None


def test_seats_have_team_partner_and_what_everybody_knows_of_them() -> None:
    views = seats_in(shown(at_pause_3(), 1))
    assert [view.team for view in views] == [0, 1, 0, 1]
    assert [view.marks for view in views] == [("to_act",), ("self",), (), ("partner",)]
    assert [[fact.code for fact in view.facts] for view in views] == [
        ["speaks", "has_kaisers"], ["speaks", "had_open_trump"],
        ["had_open"], ["dealer", "had_open"],
    ]  # fmt: skip
    assert [view.cards_left for view in views] == [3, 3, 1, 1]
    assert not any("partner" in view.marks for view in seats_in(shown(at_pause_3(), None)))


def test_nobody_speaks_for_a_team_where_nothing_can_be_raised() -> None:
    state = at_pause_3()
    for most, speakers in ((VALUE, 0), (VALUE + 1, 2), (None, 2)):
        view = GAME.observe(state, 1)
        view = view._replace(round=view.round._replace(most=most))
        facts = [fact.code for seat in seats_in(GAME.layout(view)) for fact in seat.facts]
        assert facts.count("speaks") == speakers


def test_four_open_banners_are_announced_and_void_the_round() -> None:
    state = run(deal("SB RB AB BB"), "0 pass, 1 pass", PAUSES[0])
    for reader in (0, 2, None):
        first = all_of(shown(state, reader), Line)[0]
        assert first == Line(Phrase("four_banners", {}), "strong")
        assert "coming" not in lines(shown(state, reader)), "no more cards come"
        assert chips(shown(state, reader)) == [], "it is worth nothing"
    called = run(state, "2 kaiser AB, 0 raise 1")
    assert [line.tone for line in all_of(shown(called, 1), Line)][:2] == ["strong", "strong"]
    labels = {text: act.label for text, act in acts(shown(called, 1)).items()}
    assert labels == {
        "accept": Phrase("accept_void", {}),
        "resign": Phrase("resign", {"value": 4}),
    }
    resigned = run(called, "1 resign")
    assert chips(shown(resigned, None)) == [Phrase("value", {"value": 4})]
    state = run(state, "2 pass, 3 pass", PAUSES[1])
    assert one(shown(state, 0), Headline).phrase == Phrase("round_void", {})
    assert chips(shown(state, 0)) == []


def test_the_last_of_four_open_banners_is_told() -> None:
    before = run(deal("SB RB AB BB"), "0 pass, 1 pass, 0 pass")
    action = GAME.parse_action("pass")
    told = GAME.events(before, 1, action, GAME.apply(before, 1, action))
    assert [each.phrase.code for each in told][-1] == "four_banners"


def test_whoever_must_raise_is_told_that_they_must() -> None:
    asked = run(deal(OPEN, HELD), "0 kaiser SB")
    assert "words_raise" in {word.code for word in shown(asked, 0).words}


@pytest.mark.parametrize("limit", [True, False])
def test_whoever_plays_for_the_match_or_resigns_it_reads_that(*, limit: bool) -> None:
    """Resigning is tried out; after an acceptance either side would reach the target."""
    offers = ("threeup", "raise 1", "raise 3", "lift")
    found = set()
    for seed in range(40):
        for state, seat, _, _ in steps(seed, 30, 0.4, limit=limit):
            texts = {} if seat == CHANCE or state.round.doomed else acts(shown(state, seat))
            for text in texts.keys() & {*offers, "accept", "resign"}:
                label, confirm = texts[text].label, texts[text].confirm
                after = run(state, f"{seat} {text}")
                if text == "resign":
                    ends = not GAME.actors(after)
                else:
                    if text in offers:
                        after = run(after, f"{1 - seat} accept")
                    ends = all(score + after.value >= 30 for score in state.round.scores)
                assert label is not None
                assert label.code == text.replace(" ", "_") + ("_match" if ends else "")
                assert confirm is None or confirm.code == f"{label.code}_price"
                found.add(label.code)
    assert len(found) == 12, found


def _price_of_a_pass(state: Any, seat: int) -> tuple[str, ...]:
    """The cards that a pass gives up for good, as its button says."""
    confirm = acts(shown(state, seat))["pass"].confirm
    if confirm is None:
        return ()
    cards = confirm.params["cards"]
    assert isinstance(cards, Cards)
    assert (confirm.code, confirm.params["count"]) == ("pass_price", len(cards.codes))
    return cards.codes


def test_a_pass_that_loses_a_kaiser_for_the_round_says_which() -> None:
    opened = deal("SB R2 AK BK", {0: "AB"})
    assert _price_of_a_pass(opened, 0) == ("SB",), "open: it is declared now or never"
    kept = run(opened, "0 pass", PAUSES[0], PAUSES[1])
    assert _price_of_a_pass(kept, 0) == (), "dealt face down: it can still be declared"
    last = discarded(run(kept, PAUSES[2], PAUSES[3]), {0: "AB"})
    assert _price_of_a_pass(last, 0) == ("AB",)
    assert _price_of_a_pass(run(last, "0 pass"), 1) == (), "whoever holds none loses none"


def test_what_a_pass_gives_up_is_never_declared_afterwards_and_all_else_can_be() -> None:
    named = kept = 0
    for seed in range(40):
        lost: set[tuple[int, int]] = set()
        for state, seat, action, _ in steps(seed, 100, 0.6):
            if seat == CHANCE:
                lost = set()
            elif state.question.step == "declare":
                moves = GAME.legal_actions(state, seat)
                may = {(seat, move.cards) for move in moves if move.verb == "kaiser"}
                assert not may & lost
                if state.question.pause == MORE_KAISERS:
                    banners = cards_in(state.hands[seat] & BANNERS & ~state.cards.kaisers[seat])
                    assert {(seat, 1 << card) for card in banners} <= may | lost
                if isinstance(action, Move) and action.verb == "pass":
                    price = {(seat, PACK.mask([card])) for card in _price_of_a_pass(state, seat)}
                    lost |= price
                    named, kept = named + len(price), kept + len(may - price)
    assert named > 20
    assert kept > 20


def test_the_goal_says_what_the_round_is_worth_so_far_if_it_is_worth_anything() -> None:
    told = set()
    for seed in range(6):
        for state, _, _, _ in steps(seed, 30, 0.4):
            if not state.round.number or state.question.step == "over":
                continue
            for reader in (0, None):
                goal = shown(state, reader).goal
                assert goal is not None
                assert ("value" in goal.params) != state.round.doomed
                assert goal.params.get("value", state.value) == state.value
                told.add(goal.code)
    voided = shown(run(deal("SB RB AB BB"), "0 pass, 1 pass", PAUSES[0]), 0).goal
    assert voided == Phrase("goal_with_void", {"partner": SeatName(2)})
    assert {"goal", "goal_with"} <= told


@pytest.mark.parametrize(
    ("hand", "trick", "said"),
    [
        ("R5 RU AU", "", "bounds_seven"),
        ("R5 RU AK", "", "bounds_seven bounds_low"),
        ("R5 RU AO", "", "bounds_seven bounds_low"),
        ("R5 R3 AK", "", "bounds_seven bounds_low"),
        ("R4 R7 AK", "", "bounds_seven bounds_low"),
        ("R5 RO", "R7", "bounds_seven bounds_low"),
        ("R5 RK AK", "", "bounds_low"),
        ("R5 RB AU", "", "bounds_seven"),
        ("R5 SB AU", "", "bounds_seven"),
        ("R5 AK", "R4", "bounds_seven bounds_low"),
        ("R5 AU", "A4", "bounds_seven"),
    ],
)
def test_only_of_cards_in_view_it_stands_there_what_they_are_and_what_does_not_beat_them(
    hand: str,
    trick: str,
    said: str,
) -> None:
    """Roses are special, and nobody has declared a Kaiser."""
    kept = {0: hand} if not trick else {1: hand, 0: trick}
    state = ready("R", kept)
    seat = 0
    if trick:
        state, seat = run(state, f"0 play {trick}"), 1
    view = GAME.observe(state, seat)._replace(hand=PACK.mask(hand.split()), discards=0)
    assert bounds(view) == said.split()


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ("R7", "bounds bounds_low"),
        ("RU", "bounds_seven_sure bounds_low"),
        ("R7 RU", "bounds bounds_low"),
        ("R4", "bounds_seven bounds_low_3"),
        ("R3", "bounds_seven bounds_low_4"),
        ("R3 R4 R7", "bounds"),
    ],
)
def test_of_cards_that_cannot_come_any_more_nothing_is_explained(gone: str, said: str) -> None:
    """Roses are special."""
    view = GAME.observe(ready("R", {0: "R5 AK"}), 0)
    view = view._replace(hand=PACK.mask(["R5", "AK"]))
    assert bounds(view._replace(discards=PACK.mask(gone.split()))) == said.split()
    cut, *thrown = gone.split()
    view = view._replace(round=view.round._replace(cut=PACK.names.index(cut)))
    assert bounds(view._replace(discards=PACK.mask(thrown))) == said.split()


def test_a_seven_that_did_not_lead_wins_no_trick_any_more() -> None:
    """Roses are special."""
    state = run(ready("R", {0: "AK", 1: "R7", 2: "AO", 3: "A6"}), "0 play AK, 1 play R7")
    for seat in (None, 0, 2):
        assert "bounds" in bounds(GAME.observe(state, seat))
    led = run(ready("R", {0: "R7"}), "0 play R7")
    assert "bounds_seven" in bounds(GAME.observe(led, 1))


OWN_TRUMPS: Final = "own_trumps", "own_no_trump", "own_seven"


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("A5 SU BK", "own_no_trump"),
        ("A5 RK RO", "own_no_trump_but RK RO"),
        ("R4 A5 R5", "own_trumps R5 R4"),
        ("R3 R6 SB BB RU", "own_trumps BB RU SB R6 R3"),
        ("R6 RK RB", "own_trumps_but R6 | RK RB"),
        ("R6 R7", "own_trumps R6, own_seven R7"),
        ("R7 RO", "own_no_trump_but RO, own_seven R7"),
        ("RU R7", "own_trumps RU, own_seven_sure R7"),
    ],
)
def test_a_hand_says_which_of_its_cards_are_trumps_and_which_only_look_like_some(
    hand: str, said: str
) -> None:
    """Roses are special, and the Banners of shields and bells Kaisers."""
    assert own_trumps(holding(hand, "R2 AK SK BO")) == said.split(", ")


@pytest.mark.parametrize("shown", ["RK", "R7"])
def test_where_another_card_only_looks_like_a_trump_it_stands_there_which_these_are(
    shown: str,
) -> None:
    view = holding("R6 RB", f"R2 AK {shown} BO")
    assert own_trumps(view) == ["own_trumps R6"]
    assert bounds(view) == ["bounds_seven"]


def holding(hand: str, opened: str) -> Any:
    """What seat 0 sees at the first lead with these cards, after these were dealt open."""
    view = GAME.observe(ready("R", {0: "SB BB", 1: "AB"}, ("SB", "BB")), 0)
    opens = tuple(map(PACK.index, opened.split()))
    cards = PACK.mask(hand.split())
    return view._replace(round=view.round._replace(opens=opens), discards=0, hand=cards)


def own_trumps(view: Any) -> list[str]:
    """What a hand says of its trumps, with the cards that it names."""
    told = []
    for code, said in lines(GAME.layout(view)).items():
        if code.startswith(OWN_TRUMPS):
            named = [said.params[key] for key in ("cards", "others") if key in said.params]
            cards = [" ".join(one.codes) for one in named if isinstance(one, Cards)]
            told.append(" ".join([code, " | ".join(cards)]).strip())
    return told


def bounds(view: Any) -> list[str]:
    return [code for code in lines(GAME.layout(view)) if code.startswith("bounds")]


def test_an_offer_has_its_price_in_words() -> None:
    state = run(deal(OPEN, HELD), "0 kaiser SB")
    labels = {text: act.label for text, act in acts(shown(state, 0)).items()}
    assert labels == {
        "raise 1": Phrase("raise_1", {"value": 5}),
        "raise 3": Phrase("raise_3", {"value": 7}),
    }
    state = run(state, "0 raise 1")
    answers = acts(shown(state, 1))
    assert answers["accept"].label == Phrase("accept", {"value": 5})
    assert answers["resign"].label == Phrase("resign", {"value": 4})
    assert (answers["accept"].style, answers["resign"].style) == ("success", "danger")
    offer = lines(shown(state, None))["offer_raise_own"]
    assert offer.params == {"seat": SeatName(0), "suit": Suit("S"), "count": 1}
    state = run(state, "1 accept")
    labels = {text: act.label for text, act in acts(shown(state, 0)).items()}
    assert labels == {"lift": Phrase("lift", {"value": 7}), "stay": Phrase("stay", {"value": 5})}
    state = run(state, "0 lift")
    assert lines(shown(state, 3))["offer_lift"].params["count"] == 2
    assert acts(shown(state, 1))["resign"].label == Phrase("resign", {"value": 5})
    state = run(state, "1 accept")
    assert acts(shown(state, 0))["threeup"].label == Phrase("threeup", {"value": 10})
    state = run(state, "0 threeup")
    assert "offer_threeup" in lines(shown(state, 0))
    assert acts(shown(state, 1))["accept"].label == Phrase("accept", {"value": 10})


def test_an_offer_names_whose_kaiser_it_is_for() -> None:
    state = run(deal("AK R2 SB BK"), PAUSES[0], "2 kaiser SB, 0 raise 3")
    offer = lines(shown(state, 1))["offer_raise"]
    assert offer.params == {
        "seat": SeatName(0), "owner": SeatName(2), "suit": Suit("S"), "count": 3,
    }  # fmt: skip


def test_an_offer_for_a_kaiser_says_which() -> None:
    """Also where its owner has declared another before."""
    state = run(at_pause_3(), "0 kaiser AB, 0 raise 1")
    offer = lines(shown(state, 1))["offer_raise_own"]
    assert offer.params == {"seat": SeatName(0), "suit": Suit("A"), "count": 1}
    lifted = run(state, "1 accept, 0 lift")
    assert lines(shown(lifted, 1))["offer_lift"].params["suit"] == Suit("A")
    state = run(deal("AK R2 SK BB"), PAUSES[0], "3 kaiser BB, 1 raise 1")
    offer = lines(shown(state, 0))["offer_raise_mugg"]
    assert offer.params == {"seat": SeatName(1), "owner": SeatName(3), "count": 1}
    assert "offer_lift_mugg" in lines(shown(run(state, "0 accept, 1 lift"), None))
    state = run(deal("AK R2 SK B6", {1: "BB"}), *PAUSES[:2], "0 pass, 1 kaiser BB, 1 raise 3")
    assert "offer_raise_own_mugg" in lines(shown(state, 0))


def test_whoever_throws_out_cards_is_told_which_banners_they_may_declare_after_it() -> None:
    """Of the last four cards nobody was asked anything before."""
    state = at_discards()
    said = lines(shown(state, 2))["banners_later"]
    assert said.params == {"count": 1, "cards": Cards(("RB",))}
    assert "banners_later" not in lines(shown(state, 1)), "it holds none"
    assert "banners_later" not in lines(shown(run(state, "2 discard A2 B2"), 2))
    dealt = run(deal("AB R2 A7 BK", {0: "SB"}), "0 pass", *PAUSES)
    assert lines(shown(dealt, 0))["banners_later"].params["cards"] == Cards(("SB",)), "AB lay open"


def test_how_many_cards_are_to_come_stands_in_the_first_line_of_a_pause() -> None:
    """Whatever was said or offered before: a second line has no room beside a picture."""
    state = run(deal("AK R2 A7 BK"), "0 threeup")
    coming = Phrase("pause_coming", {"count": 6})
    for seat, said in ((0, coming), (1, coming), (2, Phrase("pause"))):
        told = [line for line in all_of(shown(state, seat), Line) if line.tone == "normal"]
        assert told[0].phrase == said
    assert "no_card" in lines(shown(state, 2))
    assert lines(shown(state, None))["pause"].params == {}
    asked = lines(shown(deal("AK R2 A7 BK", dealer=1), 0))
    assert "pause_no_card" in asked, "a captain bets before there is a card"


def test_whoever_is_asked_again_after_their_kaiser_is_told_that_they_have_no_other() -> None:
    state = run(at_pause_3(), "0 kaiser AB, 0 raise 3, 1 accept")
    layout = shown(state, 0)
    assert layout.tip == Phrase("tip_no_other_kaiser", {})
    assert "again" in lines(layout)
    assert not {"pause_all", "more_kaisers"} & lines(layout).keys()
    for other in (1, 2, 3, None):
        assert "pause_all" in lines(shown(state, other))


def test_who_may_call_back_is_told_so_as_you() -> None:
    state = run(deal("AK R2 A7 BK"), "0 threeup, 1 accept")
    assert lines(shown(state, 1))["call_back_you"].params == {"value": 7, "seat": SeatName(0)}
    limited = deal("AK R2 A7 BK", before=start(target=20, limit=True))
    assert "call_back_most_you" in lines(shown(run(limited, "0 threeup, 1 accept"), 1))


def test_why_a_suit_is_special_is_told_once_it_is_known() -> None:
    """Of equal cards the first dealt decides."""

    def told(state: Any) -> dict[str, Phrase]:
        return {word.code: word for word in shown(state, None).words}

    asked = run(deal("AK R2 A7 BK"), PAUSES[0])
    assert "words_special" in told(deal("AK R2 A7 BK"))
    cards = Cards(("R2",))
    assert told(asked)["words_special_is"].params == {"cards": cards, "suit": Suit("R")}
    equal = run(deal("AK R5 S5 BB"), PAUSES[0], "3 pass")
    cards = Cards(("R5",))
    assert told(equal)["words_special_first"].params == {"cards": cards, "suit": Suit("R")}
    assert "words_special_first" not in told(run(deal("AB R2 SB BB"), "0 pass", PAUSES[0]))


def test_of_the_special_suit_trumps_alone_are_marked() -> None:
    state = run(deal("AK R2 A7 BK", {0: "RK RO RU RB R7 R6"}), *PAUSES)
    marked = [card.code for card in row(shown(state, 0), "hand") if "special" in card.marks]
    assert marked == ["RU", "R6"]


def test_a_kaiser_to_declare_is_one_press_with_its_card() -> None:
    act = acts(shown(at_pause_3(), 0))["kaiser AB"]
    assert act.cards == ("AB",)
    assert act.label is not None
    assert act.label.code == "declare"
    marked = {card.code for card in row(shown(at_pause_3(), 0), "hand") if "playable" in card.marks}
    assert marked == {"AB"}


# Controls.


def test_the_discard_is_a_menu_of_exactly_two_without_declared_kaisers() -> None:
    state = at_discards()
    control = choice(shown(state, 0))
    assert control.menu
    assert control.combine == Combine(("AK", "AB", "R7", "R6", "SK", "S2"), 2, 2)
    assert control.count == 15
    marks = [view.marks for view in seats_in(shown(state, 0))]
    assert marks[1] == ("to_act", "choosing")
    state = run(state, "1 discard B4 B3")
    assert seats_in(shown(state, 0))[1].marks == ("chosen",)
    assert shown(state, 1).asks == Phrase("asks_discard")
    mine = lines(shown(state, 1))["your_discards"].params["cards"]
    assert mine == Cards(("B4", "B3"))
    assert "your_discards" not in lines(shown(state, 0))
    view = GAME.observe(state, 0)
    composed = GAME.compose(view, ["S2", "AK"], frozenset())
    assert GAME.format_action(composed) == "discard AK S2"
    with pytest.raises(RuleError, match="wrong_number_of_cards"):
        GAME.compose(view, ["AB"], frozenset())
    with pytest.raises(RuleError, match="asked_kaiser"):
        GAME.compose(GAME.observe(at_pause_3(), 0), ["AB", "AK"], frozenset())


def test_a_lead_offers_the_cards_by_suit_and_none_face_down() -> None:
    layout = shown(at_play(), 0)
    assert layout.asks == Phrase("asks_lead")
    assert {text: act.group for text, act in acts(layout).items()} == {
        "play AK": "A", "play AB": "A", "play R7": "R", "play SK": "S", "play SB": "S",
    }  # fmt: skip
    assert not any(isinstance(each, Choice) for each in layout.controls)
    assert all(act.label is None for act in acts(layout).values())


def test_a_follower_may_play_face_down() -> None:
    state = GAME.apply(at_play(), 0, GAME.parse_action("play AK"))
    down = choice(shown(state, 1))
    assert not down.menu, "it would cover the cards"
    cards = ["AO", "RU", "R2", "S3", "B6"]
    assert [act.action for act in down.acts] == [f"play {card} down" for card in cards]
    assert down.label == Phrase("play_down", {})
    assert not down.notes
    state = run(state, "1 play AO, 2 play R5, 3 play A6, 2 play A7, 3 play BO")
    assert choice(shown(state, 0)).notes == (Phrase("down_note", {}),), "one of them is a Kaiser"


def test_a_card_face_down_is_seen_by_whoever_laid_it() -> None:
    state = run(at_play(), "0 play AK, 1 play AO, 2 play RB down, 3 play A6, 0 play SK")
    state = run(state, "1 play S3, 2 play SO, 3 play SU down")
    assert shown(state, None).more == shown(state, 0).more
    own, others = shown(state, 3).more[0], shown(state, 0).more[0]
    assert isinstance(own, Trick)
    assert isinstance(others, Trick)
    assert own.role == "last"
    assert own.cards[3] == Laid(3, "SU", ("down",))
    assert others.cards[3] == Laid(3, "", ("down",))
    assert others.cards[0] == Laid(0, "SK", ("winning",))
    assert GAME.observe(state, 0).tricks.laid[7] == HIDDEN


def test_a_kaiser_face_down_is_announced_but_not_which() -> None:
    state = run(at_play(), "0 play AK, 1 play AO, 2 play R5, 3 play A6, 2 play A7, 3 play BO")
    this = run(state, "0 play AB down")
    other = run(state, "0 play SB down")
    for viewer in (1, 2, 3, None):
        assert shown(this, viewer) == shown(other, viewer)
        assert one(shown(this, viewer), Trick).cards[2] == Laid(0, "", ("kaiser", "down"))
        assert GAME.observe(this, viewer).tricks.laid[-1] == HIDDEN_KAISER
        action = GAME.parse_action("play AB down")
        assert GAME.public_action(GAME.observe(this, viewer), 0, action) == "play kaiser down"
    assert one(shown(this, 0), Trick).cards[2] == Laid(0, "AB", ("kaiser", "special", "down"))


def test_the_trick_marks_the_card_that_wins_so_far_and_who_is_awaited() -> None:
    state = run(at_play(), "0 play AK, 1 play RU")
    current = one(shown(state, None), Trick)
    assert current == Trick(
        "current", (Laid(0, "AK"), Laid(1, "RU", ("winning", "special"))), (2, 3)
    )
    assert one(shown(run(state, "2 play R5"), None), Trick).cards[2].marks == ("winning", "special")


def test_the_last_trick_is_looked_up_and_shown_at_the_end() -> None:
    state = run(at_play(), "0 play AK, 1 play AO, 2 play R5, 3 play A6")
    (more,) = shown(state, 1).more
    assert one(shown(state, 1), Trick) == more, "it lies there until the lead is answered"
    led = shown(run(state, "2 play A7"), 1)
    assert [trick.role for trick in all_of(led, Trick)] == ["last", "current"]
    answered = shown(run(state, "2 play A7, 3 play BO"), 1)
    assert [trick.role for trick in all_of(answered, Trick)] == ["current"]
    assert isinstance(more, Trick)
    assert [laid.card for laid in more.cards] == ["AK", "AO", "R5", "A6"]
    state = run(state, "2 play A7, 3 play BO, 0 play SB, 1 play R2")
    state = run(state, "0 play AB, 1 play S3, 2 play SO, 3 play SU")
    layout = shown(state, None)
    assert one(layout, Headline).phrase == Phrase(
        "round_over", {"first": SeatName(0), "second": SeatName(2), "count": 8}
    )
    assert one(layout, Trick).role == "last"
    assert layout.more == ()
    assert layout.controls == ()


def test_passing_for_the_whole_deal_is_offered_while_one_may_be_asked() -> None:
    state = deal(OPEN, HELD)
    for seat in range(4):
        assert standing(shown(state, seat)) is (seat != 0), "its open Banner would go unasked"
    assert not standing(shown(state, None))
    assert not standing(shown(start(), 0))
    state = discarded(at_discards())
    assert [standing(shown(state, seat)) for seat in range(4)] == [True] * 4
    state = run(state, "0 pass, 1 pass")
    assert [standing(shown(state, seat)) for seat in range(4)] == [False, False, False, True]
    state = run(state, "2 pass, 3 pass")
    assert [standing(shown(state, seat)) for seat in range(4)] == [False] * 4


def test_passing_for_the_whole_deal_does_not_stand_beside_what_it_does_not_answer() -> None:
    asked = {"declare": True, "call": True}
    seen = set()
    for seed in range(6):
        for state, seat, _, _ in steps(seed, quiet=0.5):
            if state.step not in ("play", "over"):
                lost = lost_by_passing(GAME.observe(state, seat))
                offered = asked.get(state.step, False) and not lost
                assert standing(shown(state, seat)) == offered, state.step
                seen.add(state.step if offered or not lost else "lost")
    assert seen >= {"raise", "answer 1", "discard", "lost", *asked}


# Typing, and what may be known.


def test_a_hidden_card_of_another_is_guessed_evenly() -> None:
    """Seat 1 expects the acorn King in one of seat 0's two places for the 33 cards unseen."""
    view = GAME.observe(at_pause_3(), 1)
    rng = Random(3)
    king = 1
    guesses = [determinize(GAME, view, rng).hands[0] for _ in range(3000)]
    assert 130 < sum(hand & king != 0 for hand in guesses) < 240


# Words.


def scenes() -> Iterator[Any]:
    yield start()
    yield deal("SB RB AB BB")
    doomed = run(deal("SB RB AB BB"), "0 pass, 1 pass", PAUSES[0])
    yield doomed
    for said in ("2 kaiser AB", "0 raise 1", "1 accept", "0 stay, 3 pass", PAUSES[1]):
        doomed = run(doomed, said)
        yield doomed
    yield at_discards()
    yield at_play()
    yield one_down()
    yield run(deal(OPEN, HELD, before=start(target=5, limit=True)), "0 kaiser SB")


def test_every_phrase_and_refusal_has_words_that_its_parameters_fill() -> None:
    catalogue = Catalogue(GAME)
    void = run(deal("SB RB AB BB"), "0 pass, 1 pass", PAUSES[0], "2 pass, 3 pass", "0 pass")
    full = deal("AB R2 SK BK", {0: "SB"}, before=start(5, limit=True))
    full = run(full, "0 kaiser AB, 0 raise 1, 1 accept")
    called = run(void, "1 threeup")
    for state, seat, text in ((void, 1, "pass"), (called, 0, "accept"), (full, 0, "kaiser SB")):
        action = GAME.parse_action(text)
        catalogue.step(state, seat, action, GAME.apply(state, seat, action))
    for state in (*scenes(), deal("AB R2 SK BK", None, before=start(4, limit=True))):
        for reader in (0, 1, 2, None):
            catalogue.show(shown(state, reader))
    for seed in range(12):
        for step in steps(seed, quiet=0.6, limit=seed == 0):
            catalogue.step(*step)
    catalogue.check_all_was_said()
    asked = r'"(asked_\w+|already_discarded|not_your_turn)"'
    catalogue.check_refusals("not_a_banner", "already_kaiser", "was_open", raised=(*RAISED, asked))
    for key in ("game.name", "game.tagline", "option.target", "card.name"):
        assert key in catalogue.words
    for suit in "ARSB":
        assert {f"suit.{suit}", f"suit.{suit}.mark"} <= catalogue.words.keys()
    assert {f"rank.{rank}" for rank in "KOUB765432"} <= catalogue.words.keys()


def test_the_ladder_has_the_order_of_the_table_of_ranks_in_cards_and_in_words() -> None:
    (strip,) = Catalogue(GAME).words["ranks"]
    said, from_the_top = strip.split(", from the top: ")
    assert said == "Trumps of {suit} and Kaisers"
    names = {"mugg": "Mugg", "kaiser": "Kaisers"}
    assert from_the_top.split(" › ") == [names.get(each.card, each.card) for each in RANKS]
    special = ladder(at_discards()).said.params["suit"]
    rungs = [rung[0] for rung in ladder(at_discards()).rungs]
    for each, card in zip(RANKS, rungs, strict=True):
        if each.card == "mugg":
            assert (card.code, card.marks) == ("BB", ("kaiser", "mugg"))
        elif each.card == "kaiser":
            assert card.marks == ("kaiser",)
        else:
            assert isinstance(special, Suit)
            assert (card.code, card.marks) == (special.code + each.card, ("special",))


def ladder(state: State) -> Ladder:
    (found,) = (block for block in shown(state, 0).blocks if isinstance(block, Ladder))
    return found


def test_the_ladder_names_declared_kaisers() -> None:
    def kaisers(state: State) -> list[str]:
        rungs = ladder(state).rungs
        return [card.code for rung in rungs for card in rung if card.marks == ("kaiser",)]

    assert len(kaisers(at_play())) > 1
    assert not any("mugg" in rung[0].marks for rung in ladder(at_play()).rungs), (
        "nobody declared it"
    )
    state = run(deal("AK R2 SK BB", {0: "SB"}), PAUSES[0], "3 kaiser BB, 1 raise 3, 0 accept")
    assert kaisers(state) == [""]
    state = run(state, PAUSES[1], "0 kaiser SB, 0 raise 3, 1 accept")
    assert kaisers(state) == ["SB"], "the Mugg has a place of its own"


def kaisers_of(state: Any, seat: int, reader: int | None = None) -> list[tuple[str, object]]:
    facts = seats_in(shown(state, reader))[seat].facts
    return [
        (fact.code, fact.params.get("cards", fact.params.get("count")))
        for fact in facts
        if fact.code.startswith("has_")
    ]


def test_a_kaiser_stands_beside_its_owners_name_until_it_is_played() -> None:
    both = [("has_kaisers", Cards(("AB", "SB")))]
    assert kaisers_of(at_play(), 0) == both
    led = run(at_play(), "0 play SB")
    assert kaisers_of(led, 0) == [("has_kaisers", Cards(("AB",)))]
    down = one_down()
    for reader in (0, 1, None):
        assert kaisers_of(down, 0, reader) == [*both, ("has_laid_down", 1)], "which is a secret"
    taken = run(down, "1 play R2, 1 play S3, 2 play RB, 3 play SU")
    assert kaisers_of(run(taken, "0 play SB down"), 0) == []


def test_whoever_answers_a_raise_by_1_is_told_that_it_may_be_lifted() -> None:
    state = run(deal(OPEN, HELD), "0 kaiser SB, 0 raise 1")
    said = {"value": 4, "raised": 5, "high": 7}
    assert shown(state, 1).tip == Phrase("tip_answer_1", said)
    for most, code in ((6, "tip_answer"), (7, "tip_answer_1")):
        near = deal(OPEN, HELD, before=start(target=most, limit=True))
        tip = shown(run(near, "0 kaiser SB, 0 raise 1"), 1).tip
        assert tip is not None
        assert tip.code == code


def test_refusals_fill_their_sentences() -> None:
    """Refused actions, by whoever is asked, by another seat, and by chance."""
    played = run(at_play(), "0 play AK")
    special = [
        (deal(OPEN, HELD), 0, "kaiser AB"),
        (at_pause_3(), 0, "kaiser SB"),
        (at_pause_3(), 0, "kaiser AK"),
        (run(deal(OPEN, HELD), "0 pass", PAUSES[0], PAUSES[1]), 0, "kaiser SB"),
        (at_discards(), 0, "discard AB SB"),
        (at_discards(), 0, "discard AB A2"),
        (run(at_discards(), "0 discard AK AB"), 0, "discard R7 R6"),
        (at_discards(), 0, "pass"),
        (at_play(), 0, "pass"),
        (at_play(), 0, "play AK down"),
        (played, 1, "play AK"),
    ]
    catalogue, found = Catalogue(GAME), set[str]()
    for state, seat, text in special:
        found |= catalogue.refuse(state, seat, GAME.parse_action(text))
    moves = [GAME.parse_action(text) for text in ("pass", "accept", "play A2", "discard A3 A2")]
    wrong: list[Action] = [*moves, Move("play", 3), Deal(b"", 0)]
    for state, seat, _, after in steps(3, quiet=0.5):
        for who in (seat, (seat + 1) % 4, CHANCE):
            for action in wrong:
                found |= catalogue.refuse(state, who, action)
                found |= catalogue.refuse(after, who, action)
    assert found == {
        "match_over", "deal_due", "no_deal_due", "bad_deal", "not_your_turn", "already_discarded",
        "not_an_action", "asked_threeup", "asked_raise", "asked_lift", "asked_answer",
        "asked_kaiser", "asked_discard", "asked_play", "not_in_hand", "not_a_banner",
        "already_kaiser", "was_open", "kaiser_stays", "lead_face_up",
    }  # fmt: skip


def test_of_an_open_card_it_is_told_whether_it_is_a_trump() -> None:
    told = set()
    for seed in range(6):
        for _, _, _, after in steps(seed, quiet=0.8):
            special = after.round.special
            for seat in seats_in(shown(after, None)):
                for fact in seat.facts:
                    cards = fact.params.get("cards")
                    if fact.code.startswith("had_open") and isinstance(cards, Cards):
                        (card,) = cards.codes
                        is_trump = special is not None and card[0] == SUITS[special]
                        is_trump = is_trump and card[1] in "5U6234"
                        assert (fact.code == "had_open_trump") is is_trump
                        told.add(fact.code)
    assert told == {"had_open", "had_open_trump"}


def test_an_open_card_is_told_of_its_owner_until_it_is_laid_face_up() -> None:
    """A card that lies face down for others stays what they last saw of it."""
    told = 0
    for seed in range(6):
        for _, _, _, after in steps(seed, quiet=0.8):
            view = GAME.observe(after, None)
            laid = set(PACK.codes(mask(card for card in view.tricks.laid if card < DOWN)))
            for seat in seats_in(shown(after, None)):
                for fact in seat.facts:
                    cards = fact.params.get("cards")
                    if fact.code.startswith("had_open") and isinstance(cards, Cards):
                        told += after.step == "play"
                        assert not laid & {*cards.codes}
    assert told
